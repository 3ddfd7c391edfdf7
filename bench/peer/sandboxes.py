"""The sandboxes: their policies, and their cost.

All get the same policy as far as they can express it: the whole disk readable, only the
workspace writable, no network, a list of hidden files, git's hooks and configuration closed.
They run as an unprivileged user, even if root starts the comparison.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import common

sys.path.insert(0, str(common.ROOT / "tests/inside"))
import fixture  # noqa: E402

UID = common.NOBODY if os.getuid() == 0 else os.getuid()
FRONT = fixture.as_user(UID)
PASSED = ("PATH", "HOME", "LANG", "WS", "OUT", "HOST", "B", "TCP", "UDP", "ABSTRACT", "SHM",
          "POSIX", "HOSTTMP")


class Place:
    """A workspace `ws` and a home directory beside it, owned by the user of the sandboxes."""

    def __init__(self, top):
        self.top = pathlib.Path(top)
        os.chmod(top, 0o755)
        self.ws, self.home = self.top / "ws", self.top / "home"
        for folder in (self.ws, self.home):
            folder.mkdir(exist_ok=True)
        self.cordon = self.top / "cordon"
        shutil.copy(common.CORDON, self.cordon)
        self.own()

    def env(self):
        return {"PATH": common.PATH, "HOME": str(self.home), "LC_ALL": "C.UTF-8",
                "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a",
                "GIT_COMMITTER_EMAIL": "a@b"}

    def own(self):
        if UID == os.getuid():
            return
        for path in [self.top, *self.top.rglob("*")]:
            os.chown(path, UID, UID, follow_symlinks=False)

    def run(self, *argv):
        subprocess.run([*FRONT, *argv], cwd=self.ws, env=self.env(), check=True,
                       stdout=subprocess.DEVNULL)


def fronts(top, ws, home, cordon=("run",), hidden=(), patterns=(), env=None):
    """{name: words before a command}, for every installed sandbox."""
    found = {"cordon": [str(cordon[0]), *cordon[1:], "--"],
             "bubblewrap": bubblewrap(ws, hidden, env)}
    if common.CODEX.exists():
        codex_settings(home, patterns)
        found["codex"] = [str(common.CODEX), "sandbox", "-P", "bench", "--"]
    srt = common.MODULES / "@anthropic-ai/sandbox-runtime/dist/cli.js"
    if srt.exists() and shutil.which("node"):
        settings = srt_settings(pathlib.Path(top) / "srt.json", ws, patterns)
        found["srt"] = [shutil.which("node"), str(srt), "--settings", settings, "--"]
    return found


def bubblewrap(ws, hidden, env):
    words = ["bwrap", "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc",
             "--unshare-uts", "--unshare-cgroup", "--die-with-parent", "--new-session",
             "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
             "--bind", str(ws), str(ws)]
    for path in hidden:
        words += ["--tmpfs", str(path)] if path.is_dir() else ["--ro-bind", "/dev/null", str(path)]
    for git in pathlib.Path(ws).rglob(".git"):
        for path in (git / "hooks", git / "config"):
            words += ["--ro-bind", str(path), str(path)] if path.exists() else []
    if env:  # its hardening, which costs time at the start
        words += ["--disable-userns", "--cap-drop", "ALL", "--clearenv"]
        for name in PASSED:
            words += ["--setenv", name, env[name]] if name in env else []
    return [*words, "--"]


def codex_settings(home, patterns):
    text = ('default_permissions = "bench"\n[permissions.bench]\nextends = ":workspace"\n'
            '[permissions.bench.filesystem.":workspace_roots"]\n')
    text += "".join(f'"{p}" = "deny"\n' for p in patterns)
    folder = pathlib.Path(home) / ".codex"
    folder.mkdir(exist_ok=True)
    (folder / "config.toml").write_text(text)
    for path in (folder, folder / "config.toml"):
        os.chown(path, UID, UID)


def srt_settings(path, ws, patterns):
    path.write_text(json.dumps({
        "network": {"allowedDomains": [], "deniedDomains": []},
        "filesystem": {"denyRead": [f"{ws}/{p}" for p in patterns], "allowWrite": [str(ws)],
                       "denyWrite": []}}))
    os.chmod(path, 0o644)
    return str(path)


def works(place, programs):
    """Check that every sandbox runs the command before measuring it."""
    fine = {}
    for name, words in programs.items():
        done = subprocess.run([*FRONT, *map(str, words)], cwd=place.ws, env=place.env(),
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode:
            common.say(f"  {name} does not start: {done.stderr[-300:]!r}")
        else:
            fine[name] = words
    return fine


def tell(rows):
    common.say("  " + ", ".join(f"{n} {v[0]:.2f}/{v[1]:.2f} ms" for n, v in rows.items()))


# ---- start


def start():
    """`true`, from start to end of the sandbox; many rounds for fast ones, a few for all."""
    with common.scratch() as top:
        place = Place(top)
        programs = {"no sandbox": ["/bin/true"]}
        for name, front in fronts(top, place.ws, place.home, (place.cordon, "run")).items():
            programs[name] = [*front, "/bin/true"]
        programs["cordon, no exec gate"] = [place.cordon, "run", "--exec-gate", "off", "--",
                                            "/bin/true"]
        place.run(place.cordon, "session", "new", "bench")
        programs["cordon, in a session"] = [place.cordon, "run", "--session", "bench", "--",
                                            "/bin/true"]
        programs = works(place, programs)
        programs = {n: [shutil.which(str(w[0])), *w[1:]] for n, w in programs.items()}
        fast = {n: w for n, w in programs.items() if n not in ("codex", "srt")}
        rows = common.turns(fast, 300, place.env(), place.ws, front=FRONT)
        tell(rows)
        slow = {n: programs[n] for n in ("cordon", "bubblewrap", "codex", "srt") if n in programs}
        others = common.turns(slow, 20, place.env(), place.ws, front=FRONT)
        tell(others)
        place.run(place.cordon, "session", "end", "bench")
    return {"rows": rows, "others": others}


# ---- a build


def build():
    """Least wall time of make with 25 files; not CPU time, because not all sandboxes wait for their
    process tree."""
    rounds = int(os.environ.get("ROUNDS", "6"))
    with common.scratch() as top:
        place = Place(top)
        source(place)
        programs = {"no sandbox": ["make", "-s"]}
        for name, front in fronts(top, place.ws, place.home, (place.cordon, "run")).items():
            programs[name] = [*front, "make", "-s"]
        programs = works(place, programs)
        taken = {name: [] for name in programs}
        for _ in range(rounds):
            for name, words in programs.items():
                place.run("make", "-s", "clean")
                began = time.perf_counter()
                place.run(*map(str, words))
                taken[name].append(1e3 * (time.perf_counter() - began))
    rows = {n: [min(v), common.median(v)] for n, v in taken.items()}
    tell(rows)
    return {"rounds": rounds, "rows": rows}


def source(place):
    for i in range(25):
        text = "".join(f"int f{i}_{k}(int x) {{ return x * {k} + printf(\"%d\", x); }}\n"
                       for k in range(60))
        (place.ws / f"m{i}.c").write_text("#include <stdio.h>\n" + text)
    objects = " ".join(f"m{i}.o" for i in range(25))
    (place.ws / "Makefile").write_text(f"all: {objects}\nclean:\n\trm -f *.o\n")
    place.own()


# ---- many hidden files


def hidden():
    """`true` in a workspace with 2,000 files, 1,000 of them hidden."""
    with common.scratch() as top:
        place = Place(top)
        for i in range(1000):
            for kind in ("txt", "c"):
                common.put(place.ws / f"d{i % 40}/{i}.{kind}", "x\n")
        (place.ws / "hide").write_text("*.txt\n")
        place.own()
        files = sorted(place.ws.rglob("*.txt"))
        front = fronts(top, place.ws, place.home,
                       (place.cordon, "run", "--ignore", place.ws / "hide"), files, ["**/*.txt"])
        one = files[0].relative_to(place.ws)
        rows = {}
        for name, words in front.items():
            rows[name] = hide_one(place, name, words, one)
            common.say(f"  {name}: {rows[name]}")
    return {"files": len(files), "rows": rows}


def hide_one(place, name, words, one):
    """[least ms of `true`, whether a hidden file is hidden], or the reason why it does not start."""
    done = subprocess.run([*FRONT, *map(str, words), "cat", str(one)], cwd=place.ws,
                          env=place.env(), stdin=subprocess.DEVNULL, capture_output=True,
                          check=False)
    least = []
    for _ in range(3):
        began = time.perf_counter()
        fine = subprocess.run([*FRONT, *map(str, words), "/bin/true"], cwd=place.ws,
                              env=place.env(), stdin=subprocess.DEVNULL, capture_output=True,
                              check=False)
        least.append(1e3 * (time.perf_counter() - began))
        if fine.returncode:
            return [None, fine.stderr.decode("utf-8", "replace").strip()[-120:]]
    return [min(least), done.stdout == b""]
