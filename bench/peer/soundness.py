"""Test one rule, `this program must not run, all others may`, on texts that make bash run it.

tests/oracle generates the texts; real bash executes them in a sandbox with stubs, which record the
programs that run.  For each text one of these programs is forbidden, and each guard is asked.  A
guard that lets the text pass has missed it.  Then a program is forbidden that the text does not
contain: a guard that stops the text has guessed.
"""
import random
import re
import sys

import common

sys.path.insert(0, str(common.ROOT / "tests/oracle"))
import agree  # noqa: E402
import daily  # noqa: E402
import gen  # noqa: E402
import inner  # noqa: E402
import oracle  # noqa: E402

SEED = 8
KINDS = [("the grammar", gen.make, 600), ("everyday forms of agents", daily.make, 200),
         ("texts inside texts", inner.make, 200)]
ABSENT = "cmdQQ"


def soundness():
    why = oracle.lacks()
    if why:
        raise RuntimeError("the oracle: " + why)
    cases = [dict(make(SEED, i), kind=kind) for kind, make, n in KINDS for i in range(n)]
    truths = oracle.run_cases(cases, oracle.DEFAULT_MODES)
    rng = random.Random(SEED)
    asked = [c for c in (choose(c, t, rng) for c, t in zip(cases, truths)) if c]
    rows = {}
    with common.scratch() as top:
        cwd, env = common.project(top)
        for peer, (ask, note) in guards().items():
            rows[peer] = tally(asked, ask, cwd, env)
            rows[peer]["note"] = note
            common.say(f"  {peer}: {rows[peer]}")
    kinds = {kind: sum(c["kind"] == kind for c in asked) for kind, _, _ in KINDS}
    return {"seed": SEED, "texts": len(cases), "asked": len(asked), "kinds": kinds, "rows": rows}


def choose(case, truth, rng):
    """A marked program that ran, with its argv; None if none ran."""
    ran = [(e["argv"][0], e["argv"][1:]) for e in truth["execs"]
           if e["argv"] and e["argv"][0] in case["markers"]]
    if not ran:
        return None
    name = rng.choice(sorted({r[0] for r in ran}))
    words = {w for n, argv in ran if n == name for w in argv if w and stands_in(w, case["src"])}
    bare = any(n == name and not words & set(argv) for n, argv in ran)
    return dict(case, deny=name, words=[] if bare else sorted(words))


def stands_in(word, text):
    """True if the program is in the text as a literal word: a rule needs no analysis to find it."""
    return re.search(r"(?<![^\s;|&(])" + re.escape(word) + r"(?![^\s;|&)])", text) is not None


def guards():
    """{name: (function, note)}: each takes (case, forbidden program) pairs and returns words."""
    found = {"cordon": (ask_cordon, "`allow *` and `deny PROGRAM`")}
    if (common.MODULES / "@google/gemini-cli-core").exists():
        found["gemini-cli"] = (ask_gemini, "its policy engine: allow the shell, deny a commandPrefix")
    if (common.MODULES / "cc-safety-net").exists():
        for level in ("standard", "strict"):
            found[f"cc-safety-net, {level}"] = (
                lambda *a, level=level: ask_ccsn(*a, level),
                "a rulebook; its rules need a word after the program, so only texts with such a "
                "literal word count")
    found["a gate on shfmt's tree"] = (
        ask_shfmt, "our own: checks the first word of every call; stops if that is not a literal, "
        "and at bad syntax")
    return found


def tally(cases, ask, cwd, env):
    row = {"asked": 0, "missed": 0, "confined": 0, "stopped": 0, "guessed": 0, "by kind": {},
           "examples": []}
    said = ask(cases, [c["deny"] for c in cases], cwd, env)
    absent = ask(cases, [ABSENT] * len(cases), cwd, env)
    for case, word, other in zip(cases, said, absent):
        if word is None:
            continue
        row["asked"] += 1
        column = {"allow": "missed", "confine": "confined"}.get(word, "stopped")
        row[column] += 1
        row["guessed"] += other not in ("allow", "confine")
        if column == "missed":
            row["by kind"][case["kind"]] = row["by kind"].get(case["kind"], 0) + 1
            row["examples"].append([len(case["src"]), case["src"], case["deny"]])
    row["examples"] = [e[1:] for e in sorted(row["examples"])[:3]]
    return row


def ask_cordon(cases, names, cwd, env):
    said = []
    rules = cwd.parent / "one.rules"
    for name in sorted(set(names)):
        rules.write_text(f"mode use_allowlist\ndefault confine\nallow *\ndeny {name}\n")
        mine = [i for i, n in enumerate(names) if n == name]
        answers = common.cordon_batch("check", [{"command": cases[i]["src"]} for i in mine],
                                      ["--policy", str(rules)], env, cwd)
        said += [(i, a.get("verdict", "deny")) for i, a in zip(mine, answers)]
    return [word for _, word in sorted(said)]


def ask_gemini(cases, names, cwd, env):
    answers = common.node([{"peer": "gemini", "command": c["src"], "deny": n}
                           for c, n in zip(cases, names)], env, cwd)
    return [a.get("answer", "error") for a in answers]


def ask_ccsn(cases, names, cwd, env, level):
    able = [i for i, c in enumerate(cases) if c["words"]]
    answers = common.node([{"peer": "ccsn", "command": cases[i]["src"], "cwd": str(cwd),
                            "level": level, "deny": names[i], "words": cases[i]["words"]}
                           for i in able], env, cwd)
    said = dict(zip(able, (a.get("answer", "error") for a in answers)))
    return [said.get(i) for i in range(len(cases))]


def ask_shfmt(cases, names, cwd, env):
    return [from_tree(agree.shfmt_tree(c["src"]), name) for c, name in zip(cases, names)]


def from_tree(tree, name):
    if tree is None:
        return "stop"
    return "stop" if any(w is None or w is agree.ODD or w.split("/")[-1] == name
                         for w in first_words(tree)) else "allow"


def first_words(node):
    if isinstance(node, list):
        for child in node:
            yield from first_words(child)
    elif isinstance(node, dict):
        if node.get("Type") == "CallExpr" and node.get("Args"):
            yield agree.value(node["Args"][0])
        for child in node.values():
            yield from first_words(child)
