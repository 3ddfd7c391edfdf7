"""A workspace, a victim beside it and services of the host, for one user."""
import hashlib
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import threading

SECRET = "TOPSECRET-7f3a"


def as_user(uid):
    """What to put in front of a command so that it runs as this user."""
    if uid == os.getuid():
        return []
    return ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]


class Services:
    """Listeners of the host; whoever reaches one is counted."""

    def __init__(self, folder):
        self.hits = []
        self.sockets = []
        self.tcp = self.listen(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
        self.udp = self.listen(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
        self.abstract = f"cordon-test-{os.getpid()}-{os.urandom(3).hex()}"
        self.listen(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + self.abstract)
        self.paths = []
        for name, kind in (("out/s.sock", socket.SOCK_STREAM), ("ws/s.sock", socket.SOCK_STREAM),
                           ("out/d.sock", socket.SOCK_DGRAM)):
            path = folder / name
            self.listen(socket.AF_UNIX, kind, str(path))
            os.chmod(path, 0o777)
            self.paths.append(path)

    def listen(self, family, kind, address):
        s = socket.socket(family, kind)
        s.bind(address)
        if kind == socket.SOCK_STREAM:
            s.listen(8)
        self.sockets.append(s)
        threading.Thread(target=self.serve, args=(s, kind), daemon=True).start()
        return s.getsockname()[1] if family == socket.AF_INET else None

    def serve(self, s, kind):
        try:
            while True:
                if kind == socket.SOCK_STREAM:
                    peer, _ = s.accept()
                    self.hits.append(s)
                    if s.family == socket.AF_UNIX:
                        with open("/dev/null", "rb") as gift:
                            socket.send_fds(peer, [b"x"], [gift.fileno()])
                    peer.close()
                else:
                    s.recv(64)
                    self.hits.append(s)
        except OSError:
            pass

    def close(self):
        for s in self.sockets:
            s.close()


class Fixture:
    def __init__(self, uid):
        self.uid = uid
        base = "/var/lib" if os.getuid() == 0 else os.path.expanduser("~")
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="cordon-inside-", dir=base))
        os.chmod(self.top, 0o755)
        self.ws, self.out, self.home = (self.top / n for n in ("ws", "out", "home"))
        for folder in (self.ws, self.out, self.home):
            folder.mkdir()
        self.fill()
        self.own()
        self.repositories()
        self.services = Services(self.top)
        for path in self.services.paths:
            os.chown(path, uid, uid)
        self.host = subprocess.Popen(as_user(uid) + ["sleep", "100000"],
                                     env=dict(os.environ, HOST_SECRET=SECRET))
        self.shm = subprocess.run(as_user(uid) + ["ipcmk", "-M", "4096", "-p", "0600"],
                                  capture_output=True, text=True, check=False).stdout.split()[-1:]
        self.posix = pathlib.Path(f"/dev/shm/cordon-{os.getpid()}-{uid}")
        self.posix.write_text(SECRET)
        os.chown(self.posix, uid, uid)
        self.before = self.state()

    def fill(self):
        (self.out / "f").write_text("ORIGINAL\n")
        (self.out / "dir").mkdir()
        for name, text in {
            "main.c": "int main(void) { return 0; }\n", "a.txt": "a\n", ".env": SECRET + "\n",
            "sub/.env": SECRET + "\n", "sub/keep.txt": "keep\n", "secrets/key": SECRET + "\n",
            "secrets/deep/key": SECRET + "\n", ".hidelist": ".env\nsecrets/\n",
            "vendor/lib/x.c": "\n", ".cordonignore": ".env\n", "Makefile":
                "all: main\n\nmain: main.c\n\tcc -o main main.c\n\npush:\n\tgit push\n",
        }.items():
            path = self.ws / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        os.link(self.ws / ".env", self.ws / "envlink.txt")
        os.symlink(self.out, self.ws / "outdir")
        os.symlink(self.out / "f", self.ws / "outlink")

    def own(self):
        if self.uid == os.getuid():
            return
        for path in [self.top, *self.top.rglob("*")]:
            os.chown(path, self.uid, self.uid, follow_symlinks=False)

    def user(self, *argv, **more):
        return subprocess.run(as_user(self.uid) + list(argv), check=True, env=self.env(),
                              capture_output=True, **more)

    def env(self):
        return {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.home), "LANG": "C.UTF-8",
                "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a",
                "GIT_COMMITTER_EMAIL": "a@b", "LD_LIBRARY_PATH": "/nonexistent",
                "MY_TOKEN": SECRET, "AWS_SECRET_ACCESS_KEY": SECRET}

    def repositories(self):
        for folder in (self.ws, self.ws / "vendor/lib"):
            self.user("git", "init", "-q", "-b", "main", cwd=folder)
            self.user("git", "add", "-A", ".", cwd=folder)
            self.user("git", "commit", "-qm", "first", cwd=folder)
        self.worktree = self.top / "wt"
        self.user("git", "worktree", "add", "-q", str(self.worktree), cwd=self.ws)

    def guarded(self):
        """What must be as it was, whatever runs."""
        for repo in (self.ws / ".git", self.ws / "vendor/lib/.git"):
            yield repo / "config"
            yield from sorted((repo / "hooks").rglob("*"))
        for name in (".vscode", ".claude", ".cursor", ".cordon", ".mcp.json", ".envrc", ".bashrc",
                     ".cordonignore", "sub/.vscode", ".VSCODE", ".husky", ".gitmodules", ".codex"):
            yield self.ws / name
        yield from sorted(self.out.rglob("*"))
        yield from sorted(self.home.rglob("*"))
        for name in (".env", "sub/.env", "secrets/key"):
            yield self.ws / name

    def state(self):
        found = {}
        for path in self.guarded():
            try:
                st = path.lstat()
            except OSError:
                continue
            text = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            found[str(path)] = (st.st_mode, st.st_mtime_ns if path.is_file() else 0, st.st_ino,
                                hashlib.sha256(text).hexdigest())
        return found

    def close(self):
        self.host.kill()
        self.host.wait()
        self.services.close()
        if self.shm:
            subprocess.run(["ipcrm", "-m", self.shm[0]], check=False, capture_output=True)
        self.posix.unlink(missing_ok=True)
        shutil.rmtree(self.top, ignore_errors=True)
