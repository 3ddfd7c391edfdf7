#!/usr/bin/env python3
"""check_test.py: does check.py see each kind of mistake?  A judge must be judged too."""
import copy
import sys

import check

TRUTH = {
    "execs": [
        {"argv": ["cmdA", "a b"], "path": "/usr/bin/cmdA", "cwd": "/w/c", "ok": True},
        {"argv": ["other", "x"], "path": "/usr/bin/cmdB", "cwd": "/w/c/d1", "ok": True},
        {"argv": ["nosuch", "1", "2"], "path": None, "cwd": None, "ok": False},
    ],
    "cd": [
        {"dir": "/w/c/d1", "ok": True, "by": "shell"},
        {"dir": "/gone", "ok": False, "by": "shell"},
        {"dir": "/w/c/d9", "ok": True, "by": "find"},
        {"dir": "d8", "ok": True, "by": "mkdir"},
    ],
    "writes": [
        {"path": "/w/c/d1/o1", "by": "shell"},
        {"path": "/dev/null", "by": "shell"},
        {"path": "pipe:[1]", "by": "shell"},
        {"path": "/w/c/o2", "by": "tee"},
    ],
    "reads": [{"path": "/w/c/f1", "by": "shell"}],
    "syntax_error": False,
}
ANSWER = {
    "id": 1,
    "ok": True,
    "error": None,
    "commands": [
        {"argv": ["cmdA", "a b"], "program": "cmdA"},
        {"argv": ["other", None], "program": "cmdB"},
        {"argv": ["nosuch", {"prefix": ""}, "2"], "program": "nosuch"},
    ],
    "chdir": [{"path": "/w/c/d1"}],
    "files": [
        {"op": "truncate", "path": "/w/c/d1/../d1/o1", "by": "redirection"},
        {"op": "write", "path": "/w/c/o2", "by": "tee"},
        {"op": "read", "path": "/w/c/f1", "by": "redirection"},
    ],
    "env": [],
    "unknown": [],
}
CASE = {"id": 1, "src": "…", "level": 2}


def judged(change, src="…"):
    t, a = copy.deepcopy(TRUTH), copy.deepcopy(ANSWER)
    change(t, a)
    return check.judge(dict(CASE, src=src), t, a)


def at(path, value):
    """A change of the answer: at(("files", 0, "op"), "read")."""

    def change(t, a):
        for k in path[:-1]:
            a = a[k]
        if value is DROP:
            del a[path[-1]]
        else:
            a[path[-1]] = value

    return change


def bad_syntax(t, a):
    t["syntax_error"] = True


DROP = object()
ARGV0 = ("commands", 0, "argv")
TABLE = [
    ("as it is", lambda t, a: None, "exact"),
    (
        "a command more",
        lambda t, a: a["commands"].append({"argv": ["cmdZ"], "program": "cmdZ"}),
        "over",
    ),
    ("a command is missing", at(("commands", 0), DROP), "silent miss"),
    (
        "exec -a names the wrong program",
        at(("commands", 1, "program"), "other"),
        "silent miss",
    ),
    ("an argv is wrong", at(ARGV0, ["cmdA", "a", "b"]), "wrong argv"),
    ("an argv is short", at(ARGV0, ["cmdA"]), "wrong argv"),
    ("an argv is long", at(ARGV0, ["cmdA", "a b", ""]), "wrong argv"),
    ("one word where none is", at(ARGV0, ["cmdA", "a b", {"prefix": ""}]), "wrong argv"),
    ("another beginning", at(ARGV0, ["cmdA", {"prefix": "b"}]), "wrong argv"),
    ("any words", at(ARGV0, ["cmdA", None]), "exact"),
    ("any words twice", at(ARGV0, [None, "cmdA", None, "a b", None]), "exact"),
    ("any words, then a wrong one", at(ARGV0, ["cmdA", None, "b"]), "wrong argv"),
    ("a right beginning", at(ARGV0, [{"prefix": "cmd"}, {"prefix": "a "}]), "exact"),
    ("a write is missing", at(("files", 0), DROP), "missed write"),
    ("a write is called a read", at(("files", 0, "op"), "read"), "missed write"),
    ("a write by another", at(("files", 0, "by"), "cp"), "missed write"),
    ("a write elsewhere", at(("files", 0, "path"), "/w/c/o1"), "missed write"),
    ("a write somewhere", at(("files", 0, "path"), None), "open path"),
    ("a program's write is missing", at(("files", 1), DROP), "missed write"),
    ("a read is missing", at(("files", 2), DROP), "missed read"),
    ("a cd is missing", at(("chdir", 0), DROP), "missed cd"),
    ("a cd elsewhere", at(("chdir", 0, "path"), "/w/c/d2"), "missed cd"),
    ("a cd somewhere", at(("chdir", 0, "path"), None), "open path"),
    ("an unknown name", at(("commands", 0, "program"), None), "unknown"),
    ("something unknown", at(("unknown",), [{"why": "x"}]), "unknown"),
    ("refused", at(("ok",), False), "no answer"),
    ("refused, with a reason", lambda t, a: a.update(ok=False, error="1:1: x"), "refused"),
    ("a list is missing", at(("files",), DROP), "no answer"),
    ("no verdict", at(("ok",), DROP), "no answer"),
]


def main():
    failed = 0
    for name, change, want in TABLE:
        column, bad = judged(change)
        got = column if not bad else " ".join(sorted(bad))
        if want not in (column, *bad) or (want not in check.PROBLEMS and bad):
            failed += 1
            print("not ok %s: %s, not %s" % (name, got, want))
    for src, want in (("echo $(", "bad syntax"), ("echo", "exact")):
        column, bad = judged(bad_syntax, src)
        if want not in (column, *bad):
            failed += 1
            print("not ok syntax of %s: %s" % (src, column))
    if check.judge(CASE, TRUTH, None)[1].keys() != {"no answer"}:
        failed += 1
        print("not ok a missing answer passes")
    print("%d of %d ok" % (len(TABLE) + 3 - failed, len(TABLE) + 3))
    return failed


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
