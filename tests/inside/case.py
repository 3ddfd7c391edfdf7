"""One user's fixture and tool, and the checks that are made with them."""
import os
import pathlib
import subprocess

import build
import fixture

NOBODY = 64321


class Case:
    def __init__(self, who, fix, tool):
        self.who, self.fix, self.tool = who, fix, tool

    def argv(self, *words):
        return fixture.as_user(self.fix.uid) + [self.tool, *words]

    def run(self, *words, **more):
        more.setdefault("cwd", self.fix.ws)
        more.setdefault("stdin", subprocess.DEVNULL)
        more.setdefault("env", self.fix.env())
        return subprocess.run(self.argv(*words), capture_output=True, timeout=60, check=False,
                              text=True, **more)

    def start(self, *words, **more):
        more.setdefault("cwd", self.fix.ws)
        more.setdefault("env", self.fix.env())
        return subprocess.Popen(self.argv(*words), **more)

    def tell(self, name, fine, why=""):
        print(f"ok {self.who}-{name}" if fine else f"not ok {self.who}-{name} {why!r}", flush=True)

    def gives(self, name, want, *words, **more):
        done = self.run(*words, **more)
        self.tell(name, done.returncode == want, f"{done.returncode} {done.stderr[-300:]}")
        return done

    def text(self, path):
        """Of a file in the workspace; None without one."""
        try:
            return (self.fix.ws / path).read_text()
        except FileNotFoundError:
            return None


def each_user(parts):
    """Every part, as root and as somebody else where that is possible."""
    tool = build.run_tool()
    for uid in [0, NOBODY] if os.getuid() == 0 else [os.getuid()]:
        who = "root" if uid == 0 else "user"
        fix = fixture.Fixture(uid)
        try:
            copy = fix.top / "run_tool"
            copy.write_bytes(pathlib.Path(tool).read_bytes())
            copy.chmod(0o755)
            c = Case(who, fix, str(copy))
            probe = c.run("--", "true")
            if probe.returncode == 125:
                print(f"skip {who} {probe.stderr!r}")
                continue
            for part in parts:
                part(c)
        finally:
            fix.close()
