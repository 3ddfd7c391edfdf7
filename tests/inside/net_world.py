"""A small world for tests of the network: a namespace that stands for the host, another one
behind it with "public" addresses, a name server and services (net_server.py)."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOBODY = 64321
UP, DOWN = "10.77.0.1", "10.77.0.2"
PUBLIC, OTHER, PRIVATE = "93.184.216.34", "93.184.216.35", "10.99.0.1"


def sh(*argv, **more):
    return subprocess.run(argv, check=True, capture_output=True, **more)


class World:
    def __init__(self):
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="cordon-net-", dir="/var/lib" if
                                os.access("/var/lib", os.W_OK) else None))
        os.chmod(self.top, 0o755)
        self.hits_file = self.top / "hits"
        self.hits_file.touch()
        self.files = self.top / "files"
        self.files.mkdir()
        self.server = None
        self.loopback = []

    def open(self):
        sh("ip", "link", "set", "lo", "up")
        self.make_files()
        self.server = subprocess.Popen(
            ["unshare", "-n", sys.executable, ROOT / "tests/inside/net_server.py", self.hits_file,
             self.files, DOWN], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        while os.readlink(f"/proc/{self.server.pid}/ns/net") == os.readlink("/proc/self/ns/net"):
            time.sleep(0.01)
        inside = ["nsenter", "-n", "-t", str(self.server.pid)]
        sh("ip", "link", "add", "v0", "type", "veth", "peer", "name", "v1", "netns",
           str(self.server.pid))
        sh("ip", "addr", "add", UP + "/24", "dev", "v0")
        sh("ip", "-6", "addr", "add", "fd77::1/64", "dev", "v0", "nodad")
        sh("ip", "addr", "add", "93.184.216.99/32", "dev", "lo")
        sh("ip", "link", "set", "v0", "up")
        sh(*inside, "ip", "link", "set", "lo", "up")
        sh(*inside, "ip", "addr", "add", DOWN + "/24", "dev", "v1")
        sh(*inside, "ip", "-6", "addr", "add", "fd77::2/64", "dev", "v1", "nodad")
        for address in (PUBLIC, OTHER, "93.184.216.36", PRIVATE, "169.254.169.254", "8.8.8.8"):
            sh(*inside, "ip", "addr", "add", address + "/32", "dev", "lo")
        sh(*inside, "ip", "-6", "addr", "add", "2606:2800:220::34/128", "dev", "lo", "nodad")
        sh(*inside, "ip", "link", "set", "v1", "up")
        sh("ip", "route", "add", "default", "via", DOWN)
        sh("ip", "-6", "route", "add", "default", "via", "fd77::2")
        for name, text in (("resolv.conf", f"nameserver {DOWN}\n"),
                           ("hosts", f"127.0.0.1 localhost\n{PUBLIC} file.wild.example\n"
                            f"{PRIVATE} filepriv.wild.example\n")):
            (self.top / name).write_text(text)
            sh("mount", "--bind", self.top / name, os.path.realpath("/etc/" + name))
        passwd = self.top / "passwd"
        passwd.write_text(pathlib.Path("/etc/passwd").read_text() + f"nb:x:{NOBODY}:{NOBODY}::/:/bin/sh\n")
        sh("mount", "--bind", passwd, "/etc/passwd")
        self.server.stdout.readline()
        for address in ("127.0.0.1", UP, "93.184.216.99"):
            self.listen(address)

    def listen(self, address):
        s = socket.socket()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        s.bind((address, 7777))
        s.listen(16)

        def loop():
            while True:
                c, _ = s.accept()
                self.loopback.append(address)
                c.sendall(b"REACHED the host\n")
                c.close()
        threading.Thread(target=loop, daemon=True).start()

    def make_files(self):
        sh("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
           "-keyout", self.files / "key.pem", "-out", self.files / "cert.pem", "-days", "2", "-subj",
           "/CN=allowed.example", "-addext", "subjectAltName=DNS:allowed.example")
        repo = self.top / "src"
        env = dict(os.environ, GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@b", GIT_COMMITTER_NAME="a",
                   GIT_COMMITTER_EMAIL="a@b")
        sh("git", "init", "-q", "-b", "main", repo)
        (repo / "f").write_text("CLONED\n")
        sh("git", "-C", repo, "add", "f")
        sh("git", "-C", repo, "commit", "-qm", "first", env=env)
        sh("git", "clone", "-q", "--bare", repo, self.files / "repo.git")
        sh("git", "-C", self.files / "repo.git", "update-server-info")

    def hits(self):
        return [json.loads(line) for line in self.hits_file.read_text().splitlines()]

    def close(self):
        if self.server:
            self.server.kill()
            self.server.wait()
        shutil.rmtree(self.top, ignore_errors=True)


def again(script):
    """The script in namespaces of its own."""
    flags = "-mn" if os.getuid() == 0 else "-Urmn"
    return subprocess.run(["unshare", flags, sys.executable, script, "inside"], check=False).returncode


def missing():
    """A program that the world needs and this machine has not; None: all are there."""
    return next((p for p in ("ip", "unshare", "nsenter", "curl", "openssl", "git") if not shutil.which(p)), None)
