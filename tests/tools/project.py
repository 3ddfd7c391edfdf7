"""A project to judge commands in: a git repository with files in every state."""
import pathlib
import subprocess

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

# What a home has that a command could tell or spoil.
SECRET = "do-not-tell-3141592653"
AT_HOME = {".ssh/id_rsa": SECRET, ".aws/credentials": "aws_secret = " + SECRET,
           ".bashrc": "true", ".profile": "true", ".zshrc": "true", ".netrc": SECRET,
           ".bash_history": "ls", "thesis.tex": "all of it", "list.txt": "a"}


def base(build):
    """Where to make one: not below /tmp, where nothing counts as somebody's work."""
    return pathlib.Path.home() if str(build).startswith("/tmp/") else build


class Project:
    def __init__(self, folder, rules=None):
        self.home = folder / "home"
        self.cwd = self.home / "project"
        self.env = {"PATH": PATH, "HOME": str(self.home), "LC_ALL": "C.UTF-8"}
        for name in ("README.md", "lib/a.py"):
            self.write(name, "committed\n")
        self.write(".gitignore", "build/\ndist/\nnode_modules/\n")
        who = ["-c", "user.name=n", "-c", "user.email=n@example.org"]
        self.git("init", "-q")
        self.git("add", ".")
        self.git(*who, "commit", "-q", "-m", "first")
        self.write("README.md", "changed\n")
        for name in ("file.txt", "src/main.c", "secrets/key", "build/a.o", "dist/a.js", ".env"):
            self.write(name, "new\n")
        if rules:
            self.write(self.home / ".config/cordon/rules", rules.read_text(encoding="utf-8"))

    def settle(self):
        """Somebody lives here: keys, start-up files, a thesis."""
        for name, text in AT_HOME.items():
            self.write(self.home / name, text + "\n")

    def write(self, name, text):
        path = self.cwd / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def git(self, *args):
        subprocess.run(["git", *args], cwd=self.cwd, env=self.env, check=True)

    def run(self, program, *args, data=b"", **more):
        more.setdefault("cwd", self.cwd)
        return subprocess.run([program, *args], input=data, env=self.env, capture_output=True,
                              timeout=120, check=False, **more)
