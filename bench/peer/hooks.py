"""Measure the answer of hooks, and parsing."""
import json
import os
import shutil
import subprocess
import tempfile

import common

COMMANDS = ["ls -la src", "git status --short && git diff --stat", "rm -rf ~/Documents"]
ROUNDS = 60


def hook():
    """Time from process start to answer, for every guard that is a hook program."""
    empty = common.RUN.build_empty()
    found, rows = {}, {}
    with tempfile.TemporaryDirectory() as top:
        cwd, env = common.project(top)
        rules = os.path.join(top, "codex.rules")
        with open(rules, "w", encoding="utf-8") as f:
            f.write('prefix_rule(pattern=["rm"], decision="forbidden")\n')
        for command in COMMANDS:
            programs = hook_programs(rules, command)
            payload = common.RUN.payload(str(cwd), command)
            mine = dict(env, CLAUDE_PROJECT_DIR=str(cwd))
            for name, words in programs.items():
                found[name] = answers(words, payload, mine, cwd)
            if empty:
                programs = {"an empty program": [empty], **programs}
            rows[command] = common.turns(programs, ROUNDS, mine, cwd, payload)
            common.say(f"  {command}: " + ", ".join(
                f"{n} {v[0]:.2f}/{v[1]:.2f} ms" for n, v in rows[command].items()))
    return {"rounds": ROUNDS, "rows": rows, "answers": found}


def hook_programs(rules, command):
    ccsn = common.MODULES / "cc-safety-net/dist/bin/cc-safety-net.js"
    programs = {"cordon": [common.CORDON, "hook", "claude"]}
    if common.CODEX.exists():
        programs["codex execpolicy"] = [common.CODEX, "execpolicy", "check", "-r", rules,
                                        "bash", "-lc", command]
    node = shutil.which("node")
    if node and ccsn.exists():
        programs["cc-safety-net"] = [node, ccsn, "hook", "--coding-cli"]
    if node:
        programs["node -e 0"] = [node, "-e", "0"]
    programs["python3 -c pass"] = [shutil.which("python3", path=common.PATH), "-c", "pass"]
    return programs


def answers(words, payload, env, cwd):
    """Check that it works before measuring it."""
    done = subprocess.run(list(map(str, words)), input=payload, text=True, env=env, cwd=cwd,
                          capture_output=True, check=False)
    if done.returncode not in (0, 2):
        raise RuntimeError(f"{words[0]}: {done.returncode} {done.stderr[-200:]}")
    return done.stdout.strip()[:60]


def parse():
    """us for each command of bench/typical.txt, without the start of the process."""
    run = common.RUN
    texts = (common.ROOT / "bench/typical.txt").read_text().splitlines()
    first = run.core("set", 3000, texts)[0]
    rows = {"dash -n": run.amortised("dash", texts), "bash -n": run.amortised("bash", texts)}
    if shutil.which("shfmt"):
        rows["shfmt"] = shfmt(texts)
    program, _ = run.build_treesitter()
    if program:
        data = b"".join(t.encode() + b"\0" for t in texts)
        rows["tree-sitter-bash"] = float(run.output([program, "500"], data))
    second = run.core("set", 3000, texts)[0]
    rows["cordon"] = min(first[0], second[0])
    rows["cordon, with analysis and JSON"] = min(first[3], second[3])
    common.say("  " + ", ".join(f"{n} {v / 1e3:.2f} us" for n, v in rows.items()))
    return {"commands": len(texts), "rows": {n: v / 1e3 for n, v in rows.items()}}


def shfmt(texts):
    """ns per line, with its output, which cannot be switched off."""
    copies = 400
    with tempfile.NamedTemporaryFile("w", suffix=".sh") as f:
        f.write("".join(t + "\n" for t in texts) * copies)
        f.flush()
        long = common.RUN.best_time(["shfmt", f.name], 5)
        empty = common.RUN.best_time(["shfmt", "/dev/null"], 20)
    return (long - empty) * 1e9 / (copies * len(texts))
