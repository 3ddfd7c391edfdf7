"""A console of its own for a test: a user's directories, the daemon, requests to it."""
import http.client
import json
import os
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Console:
    def __init__(self, form="build"):
        # Not in /tmp: a sandbox has its own.
        where = pathlib.Path.home() if str(ROOT).startswith("/tmp/") else ROOT / "build"
        self.temporary = tempfile.TemporaryDirectory(prefix="console.", dir=where)
        self.base = pathlib.Path(self.temporary.name)
        self.home, self.ws, self.run = (self.base / d for d in ("home", "ws", "run"))
        for d in (self.home, self.ws, self.run):
            d.mkdir(mode=0o700)
        subprocess.run(["git", "init", "-q", self.ws], check=True)
        self.cordon, self.cordond = ROOT / form / "cordon", ROOT / form / "cordond"
        self.env = {"HOME": str(self.home), "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                    "XDG_RUNTIME_DIR": str(self.run)}
        self.rules = self.home / ".config/cordon/rules"
        self.rules.parent.mkdir(parents=True)
        self.rules.write_text("default ask\nallow echo\nallow sleep\n")
        self.asks = []

    def start(self, *options):
        done = self.call(self.cordond, "console", "--no-open", *options)
        assert done.returncode == 0, done.stderr
        state = json.loads((self.run / "cordon/console.json").read_text())
        self.url, self.pid = state["url"], state["pid"]
        self.origin, self.token = self.url.split("/#")
        self.port = int(self.origin.rsplit(":", 1)[1])
        return done.stdout

    def call(self, *words, **more):
        return subprocess.run([str(w) for w in words], env=self.env, cwd=self.ws, text=True, check=False,
                              capture_output=True, timeout=60, stdin=subprocess.DEVNULL, **more)

    def ask(self, command, *options):
        """A run that must ask, with nobody at a terminal."""
        p = subprocess.Popen([str(self.cordon), "run", *options, "-c", command], env=self.env, cwd=self.ws,
                             text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, start_new_session=True)
        self.asks.append(p)
        return p

    def request(self, method, path, body=None, headers=None, token=True):
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        h = {"Host": f"127.0.0.1:{self.port}"}
        if token:
            h["X-Cordon-Token"] = self.token
        if method == "POST":
            h |= {"Origin": self.origin, "Content-Type": "application/json"}
        h |= headers or {}
        h = {k: v for k, v in h.items() if v is not None}
        c.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        data = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else b""
        if method == "POST" and "Content-Length" not in h:
            h["Content-Length"] = str(len(data))
        for k, v in h.items():
            c.putheader(k, v)
        c.endheaders(data)
        answer = c.getresponse()
        text = answer.read()
        c.close()
        return answer.status, text, answer

    def get(self, path):
        status, text, _ = self.request("GET", path)
        assert status == 200, (status, text)
        return json.loads(text)

    def post(self, path, body):
        status, text, _ = self.request("POST", path, body)
        return status, json.loads(text)

    def wait(self, what, seconds=15):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            got = what()
            if got:
                return got
            time.sleep(0.05)
        raise AssertionError("it did not happen in time")

    def wait_ask(self):
        return self.wait(lambda: self.get("/api/asks")["asks"])[0]

    def records(self, kind):
        out = self.call(self.cordon, "log", "tail", "--json", "-n", "50", "--kind", kind).stdout
        return [json.loads(line) for line in out.splitlines()]

    def stop(self):
        for p in self.asks:
            if p.poll() is None:
                p.kill()
            p.communicate()
        self.call(self.cordond, "console", "--stop")
        self.temporary.cleanup()
