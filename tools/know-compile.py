#!/usr/bin/env python3
"""Check know/*.json against know/README.md and compile them to know_table.c.

usage: know-compile.py [--check] KNOW_DIR [OUTDIR]

The output depends only on the input, and is written only if it changed.  The order of options and the
files of programs do not matter.  src/know/table.h has its layout.
"""
import gc
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
from know_form import NODE_KEYS, Reader, unique_keys  # noqa: E402
from know_table import Table, emit  # noqa: E402

# The programs that agents start most come first in every array, so that few pages are used.
FIRST = ["ls", "cat", "cd", "echo", "pwd", "head", "tail", "wc", "grep", "git", "find", "sed",
         "rg", "mkdir", "cp", "mv", "rm", "touch", "test", "which", "sort", "python3", "node",
         "make", "npm", "npx", "cargo", "go", "gh", "curl", "jq", "xargs", "awk", "diff"]
LISTS = ("words", "hosts", "aliases", "stubs")  # files that do not describe a program


class Files:
    """All files as they were read; Reader calls `find`."""

    def __init__(self, directory):
        self.errors, self.contents, self.program, self.busy, self.found = [], {}, {}, set(), {}
        self.short, self.spelt = {}, set()  # values that earlier readers have checked
        top = os.path.basename(os.path.normpath(directory))
        for name in sorted(f for f in os.listdir(directory) if f.endswith(".json")):
            file = f"{top}/{name}"
            try:
                with open(os.path.join(directory, name), encoding="utf-8") as text:
                    content = json.load(text, object_pairs_hook=unique_keys)
            except (ValueError, OSError) as error:
                self.errors.append(f"{file}: (file): cannot be read: {error}")
                continue
            self.contents[file] = content
            names = content.get("program") if isinstance(content, dict) else None
            for program in names if isinstance(names, list) else ():
                if isinstance(program, str):
                    self.program.setdefault(program, file)

    def find(self, words):
        """The full node of a program and its subcommands, or the reason why it is missing."""
        if not words or words[0] not in self.program:
            return "no file of know/ has that program, expected PROGRAM [SUBCOMMAND...]"
        file = self.program[words[0]]
        node = self.contents[file]
        for i, word in enumerate(words[1:], 1):
            subs = node.get("subcommands")
            subs = subs if isinstance(subs, dict) else {}
            node = next((sub for names, sub in subs.items() if word in names.split("|")), None)
            if not isinstance(node, dict):
                return f'"{word}" is no subcommand that {file} gives "{" ".join(words[:i])}"'
        if id(node) in self.busy:
            return "is this node, or is like it, or has it among its subcommands; expected another"
        if id(node) not in self.found:
            self.found[id(node)] = self.expand(file, node)
        return self.found[id(node)]

    def expand(self, file, node):
        reader, sets = Reader(file, self), self.contents[file].get("sets", {})
        reader.read_sets(sets if isinstance(sets, dict) else {})
        keys = {k: v for k, v in node.items() if k in NODE_KEYS}
        full = reader.expand("", node, reader.keys("", keys, NODE_KEYS), 0)
        return f"has an error itself: {reader.errors[0]}" if reader.errors else full


def load(directory):
    """Returns the programs as pairs of name and full node, the lists of words, and errors."""
    files = Files(directory)
    programs, words, errors, owner = {}, {}, files.errors, {}
    for file, content in files.contents.items():
        reader, stem = Reader(file, files), os.path.basename(file)[:-5]
        found = getattr(reader, stem if stem in LISTS else "program")(content)
        errors += reader.errors
        if reader.errors:
            continue
        if stem in LISTS:
            words.update(content)
        for names, node in found:
            for name in names:
                if name in owner:
                    errors.append(f'{file}: program: "{name}" is also in {owner[name]},'
                                  " expected it once")
                owner[name] = file
                programs[name] = node
    order = {name: i for i, name in enumerate(FIRST)}
    programs = sorted(programs.items(), key=lambda p: (order.get(p[0], len(FIRST)), p[0]))
    return programs, words, errors


def write_if_changed(path, text):
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    except OSError:
        pass
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main(argv):
    check = "--check" in argv
    args = [a for a in argv if a != "--check"]
    if len(args) != (1 if check else 2) or any(a.startswith("-") for a in args):
        sys.stderr.write(__doc__)
        return 64
    programs, words, errors = load(args[0])
    table = None if errors else Table(programs, sum(name in FIRST for name, _ in programs))
    errors = errors or table.errors()
    for error in errors:
        sys.stderr.write(error + "\n")
    if errors:
        return 1
    if not check:
        for name, text in zip(("know_table.c", "know_table.h"), emit(table, words)):
            write_if_changed(os.path.join(args[1], name), text)
    return 0


if __name__ == "__main__":
    gc.disable()  # the collector would check the same half million objects again and again
    sys.exit(main(sys.argv[1:]))
