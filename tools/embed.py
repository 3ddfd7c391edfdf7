#!/usr/bin/env python3
"""tools/embed.py FILE NAME OUT.c [--digest]: embed FILE as the C function `struct str NAME(void)`.

With --digest the SHA-256 follows the bytes.  NAME_sum() identifies these bytes.  The data is one
constant array without pointers, so that the program needs no relocation for it.  The same file gives
the same output.
"""
import hashlib
import pathlib
import re
import sys

PLAIN = {i: chr(i) for i in range(32, 127)} | {
    ord('"'): '\\"', ord("\\"): "\\\\", ord("\n"): "\\n", ord("\t"): "\\t", ord("?"): "\\?"}


def literal(line):
    return '"' + "".join(PLAIN.get(b) or f"\\{b:03o}" for b in line) + '"'


def source(data, file_name, name):
    lines = data.splitlines(keepends=True) or [b""]
    return "\n".join([
        f"/* Made by tools/embed.py from {file_name}. */",
        '#include "base/str.h"',
        "#include <stdint.h>",
        "",
        f"struct str {name}(void);",
        f"uint64_t {name}_sum(void);",
        "",
        "static const _Alignas(8) char bytes[] =",
        *(f"    {literal(line)}" for line in lines),
        "    ;",
        "",
        "struct str",
        f"{name}(void)",
        "{",
        "\treturn str_of(bytes, sizeof bytes - 1);",
        "}",
        "",
        "uint64_t",
        f"{name}_sum(void)",
        "{",
        f"\treturn 0x{hashlib.sha256(data).hexdigest()[:16]}u;",
        "}",
        ""])


def main():
    digest, args = sys.argv[4:] == ["--digest"], sys.argv[1:4]
    if len(sys.argv) != 4 + digest or not re.fullmatch(r"[a-z_][a-z0-9_]*", args[1]):
        sys.exit("usage: tools/embed.py FILE NAME OUT.c [--digest]")
    path, name, out = pathlib.Path(args[0]), args[1], pathlib.Path(args[2])
    data = path.read_bytes()
    data += hashlib.sha256(data).digest() if digest else b""
    out.write_text(source(data, path.name, name), encoding="ascii")


if __name__ == "__main__":
    main()
