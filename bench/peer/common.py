"""Shared by all parts of bench/peers: folders, interleaved runs, versions of the peers."""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = pathlib.Path(os.environ.get("CORDON_BUILD") or ROOT / "build").resolve()
FOLDER = BUILD / "peers"
MODULES = FOLDER / "node_modules"
CODEX = MODULES / "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"
CORDON = pathlib.Path(os.environ.get("CORDON") or BUILD / "cordon").resolve()
SPAWN = BUILD / "release/bench/spawn"
PATH = "/usr/local/bin:/usr/bin:/bin"
NOBODY = 64321  # an unused number

sys.path.insert(0, str(ROOT / "tests/tools"))
from project import Project  # noqa: E402

# Pinned versions.
NPM = {
    "cc-safety-net": "2.4.5",
    "@openai/codex": "0.166.0",
    "@anthropic-ai/sandbox-runtime": "0.0.83",
    "@google/gemini-cli-core": "0.61.0",
}
DEBIAN = ["bubblewrap", "shfmt", "dash"]
# Other well-known guards, which are in none of the package registries used here.
NOT_HERE = {
    "Dippy": "not on PyPI; only available as a git repository",
    "dcg": "neither in npm nor in Debian; only available as a git repository",
    "claude-warden": "not in npm; only available as a plug-in of an agent",
}


def bench_run():
    """Load bench/run as a module, for its yardsticks."""
    loader = importlib.machinery.SourceFileLoader("bench_run", str(ROOT / "bench/run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench_run", loader))
    loader.exec_module(module)
    return module


RUN = bench_run()


def say(text):
    print(text, flush=True)


def install():
    """{name: version, or None and the reason}, for all peers; npm packages go to build/peers."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = json.dumps({"private": True, "dependencies": NPM}, indent=1)
    stamp, why = FOLDER / "package.json", None
    if not stamp.exists() or stamp.read_text() != wanted or not MODULES.exists():
        stamp.write_text(wanted)
        say("installing " + ", ".join(f"{n} {v}" for n, v in NPM.items()))
        why = npm_install()
        if why:
            stamp.unlink()
    found = {name: npm_version(name, why) for name in NPM}
    found.update({name: debian_version(name) for name in DEBIAN})
    program, missing = RUN.build_treesitter()
    found["tree-sitter-bash"] = [RUN.NPM["tree-sitter-bash"] if program else None, missing]
    found.update({name: [None, reason] for name, reason in NOT_HERE.items()})
    return found


def npm_install():
    if not shutil.which("npm"):
        return "npm is missing"
    try:
        done = subprocess.run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund",
                               "--silent"], cwd=FOLDER, capture_output=True, timeout=600,
                              check=False)
    except subprocess.TimeoutExpired:
        return "npm install took too long"
    return "npm install failed (no network?)" if done.returncode else None


def npm_version(name, why):
    try:
        return [json.loads((MODULES / name / "package.json").read_text())["version"], None]
    except OSError:
        return [None, why or "npm did not bring it"]


def debian_version(name):
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True,
                          text=True, check=False)
    return [done.stdout, None] if done.stdout else [None, "not installed"]


def project(top):
    """The directory and environment of a project with files in every state."""
    made = Project(pathlib.Path(top))
    made.settle()
    return made.cwd, made.env


def put(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def scratch():
    """A folder for a part; not below /tmp, where files do not count as unsaved work."""
    base = "/var/lib" if os.getuid() == 0 else os.path.expanduser("~")
    return tempfile.TemporaryDirectory(prefix="cordon-peers-", dir=base)


def node(questions, env, cwd):
    """Answers of ask.mjs, one JSON line for each question."""
    text = "".join(json.dumps(q) + "\n" for q in questions)
    done = subprocess.run(["node", str(HERE / "ask.mjs"), str(MODULES)], input=text, text=True,
                          env=env, cwd=cwd, stdout=subprocess.PIPE, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(questions):
        raise RuntimeError(f"ask.mjs answered {len(answers)} of {len(questions)} questions")
    return answers


def cordon_batch(command, lines, options, env, cwd):
    text = "".join(json.dumps({"id": i, **line}) + "\n" for i, line in enumerate(lines))
    done = subprocess.run([str(CORDON), command, "--json", "--batch", *options], input=text,
                          text=True, env=env, cwd=cwd, stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def turns(programs, rounds, env, cwd, text="", front=()):
    """{name: [least, p10] in ms}, started in turn, so that all meet the same conditions."""
    with tempfile.NamedTemporaryFile("w", suffix=".input", dir=cwd) as f:
        f.write(text)
        f.flush()
        os.chmod(f.name, 0o644)
        argv = [*front, str(SPAWN), "-i", f.name, str(rounds)]
        for words in programs.values():
            argv += [*map(str, words), "++"]
        done = subprocess.run(argv[:-1], env=env, cwd=cwd, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL, check=True)
    rows = [[int(x) / 1e6 for x in line.split()] for line in done.stdout.splitlines()]
    return dict(zip(programs, rows))


def median(values):
    return statistics.median(values)
