#!/usr/bin/env python3
"""inner.py: level 5, texts of the other levels handed to a shell by another text.

Half of them go to sh, which is dash in the sandbox: another language with the same look.
"""
import random

import daily
import gen


def here(shell):
    return lambda text: "%s <<'-EOT-'\n%s\n-EOT-\n" % (shell, text)


WRAPS = [
    lambda t: "sh -c " + gen.sq(t),
    lambda t: "sh -c " + gen.dq(t),
    lambda t: "dash -c " + gen.sq(t) + " _ a 'b c'",
    lambda t: "env X=1 sh -ec " + gen.sq(t),
    lambda t: "bash -c " + gen.sq(t),
    lambda t: "bash -c " + gen.ansic(t),
    lambda t: "bash -c " + gen.dq(t) + " _ a 'b c'",
    lambda t: "eval " + gen.sq(t),
    lambda t: "eval " + gen.dq(t) + "; cmdZZ",
    lambda t: "timeout 9 bash -c " + gen.sq(t) + " && cmdZZ",
    lambda t: "cd d1 && bash -c " + gen.sq(t) + "; cmdZZ >oz",
    lambda t: "f() { eval " + gen.sq(t) + "; }; f a; cmdZZ >oz",
    lambda t: "trap " + gen.sq(t) + " EXIT",
    lambda t: "x=$(bash -c " + gen.sq(t) + ")",
    here("bash"),
    here("sh"),
]


def make(seed, i):
    rng = random.Random("inner %d/%d" % (seed, i))
    level = rng.choice([1, 1, 2, 4, 4])
    case = daily.make(seed, i) if level == 4 else gen.make(seed, i, level)
    src = rng.choice(WRAPS)(case["src"])
    return {"id": "i%d.%d" % (seed, i), "level": 5, "src": src, "markers": case["markers"]}
