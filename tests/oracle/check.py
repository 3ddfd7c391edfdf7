#!/usr/bin/env python3
"""check.py CASES.jsonl TRUTH.jsonl ANSWERS.jsonl: is cordon sound against the oracle?

ANSWERS holds what `cordon analyse --json --batch --cwd /w/c --home /home/u` said, with
the ids of CASES.  A case fails when cordon neither refused it nor called anything in it
unknown, and one of these is true:

  silent miss   a program ran that no reported command names
  wrong argv    a program ran with words that no reported argv of that name allows
  missed write  a file was opened for writing that no reported file is
  missed read   the shell opened a file for reading that no reported file is
  missed cd     a directory was entered that is not reported
  bad syntax    bash refuses the text, cordon does not
  no answer     there is none, or it is not what the contract says

Exit status 1 if any case failed.
"""
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict

CWD, HOME = "/w/c", "/home/u"
WRITES = ("write", "append", "create", "truncate")
# Programs that hand text to a shell of their own: it need not be reported, the text must.
HAVE_A_SHELL = {"awk", "mawk", "sed", "flock", "script", "watch"}
# Real programs in the sandbox whose writes know/ describes.
WRITERS = ("tee", "touch", "sort")
# What a login shell reads is known to everyone who writes `bash -l`.
STARTUP = re.compile(r"/\.(bash_profile|bash_login|bash_logout|profile|bashrc)$")
PROBLEMS = [
    "silent miss",
    "wrong argv",
    "missed write",
    "missed read",
    "missed cd",
    "bad syntax",
    "no answer",
]
COLUMNS = ["cases", "refused", "unknown", "open path", "exact", "over"] + PROBLEMS
KEYS = {"commands", "chdir", "files", "env", "unknown"}


def word(text):
    return re.sub(r"^/dev/fd/\d+$", "/dev/fd/N", text)


def fits(pattern, argv):
    """Does `argv` fit a reported one?  None: any words; {"prefix"}: one word."""
    # The places in argv that the pattern so far can have reached.
    reach = {0}
    for p in pattern:
        if p is None:
            reach = set(range(min(reach), len(argv) + 1))
        elif isinstance(p, dict):
            reach = {
                i + 1 for i in reach if i < len(argv) and argv[i].startswith(p["prefix"])
            }
        else:
            reach = {i + 1 for i in reach if i < len(argv) and word(argv[i]) == word(p)}
        if not reach:
            return False
    return len(argv) in reach


def programs(truth):
    """(name, argv) of all that ran."""
    for e in truth["execs"]:
        name = os.path.basename(e["path"] or (e["argv"] or [""])[0])
        if name:
            yield name, e["argv"]


def real_path(path):
    return path.startswith("/") and not re.match(r"^/(dev|proc)/", path)


def paths(rows):
    """What is reported, with `..` folded: the sandbox has no links that could decide it."""
    return {os.path.normpath(p) for p in rows if p is not None}


def missed_files(truth, answer):
    """Opened by the shell (or by a program that know/ knows) and not reported."""
    writes, reads = [], []
    rows = answer["files"]
    by_shell = [f["path"] for f in rows if f["by"] == "redirection" and f["op"] in WRITES]
    by_any = [f["path"] for f in rows if f["op"] in WRITES]
    read = [f["path"] for f in rows if f["op"] not in ("delete", "exec")]
    for w in truth["writes"]:
        said = by_shell if w["by"] == "shell" else by_any
        if w["by"] != "shell" and w["by"] not in WRITERS:
            continue
        if real_path(w["path"]) and None not in said and w["path"] not in paths(said):
            writes.append(w["path"])
    for r in truth["reads"]:
        if STARTUP.search(r["path"]):
            continue
        if real_path(r["path"]) and None not in read and r["path"] not in paths(read):
            reads.append(r["path"])
    return writes, reads


def missed_cd(case, truth, answer):
    """Directories that the shell really entered, and that commands really ran in."""
    said = [c["path"] for c in answer["chdir"]]
    if None in said:
        return []
    known = paths(said) | {CWD}
    entered = []
    for c in truth["cd"]:
        if not c["ok"] or c.get("by", "shell") not in ("shell", "env"):
            continue
        if "by" not in c and "find" in case["src"]:
            continue  # recorded before the oracle told who it was
        d = re.sub("^//+", "/", c["dir"])
        # cd -P and env -C hand the kernel what was written.
        ok = d in known if d.startswith("/") else any(k.endswith("/" + d) for k in known)
        if not ok:
            entered.append(d)
    if "-execdir" not in case["src"]:
        entered += [e["cwd"] for e in truth["execs"] if e["cwd"] and e["cwd"] not in known]
    return entered


def bash_refuses(src):
    r = subprocess.run(
        ["bash", "-n", "-c", src.encode("utf-8", "surrogateescape")],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
    )
    return r.returncode != 0


def judge(case, truth, answer):
    """(column, {problem: details}) for one case."""
    if not isinstance(answer, dict) or "ok" not in answer:
        return "none", {"no answer": [answer and answer.get("error")]}
    if not answer["ok"]:
        if not answer.get("error"):
            return "none", {"no answer": ["refused without a reason"]}
        return "refused", {}
    if not KEYS <= set(answer):
        return "none", {"no answer": ["lacks " + " ".join(sorted(KEYS - set(answer)))]}
    if truth["syntax_error"] and bash_refuses(case["src"]):
        return "none", {"bad syntax": [truth.get("messages", "")[-100:]]}
    commands = answer["commands"]
    if answer["unknown"] or any(c["program"] is None for c in commands):
        return "unknown", {}

    by_name = defaultdict(list)
    for c in commands:
        by_name[c["program"]].append(c["argv"])
    bad = defaultdict(list)
    ran = set()
    for name, argv in programs(truth):
        ran.add(name)
        if name == "sh" and argv[1:2] == ["-c"] and HAVE_A_SHELL & set(by_name):
            continue
        if name not in by_name:
            bad["silent miss"].append(name)
        elif not any(fits(p, argv) for p in by_name[name]):
            bad["wrong argv"].append(argv)
    for key, what in zip(("missed write", "missed read"), missed_files(truth, answer)):
        if what:
            bad[key] = what
    entered = missed_cd(case, truth, answer)
    if entered:
        bad["missed cd"] = entered
    if bad:
        return "none", dict(bad)
    if any(f["path"] is None for f in answer["files"]) or any(
        c["path"] is None for c in answer["chdir"]
    ):
        return "open path", {}
    marked = {n for n in by_name if re.match(r"^(cmd|dat)[A-Z]{1,2}$", n)}
    return ("over" if marked - ran else "exact"), {}


class Tally:
    """Counts per level, and what failed."""

    def __init__(self):
        self.levels = defaultdict(Counter)
        self.failures = []
        self.reasons = Counter()

    def add(self, case, truth, answer):
        column, bad = judge(case, truth, answer)
        level = self.levels[case.get("level", 0)]
        level["cases"] += 1
        level[column] += 1
        if column == "refused" and not truth["syntax_error"]:
            level["refused good"] += 1
        if case.get("exact"):
            level["should be exact"] += 1
            level["is exact"] += column in ("exact", "over")
        why = []
        if column == "unknown":
            why = [u["why"] for u in answer["unknown"]] or ["a command's name"]
        elif column == "refused":
            why = [re.sub(r"^line \d+, column \d+: *", "", answer["error"])]
        for w in set(why):
            self.reasons[column + ": " + w] += 1
        for problem, details in bad.items():
            level[problem] += 1
            self.failures.append((case["src"], case["id"], problem, details))

    def merge(self, other):
        for k, v in other.levels.items():
            self.levels[k].update(v)
        self.failures += other.failures
        self.reasons.update(other.reasons)

    def goals(self):
        """(text, met) of what the numbers must be; shares only where there are enough."""
        one = self.levels.get(1, Counter())
        if one["cases"]:
            n = one["refused"] + one["unknown"]
            yield "level 1: none refused, none unknown (%d)" % n, n == 0
        both = Counter(self.levels.get(2, ())) + Counter(self.levels.get(3, ()))
        if both["cases"] >= 1000:
            for key, most in (("refused", 10), ("unknown", 38)):
                share = 100 * both[key] / both["cases"]
                text = "levels 2 and 3: at most %d%% %s (%.1f%%)" % (most, key, share)
                if key == "refused":
                    text += "; %d of %d without fault" % (both["refused good"], both[key])
                yield text, share <= most
        daily = self.levels.get(4, Counter())
        if daily["cases"]:
            text = "level 4: none refused (%d)" % daily["refused"]
            yield text, daily["refused"] == 0
        if daily["should be exact"] >= 50:
            share = 100 * daily["is exact"] / daily["should be exact"]
            yield "level 4: at least 90%% of the static ones exact (%.1f%%)" % share, share >= 90

    def print(self, most=20, reasons=0, out=sys.stdout):
        show = [c for c in COLUMNS if any(v[c] for v in self.levels.values())]
        show = [c for c in COLUMNS if c in show or c in PROBLEMS[:5]]
        width = max(len(c) for c in show) + 2
        print(" " * 7 + "".join(c.rjust(width) for c in show), file=out)
        for k in sorted(self.levels):
            v = self.levels[k]
            print("level %s" % k + "".join(str(v[c]).rjust(width) for c in show), file=out)
        met = True
        for text, ok in self.goals():
            print(("met   " if ok else "MISSED ") + text, file=out)
            met = met and ok
        for why, n in self.reasons.most_common(reasons):
            print("%7d %s" % (n, why), file=out)
        self.failures.sort(key=lambda f: (len(f[0]), f[1]))
        for src, id_, problem, details in self.failures[:most]:
            text = "FAIL %s %s %s\n     %s"
            print(
                text % (id_, problem, json.dumps(details)[:300], json.dumps(src)), file=out
            )
        print("%d failures" % len(self.failures), file=out)
        return met and not self.failures


def load(path):
    with open(path, encoding="utf-8") as f:
        return {(j := json.loads(line))["id"]: j for line in f if line.strip()}


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    cases, truth, answers = map(load, sys.argv[1:])
    tally = Tally()
    for i, case in cases.items():
        tally.add(case, truth[i], answers.get(i))
    sys.exit(0 if tally.print() else 1)


if __name__ == "__main__":
    main()
