#!/usr/bin/env python3
"""tools/bypasses.py [-v] [--cordon PROGRAM] FILE...: no published bypass of another gate is allowed.

Each FILE has one JSON object per line: `example_command`, or `command` with
`really_escapes_in_bash` (others are skipped).  Each line is judged in a typical repository: its
configuration runs helpers, and it has files that a symlink or a script may name; with and without
an explicit root.  First with the built-in policy; then, for each command in the line that looks
harmless, with additional user rules that allow its name, or its first words; then with these rules
alone.  A rule that is the whole line hides nothing: such answers are counted, and listed with -v.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import batch

ROOT = pathlib.Path(__file__).resolve().parent.parent
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
ORDER = ("deny", "ask", "confine", "allow")
# A rule that allows one of these names allows everything.
NOT_HARMLESS = {"sh", "bash", "eval", "source", ".", "python3", "perl", "node", "sudo", "exec",
                "trap", "make", "script", "rm", "touch", "truncate", "cp", "install", "ln",
                "patch", "unzip", "csplit", "sed", "chmod", "zip", "coproc"}
# These names alone do not look harmless, so no rule is tried for them.
COMPOSITE = {"git", "npm"}


class Scene:
    def __init__(self, program, folder):
        self.program, self.folder = os.path.abspath(program), folder
        self.home, self.cwd = folder / "home", folder / "home/sandbox"
        self.env = {"PATH": PATH, "HOME": str(self.home), "LC_ALL": "C.UTF-8"}
        for name, text in {"a.txt": "a", "sub/b.txt": "b", ".env": "KEY=1", ".gemini/.env": "A=1",
                           "payload.sh": "#!/bin/sh\nid\n", ".gitattributes": "* diff=own\n",
                           "README.md": "a"}.items():
            self.write(self.cwd / name, text)
        who = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
        for args in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "first"],
                     ["config", "diff.own.command", "./payload.sh"],
                     ["config", "diff.external", "./payload.sh"]):
            subprocess.run(["git", *args], cwd=self.cwd, env=self.env, check=True)

    @staticmethod
    def write(path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def batch(self, what, rows, *more):
        return batch.ask(self, what, rows, *more)

    def rules(self, command):
        """Rules that a user might write who looks only at the names."""
        found = []
        for c in self.batch("analyse", [{"command": command}], "--json")[0].get("commands", []):
            words = [w for w in c["argv"][:2] if isinstance(w, str)]
            name = c["program"]
            if not name or name in NOT_HARMLESS or not words:
                continue
            if name not in COMPOSITE:
                found.append(f"allow {quoted(name)}")
            if len(words) > 1 and words[1][:1].isalpha() and words[1].isalnum():
                found.append(f"allow {quoted(name)} {quoted(words[1])}")
        return list(dict.fromkeys(found))


def quoted(word):
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'


def says_all(rule, command):
    """True if the rule is the whole line, such as `allow npm install`: nothing is hidden in it."""
    return rule == "allow " + " ".join(quoted(w) for w in command.split())


def judged(args, title, rows, answers):
    counts = collections.Counter(a.get("verdict", "deny") for a in answers)
    named = sum(a.get("verdict") == "allow" and says_all(rule, command)
                for (command, rule), a in zip(rows, answers))
    print(f"  {title:54} " + ", ".join(f"{counts[v]} {v}" for v in ORDER)
          + (f", {named} of them because the rule says the very line" if named else ""))
    if args.verbose:
        for (command, rule), answer in zip(rows, answers):
            if answer.get("verdict") == "allow":
                print(f"    {json.dumps(command)}   {rule}\n      {answer.get('reason')}")
    return counts["allow"] - named


def commands_of(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line) if line else {}
        if "example_command" in row:
            yield row["example_command"]
        elif row.get("really_escapes_in_bash"):
            yield row["command"]


def compare(args, scene, commands):
    allowed, user = 0, scene.home / ".config/cordon/rules"
    for title, more in (("root implied", {}), ("root given", {"roots": [str(scene.cwd)]})):
        ask = lambda cs, *options: scene.batch(
            "check", [{"command": c, **more} for c in cs], *options)
        rows = [(c, "built-in") for c in commands]
        allowed += judged(args, f"built-in policy, {title}", rows, ask(commands))
        above, alone, rows = [], [], []
        for command in commands:
            for rule in scene.rules(command):
                rows.append((command, rule))
                scene.write(user, rule + "\n")
                above += ask([command])
                user.unlink()
                scene.write(scene.folder / "rules", rule + "\n")
                alone += ask([command], "--policy", str(scene.folder / "rules"))
        allowed += judged(args, f"a rule allows what looks harmless, {title}", rows, above)
        allowed += judged(args, f"that rule alone, {title}", rows, alone)
    return allowed


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("-v", "--verbose", action="store_true")
    options.add_argument("--cordon", default=os.environ.get("CORDON", str(ROOT / "build/cordon")))
    options.add_argument("files", nargs="+", type=pathlib.Path)
    args = options.parse_args()
    allowed = 0
    # Not below /tmp, which is private in a sandbox.
    with tempfile.TemporaryDirectory(dir=pathlib.Path.home(), prefix=".bypasses-") as folder:
        scene = Scene(args.cordon, pathlib.Path(folder))
        for path in args.files:
            commands = list(commands_of(path))
            print(f"{path.name}: {len(commands)} lines")
            allowed += compare(args, scene, commands)
    print(f"{allowed} allowed")
    return 1 if allowed else 0


if __name__ == "__main__":
    sys.exit(main())
