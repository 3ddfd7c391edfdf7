#!/usr/bin/env python3
"""agree.py --seed S -n N: does the parser agree with other readers of bash?

Over generated texts, and the same with a few bytes changed:
  bash -n    whatever it refuses, we refuse
  dash -n    whatever it refuses, we refuse as a text for sh
  shfmt      where both accept: the same number of simple commands, the same literal words

Where shfmt is known to be wrong the text is left out, and counted.  Exit status 1 on any
disagreement, 77 when a tool is missing (without shfmt the first half still runs).
"""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import daily
import gen
import oracle

# What a byte mutation puts in.
BITS = list("'\"`$(){}[];&|<>\\#!=*~ \n\tax1") + ["$(", "${", "<<", "<<E\n", "\nE\n", ";;"]
BITS += ["$((", "))", "[[ ", " ]]", "esac", "do ", "done", "then", "fi", "\\\n", "<(", "$'"]
# Their arguments are read in another way; only the name is compared.
NAME_ONLY = {"declare", "typeset", "local", "export", "readonly", "nameref", "let"}
ANSI = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
ANSI.update({"e": "\x1b", "E": "\x1b", "\\": "\\", "'": "'", '"': '"', "?": "?"})


def mutate(rng, text):
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        at = rng.randrange(len(text) + 1)
        to = min(len(text), at + rng.choice([1, 1, 1, 2, 5]))
        what = rng.randrange(4)
        if what == 0:
            text = text[:at] + text[to:]
        elif what == 1:
            text = text[:to] + text[at:]
        elif what == 2:
            text = text[:at] + rng.choice(BITS) + text[at:]
        else:
            text = text[:at] + rng.choice(BITS) + text[to:]
    return text


def texts(seed, n):
    """Half as generated, half changed."""
    rng = random.Random("agree %d" % seed)
    for i in range(n):
        make = daily.make if i % 4 == 3 else gen.make
        text = make(seed, i)["src"]
        yield text if i % 2 else mutate(rng, text)


# ---- the readers


def encode(text):
    return text.encode("utf-8", "surrogateescape")


def ours(all_texts, dialect):
    tool = os.environ.get("TREE_TOOL")
    for preset in ("release", "asan"):
        tool = tool or shutil.which(os.path.join(oracle.BUILD, preset, "tools/tree_tool"))
    if not tool:
        sys.stderr.write("agree: tests/tools/tree_tool.c is not built\n")
        sys.exit(77)
    data = b"\0".join(encode(t) for t in all_texts) + b"\0"
    r = subprocess.run([tool, dialect], input=data, stdout=subprocess.PIPE)
    answers = [json.loads(line) for line in r.stdout.split(b"\n") if line]
    if r.returncode or len(answers) != len(all_texts):
        at = len(answers)
        text = json.dumps(all_texts[at]) if at < len(all_texts) else "?"
        print("FAIL the parser died (status %d) on %s" % (r.returncode, text))
        sys.exit(1)
    return answers


def quiet(argv, data=b""):
    env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    r = subprocess.run(
        argv, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env
    )
    return r.returncode, r.stdout


def bash_accepts(text):
    return quiet(["bash", "-n", "-c", "--", encode(text)])[0] == 0


def dash_accepts(text):
    return quiet(["dash", "-n", "-c", encode(text)])[0] == 0


def shfmt_tree(text):
    status, out = quiet(["shfmt", "--to-json", "-ln", "bash"], encode(text))
    try:
        return json.loads(out) if status == 0 else None
    except (ValueError, RecursionError):
        return None


# ---- shfmt's tree -> simple commands


def unescape(text, quoted):
    if not quoted:
        return re.sub(r"\\(\n|.)", lambda m: m[1].strip("\n"), text, flags=re.S)
    return re.sub(r'\\([$`"\\\n])', lambda m: m[1].strip("\n"), text)


def ansi(text):
    """$'..' as far as it is plain, else None."""
    if re.search(r"\\[^ntrabfveE\\'\"?]", text):
        return None
    return re.sub(r"\\(.)", lambda m: ANSI[m[1]], text, flags=re.S)


ODD = object()  # a word that shfmt keeps in a form of its own


def value(word):
    """The literal value of a word, None if it has none, ODD if that cannot be told."""
    out = []
    for p in word.get("Parts", []):
        kind = p["Type"]
        if kind == "Lit":
            out.append(unescape(p["Value"], False))
        elif kind == "SglQuoted":
            text = ansi(p.get("Value", "")) if p.get("Dollar") else p.get("Value", "")
            if text is None:
                return ODD
            out.append(text)
        elif kind == "DblQuoted":
            for q in p.get("Parts", []):
                if q["Type"] != "Lit":
                    return None
                out.append(unescape(q["Value"], True))
        elif kind == "ExtGlob":
            return ODD
        else:
            return None
    return "".join(out)


def commands(tree):
    """The argv of every simple command."""
    if isinstance(tree, list):
        for t in tree:
            yield from commands(t)
    elif isinstance(tree, dict):
        kind = tree.get("Type")
        if kind == "CallExpr" and tree.get("Args"):
            yield [value(w) for w in tree["Args"]]
        elif kind == "DeclClause":
            yield [tree["Variant"]["Value"]]
        elif kind == "LetClause":
            yield ["let"]
        for t in tree.values():
            yield from commands(t)


def has(tree, test, inside=()):
    """Is there a node that `test` takes?  It also gets the types around it."""
    if isinstance(tree, list):
        return any(has(t, test, inside) for t in tree)
    if not isinstance(tree, dict):
        return False
    if test(tree, inside):
        return True
    around = inside + (tree.get("Type"),)
    return any(has(t, test, around + (k,)) for k, t in tree.items())


def quoted_quote(node, inside):
    if node.get("Type") != "SglQuoted" or "ParamExp" not in inside:
        return False
    return "DblQuoted" in inside or "Hdoc" in inside or "Slice" in inside


def escaped_backquote(node, raw):
    if not node.get("Backquotes"):
        return False
    return b"\\" in raw[node["Left"]["Offset"] : node["Right"]["Offset"]]


def wrong_there(text, tree):
    """The bugs of shfmt that we know: which one the text could meet, or None."""
    if "let" in text and re.search(r"\blet\b", text):
        return "let reads an operator as arithmetic"
    if "\r" in text:
        return "CR ends a line"
    raw = encode(text)
    if "`" in text and has(tree, lambda node, _: escaped_backquote(node, raw)):
        return "text in backquotes is not un-escaped"
    if has(tree, quoted_quote):
        return "quotes in a quoted ${x:-'..'}, or in ${x:'..'}"
    joined = text.replace("\\\n", "")
    if re.search(r"""['")}`]#|\$[\w@*#?$!-]#|\\\n#""", text):
        return "# behind a quote or an expansion begins a comment"
    if re.search(r"(^|[\s;&|()])#.*\\\n", text):
        return "a comment that ends in \\ goes on"
    if re.search(r"<<.*\[\[", joined):
        return "[[ behind << takes the body for commands"
    if re.search(r"\$\\\n['{(]", text):
        return "$ and ' or { with a continued line between"
    if re.search(r"\{[^\s}]*#[^\s}]*=", joined):
        return "{x#=a,b} is taken for an assignment"
    if re.search(r"\|[\s&]*(#.*\n\s*)*time\b", joined):
        return "time behind | is the reserved word"
    return None


def same(a, b):
    """One argv of ours and one of shfmt's."""
    if a and b and a[0] == b[0] and a[0] in NAME_ONLY:
        return True
    return len(a) == len(b) and all(y is ODD or x == y for x, y in zip(a, b))


def differ(mine, theirs):
    left = list(theirs)
    for a in mine:
        hit = next((b for b in left if same(a, b)), None)
        if hit is None:
            return "only ours: %s" % json.dumps(a)
        left.remove(hit)
    if left:
        return "only shfmt's: %s" % json.dumps(
            [w if w is not ODD else "?" for w in left[0]]
        )
    return None


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("-n", type=int, default=400)
    ap.add_argument("--show", type=int, default=20)
    a = ap.parse_args()
    all_texts = [t for t in texts(a.seed, a.n) if "\0" not in t]
    answers, as_sh = ours(all_texts, "bash"), ours(all_texts, "sh")
    failures, left_out = [], {}
    count = {"accepted": 0, "refused": 0, "by bash only": 0, "compared": 0}
    count["taken for sh"] = sum(o["ok"] for o in as_sh)
    shfmt = shutil.which("shfmt")
    for_sh = [t for t, o in zip(all_texts, as_sh) if o["ok"] and t[:1] not in "-+"]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        accepted = list(pool.map(bash_accepts, all_texts))
        both = [t for t, o in zip(all_texts, answers) if o["ok"]] if shfmt else []
        if shutil.which("dash"):
            dash = list(pool.map(dash_accepts, for_sh))
            failures += [(t, "dash refuses it") for t, d in zip(for_sh, dash) if not d]
        trees = dict(zip(both, pool.map(shfmt_tree, both)))
    for text, bash, our in zip(all_texts, accepted, answers):
        count["accepted" if our["ok"] else "refused"] += 1
        count["by bash only"] += bash and not our["ok"]
        if our["ok"] and not bash:
            failures.append((text, "bash refuses it, we do not"))
        tree = trees.get(text)
        if not our["ok"] or tree is None:
            continue
        why = wrong_there(text, tree)
        if why:
            left_out[why] = left_out.get(why, 0) + 1
            continue
        count["compared"] += 1
        what = differ(our["commands"], list(commands(tree)))
        if what:
            failures.append((text, what))
    print(", ".join("%d %s" % (n, k) for k, n in count.items()))
    for why, n in sorted(left_out.items()):
        print("left out, shfmt is wrong: %d %s" % (n, why))
    for text, what in sorted(failures, key=lambda f: len(f[0]))[: a.show]:
        print("FAIL %s\n     %s" % (what, json.dumps(text)))
    print("%d failures" % len(failures))
    if failures:
        sys.exit(1)
    if not shfmt:
        sys.stderr.write("agree: shfmt is missing\n")
        sys.exit(77)


if __name__ == "__main__":
    main()
