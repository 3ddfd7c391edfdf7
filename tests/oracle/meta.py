#!/usr/bin/env python3
"""meta.py --seed S -n N: a harmless change of the text must not hide anything.

Each generated text is analysed as it is and again with a comment behind it, blank lines
before it, in { }, in ( ), in an `if`, behind another command.  What was reported of the
first must be reported of the others, perhaps less exactly, or they must be refused or
unknown.  Needs no sandbox.
"""
import argparse
import importlib.machinery
import importlib.util
import json
import os
import sys

import check
import daily
import gen

HERE = os.path.dirname(os.path.abspath(__file__))
CHANGES = {
    "a comment behind": lambda t: t + "\n# it's ( \" `",
    "blanks before": lambda t: " \n\t\n" + t,
    "in { }": lambda t: "{\n" + t + "\n}",
    "in ( )": lambda t: "(\n" + t + "\n)",
    "in an if": lambda t: "if true; then\n" + t + "\nfi",
    "behind another": lambda t: "true\n" + t,
}


def load_run():
    loader = importlib.machinery.SourceFileLoader("run", os.path.join(HERE, "run"))
    spec = importlib.util.spec_from_loader("run", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def samples(argv):
    """Words that the argv stands for: unknown ones as none and as two."""
    for many in ([], ["Z", "Z"]):
        out = []
        for w in argv:
            out += (
                many if w is None else [w["prefix"] + "Z"] if isinstance(w, dict) else [w]
            )
        yield out


def hidden(one, two):
    """What the first answer has and the second has not, or None."""
    if (
        not two.get("ok")
        or two["unknown"]
        or any(c["program"] is None for c in two["commands"])
    ):
        return None
    for c in one["commands"]:
        patterns = [d["argv"] for d in two["commands"] if d["program"] == c["program"]]
        for argv in samples(c["argv"]):
            if c["program"] is not None and not any(check.fits(p, argv) for p in patterns):
                return c
    for key in ("files", "chdir"):
        rows = {(r.get("op"), r["path"]) for r in two[key]}
        for r in one[key]:
            if (r.get("op"), r["path"]) not in rows and (r.get("op"), None) not in rows:
                return r
    return None


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("-n", type=int, default=400)
    ap.add_argument("--show", type=int, default=20)
    a = ap.parse_args()
    run = load_run()
    if not os.access(run.cordon(), os.X_OK):
        sys.exit("meta: %s is missing: make build" % run.cordon())
    cases = []
    for i in range(a.n):
        text = (daily.make if i % 3 == 0 else gen.make)(a.seed, i)["src"]
        # A last backslash would join what is put behind it.
        if not text.endswith("\\"):
            cases.append({"id": "%d as it is" % i, "src": text})
            cases += [{"id": "%d %s" % (i, k), "src": f(text)} for k, f in CHANGES.items()]
    answers = run.analyse(cases)
    failures, compared = [], 0
    for c in cases:
        number, _, change = c["id"].partition(" ")
        base = answers[number + " as it is"]
        if change == "as it is" or not base.get("ok"):
            continue
        compared += 1
        row = hidden(base, answers[c["id"]])
        if row:
            failures.append((c["src"], change, row))
    for text, change, row in sorted(failures, key=lambda f: len(f[0]))[: a.show]:
        print("FAIL %s hides %s\n     %s" % (change, json.dumps(row), json.dumps(text)))
    print("%d pairs, %d failures" % (compared, len(failures)))
    sys.exit(1 if failures or not compared else 0)


if __name__ == "__main__":
    main()
