#!/usr/bin/env python3
"""tools/commands.py FOLDER OUT [PROGRAM]: make the table of subcommands from the help pages.

FOLDER/NAME.txt is the page of the subcommand NAME: its usage, a line with its purpose, and after an
empty line the rest, with `Examples:`.  cmd_NAME() implements NAME.  FOLDER/intro and FOLDER/end are
printed before and after the list of subcommands.  Makes OUT/commands.c and OUT/commands.h, without
pointers in tables.  For another PROGRAM the names are PROGRAM_NAME() and OUT/PROGRAM_commands.c.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from embed import literal  # noqa: E402


def read_page(path):
    lines = path.read_text(encoding="ascii").split("\n")
    if not re.fullmatch(r"[a-z]+", path.stem):
        sys.exit(f"{path}: a subcommand is one word of small letters")
    if len(lines) < 4 or lines[2] or "Examples:" not in lines or not lines[1].endswith("."):
        sys.exit(f"{path}:1: must be usage, a sentence, an empty line, details, Examples:")
    for number, line in enumerate(lines, 1):
        if number > 1 and len(line) > 80 or "\t" in line or line != line.rstrip():
            sys.exit(f"{path}:{number}: over 80 columns, a tab, or blanks at the end")
    return path.stem, path.read_bytes()


def text_of(name, path):
    lines = path.read_bytes().splitlines(keepends=True)
    return ["", "struct str", f"{name}(void)", "{", "\treturn STR(",
            *(f"\t    {literal(line)}" for line in lines), "\t);", "}"]


def source(pages, folder, program, prefix, include):
    longest = max(len(name) for name, _ in pages)
    out = ["/* Made by tools/commands.py. */", f'#include "{include}"', "",
           f"static const char names[][{longest + 1}] = {{",
           *(f'\t"{name}",' for name, _ in pages), "};", "",
           "static const char text[] ="]
    starts, at = [], 0
    for name, page in pages:
        out += [f"    {literal(line)}" for line in page.splitlines(keepends=True)]
        starts.append(at)
        at += len(page)
    starts.append(at)
    return "\n".join([
        *out, "    ;", "",
        "static const uint32_t starts[] = { " + ", ".join(map(str, starts)) + " };", "",
        "const char *", "program_name(void)", "{", f'\treturn "{program}";', "}",
        *text_of("command_intro", folder / "intro"), *text_of("command_end", folder / "end"), "",
        "const char *", "command_name(size_t number)", "{",
        "\treturn number < sizeof names / sizeof *names ? names[number] : NULL;", "}", "",
        "struct str", "command_page(size_t number)", "{",
        "\treturn str_of(text + starts[number], starts[number + 1] - starts[number]);", "}", "",
        "int", "command_run(size_t number, const struct process *cli, int argc, char **argv)", "{",
        "\tswitch (number) {",
        *(f"\tcase {i}:\n\t\treturn {prefix}{name}(cli, argc, argv);"
          for i, (name, _) in enumerate(pages)),
        "\tdefault:", "\t\treturn EXIT_INTERNAL;", "\t}", "}", ""])


def header(pages, prefix):
    return "\n".join(["/* Made by tools/commands.py. */", "#pragma once", "",
                      *(f"int {prefix}{name}(const struct process *cli, int argc, char **argv);"
                        for name, _ in pages), ""])


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: tools/commands.py FOLDER OUT [PROGRAM]")
    folder, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    program = sys.argv[3] if len(sys.argv) > 3 else "cordon"
    prefix, stem, include = "cmd_", "commands", "cli/cli.h"
    if program != "cordon":
        prefix, stem, include = f"{program}_", f"{program}_commands", "daemon/daemon.h"
    pages = [read_page(path) for path in sorted(folder.glob("*.txt"))]
    text = source(pages, folder, program, prefix, include)
    (out / f"{stem}.c").write_text(text, encoding="ascii")
    (out / f"{stem}.h").write_text(header(pages, prefix), encoding="ascii")


main()
