"""Files that must not be read, by every way; and descriptors that one run hands to another."""
import os
import subprocess

import drive
import inside
import world

GIVE = """
import os, socket, sys
s = socket.socket(socket.AF_UNIX)
s.bind('/tmp/promise-give')
s.listen(1)
fds = []
for name in sys.argv[1:]:
    for flags in (os.O_RDONLY, os.O_PATH):
        try:
            fds.append(os.open(name, flags))
        except OSError:
            pass
open('/tmp/promise-ready', 'w').close()
c = s.accept()[0]
socket.send_fds(c, [b'x'], fds)
c.recv(1)
"""
TAKE = """
import time
until = time.monotonic() + 30
while not os.path.exists('/tmp/promise-ready') and time.monotonic() < until:
    time.sleep(0.01)
s = socket.socket(socket.AF_UNIX)
s.connect('/tmp/promise-give')
for fd in socket.recv_fds(s, 9, 30)[1]:
    a.write(f'/proc/self/fd/{fd}', os.O_WRONLY | os.O_APPEND)
    a.do('fchmod', os.fchmod, fd, 0o777)
    a.do('chmod', os.chmod, f'/proc/self/fd/{fd}', 0o777)
    link_descriptor(a, fd)
    a.data += quiet(os.read, fd, 4096) or b''
    quiet(lambda: take(a, f'/proc/self/fd/{fd}'))
    for plant in ('post-merge', 'tasks.json', 'PWN-unknown'):
        fd2 = quiet(lambda: os.open(plant, os.O_WRONLY | os.O_CREAT, 0o755, dir_fd=fd))
        if fd2 is not None:
            a.put(fd2)
"""
GIVEN = [".git/config", ".vscode/tasks.json", ".cordon/rules", ".cordonignore", ".git/hooks", ".vscode", "bare.git/config"]


def passed(mode):
    """Two runs of one session: the first has protected objects open, the second gets the descriptors."""
    if mode.name != "session":
        return
    giving = mode.start("--", *mode.script("give", GIVE), *GIVEN, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL)
    row = {"id": "passed", "kind": "other", "way": "python", "path": ".", "text": TAKE, "number": 1}
    got, why = mode.alone(row)
    giving.wait(timeout=60)
    found, _ = mode.w.wrong()
    if not why and not got["errors"]:
        why = f"no descriptor came: {got['let']}"
    mode.tally.tell(f"{mode.who}-session-descriptors-of-another-run", why or (
        f"{'; '.join(found[:4])} {got['let'][:6]}" if found else None))
    if found or why:
        mode.w.restore()
        mode.session += 1
    mode.clean()


def rows_of(names):
    return [{"id": f"{way}:{name}", "kind": "read", "way": way, "path": name} for way in inside.WAYS["read"] for name in names]


def made_later(mode, n, base, secret):
    """The host makes the file while the run goes on."""
    folder = mode.w.ws / f"later{n}/{os.path.dirname(base)}"

    def make():
        folder.mkdir(parents=True, exist_ok=True)
        path = mode.w.ws / f"later{n}" / base
        path.write_text(f"{world.SECRET}-{secret}\n")
        mode.w.own(mode.w.ws / f"later{n}")
    return make


def replaced(mode, name):
    """The host saves it by a rename, as editors do."""
    def make():
        new = mode.w.ws / (name + ".new")
        new.write_text(f"{world.SECRET}-saved\n")
        mode.w.own(new)
        new.rename(mode.w.ws / name)
    return make


def late_rows(mode, share):
    rows, n = [], 0
    for way in inside.WAYS["read"]:
        for base in (".env", "deep/.env", "x.kdbx", ".ssh/id_rsa"):
            n += 1
            if n % share == mode.index % share:
                rows.append({"id": f"{way}:made-later/{base}", "kind": "read", "way": way, "path": f"later{n}/{base}",
                             "wait": made_later(mode, n, base, "late")})
    return rows


def reads(mode):
    """By name, link, descriptor, rename; there at the start, made by the host meanwhile, saved anew meanwhile."""
    name_of = lambda row: f"{mode.who}-{mode.name}-{row['id']}".replace(" ", "-")  # noqa: E731
    names = [n for n in world.DENIED if mode.name != "bare" or not n.startswith("secrets")]
    names += ["hidden.txt", "aider.txt"] if mode.name != "bare" else []
    share = 1 if mode.long or (mode.who, mode.name) == ("user", "plain") else 20
    judge = drive.unread(mode.w)
    rows = rows_of(names)[mode.index % share::share]
    for way in dict.fromkeys(r["way"] for r in rows) if share == 1 else [None]:
        mine = [r for r in rows if way in (None, r["way"])]
        rounds = mode.converse(mine, judge, name_of)
        if way == "read_name" and len(rounds) == 1:
            report = rounds[0][1] or {"violations": []}
            told = {v["path"] for v in report["violations"]}
            lacks = [n for n in names if str(mode.w.ws / n) not in told]
            mode.tally.tell(f"{mode.who}-{mode.name}-reported-denied-reads", f"not in the report: {lacks}" if lacks else None)
    mode.converse([{"id": "hard-link-of-before:.env", "kind": "read", "way": "read_name", "path": "env-link.txt"}], judge, name_of)
    mode.converse(late_rows(mode, 1 if mode.long else 3 if share == 1 else 12), judge, name_of)
    for name in [".env", "sub/deep/v.kdbx"] if mode.name != "review" else []:
        row = {"id": f"saved-by-rename:{name}", "kind": "read", "way": "read_name", "path": name, "wait": replaced(mode, name)}
        mode.converse([row], judge, name_of)
        mode.w.restore()
        mode.session += 1
    if mode.name != "review":
        import tries
        rows = tries.read_race_rows(mode.tool("try_promise"), 2000 if mode.long else 120)
        covered = [r for r in rows if any(w in r["id"] for w in ("secrets", "hidden"))]
        # The kernel reads a name again after it was judged: see doc/SANDBOX.md, "Files that cannot be read".
        print(f"skip {mode.who}-{mode.name}-races-of-reads {len(rows) - len(covered)} ways: a name that is swapped in memory passes where no mount is")
        mode.converse(covered if mode.name != "bare" else [], judge, name_of)
    for path in mode.w.ws.glob("later*"):
        subprocess.run(["rm", "-rf", str(path)], check=False)
