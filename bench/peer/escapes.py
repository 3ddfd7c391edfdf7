"""Run the attempts of tests/inside in every sandbox and count the successful ones, by class.

Each attempt is a script that the sandbox runs.  It succeeds if it says so, prints the secret,
changes a protected file, reaches a service of the host or kills a process of the host.  We wrote
the attempts: a peer may refuse other things that no attempt tries.
"""
import os
import pathlib
import subprocess
import sys
import time

import common
import sandboxes

sys.path.insert(0, str(common.ROOT / "tests/inside"))
import attempts  # noqa: E402
import build  # noqa: E402
import fixture  # noqa: E402

HIDE = ["**/.env", "secrets"]
# During the run the host replaces or creates a hidden file, as an editor does.
LATE = [
    ("hidden-replaced-by-host", ".env"),
    ("hidden-created-by-host", "sub/late/.env"),
]
RULES = "mode run_everything\n"  # test the sandbox, not the rules before it


class Field:
    """One workspace, services of the host, and all sandboxes."""

    def __init__(self):
        self.fix = fix = fixture.Fixture(sandboxes.UID)
        self.bin = fix.top / "bin"
        self.bin.mkdir()
        for program in build.helpers().glob("try_*"):
            if program.is_file() and not program.suffix:
                self.put(program.name, program.read_bytes())
        self.cordon = self.put("cordon", common.CORDON.read_bytes())
        self.rules = self.put("all.rules", RULES.encode())
        self.own = fix.top / "own"  # files that the sandboxes themselves write
        self.own.mkdir()
        os.chown(self.own, fix.uid, fix.uid)
        (fix.ws / "sub/late").mkdir()
        os.chown(fix.ws / "sub/late", fix.uid, fix.uid)

    def put(self, name, data):
        path = self.bin / name
        path.write_bytes(data)
        path.chmod(0o755)
        return path

    def env(self):
        fix = self.fix
        return dict(fix.env(), WS=str(fix.ws), OUT=str(fix.out), HOST=str(fix.host.pid),
                    B=str(self.bin), TCP=str(fix.services.tcp), UDP=str(fix.services.udp),
                    ABSTRACT=fix.services.abstract, SHM=shm_key(fix), POSIX=fix.posix.name,
                    HOSTTMP="/tmp/cordon-peers-outside", CODEX_HOME=str(self.own / ".codex"),
                    XDG_STATE_HOME=str(self.own), XDG_CACHE_HOME=str(self.own))

    def fronts(self):
        fix = self.fix
        hidden = [fix.ws / ".env", fix.ws / "sub/.env", fix.ws / "secrets"]
        return sandboxes.fronts(
            self.own, fix.ws, self.own,
            (self.cordon, "run", "--policy", self.rules, "--network", "off",
             "--ignore", fix.ws / ".hidelist"), hidden, HIDE, self.env())

    def start(self, name, text):
        script = self.put("attempt.sh", (text + "\n").encode())
        return subprocess.Popen([*sandboxes.FRONT, *map(str, self.fronts()[name]), "bash",
                                 str(script)], cwd=self.fix.ws, env=self.env(),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)

    def close(self):
        self.fix.close()


def shm_key(fix):
    for line in pathlib.Path("/proc/sysvipc/shm").read_text().splitlines()[1:]:
        if fix.shm and line.split()[1] == fix.shm[0]:
            return line.split()[0]
    return "1"


def finish(child):
    try:
        return child.communicate(timeout=20)[0].decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        child.kill()
        return child.communicate()[0].decode("utf-8", "replace")


def through(field, name, text, during=None):
    """The reason why the attempt succeeded, or None."""
    fix = field.fix
    before, hits = fix.state(), len(fix.services.hits)
    child = field.start(name, text)
    if during:
        during()
        before = fix.state()
    said = finish(child)
    if "SUCCEEDED" in said or fixture.SECRET in said:
        return "said so"
    after = fix.state()
    if after != before:
        return "changed " + ", ".join(sorted(pathlib.Path(k).name for k in {**before, **after}
                                             if before.get(k) != after.get(k))[:3])
    if len(fix.services.hits) != hits:
        return "reached a service"
    return "ended a process" if fix.host.poll() is not None else None


def late(field, path):
    """Wait until the command runs, write a secret as an editor would, and let it continue."""
    ws = field.fix.ws
    until = time.monotonic() + 10
    while not (ws / "ready").exists() and time.monotonic() < until:
        time.sleep(0.01)
    new = ws / "new.tmp"
    new.write_text(fixture.SECRET + "\n")
    os.chown(new, field.fix.uid, field.fix.uid)
    os.rename(new, ws / path)
    time.sleep(0.3)
    (ws / "go").touch()


def try_class(name, rows):
    """Names of successful attempts; a damaged workspace is made again."""
    got, field = [], Field()
    try:
        for attempt, text, _ in rows:
            why = through(field, name, text)
            if why:
                got.append(attempt)
                field.close()
                field = Field()
    finally:
        field.close()
    return got


def try_late(name):
    got = []
    for attempt, path in LATE:
        field = Field()
        try:
            text = f"touch ready; while ! test -e go; do sleep 0.05; done; sleep 0.2; cat {path}"
            if through(field, name, text, lambda: late(field, path)):
                got.append(attempt)
        finally:
            field.close()
    return got


def starts(name):
    field = Field()
    try:
        return "fine" in finish(field.start(name, "cat a.txt >/dev/null && echo fine"))
    finally:
        field.close()


def escapes():
    field = Field()
    names = list(field.fronts())
    field.close()
    names = [n for n in names if starts(n) or common.say(f"  {n} does not start")]
    classes = {}
    for title, rows in attempts.CLASSES.items():
        tried = len(rows) + (len(LATE) if title == "hidden files" else 0)
        classes[title] = {"tried": tried, "through": {}}
        for name in names:
            got = try_class(name, rows)
            got += try_late(name) if title == "hidden files" else []
            classes[title]["through"][name] = got
        common.say(f"  {title}, of {tried}: " + ", ".join(
            f"{n} {len(g)}" for n, g in classes[title]["through"].items()))
    return {"classes": classes, "sandboxes": names, "user": sandboxes.UID != 0}
