#!/usr/bin/env python3
"""contain.py TOOLS CASES [SEED]: nothing leaves the root that was not predicted.

Random commands with writers, links, loops and changes of directory are judged by look_tool
on a scratch tree, then run for real under bash in a throw-away bubblewrap sandbox that has
the same tree.  Whatever was created, changed or removed outside of the root must have been
predicted: something outside or unknown, or code that nobody has read.

  contain.py TOOLS 50000 1       any number; the same seed gives the same texts
  contain.py TOOLS -c 'TEXT'     one text: the answer, and what it did outside
"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

TREE = {  # name: None for a directory, ("l", target) for a link, else the content
    "out": None, "out/v": "victim\n", "out/dir": None, "out/dir/x": "x\n", "out/exec": "echo\n",
    "home": None, "home/.bashrc": "#\n", "home/f": "f\n",
    "w": None, "w/a": "a\nb\n", "w/b": "b\n", "w/sp ace": "s\n", "w/.dot": "d\n",
    "w/sub": None, "w/sub/f": "f\n", "w/sub/deep": None, "w/sub/deep/g": "g\n",
    "w/d": None, "w/d/a": "a\n", "w/e": None,
    "w/lin": ("l", "sub"), "w/lout": ("l", "../out"), "w/lfile": ("l", "../out/v"),
    "w/labs": ("l", "@T/out"), "w/dang": ("l", "../out/new"), "w/loop": ("l", "loop"),
    "w/up": ("l", ".."), "w/d/lo": ("l", "../../out"), "w/d/v": ("l", "../../out/v"),
    "w/d/b": ("l", "../../out/v"), "w/sub/back": ("l", "../../out/dir"), "w/self": ("l", "."),
    "w/chain": ("l", "lin/back"), "w/e/sub": ("l", "../../out/dir"),
}
INSIDE = ["a", "b", "sub", "sub/f", "sub/deep", "d", "e", "n", "n/m", "d/a", "lin", "lin/f", "self/a",
          "sub/../a", "lin/../a", "./b", "sub//deep/", "'sp ace'", ".dot", "e/x", "self/self/n"]
LEAVING = ["lout", "lout/f", "lfile", "labs/f", "dang", "up", "up/out/f", "d/lo", "d/lo/f", "d/v", "d/b",
           "sub/back", "sub/back/x", "chain", "chain/y", "../out", "../out/f", "sub/../../out/g", "lin/../..",
           "@T/out/v", "@T/out", "~", "~/f", "$HOME/f", "lin/back/z", "/proc/self/cwd/../out/p",
           "@T/w/../out/q", "self/../out", "loop", "loop/x", "e/sub", "lout/../home/f", "..", "../w/a", "../w2"]
OPEN = ['"$x"', "$y", "l*", "{a,lout/f}", "?out/k", '"$(cat a)"', "${z:-lout/f}", "$OLDPWD/f", "*/lo", "$1",
        "$PWD/a", "${x}f", "~+/b", "~-/b", "\\lout", "l'out'/f", '"lo"ut/f', "$'lo\\x75t/f'"]


class Gen:
    def __init__(self, seed, top):
        self.r = random.Random(seed)
        self.top = top

    def path(self, new=.0):
        kind = self.r.random()
        if kind < new:
            return self.r.choice(["n", "m", "k", "d/n", "sub/k", "e/n", "lin/n"])
        if kind < .52:
            out = self.r.choice(INSIDE)
        elif kind < .85:
            out = self.r.choice(LEAVING)
        else:
            out = self.r.choice(OPEN)
        return out.replace("@T", self.top)

    def writer(self):
        p, q, r = self.path, self.path, self.r
        return r.choice([
            lambda: f"echo x > {p()}", lambda: f"echo x >> {p()}", lambda: f"echo x &> {p()}",
            lambda: f"echo x >| {p()}", lambda: f": 1<> {p()}", lambda: f"echo x | tee {p()} {q()}",
            lambda: f"cp {q()} {p(.2)}", lambda: f"cp -r {q()} {p(.3)}", lambda: f"cp -a {q()} {p(.3)}",
            lambda: f"cp -t {p()} {q()} {q()}", lambda: f"cp -rT {q()} {p()}", lambda: f"cp -s {q()} {p(.4)}",
            lambda: f"cp -l {q()} {p(.4)}", lambda: f"mv {q()} {p(.3)}", lambda: f"mv -t {p()} {q()}",
            lambda: f"ln -s {q()} {p(.5)}", lambda: f"ln {q()} {p(.5)}", lambda: f"ln -sf {q()} {p(.4)}",
            lambda: f"ln -s {q()} {q()} {p()}", lambda: f"ln -sr {q()} {p(.5)}", lambda: f"ln -sfn {q()} {p()}",
            lambda: f"touch {p()}", lambda: f"mkdir -p {p(.4)}", lambda: f"rm -rf {p()}", lambda: f"rm {p()}",
            lambda: f"rmdir {p()}", lambda: f"truncate -s0 {p()}", lambda: f"sed -i s/x/y/ {p()}",
            lambda: f"dd if=a of={p()} status=none", lambda: f"install {q()} {p()}",
            lambda: f"install -D {q()} {p(.3)}", lambda: f"install -d {p(.3)}", lambda: f"chmod 700 {p()}",
            lambda: f"sort -o {p()} a", lambda: f"find {p()} -delete", lambda: f"find {p()} -name f -delete",
            lambda: f"find {p()} -type f -exec rm {{}} \\;", lambda: f"echo {p()} | xargs rm -f",
            lambda: f"echo {p()} | xargs touch", lambda: f"split -l1 a {p(.3)}", lambda: f"unlink {p()}",
            lambda: f"tar cf {p(.3)} sub", lambda: f"tar c {q()} | tar x -C {p()}",
            lambda: f"tar -cf t.tar {q()} && tar -xf t.tar -C {p()}", lambda: f"cat a > {p()}",
            lambda: f"shred -u {p()}", lambda: f"exec 3> {p()}; echo x >&3", lambda: f"exec 3< {p()}; echo x > /dev/fd/3",
            lambda: f"cat < {p()} | tee /dev/stdin", lambda: f"echo x > /dev/stdout", lambda: f"mktemp -p {p()} qXXXX",
            lambda: f"awk 'BEGIN {{ print 1 > \"{p()}\" }}'", lambda: f"sed -n 'w {p()}' a", lambda: f"csplit -s -f {p()} a 2",
            lambda: f"rsync -a {q()} {p()}", lambda: f"cp --parents sub/f {p()}", lambda: f"ln -t {p()} a",
            lambda: f"touch -r a {p()}", lambda: f"cp -P {q()} {p(.4)}", lambda: f"cp --rem a {p()}",
        ])()

    def enter(self):
        p = self.path
        return self.r.choice([
            lambda: f"cd {p()}", lambda: f"cd -P {p()}", lambda: f"cd -- {p()}", lambda: "cd ..", lambda: "cd -",
            lambda: "cd", lambda: f"pushd {p()} >/dev/null", lambda: "popd >/dev/null", lambda: f"cd {p()}/..",
            lambda: f"cd {p()} && cd {p()}", lambda: f"CDPATH={p()} cd {p()}", lambda: f"cd {p()}/../dir",
            lambda: f"mkdir -p n/m && cd n/m", lambda: f"builtin cd {p()}"])()

    def other(self):
        return self.r.choice([
            lambda: f"x={self.path()}", lambda: f"x=$(echo {self.path()})", lambda: f"read y < {self.path()}",
            lambda: f"set -- {self.path()}", lambda: "true", lambda: "false", lambda: f"y={self.path()}; x=$y",
            lambda: "shopt -s nullglob", lambda: f"cat {self.path()}", lambda: f"unset x",
            lambda: f"HOME={self.path()}", lambda: f"f() {{ {self.writer()}; }}", lambda: "f"])()

    def simple(self):
        kind = self.r.random()
        return self.writer() if kind < .55 else self.enter() if kind < .8 else self.other()

    def statement(self, depth):
        kind = self.r.random()
        if depth <= 0 or kind < .7:
            return self.simple()
        body = lambda: self.text(depth - 1)
        quote = lambda s: "'" + s.replace("'", "'\\''") + "'"
        return self.r.choice([
            lambda: f"( {body()}\n)", lambda: f"{{ {body()}\n}}", lambda: f"if {self.simple()}; then {body()}\nfi",
            lambda: f"for x in {self.path()} {self.path()}; do {body()}\ndone",
            lambda: f"while :; do {body()}\nbreak; done", lambda: f"bash -c {quote(body())}",
            lambda: f"sh -c {quote(self.simple())}", lambda: f"eval {quote(body())}",
            lambda: f"env -C {self.path()} sh -c {quote(self.simple())}",
            lambda: f"echo | {self.simple()}", lambda: f"{self.simple()} &\nwait",
            lambda: f"$({self.simple()})", lambda: f"f() {{ {body()}\n}}; f", lambda: f"env X=1 {self.writer()}",
            lambda: f"case a in a) {body()}\n;; esac", lambda: f"cat <<E > {self.path()}\nx\nE\n",
            lambda: f"until {self.simple()}; do break; done", lambda: f"trap {quote(self.simple())} EXIT",
            lambda: f"nice {self.writer()}", lambda: f"for i in 1 2; do {body()}\ndone"])()

    def text(self, depth=2):
        parts = [self.statement(depth) for _ in range(self.r.choice([1, 1, 2, 2, 3, 4]))]
        out = parts[0]
        for part in parts[1:]:
            glue = self.r.choice(["; ", " && ", "\n", " || ", "; "])
            out += ("\n" if out.endswith("\n") else glue) + part
        return out


def make(top):
    for name, what in TREE.items():
        path = os.path.join(top, name)
        if what is None:
            os.mkdir(path)
        elif isinstance(what, tuple):
            os.symlink(what[1].replace("@T", top), path)
        else:
            with open(path, "w", encoding="utf-8") as out:
                out.write(what)


def outside(top):
    """Everything below top but not in w."""
    found = {}
    for folder, dirs, files in os.walk(top):
        if folder == top and "w" in dirs:
            dirs.remove("w")
        for name in dirs + files:
            path = os.path.join(folder, name)
            st = os.lstat(path)
            body = os.readlink(path) if os.path.islink(path) else ""
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as f:
                    body = f.read()
            found[path] = (st.st_mode, st.st_nlink if not os.path.isdir(path) else 0, body)
    found[os.path.join(top, "w")] = os.path.isdir(os.path.join(top, "w"))
    return found


def inner(top):
    """In the sandbox: runs the texts on standard input, prints what each changed outside."""
    env = {"HOME": top + "/home", "PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    for line in sys.stdin:
        for name in os.listdir(top):
            path = os.path.join(top, name)
            subprocess.run(["chmod", "-R", "u+rwx", path], check=False, capture_output=True) \
                if not shutil.rmtree(path, ignore_errors=True) and os.path.lexists(path) else None
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path, ignore_errors=True)
            elif os.path.lexists(path):
                os.unlink(path)
        make(top)
        before = outside(top)
        child = subprocess.Popen(["bash", "-c", json.loads(line)], cwd=top + "/w", env=env,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            child.wait(.7)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(child.pid, 9)
        except ProcessLookupError:
            pass
        child.wait()
        after = outside(top)
        changed = sorted(p for p in before.keys() | after.keys() if before.get(p) != after.get(p))
        print(json.dumps(changed), flush=True)


class Sandbox:
    def __init__(self, top):
        self.process = subprocess.Popen(
            ["bwrap", "--unshare-all", "--die-with-parent", "--uid", "1000", "--gid", "1000",
             "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", top, "--chdir", "/",
             sys.executable, os.path.abspath(__file__), "--inner", top],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, text):
        self.process.stdin.write(json.dumps(text) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


class Judge:
    def __init__(self, tools, top):
        self.top = top
        self.process = subprocess.Popen([str(tools / "look_tool")], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def ask(self, text):
        w = self.top + "/w"
        self.process.stdin.write(json.dumps({
            "command": text, "cwd": w, "roots": [w], "home": self.top + "/home",
            "path": "/usr/bin:/bin", "tmp": ["/nonexistent"]}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"not ok contain look_tool died on {text!r}")
        return json.loads(line)


def one(judge, sandbox, text):
    answer = judge.ask(text)
    print(json.dumps(answer, indent=1))
    print("changed outside:", sandbox.run(text))
    return 0


# What went wrong once is tried first, always.
# Bug 126: listing a directory's symlinks freed memory that a remembered repository still used.
REMEMBERED = (
    "tar c sub/f | tar x -C e",
    "for i in 1 2; do cd @T/w/../out/q/../dir\nfor x in 'sp ace' sub/../a; do ln -sf loop/x k || tar cf lin/../.. sub\n"
    "cp -l @T/w/../out/q sub/k\ndone || cd \"lo\"ut/f; sh -c 'cp -l lin/back/z loop/x'\ndone || echo | x=$(echo ~-/b)",
)


def main(tools, cases, seed):
    top = tempfile.mkdtemp(prefix="contain")
    try:
        make(top)
        judge, sandbox = Judge(tools, top), Sandbox(top)
        if isinstance(cases, str):
            return one(judge, sandbox, cases.replace("@T", top))
        gen = Gen(seed, top)
        misses, left, contained = [], 0, 0
        texts = [t.replace("@T", top) for t in REMEMBERED]
        for i in range(cases):
            text = texts[i] if i < len(texts) else gen.text()
            answer = judge.ask(text)
            changed = sandbox.run(text)
            left += bool(changed)
            safe = answer["contained"] and not answer["code"]
            contained += safe
            if changed and safe:
                misses.append((len(text), text, changed, answer))
        for _, text, changed, answer in sorted(misses, key=lambda m: m[0])[:8]:
            print("MISS", repr(text.replace(top, "@T")), "changed", [c.replace(top, "@T") for c in changed])
            print("    ", [(f["op"], (f["path"] or "").replace(top, "@T"), f["where"]) for f in answer["files"]])
        name = f"contain seed {seed}: {cases} texts, {left} left the root, {contained} called contained"
        print(f"not ok {name}, {len(misses)} missed" if misses else f"ok {name}, none missed")
        return 1 if misses else 0
    finally:
        shutil.rmtree(top, ignore_errors=True)


if __name__ == "__main__":
    if sys.argv[1] == "--inner":
        inner(sys.argv[2])
    elif sys.argv[2] == "-c":
        sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[3], 0))
    else:
        sys.exit(main(pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
                      if len(sys.argv) > 3 else random.SystemRandom().randrange(10**6)))
