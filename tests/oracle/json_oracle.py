#!/usr/bin/env python3
"""json_oracle.py TOOLS [COUNT [SEED]]: our JSON reader against Python's and jansson.

Generated documents, and the same with bytes changed.  What we take, both must take, with
the same value; what we refuse, both must refuse.  The differences that are meant:

- Python takes \\u0000 and lone surrogates; we look for them in its value.
- Nesting beyond 64 is refused by us alone.
- jansson takes a NUL byte behind a lone number or word (`1\\0`).
- jansson cannot hold integers beyond 64 bits or reals beyond a double; we keep the text.
"""
import json
import pathlib
import random
import subprocess
import sys

DEPTH = 64

FIXED = [
    b"",
    b" ",
    b"{}",
    b"[]",
    b"null",
    b"true",
    b"false",
    b'""',
    b"0",
    b"-0",
    b"1e5",
    b"-1.5E-3",
    b'{"c":"ls","c":"rm"}',
    b'"ls\\u0000rm"',
    b'"ls\0rm"',
    b"{}\0{}",
    b'"\xff"',
    b'"\xc0\xaf"',
    b'"\\ud800"',
    b'"\\udc80"',
    b'"\\ud83d\\udc80"',
    b'"a\nb"',
    b"[1,]",
    b"01",
    b"NaN",
    b"-Infinity",
    b"9007199254740993",
    b"1" * 400,
    b"1e999",
    b"-1e-999",
    b"{}{}",
    b"[" * 100000,
    b"[" * 64 + b"]" * 64,
    b"[" * 65 + b"]" * 65,
    b"\xef\xbb\xbf{}",
    b"'a'",
    b"{a:1}",
    b"//\n1",
    b'{"a":1,"\\u0061":2}',
    b'"\xed\xa0\x80"',
    b'"\xf4\x90\x80\x80"',
    b'"\\u00e9\xc3\xa9"',
    b'"\x7f"',
    b'"\x1f"',
    b"\x0b1",
    b"\xc2\xa01",
    b"1.",
    b".5",
    b"+1",
    b"0x1",
    b"1_0",
    b"\xd9\xa1",
    b'"\\u 123"',
    b'"\\u+123"',
    b'"\\u-123"',
    b'"\\u0x12"',
    b'"\\u1_23"',
    b"[1 2]",
    b"tru",
    b"nulll",
    '"\u2028\ufeff\uffff"'.encode(),
    b'"\\uDBFF\\uDFFF"',
    b'"\\ud800\\ud800\\udc00"',
]
PIECES = [
    b'"',
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"0",
    b"-",
    b"e",
    b".",
    b"\\u",
    b"d800",
    b"dc80",
    b"0000",
    b"\0",
    b"\n",
    b"\xff",
    b"\xc3\xa9",
    b"\xe2\x80\xae",
    b" ",
    b"null",
    b"//",
    b'"a":1,',
    b'"a":1',
    b"\xf0\x9f\x92\x80",
    b"\xed\xa0\x80",
    b"\xc0\x80",
    b"1e5",
    b"\t",
]


class Refused(Exception):
    pass


def generate(rng, depth=0):
    """A random document, as text."""
    kind = rng.randrange(9 if depth < 5 else 6)
    if kind < 2:
        return rng.choice(
            [
                "null",
                "true",
                "false",
                "0",
                "-1",
                "12.5",
                "1e3",
                "-0.0E-2",
                str(rng.getrandbits(rng.randrange(1, 80))),
            ]
        )
    if kind < 6:
        return text(rng)
    blank = rng.choice(["", "", " ", "\n", "\t \r"])
    size = rng.choice([0, 1, 2, 3, 12]) if depth < 3 else rng.randrange(3)
    if kind == 6:
        return (
            "["
            + ",".join(blank + generate(rng, depth + 1) + blank for _ in range(size))
            + "]"
        )
    return (
        "{"
        + ",".join(
            f"{blank}{text(rng)}{blank}:{blank}{generate(rng, depth + 1)}"
            for _ in range(size)
        )
        + blank
        + "}"
    )


def text(rng):
    made = ""
    for _ in range(rng.choice([0, 1, 1, 2, 3, 8])):
        made += rng.choice(
            [
                "a",
                "b",
                "c",
                "key",
                "é",
                "中",
                "💀",
                "\\n",
                '\\"',
                "\\\\",
                "\\/",
                "\\u0041",
                "\\u00e9",
                "\\ud83d\\udc80",
                "\\b",
                "\x7f",
                "/",
                "'",
                f"\\u{rng.getrandbits(16):04x}",
                chr(rng.randrange(0x20, 0xD7FF)),
            ]
        )
    return '"' + made.replace("\x22", "") + '"' if rng.random() < 0.95 else '"' + made + '"'


def mutate(rng, doc):
    doc = bytearray(doc)
    for _ in range(rng.choice([0, 1, 1, 1, 2, 4])):
        at = rng.randrange(len(doc) + 1)
        what = rng.randrange(4)
        if what == 0:
            doc[at:at] = rng.choice(PIECES)
        elif what == 1:
            del doc[at : at + rng.choice([1, 1, 2, 5])]
        elif what == 2 and at < len(doc):
            doc[at] = rng.randrange(256)
        else:
            to = min(len(doc), at + rng.randrange(8))
            doc[at:at] = doc[at:to]
    return bytes(doc)


def pairs(members):
    if len({k for k, _ in members}) != len(members):
        raise Refused("duplicate key")
    return ("object", members)


def no_constant(name):
    raise Refused(name)


class Number(str):
    pass


def dump(v, depth=0):
    """Python's value in the form of json_tool; raises where ours must refuse."""
    if isinstance(v, Number):
        return str(v)
    if isinstance(v, str):
        if "\0" in v:
            raise Refused("NUL")
        return "s" + v.encode("utf-8").hex()  # fails on a lone surrogate
    if v is None or isinstance(v, bool):
        return {None: "null", True: "true", False: "false"}[v]
    if depth >= DEPTH:
        raise Refused("depth")
    if isinstance(v, list):
        return "[" + "".join(dump(x, depth + 1) + "," for x in v) + "]"
    return "{" + "".join(f"{dump(k)}:{dump(x, depth + 1)}," for k, x in v[1]) + "}"


def python_says(doc):
    try:
        return "ok " + dump(
            json.loads(
                doc.decode("utf-8"),
                object_pairs_hook=pairs,
                parse_int=Number,
                parse_float=Number,
                parse_constant=no_constant,
            )
        )
    except (ValueError, Refused, RecursionError):
        return "refused"


def ask(program, docs):
    frames = b"".join(b"%d\n%s" % (len(d), d) for d in docs)
    done = subprocess.run([str(program)], input=frames, capture_output=True, check=True)
    lines = done.stdout.decode("utf-8", "backslashreplace").split("\n")[:-1]
    assert len(lines) == len(docs), f"{program}: {len(lines)} answers to {len(docs)}"
    return lines


def is_deep(doc):
    """Deeper than our limit?  Only brackets outside strings count, but more is no harm."""
    return doc.count(b"[") + doc.count(b"{") > DEPTH


def main(tools, count, seed):
    rng = random.Random(seed)
    docs = FIXED + [
        mutate(rng, generate(rng).encode("utf-8", "replace")) for _ in range(count)
    ]
    ours = ask(tools / "json_tool", docs)
    jansson = ask(tools / "jansson_tool", docs)
    wrong = taken = 0
    for doc, a, j in zip(docs, ours, jansson):
        p = python_says(doc)
        a_ok = a.startswith("ok")
        taken += a_ok
        same_python = a == p if a_ok else p == "refused"
        # jansson takes a NUL behind a number or at the end; Python refuses it, as we do.
        stricter = not a_ok and (is_deep(doc) or b"\0" in doc)
        same_jansson = j == "range" or a_ok == (j == "ok") or stricter
        if not same_python or not same_jansson:
            wrong += 1
            if wrong <= 10:
                print(
                    f"{doc[:200]!r}\n  cordon  {a[:200]}\n  python  {p[:200]}\n  jansson {j}"
                )
    name = f"json-oracle seed {seed}: {len(docs)} documents, {taken} taken"
    print(f"not ok {name}, {wrong} differ" if wrong else f"ok {name}")
    return 1 if wrong or not taken or taken == len(docs) else 0


if __name__ == "__main__":
    args = sys.argv[1:]
    sys.exit(
        main(
            pathlib.Path(args[0]),
            int(args[1]) if len(args) > 1 else 20000,
            int(args[2]) if len(args) > 2 else random.SystemRandom().randrange(1 << 32),
        )
    )
