"""Makes attempts inside a run, one after the other, and looks at the workspace from outside after each."""
import base64
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import threading
import time

import inside
import world

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = pathlib.Path(os.environ.get("CORDON_BUILD") or ROOT / "build")
CORDON = os.environ.get("CORDON", str(BUILD / "cordon"))
DEADLINE = 300


class Tally:
    """What was tried; what got through is listed at the end by those who ask for it."""

    def __init__(self):
        self.through, self.tried = [], 0

    def tell(self, name, why=None):
        self.tried += 1
        if why:
            self.through.append((name, why))
        print(f"not ok {name} {why!r}" if why else f"ok {name}", flush=True)


class Mode:
    """One way to start a run: as whom, with what in front, with which options."""

    def __init__(self, w, who, name, tally, before=(), options=()):
        self.w, self.who, self.name, self.tally = w, who, name, tally
        self.before, self.options = list(before), list(options)
        self.number, self.session, self.sessions = 0, 0, []
        self.program = str(w.top / "cordon")
        self.worker = str(w.top / "inside.py")
        if not os.path.exists(self.program):
            shutil.copy(CORDON, self.program)
            shutil.copy(HERE / "inside.py", self.worker)
            os.chmod(self.program, 0o755)
            os.chmod(self.worker, 0o644)

    def argv(self, *words, options=()):
        more = self.options
        if self.name == "session":
            more = [*more, "--session", self.session_name()]
        return [*self.w.before_user(), *self.before, self.program, "run", *more, *options, *words]

    def session_name(self):
        """The session of now; another begins where the workspace was put back."""
        name = f"promise-{os.getpid()}-{self.who}-{self.session}"
        if name not in self.sessions:
            self.sessions.append(name)
            subprocess.run([*self.w.before_user(), self.program, "session", "new", name], env=self.w.env(), cwd=self.w.ws,
                           capture_output=True, check=True)
        return name

    def run(self, *words, options=(), cwd=None, **more):
        """A run without a conversation; returns it and its report."""
        report = self.fresh_report()
        more.setdefault("stdin", subprocess.DEVNULL)
        more.setdefault("timeout", DEADLINE)
        done = subprocess.run(self.argv(*words, options=[*options, "--json-report", report]), cwd=cwd or self.w.ws,
                              env=more.pop("env", None) or self.w.env(), capture_output=True, check=False, **more)
        return done, read_json(report)

    def start(self, *words, options=(), **more):
        more.setdefault("cwd", self.w.ws)
        return subprocess.Popen(self.argv(*words, options=options), env=self.w.env(), **more)

    def fresh_report(self):
        self.number += 1
        path = self.w.top / f"reports/{os.getpid()}-{self.who}-{self.name}-{self.number}.json"
        return str(path)

    def converse(self, rows, judge, name_of):
        """All of them, in as few runs as their success allows; returns (results, report) of each run."""
        todo, rounds = list(rows), []
        while todo:
            results, report, why = self.one_run(todo, judge, name_of)
            if why:
                for row in todo[len(results):][:1]:
                    self.tally.tell(name_of(row), why)
                    results.append(None)
            rounds.append((results, report))
            todo = todo[max(len(results), 1):]
        return rounds

    def tool(self, name):
        return str(self.w.top / name)

    def script(self, name, text):
        """A program of its own file: what it does is not to be seen in the command."""
        path = self.w.top / f"{name}.py"
        if not path.exists():
            path.write_text(text)
            path.chmod(0o644)
        return ["python3", "-IS", str(path)]

    def shell(self, line, cwd=".", gate="off", **env):
        """A line in a run of its own, again not to be seen in the command; returns (status, output, errors, report)."""
        head = "".join(f"export {k}={shlex.quote(v)}\n" for k, v in env.items())
        got, why = self.alone({"id": "x", "kind": "other", "way": "shell", "path": cwd, "text": head + line, "number": 0}, gate)
        if why:
            return -1, "", why, None
        status = int(got["let"][-1].split()[1]) if got["let"] else -2
        return status, got["data"].decode("utf-8", "replace"), " ".join(got["errors"]), got["report"]

    def clean(self):
        for name in ("scratch", "node_modules"):
            subprocess.run(["chmod", "-R", "u+rwX", str(self.w.ws / name)], check=False, capture_output=True)
            shutil.rmtree(self.w.ws / name, ignore_errors=True)

    def alone(self, row, gate="on"):
        """One attempt in a run of its own, which leaves what it made; returns (result, why it broke off)."""
        listed = self.w.top / f"attempts-{os.getpid()}.json"
        listed.write_text(json.dumps([row]))
        done, report = self.run("--", "python3", "-IS", self.worker, str(listed), options=["--exec-gate", gate])
        try:
            got = json.loads(done.stdout.splitlines()[0])
            got["data"], got["report"] = base64.b64decode(got["data"]), report
            return got, None
        except (ValueError, IndexError):
            return None, f"the run broke off: {done.returncode} {done.stderr[-300:]!r}"

    def one_run(self, rows, judge, name_of):
        """The exec gate would refuse lines that remove files before they meet what is tried here."""
        gate = ["--exec-gate", "off"] if any(r["way"] == "shell" for r in rows) else []
        listed = self.w.top / f"attempts-{os.getpid()}.json"
        listed.write_text(json.dumps([{**row, "number": n + self.number * 10000, **({"wait": 1} if "wait" in row else {})} for n, row in enumerate(rows)]))
        listed.chmod(0o644)
        report, results, why, dirty = self.fresh_report(), [], None, False
        p = self.start("--", "python3", "-IS", self.worker, str(listed), options=[*gate, "--json-report", report],
                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        watch = threading.Timer(DEADLINE, p.kill)
        watch.daemon = True
        watch.start()
        try:
            while len(results) < len(rows):
                line = p.stdout.readline()
                if not line:
                    break
                got = json.loads(line)
                row = rows[len(results)]
                if "wait" in got:
                    row["wait"]()
                    p.stdin.write("go\n")
                    p.stdin.flush()
                    continue
                got["data"] = base64.b64decode(got["data"])
                problem, dirty = judge(row, got)
                results.append(got)
                if name_of:
                    self.tally.tell(name_of(row), problem)
                p.stdin.write("stop\n" if dirty else "go\n")
                p.stdin.flush()
                if dirty:
                    break
            _, err = p.communicate(timeout=60)
        except (OSError, ValueError, subprocess.TimeoutExpired) as e:
            p.kill()
            _, err = p.communicate()
            why = f"the run broke off: {e!r}"
        finally:
            watch.cancel()
            if p.poll() is None:
                p.kill()
                p.wait()
        if not why and len(results) < len(rows) and not dirty:
            why = f"status {p.returncode} {err[-400:]!r}"
        self.last_error = err
        if dirty:
            self.w.restore()
            self.session += 1
        else:
            self.clean()
        return results, read_json(report), why


def reviewed(mode, rows, name_of):
    """All of them under --review: nothing counts before the end, so the host looks then, and halves what went wrong."""
    if not rows:
        return
    results, _, why = mode.one_run(rows, lambda row, got: (None, False), None)
    by_id = {r["id"]: r for r in results}
    found, gone = mode.w.wrong()
    gone = gone or bool(found)
    if any(r.get("mark") for r in rows):
        found = [f for f in found if not f.split()[0].endswith("config")] + mode.w.marked()
    elif any(r.get("config") for r in rows):
        found = but_git(mode.w, found)
    found += [f"{i} said PLANTED" for i, r in by_id.items() if b"PLANTED" in r["data"]]
    if why:
        found.append(why)
    if found or gone:
        mode.w.restore()
    if found and len(rows) > 1:
        before = len(mode.tally.through)
        for half in (rows[:len(rows) // 2], rows[len(rows) // 2:]):
            reviewed(mode, half, name_of)
        if len(mode.tally.through) == before:
            mode.tally.tell(name_of(rows[0]) + "-and-others-together", "; ".join(found[:4]))
        return
    for row in rows:
        why = f"{'; '.join(found[:4])} ({by_id.get(row['id'], {}).get('let', [])[:6]})" if found else None
        mode.tally.tell(name_of(row), why)


def read_json(path):
    try:
        return json.loads(pathlib.Path(path).read_bytes())
    except (OSError, ValueError):
        return None


def but_git(w, found):
    """Without what git itself may do: set keys that do no harm, make a file anew as it was."""
    marked = [m.split()[0] for m in w.marked()]
    return [f for f in found if f.split()[0] in marked or not (
        f.split()[0].endswith(("config", "config.worktree")) or "is another" in f and w.same(f.split()[0]))]


def held(w):
    """A judge: everything protected is as it was."""
    def judge(row, got):
        if row.get("mark"):
            found = w.marked()
            return (f"{'; '.join(found[:4])} (let: {got['let'][:6]}, errors: {got['errors'][:6]})" if found else None), True
        found, gone = w.wrong()
        if row.get("config"):
            gone = gone or bool(found)  # the next attempt starts from a clean state
            found = but_git(w, found)
        if b"FLAGS CHANGED" in got["data"]:
            found.append("its flags were changed")
        found += [f"said {word.decode()}" for word in got["data"].split() if word.startswith(b"PLANTED")]
        why = f"{'; '.join(found[:4])} (let: {got['let'][:6]}, errors: {got['errors'][:6]})" if found else None
        return why, gone or bool(why) or bool(row.get("fresh"))
    return judge


def unread(w):
    """A judge: no text that is denied came out."""
    def judge(row, got):
        if world.SECRET.encode() in got["data"]:
            return f"read: {got['data'][:60]!r} (let: {got['let'][:8]})", "back" in " ".join(got["errors"])
        found, gone = w.wrong()
        return ("; ".join(found[:4]) if found else None), gone or bool(found)
    return judge


def matrix():
    """Every object by every way."""
    rows = []
    for kind, table in (("file", world.objects()), ("name", world.names())):
        for way in inside.WAYS[kind]:
            for path, text in table.items():
                rows.append({"id": f"{way}:{path}", "kind": kind, "way": way, "path": path, "text": text})
    for way in inside.WAYS["folder"]:
        for path, plant in world.folders().items():
            rows.append({"id": f"{way}:{path}/", "kind": "folder", "way": way, "path": path, "plant": plant})
    return rows


def wait_for(what, seconds=30):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if what():
            return True
        time.sleep(0.02)
    return bool(what())


sys.modules.setdefault("drive", sys.modules[__name__])
