#!/usr/bin/env python3
"""tools/peers.py [-v] [--cordon PROGRAM] [--policy FILE] FILE...: compare our verdicts with others'.

Each FILE has one JSON object per line.  Its members select the comparison:

  command, expect                 the answer of another guard: allow, safe, ask, block, unsafe
  command, expected_min_decision  the loosest correct verdict
  example_command                 a published bypass: it must not be allowed
  command, really_escapes_in_bash a way out of a worktree: it must not be allowed

Every command is judged in a git repository with a separate home directory, with the built-in policy
alone.  The repository has committed, changed, untracked (file.txt, src, config) and ignored (build,
dist, node_modules) files, and the files that a destructive line names, as unsaved work.  Lines of
other guards that need the network, or on which they disagree, are skipped and counted.  -v lists
misses, -vv also confined commands.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import batch

ROOT = pathlib.Path(__file__).resolve().parent.parent
ORDER = {"deny": 0, "ask": 1, "confine": 2, "allow": 3}
# Other reasons of a guard to block: secrets, or text that it cannot parse.
NOT_DESTRUCTIVE = re.compile(r"secret|dynamic|mode=strict|mode=paranoid|raw-text|"
                             r"rule=(shell|Command|Parallel|This)\b")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Judge:
    """Analyse and check many commands at once."""

    def __init__(self, program, policy, root):
        self.program, self.policy = os.path.abspath(program), policy
        self.home, self.cwd = root / "home", root / "home" / "project"
        self.env = {"PATH": PATH, "HOME": str(self.home), "LC_ALL": "C.UTF-8"}
        self.write("README.md", "a")
        self.write("lib/a.py", "a")
        self.write(".gitignore", "build/\ndist/\nnode_modules/\n")
        who = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
        for args in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "first"]):
            subprocess.run(["git", *args], cwd=self.cwd, env=self.env, check=True)
        self.write("README.md", "changed")
        for name in ("file.txt", "src/main.c", "config/app.yml", "build/a.o", "dist/a.js",
                     "node_modules/a/index.js"):
            self.write(name, "new")

    def write(self, name, text):
        path = self.cwd / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def fill(self, commands):
        """Create the files that a line removes; otherwise it would remove nothing."""
        for effects in self.batch("analyse", commands):
            if not any(c["class"] == "destroy" for c in effects.get("commands", [])):
                continue
            for file in effects["files"]:
                name = os.path.relpath(file["path"] or "/", self.cwd)
                if file["op"] in ("delete", "truncate", "write") and not name.startswith("."):
                    try:
                        if not os.path.lexists(self.cwd / name):
                            self.write(name, "new")
                    except (OSError, ValueError):
                        pass

    def batch(self, command, commands, *more):
        return batch.ask(self, command, [{"command": c} for c in commands], *more)

    def check(self, commands, *more):
        policy = ["--policy", self.policy] if self.policy else []
        return self.batch("check", commands, *policy, *more)

    def needs_network(self, commands, answers):
        """The answer by the data of know/ alone, without the policy."""
        effects = self.batch("analyse", commands)
        return [any(c["class"] == "network" for c in e.get("commands", []))
                or any("needs the network" in s["reason"] for s in a.get("trace", []))
                for e, a in zip(effects, answers)]


def share(part, whole):
    return f"{part:5} of {whole:5}  {100 * part / whole if whole else 100:5.1f} %"


def goal(text, part, whole, least):
    met = not whole or 100 * part / whole >= least
    print(f"  {text:52} {share(part, whole)}  at least {least} %  {'ok' if met else 'MISSED'}")
    return met


def misses(args, title, rows):
    if args.verbose and rows:
        print(f"  {title}:")
        for command, answer in rows:
            print(f"    {answer.get('verdict', 'error'):8} {json.dumps(command)}\n"
                  f"             {answer.get('reason', answer.get('error'))}")


def verdict(answer):
    return answer.get("verdict", "deny")


# ---- answers of other guards


def compare_guards(args, judge, rows):
    says, notes = collections.defaultdict(set), collections.defaultdict(str)
    for row in rows:
        says[row["command"]].add({"safe": "allow", "unsafe": "ask"}.get(row["expect"],
                                                                       row["expect"]))
        if row["expect"] == "block":
            notes[row["command"]] += " " + row.get("note", "")
    agree = {c: e for c, e in says.items() if not ("allow" in e and len(e) > 1)}
    commands = list(agree)
    judge.fill(commands)
    answers = judge.check(commands, "--trace")
    network = judge.needs_network(commands, answers)
    left = [c for c, n in zip(commands, network) if not n]
    answers = dict(zip(commands, answers))
    print(f"  {len(says)} different lines; {len(says) - len(agree)} on which guards disagree "
          f"and {sum(network)} that need the network are left out")
    stop = [c for c in left if "allow" not in agree[c]]
    block = [c for c in left if "block" in agree[c]]
    destroy = [c for c in block if not NOT_DESTRUCTIVE.search(notes[c])]
    passed = [c for c in left if agree[c] == {"allow"}]
    is_in = lambda names: lambda c: verdict(answers[c]) in names
    held, refused = is_in(("deny", "ask", "confine")), is_in(("deny", "ask"))
    runs, allowed = is_in(("allow", "confine")), is_in(("allow",))
    met = [
        goal("blocked or asked about by them: not `allow`", sum(map(held, stop)), len(stop), 97),
        goal("destructive, blocked by them: `ask` or `deny`", sum(map(refused, destroy)),
             len(destroy), 95),
        goal("allowed by them: without a question", sum(map(runs, passed)), len(passed), 95),
        goal("allowed by them: `allow`", sum(map(allowed, passed)), len(passed), 75)]
    print(f"  {'blocked by them for any reason: `ask` or `deny`':52} "
          + share(sum(map(refused, block)), len(block)))
    pick = lambda of, good: [(c, answers[c]) for c in of if not good(c)]
    misses(args, "stopped by them, allowed here", pick(stop, held))
    misses(args, "destructive, neither ask nor deny here", pick(destroy, refused))
    misses(args, "allowed by them, a question here", pick(passed, runs))
    if args.verbose > 1:
        misses(args, "allowed by them, confined here",
               [(c, answers[c]) for c in passed if verdict(answers[c]) == "confine"])
    return all(met)


# ---- the loosest correct verdict


def compare_least(args, judge, rows):
    answers = judge.check([r["command"] for r in rows])
    harmless = [(r, a) for r, a in zip(rows, answers) if r["expected_min_decision"] == "allow"]
    danger = [(r, a) for r, a in zip(rows, answers) if r["expected_min_decision"] != "allow"]
    stopped = [(r, a) for r, a in danger if verdict(a) in ("ask", "deny")]
    confined = [(r, a) for r, a in danger if verdict(a) == "confine"]
    loose = [(r, a) for r, a in danger if verdict(a) == "allow"]
    runs = [(r, a) for r, a in harmless if verdict(a) in ("allow", "confine")]
    print(f"  dangerous: {len(stopped)} stopped, {len(confined)} confined, {len(loose)} allowed, "
          f"of {len(danger)}")
    print(f"  harmless:  {len(runs)} without a question, of {len(harmless)}")
    name = lambda pairs: [(r["command"], a) for r, a in pairs]
    misses(args, "dangerous, allowed", name(loose))
    misses(args, "dangerous, confined: does the sandbox remove the danger?", name(confined))
    misses(args, "harmless, a question",
           name([(r, a) for r, a in harmless if verdict(a) not in ("allow", "confine")]))
    return not loose and len(runs) == len(harmless)


# ---- commands that must not be allowed


def compare_never(args, judge, commands):
    answers = judge.check(commands)
    counts = collections.Counter(map(verdict, answers))
    print("  " + ", ".join(f"{counts[v]} {v}" for v in ORDER) + f", of {len(commands)}")
    misses(args, "allowed", [(c, a) for c, a in zip(commands, answers) if verdict(a) == "allow"])
    if args.verbose > 1:
        misses(args, "confined",
               [(c, a) for c, a in zip(commands, answers) if verdict(a) == "confine"])
    return counts["allow"] == 0


def compare(args, judge, rows):
    first = rows[0]
    if "expect" in first:
        return compare_guards(args, judge, rows)
    if "expected_min_decision" in first:
        return compare_least(args, judge, rows)
    if "example_command" in first:
        return compare_never(args, judge, [r["example_command"] for r in rows])
    return compare_never(args, judge,
                         [r["command"] for r in rows if r.get("really_escapes_in_bash")])


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("-v", "--verbose", action="count", default=0)
    options.add_argument("--cordon", default=os.environ.get("CORDON", str(ROOT / "build/cordon")))
    options.add_argument("--policy")
    options.add_argument("files", nargs="+")
    args = options.parse_args()
    ok = True
    # Not below /tmp, where files are not unsaved work, and not in another repository.
    with tempfile.TemporaryDirectory(dir=pathlib.Path.home(), prefix=".peers-") as folder:
        judge = Judge(args.cordon, args.policy, pathlib.Path(folder))
        for name in args.files:
            lines = pathlib.Path(name).read_text(encoding="utf-8").splitlines()
            print(pathlib.Path(name).name)
            ok &= compare(args, judge, [json.loads(line) for line in lines if line])
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
