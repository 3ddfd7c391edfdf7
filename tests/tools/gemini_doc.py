"""gemini_doc.py PROGRAM: every command in the tables of doc/GEMINI.md has the answer that they say.

Prints each that has not; exits 1 then.  `⏎` stands for a newline, NBSP for U+00A0.
"""
import html
import json
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "doc/GEMINI.md"


def texts(cell):
    """The commands, or list entries, of a cell."""
    cell = cell.replace("<code>", "`").replace("</code>", "`")
    parts = re.split(r"(?<=`)(?:, |; )(?=`)", cell)
    return [html.unescape(p.replace("`⏎`", "\n").replace("`NBSP`", "\u00a0").strip().strip("`"))
            for p in parts if p.startswith("`")]


def rows():
    """(the lists, the command, the answer)"""
    head = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            head = line
        cells = [c.strip() for c in line.strip("|").split("|")]
        if not head.startswith("### Stricter") or len(cells) < 4 or cells[-2] not in ("hard", "soft"):
            continue
        lists = {}
        if len(cells) == 5:
            lists["excludeTools" if "blocked" in head else "coreTools"] = texts(cells[1])
        for command in texts(cells[0]):
            yield lists, command, cells[-2]


def main():
    asked = list(rows())
    lines = "".join(json.dumps({"command": command, **lists}) + "\n" for lists, command, _ in asked)
    done = subprocess.run([sys.argv[1], "check", "--as", "gemini", "--batch"], input=lines.encode(),
                          capture_output=True, check=True)
    wrong = len(asked) < 30
    for (lists, command, want), line in zip(asked, done.stdout.splitlines(), strict=True):
        answer = json.loads(line)
        got = "allow" if answer.get("allAllowed") else "hard" if answer.get("isHardDenial") else "soft"
        if got != want:
            wrong = True
            print(f"{command!r} {lists}: {got}, not {want}")
    print(f"{len(asked)} commands")
    sys.exit(wrong)


main()
