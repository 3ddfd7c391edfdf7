#!/usr/bin/env python3
"""rewrite.py TOOLS CASES [SEED]: the text behind a `cd` does what the text does.

Generated texts run under bash in a throw-away sandbox: as they are, in the root; rewritten
by look_tool, started elsewhere; and rewritten while the root is not there.  The first two
must print the same, leave the same files and end with the same status; the third must run
nothing.  Texts that do not do the same twice are passed over.
"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import gen

ODD = [
    "echo a\\", "cat <<E\nx", "cat <<E\nx\nE", "cat <<'E'\n}\nE", "echo a # trailing", "# only", "", " ",
    "set -e; false; echo no", "set -e\nfalse\necho no", "false", "(exit 7)", "exit 3", "a=1; echo $a",
    "shopt -s expand_aliases\nalias zz='echo aliased'\nzz", "echo $LINENO\necho $LINENO", "false || echo or",
    "true && echo and", "echo bg & wait", "! true", "echo a; echo b", "echo a | cat", "echo $?",
    "f() { return 4; }; f", "time true", "if false; then echo x; fi", "echo 'a;b' && pwd", "pwd; pwd",
    "echo \"$(pwd)\"", "trap 'echo bye' EXIT; pwd", "trap 'echo err' ERR; false; true", "{ pwd; }", "(pwd)",
    "echo a &>o && cat o", "echo a >&2", "pwd 2>&1", "set -o pipefail; false | true", "set -u; echo $nope; echo x",
    "echo a &&\necho b", "echo a ||\necho b", "x=$(pwd) && echo $x", "cat <<A <<B\n1\nA\n2\nB", "return 5", "pwd;",
    "echo one\\\n two", "case a in a) pwd;; esac", "coproc cat; wait", "[[ a == a ]] && pwd", "((1)) && pwd",
    "echo \"unfinished\nline\"; pwd", "kill -0 $$ && pwd", "exec echo gone", "\n\npwd", "\tpwd",
]


def tree_of(root):
    found = []
    for folder, dirs, files in os.walk(root):
        for name in sorted(dirs + files):
            path = os.path.join(folder, name)
            body = b""
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as f:
                    body = f.read(4096)
            found.append((os.path.relpath(path, root), body))
    return sorted(found)


def fresh(root):
    shutil.rmtree(root, ignore_errors=True)
    os.makedirs(root + "/d1")
    for name in ("f1", "f2.txt"):
        with open(os.path.join(root, name), "w", encoding="utf-8") as f:
            f.write(name + "\n")


def run(text, cwd):
    """Commands that do not exist say that they ran, and where."""
    env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": "/", "BASH_FUNC_command_not_found_handle%%":
           '() { echo "ran $* in $PWD"; return $(( ${#1} % 2 )); }'}
    child = subprocess.Popen(["bash", "-c", text], cwd=cwd, env=env, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        out, _ = child.communicate(timeout=2)
    except subprocess.TimeoutExpired:
        out = None
    try:
        os.killpg(child.pid, 9)
    except ProcessLookupError:
        pass
    child.wait()
    return out, child.returncode


def full(text, root, cwd):
    fresh(root)
    out, status = run(text, cwd)
    return None if out is None else (out, status, tree_of(root))


def inner(root):
    """In the sandbox: one JSON pair of texts a line; an empty answer is fine."""
    for line in sys.stdin:
        text, rewritten = json.loads(line)
        first, again = full(text, root, root), full(text, root, root)
        answer = "skip"
        if first and first == again:
            got = full(rewritten, root, "/")
            seen = [first]
            while got not in seen and len(seen) < 6:  # what runs in the background races
                got = full(rewritten, root, "/")
                seen.append(full(text, root, root))
            answer = "" if got in seen else f"differs: {first} became {got}"
            shutil.rmtree(root)
            away = run(rewritten, "/")
            if not answer and (away != (b"", 1) or os.path.lexists(root)):
                answer = f"ran without its root: {away}"
        print(json.dumps(answer), flush=True)


def texts(seed, cases):
    yield from ODD
    done = subprocess.run([sys.executable, gen.__file__, "--seed", str(seed), "-n", str(cases)],
                          capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        yield json.loads(line)["src"]


def main(tools, cases, seed):
    top = tempfile.mkdtemp(prefix="rewrite")
    root = top + "/it's $(a) \"root\""
    judge = subprocess.Popen([str(tools / "look_tool")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    box = subprocess.Popen(
        ["bwrap", "--unshare-all", "--die-with-parent", "--uid", "1000", "--gid", "1000", "--ro-bind", "/", "/",
         "--dev", "/dev", "--proc", "/proc", "--tmpfs", top, "--chdir", "/", sys.executable,
         os.path.abspath(__file__), "--inner", root],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    count = {"": 0, "skip": 0, "refused": 0}
    bad = []
    try:
        for text in texts(seed, cases):
            judge.stdin.write(json.dumps({"command": text, "cwd": root, "roots": [root]}) + "\n")
            judge.stdin.flush()
            answer = json.loads(judge.stdout.readline())
            if "command" not in answer:
                count["refused"] += 1
                continue
            box.stdin.write(json.dumps([text, answer["command"]]) + "\n")
            box.stdin.flush()
            verdict = json.loads(box.stdout.readline())
            if verdict in count:
                count[verdict] += 1
            else:
                bad.append((text, answer["command"], verdict))
    finally:
        box.kill()
        shutil.rmtree(top, ignore_errors=True)
    for text, command, verdict in sorted(bad, key=lambda b: len(b[0]))[:6]:
        print("DIFFERS", repr(text), "as", repr(command), verdict)
    name = f"rewrite seed {seed}: {count['']} alike, {count['skip']} passed over, {count['refused']} refused"
    print(f"not ok {name}, {len(bad)} differ" if bad else f"ok {name}")
    return 1 if bad else 0


if __name__ == "__main__":
    if sys.argv[1] == "--inner":
        inner(sys.argv[2])
    else:
        sys.exit(main(pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
                      if len(sys.argv) > 3 else random.SystemRandom().randrange(10**6)))
