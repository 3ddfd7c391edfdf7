"""What must go on working: installs, removals, clones, saves by an editor, many files, many threads."""
import json
import os
import shutil
import subprocess

import world

INSTALL = """
import os, shutil
for again in range(2):
    shutil.rmtree('node_modules', ignore_errors=False) if os.path.exists('node_modules') else None
    for n in range(30):
        for name in ('.vscode/settings.json', '.vscode/tasks.json', '.idea/x.xml', '.envrc', '.husky/pre-commit', '.github/workflows/x.yml',
                     '.npmrc', '.eslintrc.js', 'package.json', '.claude/settings.json', 'lib/.vscode/launch.json'):
            path = f'node_modules/p{n}/{name}'
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w') as f:
                f.write('{}')
print('INSTALLED', sum(len(f) for _, _, f in os.walk('node_modules')))
"""
DATAGRAM = """
import socket
for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
    a, b = socket.socketpair(socket.AF_UNIX, kind)
    a.send(b'x')
    assert b.recv(1) == b'x'
print('PAIRED')
"""
# (name, directory, line, what it prints)
LINES = [
    ("install-twice", ".", f"python3 -c \"$INSTALL\"", "INSTALLED 330"),
    ("install-again-in-next-run", ".", f"python3 -c \"$INSTALL\"", "INSTALLED 330"),
    ("remove-node-modules", ".", "rm -rf node_modules && test ! -e node_modules && echo REMOVED", "REMOVED"),
    ("remove-nested-clone", ".", "rm -rf vendor/lib && test ! -e vendor/lib && echo REMOVED", "REMOVED"),
    ("clone-in-its-place", ".", "git clone -q $W/../far vendor/lib && git -C vendor/lib status --short && git -C vendor/lib log --oneline | wc -l", "1"),
    ("remove-clone-of-this-run", ".", "git clone -q $W/../far scratch/c && rm -rf scratch/c && test ! -e scratch/c && echo REMOVED", "REMOVED"),
    ("remove-bare", ".", "rm -rf bare.git && test ! -e bare.git && echo REMOVED", "REMOVED"),
    ("worktree-add-remove", ".", "git worktree add -q scratch/w && cd scratch/w && echo 1 > n && git add n && git commit -qm n && cd ../.. && git worktree remove scratch/w && git worktree list | wc -l", "2"),
    ("worktree-remove", ".", "git worktree remove --force tree && git worktree list | wc -l", "1"),
    ("config-harmless", ".", "git config user.name zz && git config user.name", "zz"),
    ("config-present-value", ".", "git config core.hooksPath tools/hooks && echo SAME", "SAME"),
    ("commit", ".", "echo 1 > n.txt && git add n.txt && git -c core.hooksPath=/nonexistent commit -qm n && git log -1 --format=%s", "n"),
    ("branch-merge", ".", "git checkout -q -b f && echo 2 > n2.txt && git add n2.txt && git commit -qm n2 && git checkout -q main && git merge -q f && git branch -q -d f && ls n2.txt", "n2.txt"),
    ("stash", ".", "echo 3 >> a.txt && git stash -q && git stash pop -q && git diff --stat | wc -l && git checkout -q a.txt", "2"),
    ("checkout-of-older-commit", ".", "git checkout -q other && cat .vscode/settings.json && git status --short -uno | wc -l", '{"other": 1}\n0'),
    ("checkout-back", ".", "git checkout -q main && cat .vscode/settings.json && git status --short -uno | wc -l", "{}\n0"),
    ("datagram-socketpair", ".", "python3 -c \"$DATAGRAM\"", "PAIRED"),
    ("own-names-in-tmp", ".", "mkdir -p /tmp/x/.vscode && echo 1 > /tmp/x/.vscode/tasks.json && git init -q /tmp/x && git -C /tmp/x config core.pager cat && echo FREE", "FREE"),
    ("rename-directory", ".", "mkdir -p scratch/d/e && echo 1 > scratch/d/e/f && mv scratch/d scratch/g && cat scratch/g/e/f", "1"),
    ("sqlite-like-locks", ".", "python3 -c 'import fcntl,os; f=os.open(\"scratch-lock\",os.O_CREAT|os.O_RDWR); fcntl.lockf(f,fcntl.LOCK_EX); os.unlink(\"scratch-lock\"); print(\"LOCKED\")'", "LOCKED"),
    ("parallel-mkdir", ".", "mkdir -p scratch/m; $T/try_promise mkdirs scratch/m | tail -1", "failures 0"),
    ("setgid-directory", ".", "mkdir -p scratch/q && cd scratch/q && python3 -m venv --without-pip v 2>/dev/null && test -x v/bin/python && echo MADE", "MADE"),
]
GATED = ("install-twice", "datagram-socketpair", "parallel-mkdir", "commit", "rename-directory")


def lines(mode):
    first = (mode.who, mode.name) == ("user", "plain") or mode.long
    for n, (name, folder, line, want) in enumerate(LINES):
        if not first and (mode.name == "review" or n % 4 != mode.index % 4) and name != "rename-directory":
            continue
        if mode.name == "bare" and "tmp" in name:
            continue
        if name in ("clone-in-its-place", "checkout-back") and not first:
            continue  # the line before it has to be made, too
        status, out, err, report = mode.shell(line, folder, "on" if name in GATED else "off", INSTALL=INSTALL, DATAGRAM=DATAGRAM, T=str(mode.w.top))
        told = (report or {}).get("violations")
        mode.tally.tell(f"{mode.who}-{mode.name}-works-{name}", None if status == 0 and out.strip() == want and not told else
                        f"status {status} {out[-200:]!r} {err[-300:]!r} {str(told)[:200]}")
    mode.w.restore()
    mode.session += 1


SAVED = """
before = open(a.path).read()
a.data = open(a.path, 'rb').read()
a.write(a.path, os.O_WRONLY | os.O_APPEND)
a.do('unlink', os.unlink, a.path)
a.do('rename', os.rename, a.own(), a.path)
a.do('chmod', os.chmod, a.path, 0o777)
fd = quiet(os.open, a.path, os.O_PATH)
if fd is not None:
    link_descriptor(a, fd)
"""


def saved(mode):
    """An editor of the host's saves by a rename: the new text is seen inside, and still cannot be written."""
    if mode.name == "review":
        return
    for name in (".vscode/settings.json", ".git/config", ".cordonignore", ".claude/settings.json", "sub/.mcp.json", "vendor/lib/.git/config"):
        text = "# saved\n" if name.endswith("ignore") else "[user]\n\tname = saved\n" if name.endswith("config") else '{"saved": 1}\n'

        def save(path=mode.w.ws / name, text=text):
            new = path.with_name(path.name + ".saved")
            new.write_text(path.read_text() + text)
            mode.w.own(new)
            new.rename(path)
            mode.w.look()

        def judge(row, got, name=name, text=text):
            found, _ = mode.w.wrong()
            if text.encode() not in got["data"]:
                found.append(f"the new text is not seen inside: {got['data'][:60]!r} {got['errors'][:3]}")
            return (f"{'; '.join(found[:3])} (let: {got['let'][:5]})" if found else None), True
        if name != ".cordonignore" or mode.name != "bare":
            mode.converse([{"id": name, "kind": "other", "way": "python", "path": name, "text": SAVED, "wait": save}], judge,
                          lambda row: f"{mode.who}-{mode.name}-saved-by-host-{row['id']}")


HOST_MADE = {
    "clone": ("hostclone/.git/hooks/post-checkout", lambda w: w.user("git", "clone", "-q", str(w.top / "far"), str(w.ws / "hostclone"))),
    "settings": ("hostdir/.vscode/tasks.json", lambda w: w.user("mkdir", "-p", str(w.ws / "hostdir/.vscode"))),
    "agent": ("hostagent/.claude/settings.json", lambda w: w.user("mkdir", "-p", str(w.ws / "hostagent/.claude"))),
    "config": ("hostrepo/.git/config", lambda w: w.user("git", "init", "-q", str(w.ws / "hostrepo"))),
}


def host_made(mode):
    """What the host makes during a run is not the run's own."""
    if mode.name == "review":
        return
    for name, (path, make) in HOST_MADE.items():
        seen = {}

        def wait(make=make, path=path, seen=seen):
            make(mode.w)
            mode.w.own(mode.w.ws / path.split("/", maxsplit=1)[0])
            seen["text"] = (mode.w.ws / path).read_bytes() if (mode.w.ws / path).exists() else None

        def judge(row, got, path=path, seen=seen):
            now = (mode.w.ws / path).read_bytes() if os.path.lexists(mode.w.ws / path) else None
            return (None if now in (None, seen["text"]) else f"{path} is {now!r} (let: {got['let'][:5]})"), True
        code = ("quiet(os.makedirs, a.dir); a.write(a.path, os.O_WRONLY | os.O_CREAT); a.do('rename', os.rename, a.own(), a.path)\n"
                "parent_moved_and_back(a); parent_moved_and_copied_back(a)")
        mode.converse([{"id": name, "kind": "other", "way": "python", "path": path, "text": code, "wait": wait}], judge,
                      lambda row: f"{mode.who}-{mode.name}-made-by-host-{row['id']}")


def many_files(mode):
    folder = mode.w.ws / "many"
    for n in range(200):
        (folder / str(n)).mkdir(parents=True)
        for m in range(100):
            (folder / f"{n}/{m}.txt").write_text("needle\n" if m == 7 else "hay\n")
    mode.w.own(folder)
    got = mode.shell("cd many; find . -type f | wc -l; find . -type f | xargs grep -l needle | wc -l", gate="on")
    mode.tally.tell(f"{mode.who}-{mode.name}-works-grep-over-20000-files", None if got[1].split() == ["20000", "200"] else str(got)[:300])
    shutil.rmtree(folder)


def npm(mode):
    """A real npm, twice, from archives; packages carry settings of editors."""
    if not shutil.which("npm"):
        print("skip npm there is none")
        return
    top = mode.w.ws / "app"
    for n in range(4):
        pkg = mode.w.top / f"pkg{n}/package"
        (pkg / ".vscode").mkdir(parents=True)
        (pkg / ".vscode/settings.json").write_text("{}")
        (pkg / "package.json").write_text(json.dumps({"name": f"pkg{n}", "version": "1.0.0"}))
        top.mkdir(exist_ok=True)
        subprocess.run(["tar", "-C", str(pkg.parent), "-czf", str(top / f"pkg{n}.tgz"), "package"], check=True)
    deps = {f"pkg{n}": f"file:pkg{n}.tgz" for n in range(4)}
    (top / "package.json").write_text(json.dumps({"name": "app", "version": "1.0.0", "dependencies": deps}))
    mode.w.own(top)
    made = subprocess.run([*mode.w.before_user(), "npm", "install", "--package-lock-only", "--offline", "--no-audit"], cwd=top, env=mode.w.env(),
                          capture_output=True, check=False)
    if made.returncode:
        print(f"skip npm {made.stderr[-200:]!r}")
        return
    line = "cd app && npm ci --offline --no-audit --no-fund --cache /tmp/npm && npm ci --offline --no-audit --no-fund --cache /tmp/npm && ls node_modules/pkg3/.vscode"
    for again in ("", "-in-the-next-run"):
        got = mode.shell(line, gate="on")
        mode.tally.tell(f"{mode.who}-{mode.name}-works-npm-ci-twice{again}", None if got[0] == 0 and "settings.json" in got[1] else str(got)[:600])


def builds(mode):
    if shutil.which("cmake"):
        (mode.w.ws / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.10)\nproject(x C)\nadd_executable(x main.c)\n")
        got = mode.shell("cmake -S . -B scratch/b >/dev/null && cmake --build scratch/b >/dev/null && scratch/b/x && echo BUILT", gate="on")
        mode.tally.tell(f"{mode.who}-{mode.name}-works-cmake", None if got[1].strip() == "BUILT" else str(got)[:400])
    else:
        print("skip cmake there is none")
    if shutil.which("pytest"):
        (mode.w.ws / "test_x.py").write_text("def test_x(tmp_path):\n    (tmp_path / 'f').write_text('1')\n")
        mode.w.own(mode.w.ws / "test_x.py")
        done, _ = mode.run("--", "pytest", "-q", "test_x.py")
        mode.tally.tell(f"{mode.who}-{mode.name}-works-pytest", None if b"1 passed" in done.stdout else str(done)[-400:])


NEVER_HALF = ("b=$(echo '{\"new\": 1}' | git hash-object -w --stdin); GIT_INDEX_FILE=/tmp/i git read-tree HEAD; "
              "GIT_INDEX_FILE=/tmp/i git update-index --add --cacheinfo 100644,$b,.vscode/settings.json; "
              "GIT_INDEX_FILE=/tmp/i git update-index --add --cacheinfo 100644,$b,n-new.txt; "
              "c=$(git commit-tree -m x -p HEAD $(GIT_INDEX_FILE=/tmp/i git write-tree)); ")


def never_half(mode):
    """A checkout that would change protected files does all of it, or none, and says so."""
    if mode.name in ("review", "bare"):
        return
    for name, line in (("checkout", "git checkout -q $c"), ("merge", "git merge -q --ff-only $c"), ("reset", "git reset -q --hard $c"),
                       ("rebase", "git rebase -q $c"), ("stash", "git stash store $c")):
        done = mode.shell(NEVER_HALF + line)[0]
        ws, why = mode.w.ws, None
        status = subprocess.run(["git", *mode.w.as_git(), "status", "--short", "-uno", "--", ".vscode", "n-new.txt"], cwd=ws, capture_output=True, text=True,
                                check=False, env=mode.w.env())
        text = (ws / ".vscode/settings.json").read_text() if (ws / ".vscode/settings.json").exists() else None
        if text != "{}\n":
            why = f"the new text is in place: {text!r}"
        elif name != "stash" and done == 0:
            why = f"status 0, but the old file; git status: {status.stdout!r}"
        elif status.stdout or (ws / "n-new.txt").exists():
            why = f"half: {status.stdout!r} {status.stderr[-200:]!r} n-new.txt {(ws / 'n-new.txt').exists()}"
        mode.tally.tell(f"{mode.who}-{mode.name}-never-half-{name}", why)
        mode.w.restore()
        mode.session += 1


def free(mode):
    lines(mode)
    saved(mode)
    host_made(mode)
    if (mode.who, mode.name) == ("user", "plain") or mode.long:
        never_half(mode)
        many_files(mode)
        npm(mode)
        builds(mode)
        mode.w.restore()
        mode.session += 1
