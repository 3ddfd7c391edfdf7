"""A workspace with every kind of protected object, for one user, and its state as the host sees it."""
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile

SECRET = "PROMISE-5c1e-SECRET"
MARK = b"PWN"

# Files that are there: name -> content.  What git makes itself is added below.
FILES = {
    ".claude/settings.json": "{}\n", ".claude/hooks/check.sh": "#!/bin/sh\n", ".mcp.json": "{}\n",
    ".cursor/hooks.json": "{}\n", ".cursor/mcp.json": "{}\n", ".codex/config.toml": "\n", ".gemini/settings.json": "{}\n",
    ".github/hooks/cordon.json": "{}\n", ".clinerules/hooks/PreToolUse": "#!/bin/sh\n",
    ".windsurf/hooks.json": "{}\n", ".opencode/plugin/cordon.js": "\n", "opencode.json": "{}\n",
    ".pi/extensions/cordon.ts": "\n", ".vscode/tasks.json": "{}\n", ".vscode/settings.json": "{}\n",
    ".idea/workspace.xml": "<x/>\n", ".envrc": f"export A={SECRET}\n", ".bashrc": "\n",
    ".cordon/rules": "ask rm\n", ".cordonignore": "hidden.txt\n", ".aiderignore": "aider.txt\n",
    ".cursorignore": "\n", ".codeiumignore": "\n", ".husky/pre-commit": "#!/bin/sh\n", ".gitattributes": "*.x text\n",
    "sub/.vscode/tasks.json": "{}\n", "sub/.claude/settings.json": "{}\n", "sub/.cordonignore": "deep.txt\n",
    "sub/.mcp.json": "{}\n", "tools/hooks/pre-commit": "#!/bin/sh\n", "common.gitconfig": "[user]\n\tname = a\n",
}
# Ordinary files: a command may change them.
PLAIN = {"a.txt": "a\n", "main.c": "int main(void) { return 0; }\n", "sub/keep.txt": "k\n", "sub/deep/k.txt": "k\n",
         "tools/x.sh": "x\n", "hidden.txt": SECRET + "-hidden\n", "aider.txt": SECRET + "-aider\n", ".gitmodules": None}
# Denied to read.
DENIED = {".env": "env", "sub/.env": "sub-env", "sub/deep/.env.local": "local", "vault.kdbx": "kdbx",
          "sub/deep/v.kdbx": "deep-kdbx", "keys/.ssh/id_rsa": "id_rsa", "sub/.ssh/id_ed25519": "ed25519",
          "secrets/key": "user-rule", "secrets/deep/key": "user-rule-deep", ".envrc": "envrc"}

FSMONITOR = "[core]\n\tfsmonitor = PWN\n"
GIT_DIRS = {"main": ".git", "submodule": ".git/modules/mod", "worktree": ".git/worktrees/tree", "bare": "bare.git",
            "separate": "sepdir", "nested": "vendor/lib/.git"}
# These may be removed, which nobody can tell from the removal of one file in them: deleting code is not planting it.
# What guards the workspace itself stays, and so do ignore files below it.
REMOVABLE = ("vendor", "bare.git", "sepdir", "sep", "tree", "mod", ".git/worktrees", "sub/.vscode", "sub/.claude", "sub/.mcp.json")
# Written by git itself in its directories, and so by a command.
GIT_WRITES = {"HEAD", "index", "ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG", "packed-refs", "refs", "logs", "objects",
              "branches", "description", "index.lock", "gitdir", "locked", "config.lock",
              "MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "CHERRY_PICK_HEAD", "REVERT_HEAD", "AUTO_MERGE", "REBASE_HEAD", "rebase-merge",
              "rebase-apply", "sequencer", "shallow", "BISECT_LOG", "SQUASH_MSG"}


def git_files():
    """Protected files of git's own that are there: name -> what to plant in it."""
    found = {}
    for place, folder in GIT_DIRS.items():
        if place == "worktree":
            found[f"{folder}/commondir"] = "../../PWN\n"
            continue
        found[f"{folder}/config"] = FSMONITOR
        found[f"{folder}/hooks/pre-commit"] = "#!/bin/sh\ntouch PWN\n"
        found[f"{folder}/info/attributes"] = "* filter=PWN\n"
    found |= {"mod/.git": "gitdir: ../PWN\n", "tree/.git": "gitdir: ../PWN\n", "sep/.git": "gitdir: ../PWN\n"}
    return found


def objects():
    """Every protected file that is there."""
    return git_files() | {name: "PWN\n" for name in FILES if name != ".gitattributes"}


def names():
    """Protected names that are not there yet."""
    found = {f"{folder}/{name}": text for folder in GIT_DIRS.values() for name, text in (
        ("hooks/post-checkout", "#!/bin/sh\ntouch PWN\n"), ("config.worktree", FSMONITOR),
        ("objects/info/alternates", "/PWN\n")) if not (folder == GIT_DIRS["worktree"] and name.startswith(("hooks", "objects")))}
    found |= {f"{folder}/commondir": "../PWN\n" for folder in (".git", ".git/modules/mod", "vendor/lib/.git")}
    found |= {name: "PWN\n" for name in (
        ".claude/settings.local.json", ".cursor/permissions.json", ".vscode/launch.json", ".idea/evil.xml", ".profile",
        ".zshrc", ".bash_profile", ".geminiignore", ".aiexclude", "sub/.aiderignore", "sub/.envrc", "sub/.idea/x.xml",
        "sub/.cordon/rules", "sub/deep/.mcp.json", "sub/deep/.vscode/tasks.json", "tools/hooks/post-merge",
        ".clinerules/hooks/PostToolUse", ".github/hooks/evil.json", ".github/copilot/x.json", ".codex/hooks.json",
        ".git/PWN-unknown", "bare.git/PWN-unknown")}
    return found


def folders():
    """Protected directories, and a name to plant in each."""
    found = {f"{folder}/hooks": "post-merge" for place, folder in GIT_DIRS.items() if place != "worktree"}
    found |= {folder: "PWN-unknown" for folder in GIT_DIRS.values()}
    found |= {".vscode": "extensions.json", ".idea": "x.xml", ".claude": "settings.local.json", ".claude/hooks": "x.sh",
              ".cursor": "mcp2.json", ".cordon": "x", ".github/hooks": "x.json", ".clinerules/hooks": "PostToolUse",
              "sub/.vscode": "launch.json", "sub/.claude": "settings.local.json", "tools/hooks": "post-merge", ".husky": "pre-push"}
    return found


class World:
    def __init__(self, uid, bare=False):
        """bare: for a kernel without namespaces, where a run that must hide files is not started."""
        self.uid, self.bare = uid, bare
        base = "/var/lib" if os.getuid() == 0 else os.path.expanduser("~")
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="promise-", dir=base))
        self.top.chmod(0o755)
        self.ws, self.home, self.out = (self.top / n for n in ("ws", "home", "out"))
        for folder in (self.ws, self.home, self.out, self.home / ".config/cordon", self.top / "runtime", self.top / "reports"):
            folder.mkdir(parents=True)
        (self.top / "runtime").chmod(0o700)
        if not bare:
            (self.home / ".config/cordon/rules").write_text("deny read @project/secrets/**\n")
        self.git_config()
        self.own(self.top)
        self.fill()
        self.pristine = self.top / "pristine"
        self.user("cp", "-a", str(self.ws), str(self.pristine))
        self.held, self.before = {}, {}
        self.look()

    def git_config(self):
        (self.home / ".gitconfig").write_text("[user]\n\tname = a\n\temail = a@b\n[protocol \"file\"]\n\tallow = always\n"
                                              "[init]\n\tdefaultBranch = main\n\ttemplateDir = \n")

    def own(self, *paths):
        if self.uid != os.getuid():
            for top in paths:
                subprocess.run(["chown", "-hR", f"{self.uid}:{self.uid}", str(top)], check=True)

    def before_user(self):
        if self.uid == os.getuid():
            return []
        return ["setpriv", f"--reuid={self.uid}", f"--regid={self.uid}", "--clear-groups"]

    def env(self, **more):
        return dict({"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.home), "LANG": "C.UTF-8",
                     "XDG_RUNTIME_DIR": str(self.top / "runtime")}, **more)

    def as_git(self):
        """For git of the host's, when somebody else owns the repository; hooks are not run."""
        return ["-c", "safe.directory=*", "-c", "core.hooksPath=/nonexistent", "-c", "core.fsmonitor=false"]

    def user(self, *argv, cwd=None):
        done = subprocess.run(self.before_user() + list(argv), env=self.env(), cwd=cwd or self.top, capture_output=True,
                              text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{argv}: {done.stderr}")

    def fill(self):
        git = lambda *words, cwd=None: self.user("git", *words, cwd=cwd or self.ws)  # noqa: E731
        far = self.top / "far"
        far.mkdir()
        self.own(far)
        git("init", "-q", cwd=far)
        git("commit", "-q", "--allow-empty", "-m", "far", cwd=far)
        git("init", "-q")
        for name, text in (FILES | PLAIN | {n: f"{SECRET}-{t}\n" for n, t in DENIED.items()}).items():
            if text is not None:
                path = self.ws / name
                if self.bare and (name.endswith("ignore") or name in ("hidden.txt", "aider.txt") or name.startswith("secrets/")):
                    text = "# none\n"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
                path.chmod(0o755 if text.startswith("#!") else 0o644)
        os.link(self.ws / ".env", self.ws / "env-link.txt")
        self.own(self.ws)
        git("submodule", "--quiet", "add", str(far), "mod")
        git("add", *(n for n in FILES if n != ".envrc"), *(n for n, t in PLAIN.items() if t and SECRET not in t))
        git("commit", "-qm", "first")
        self.branch(git, ".vscode/settings.json")
        git("worktree", "add", "-q", "tree")
        git("clone", "-q", "--bare", str(far), "bare.git")
        git("clone", "-q", "--separate-git-dir=" + str(self.ws / "sepdir"), str(far), "sep")
        git("clone", "-q", str(far), "vendor/lib")
        git("config", "core.hooksPath", "tools/hooks")
        git("config", "include.path", "../common.gitconfig")
        for name, text in git_files().items():
            path = self.ws / name
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("#!/bin/sh\n" if "hooks/" in name else "*.y text\n" if name.endswith("attributes") else "\n")
                path.chmod(0o755 if "hooks/" in name else 0o644)
        for folder in GIT_DIRS.values():
            (self.ws / folder / "objects/info").mkdir(parents=True, exist_ok=True) if "worktrees" not in folder else None
        self.own(self.ws)

    def branch(self, git, name):
        """A branch of the host's own that has another text of a protected file."""
        before = (self.ws / name).read_text()
        git("checkout", "-q", "-b", "other")
        (self.ws / name).write_text('{"other": 1}\n')
        git("commit", "-qam", "other")
        git("checkout", "-q", "main")
        (self.ws / name).write_text(before)
        git("update-index", "-q", "--refresh")

    # What the host sees.

    def protects(self, name):
        """Is this path, as found by a walk, one that a command must not change or make?"""
        for folder in GIT_DIRS.values():
            if name.startswith(folder + "/"):
                inside = name[len(folder) + 1:].split("/")
                if folder == ".git" and inside[0] in ("modules", "worktrees"):
                    if len(inside) <= 2 or (inside[1] in ("mod", "tree")):
                        continue
                    return False
                if inside == ["objects", "info", "alternates"]:
                    return True
                if inside == ["info", "sparse-checkout"]:
                    return False
                return inside[0] not in GIT_WRITES
        if name in PLAIN or name in DENIED and name != ".envrc" or name == "env-link.txt":
            return False
        return name in self.all_names or any(name.startswith(f + "/") for f in self.all_folders) or name in self.all_folders

    def walk(self):
        found = {}
        todo = [""]
        while todo:
            here = todo.pop()
            try:
                entries = list(os.scandir(self.ws / here))
            except OSError:
                continue
            for entry in entries:
                name = f"{here}/{entry.name}" if here else entry.name
                if name.split("/")[0] in ("scratch", "node_modules") or name.endswith(("/objects", "/logs", "/refs")):
                    if name.endswith("/objects") and os.path.lexists(self.ws / name / "info/alternates"):
                        found[name + "/info/alternates"] = os.lstat(self.ws / name / "info/alternates")
                    continue
                if entry.is_dir(follow_symlinks=False):
                    todo.append(name)
                if self.protects(name):
                    found[name] = entry.stat(follow_symlinks=False)
        return found

    @staticmethod
    def facts(st, directory):
        return (st.st_mode, st.st_uid, st.st_gid, 0 if directory else st.st_nlink, st.st_ino)

    def look(self):
        """Remembers everything protected, and holds it open, so that it is known wherever it goes."""
        self.all_names = set(objects()) | set(names()) | {".gitattributes"}
        self.all_folders = set(folders()) | {".git", ".vscode"}
        for fd, *_ in self.held.values():
            os.close(fd)
        self.held = {}
        self.before = {n: self.facts(s, (s.st_mode & 0o170000) == 0o040000) for n, s in self.walk().items()}
        for name in self.before:
            fd = os.open(self.ws / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            self.held[name] = (fd, os.fstat(fd).st_ctime_ns, *self.inner(fd))

    @staticmethod
    def inner(fd):
        st = os.fstat(fd)
        text = b"" if (st.st_mode & 0o170000) == 0o040000 else os.pread(fd, 1 << 20, 0)
        return hashlib.sha256(text).hexdigest(), st.st_mode, st.st_uid, st.st_gid, tuple(os.listxattr(fd))

    def wrong(self):
        """What is not as it was, as a list of words; and whether something is gone that may be."""
        found, now = [], {n: self.facts(s, (s.st_mode & 0o170000) == 0o040000) for n, s in self.walk().items()}
        gone = False
        for name, facts in self.before.items():
            if name not in now:
                # An ignore file goes with the directory that it speaks of.
                if self.removable(name) or (name.endswith("ignore") and name.rsplit("/", 1)[0] not in now):
                    gone = True
                else:
                    found.append(f"{name} is gone")
            elif now[name] != facts and not self.made_again(name, facts, now[name]):
                found.append(f"{name} is another or has other modes or links")
        found += [f"{name} was made" for name in now if name not in self.before]
        for name, (fd, ctime, *inner) in self.held.items():
            if os.fstat(fd).st_ctime_ns != ctime and list(self.inner(fd)) != inner:
                found.append(f"{name} (the object) was changed")
        for todo in [t for d in GIT_DIRS.values() for t in (self.ws / d).glob("rebase-*/git-rebase-todo*")]:
            if MARK in todo.read_bytes():
                found.append(f"{todo.relative_to(self.ws)} has a line that git will run")
        return found, gone

    @staticmethod
    def removable(name):
        return any(name == r or name.startswith(r + "/") for r in REMOVABLE)

    def made_again(self, name, before, now):
        """A removable one that was removed and made anew as it was, with no other name."""
        return self.removable(name) and now[:4] == before[:4] and now[4] != before[4] and self.same(name)

    def same(self, name):
        """Has it the same text and mode, though it was made anew?"""
        try:
            fd = os.open(self.ws / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            return False
        try:
            return name in self.held and self.inner(fd) == tuple(self.held[name][2:])
        finally:
            os.close(fd)

    def marked(self):
        """Protected files that have the mark of an attempt in them."""
        found = []
        for name, st in self.walk().items():
            if (st.st_mode & 0o170000) == 0o120000:
                found.append(f"{name} is a symlink")
            elif (st.st_mode & 0o170000) == 0o100000 and MARK in (self.ws / name).read_bytes():
                found.append(f"{name} has it")
        return found

    def restore(self):
        """The workspace as it was, from the copy."""
        shutil.rmtree(self.ws / "scratch", ignore_errors=True)
        subprocess.run(["chmod", "-R", "u+rwX", str(self.ws)], check=False)
        for entry in os.listdir(self.ws):
            path = self.ws / entry
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        subprocess.run(self.before_user() + ["cp", "-a", f"{self.pristine}/.", str(self.ws)], check=True)
        self.look()

    def close(self):
        for fd, *_ in self.held.values():
            os.close(fd)
        for place in (self.top / "runtime/cordon/places").glob("*"):
            try:
                os.kill(int(place.read_text().split()[1]), 15)
            except (OSError, ValueError, IndexError):
                pass
        shutil.rmtree(self.top, ignore_errors=True)
