"""One user's sandbox, and whether an attempt in it got what it must not get."""
import atexit
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import fixture


class Sandbox:
    def __init__(self, tool, helpers, fix, before=()):
        """`before`: words in front of the tool, which start it."""
        self.tool, self.helpers, self.fix, self.before = tool, helpers, fix, list(before)
        self.report = tempfile.mkdtemp(prefix="cordon-report-", dir="/tmp")
        os.chmod(self.report, 0o777)
        atexit.register(shutil.rmtree, self.report, ignore_errors=True)

    def run(self, text, options=(), cwd=None, timeout=60, given=subprocess.DEVNULL, **more):
        env = dict(self.fix.env(), WS=str(self.fix.ws), OUT=str(self.fix.out),
                   HOST=str(self.fix.host.pid), B=str(self.helpers), TCP=str(self.fix.services.tcp),
                   UDP=str(self.fix.services.udp), ABSTRACT=self.fix.services.abstract,
                   SHM=self.shm_key(), POSIX=self.fix.posix.name, HOSTTMP=self.report + "/tmpfile")
        path = f"{self.report}/{os.getpid()}.json"
        argv = fixture.as_user(self.fix.uid) + [*self.before, self.tool, *options, "--json-report", path]
        done = subprocess.run([*argv, "-c", text], env=env, cwd=cwd or self.fix.ws,
                              stdin=given, capture_output=True, timeout=timeout, check=False, **more)
        try:
            report = json.loads(pathlib.Path(path).read_bytes())
            os.unlink(path)
        except (OSError, ValueError):
            report = None
        return done, report

    def shm_key(self):
        for line in pathlib.Path("/proc/sysvipc/shm").read_text().splitlines()[1:]:
            if self.fix.shm and line.split()[1] == self.fix.shm[0]:
                return line.split()[0]
        return "1"


def expand(text, fix):
    return text.replace("$WS", str(fix.ws)).replace("$OUT", str(fix.out)) \
        .replace("$HOME", str(fix.home))


def judge(box, name, row, options, want_report):
    """None, or what went wrong."""
    fix = box.fix
    before, hits = fix.state(), len(fix.services.hits)
    done, report = box.run(row[1], options)
    text = (done.stdout + done.stderr).decode("utf-8", "replace")
    if done.returncode == 125:
        return "did not start: " + text[-300:]
    if b"SUCCEEDED" in done.stdout or fixture.SECRET.encode() in done.stdout:
        return "succeeded: " + text[-300:]
    after = fix.state()
    if after != before:
        changed = {k for k in {**before, **after} if before.get(k) != after.get(k)}
        return f"changed {sorted(changed)}"
    if len(fix.services.hits) != hits:
        return "reached a service of the host"
    if fix.host.poll() is not None:
        return "ended a process of the host"
    if want_report and row[2]:
        paths = [v["path"] for v in (report or {}).get("violations", [])]
        if not any(expand(row[2], fix) in p for p in paths):
            return f"not reported: wanted {expand(row[2], fix)}, got {paths}"
    return None
