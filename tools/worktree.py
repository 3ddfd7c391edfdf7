#!/usr/bin/env python3
"""tools/worktree.py [-v] [--cordon PROGRAM] FILE: compare our verdicts with a worktree sandbox.

FILE has one JSON object per line: `fn`, `input`, `expect`, `root`, for an answer of a function of
the original.  Functions that judge a command, a file tool or a tool call are compared with
`cordon check --batch` and that root; those of its tokeniser have no counterpart and are counted.
Prints the differences by class; doc/WORKTREE.md explains them.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMANDS = ("findUnsafeWriteInBash", "findUnsafeCd", "findSuspiciousArg")
TOOLS = ("read", "write", "edit", "delete", "list", "glob", "grep", "bash")


def places(value, folder):
    """Placeholders, and their real directories."""
    text = json.dumps(value)
    for name in ("<root>", "<sandboxDir>", "<sandbox>"):
        text = text.replace(name, folder)
    return json.loads(text)


def request(row, folder):
    """The request to cordon, or None; and whether the original allows it."""
    root, expect = row.get("root") or "", row.get("expect")
    root = folder if not root.startswith("/") else root
    given = places(row["input"], folder)
    base = {"roots": [root], "cwd": root}
    if row["fn"] in COMMANDS and isinstance(given, str):
        return {**base, "command": given}, expect is None
    if row["fn"] == "rewritePath" and given.get("tool") in TOOLS:
        return {**base, "tool": given["tool"], "path": given.get("path", "")}, \
            not expect.get("block")
    if row["fn"] == "handler" and isinstance(given, dict) and given.get("tool") in TOOLS:
        args, ctx = given.get("args") or {}, given.get("ctx") or {}
        line = {**base, "tool": given["tool"]}
        if given["tool"] == "bash":
            line["command"] = args.get("command", "")
        else:
            line["path"] = args.get("path", "")
        if "mode" in ctx:
            line["hostMode"] = ctx["mode"]
        if "trusted" in ctx:
            line["projectTrusted"] = ctx["trusted"]
        return line, not (expect or {}).get("block") if isinstance(expect, dict) else True
    return None, None


def ask(program, requests, folder):
    lines = "".join(json.dumps({"id": i, **r}) + "\n" for i, r in enumerate(requests))
    home = os.path.dirname(folder)
    done = subprocess.run([program, "check", "--batch", "--home", home], cwd=folder,
                          input=lines.encode("utf-8", "surrogateescape"), capture_output=True,
                          env={"PATH": "/usr/bin:/bin", "HOME": home}, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(requests):
        sys.exit(f"{len(answers)} of {len(requests)} lines were answered: "
                 + done.stderr.decode("utf-8", "replace"))
    return answers


def why_looser(question, answer):
    """The class of a difference in the looser direction."""
    command = question.get("command", "")
    if "command" not in question:
        return "file tool"
    if answer["verdict"] == "confine":
        return "held by the sandbox"
    if any(c in command for c in "*?["):
        return "a glob that stays inside"
    if "'" in command or '"' in command or "\\" in command:
        return "a quoted word, read as bash reads it"
    if "$" in command or "~" in command:
        return "a value that is known"
    return "nothing is written or entered outside"


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("-v", "--verbose", action="store_true")
    options.add_argument("--cordon", default=os.environ.get("CORDON", str(ROOT / "build/cordon")))
    options.add_argument("file")
    args = options.parse_args()
    rows = [json.loads(s) for s in pathlib.Path(args.file).read_text().splitlines() if s]
    with tempfile.TemporaryDirectory(dir=pathlib.Path.home(), prefix=".worktree-") as place:
        folder = os.path.join(place, "sandbox")
        os.makedirs(os.path.join(folder, "subdir"))
        asked = [(r, *request(r, folder)) for r in rows]
        other = collections.Counter(r["fn"] for r, q, _ in asked if q is None)
        asked = [(r, q, passes) for r, q, passes in asked if q is not None]
        answers = ask(os.path.abspath(args.cordon), [q for _, q, _ in asked], folder)
    classes = collections.defaultdict(list)
    for (row, question, passes), answer in zip(asked, answers):
        verdict = answer.get("verdict", "deny")
        stops = verdict in ("ask", "deny")
        if stops != passes and not (not passes and verdict == "confine"):
            classes["the same"].append((row, question, answer))
        elif passes:
            classes["stricter: " + verdict].append((row, question, answer))
        else:
            classes["looser: " + why_looser(question, answer)].append((row, question, answer))
    for name in sorted(classes, key=lambda n: (n != "the same", n)):
        print(f"  {len(classes[name]):4}  {name}")
        for row, question, answer in classes[name] if args.verbose and name != "the same" else ():
            print(f"        {answer.get('verdict', 'error'):8}"
                  f"{json.dumps(question.get('command', question.get('path')))}"
                  f"  {row['fn']} {json.dumps(row['expect'])[:60]}\n"
                  f"                {answer.get('reason', answer.get('error'))}")
    print(f"  {sum(other.values()):4}  have no counterpart: "
          + ", ".join(f"{k} {n}" for k, n in sorted(other.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
