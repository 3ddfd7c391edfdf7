#!/usr/bin/env python3
"""tools/names.py NAMES RULES OUT | --doc NAMES: compile policy/names.list and the credentials.

Makes OUT/names_table.h (the list, for src/look/names.c), OUT/builtin.rules (RULES with the denied
names of the list) and OUT/secrets_table.h (the paths in the home directory and the system that RULES
deny to read, for src/confine/plan/plan_secrets.c).  The tables have no pointers, so that the program
needs no relocation for them.  With --doc it prints doc/NAMES.md.

In RULES `<paths KIND>` stands for the patterns of KIND whose action is deny, anywhere, and
`<names KIND>` for the same as bare names.  An unknown word is an error, with its line.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from embed import literal  # noqa: E402

ACTIONS = ("change", "report", "protect", "deny")
KINDS = {
    "own": "cordon",
    "agent": "Agents: settings, hooks, tools and plug-ins",
    "ignore": "Files that say what agents may not see",
    "words": "Texts that agents obey",
    "tool": "Editors",
    "settings": "Settings of other programs",
    "shell": "Shells",
    "vcs": "Version control",
    "start": "Interpreters and debuggers",
    "build": "Builds and package managers",
    "check": "Linters, formatters and tests",
    "ci": "Other machines",
}
BUCKETS = 1024
PARTS_MOST = 4
PART = re.compile(r"[!-)+-.0-9;-~]+")  # printable, without star, slash and colon
# These are private in the sandbox, without files of the host.
OWN_PLACES = ("/proc/", "/dev/", "/sys/", "/run/", "/var/run/", "/tmp/", "/var/tmp/")


def refuse(path, number, why):
    sys.exit(f"{path}:{number}: {why}")


def read_pattern(path, number, text):
    parts = text.lower().rstrip("/").split("/")
    if not text.isascii() or len(parts) > PARTS_MOST or len(text) > 60:
        refuse(path, number, f"a pattern is ASCII and has at most {PARTS_MOST} names: {text}")
    for i, part in enumerate(parts):
        end = part[1:] if part.startswith("*") and i == len(parts) - 1 else part
        if not PART.fullmatch(end) or part in (".", ".."):
            refuse(path, number, f"not a name, nor * and the end of one: {text}")
    if parts[-1].startswith("*") and text.endswith("/"):
        refuse(path, number, f"no directory by the end of its name: {text}")
    return parts


def read_names(path):
    rows, seen = [], set()
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line or line.startswith("#"):
            continue
        words = line.split(None, 3)
        if len(words) < 4 or not words[3].isascii():
            refuse(path, number, "a line is: action, kind, pattern, what runs it")
        action, kind, text, why = words
        if action not in ACTIONS:
            refuse(path, number, f"unknown action: {action}")
        if kind not in KINDS:
            refuse(path, number, f"unknown kind: {kind}")
        parts = read_pattern(path, number, text)
        if (tuple(parts)) in seen:
            refuse(path, number, f"twice: {text}")
        if action == "deny" and parts[-1].startswith("*"):
            refuse(path, number, f"a rule cannot deny this without case: {text}")
        if action in ("protect", "deny") and max(map(len, parts)) > 30:
            refuse(path, number, f"a protected name has at most 30 bytes: {text}")
        seen.add(tuple(parts))
        rows.append({"action": action, "kind": kind, "text": text, "parts": parts, "why": why.rstrip(),
                     "tree": text.endswith("/")})
    return rows


# ---- the table

def bucket(part):
    h = 0
    for c in part.encode():
        h = (h * 31 + c) & 0xFFFFFFFF
    return (h ^ h >> 16) % BUCKETS


def numbers(values):
    lines = [values[i:i + 16] for i in range(0, len(values), 16)]
    return [f"\t{', '.join(map(str, line))}," for line in lines]


def texts(values):
    """The offset of each text, and the bytes; equal texts are stored once."""
    at, offsets, out = 0, {}, []
    for value in values:
        if value not in offsets:
            offsets[value] = at
            out.append(value)
            at += len(value) + 1
    return offsets, out


def table(rows):
    ends = [r for r in rows if r["parts"][0].startswith("*")]
    plain = sorted((r for r in rows if r not in ends), key=lambda r: (bucket(r["parts"][0]), r["parts"]))
    starts = [sum(bucket(r["parts"][0]) < b for r in plain) for b in range(BUCKETS + 1)]
    # Each name of a pattern ends in NUL, and so does the pattern.
    patterns, pattern_list = texts("".join(p + "\0" for p in r["parts"]) for r in plain + ends)
    whys, why_list = texts(r["why"] for r in plain + ends)
    out = ["/* Made by tools/names.py from policy/names.list. */", "#pragma once", "#include <stdint.h>", "",
           "static const struct {", "\tuint16_t pattern, why;", "\tuint8_t action, kind, tree;",
           "} names_rows[] = {"]
    out += [f"\t{{ {patterns[''.join(p + chr(0) for p in r['parts'])]}, {whys[r['why']]}, "
            f"NAME_{r['action'].upper()}, NAME_{r['kind'].upper()}, {int(r['tree'])} }},"
            for r in plain + ends]
    out += ["};", f"#define NAMES_PLAIN {len(plain)}", f"#define NAMES_ROWS {len(plain) + len(ends)}",
            f"#define NAMES_BUCKETS {BUCKETS}", "",
            "/* Rows by the first name of their pattern; those that begin with a star stand after them. */",
            "static const uint16_t names_starts[NAMES_BUCKETS + 1] = {", *numbers(starts), "};", "",
            "static const char names_patterns[] ="]
    out += [f"    {literal(p.encode())[:-1]}\\0\"" for p in pattern_list]
    out += ["    ;", "", "static const char names_whys[] ="]
    out += [f"    {literal(w.encode())[:-1]}\\0\"" for w in why_list]
    return "\n".join([*out, "    ;", ""])


# ---- the rules

def as_rules(rows, path):
    by_kind = {}
    for r in rows:
        if r["action"] == "deny":
            by_kind.setdefault(r["kind"], []).append(r["text"])
    used, out = {}, []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        for form, kind in re.findall(r"<(paths|names) ([^>]*)>", line if not line.startswith("#") else ""):
            if kind not in by_kind:
                refuse(path, number, f"nothing of this kind is denied: {kind}")
            words = by_kind[kind] if form == "names" else [f"**/{t}" for t in by_kind[kind]]
            line = line.replace(f"<{form} {kind}>", " ".join(words))
            used.setdefault(kind, set()).add(" ".join(line.split()[:2]))
        out.append(line)
    for kind in by_kind:
        if not {"deny write", "deny delete"} <= used.get(kind, set()):
            refuse(path, 1, f"no `deny write` and `deny delete` with <paths {kind}>")
    return "\n".join(out)


# ---- credentials

def words_of(text):
    """The words of a rule up to its first keyword; quotes join, as in the rule language."""
    words = re.findall(r'(?:"[^"]*"|[^\s"])+', text)
    end = next((i for i, w in enumerate(words) if w in ("because", "when", "until", "in", "except")), len(words))
    return words[:end]


def expand(word):
    """Expand alternatives in braces, innermost last, and remove quotes."""
    hit = re.match(r"([^{]*)\{([^{}]*)\}(.*)", word)
    if not hit:
        return [word.replace('"', "")]
    return [w for middle in hit[2].split(",") for w in expand(hit[1] + middle + hit[3])]


def read_secrets(path):
    home, system = [], []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not re.match(r"deny\s+read\s", line):
            continue
        for name in (n for w in words_of(line)[2:] for n in expand(w)):
            if name.startswith("**/"):
                continue  # matched in the workspace, by its pattern
            to, rest = (home, name[2:]) if name.startswith("~/") else (system, name[1:])
            if name[0] not in "~/" or "*" in rest[:rest.rfind("/") + 1] or rest.count("*") > 1:
                if not name.startswith(OWN_PLACES):
                    refuse(path, number, f"a star may stand once, in the last name: {name}")
            if not name.startswith(OWN_PLACES):
                to.append(rest.rstrip("/"))
    return home, system


def secrets(home, system):
    out = ["/* Made by tools/names.py from policy/builtin.rules. */", "#pragma once", ""]
    for name, values in (("secrets_home", home), ("secrets_system", system)):
        # Sorted by names, so that paths of one directory are adjacent.
        values = sorted(set(values), key=lambda v: v.split("/"))
        out += [f"static const char {name}[] =", *(f"    {literal(v.encode())[:-1]}\\0\"" for v in values),
                "    ;", ""]
    return "\n".join(out)


# ---- the document

ABOUT = """# Names that other programs run or obey later

A confined command may write in the workspace. Other programs run some of these files on their own: an editor that
opens the folder, a shell that enters it, git, an agent. `tools/names.py --doc policy/names.list` makes this list from
the file that the program is built from. Names match at any depth, in upper and lower case; `name/` is a directory and
everything below it, `*end` every name with that end. To add a name, add a line to that file.

| action | in the sandbox |
|---|---|
| `deny` | cannot be created, changed or removed; the built-in rules deny it to an agent's own file tools too, and no other rule can allow it |
| `protect` | cannot be created, changed or removed, unless one of your rules allows it (`allow write .envrc`) |
| `report` | may be written; the report at the end of the run names it, on stderr and in `planted` of `--json-report` |
| `change` | as `report`, for files that ordinary work often creates: on stderr only if the file existed before the run |

In a directory that the run itself created (a clone, an unpacked package) names are not protected but reported. New files
in directories of packages (`node_modules` …) are in the JSON report only. Git's own directories have a separate list
(see [SANDBOX.md](SANDBOX.md)).
"""


def document(rows):
    out = [ABOUT]
    for kind, title in KINDS.items():
        out += [f"\n## {title}\n", "| name | action | what runs or obeys it |", "|---|---|---|"]
        out += [f"| `{r['text']}` | {r['action']} | {r['why']} |" for r in rows if r["kind"] == kind]
    return "\n".join(out) + "\n"


def main():
    args = sys.argv[1:]
    if len(args) == 2 and args[0] == "--doc":
        sys.stdout.write(document(read_names(pathlib.Path(args[1]))))
        return
    if len(args) != 3:
        sys.exit("usage: tools/names.py NAMES RULES OUT | --doc NAMES")
    names, rules, out = map(pathlib.Path, args)
    rows = read_names(names)
    (out / "names_table.h").write_text(table(rows), encoding="ascii")
    (out / "builtin.rules").write_text(as_rules(rows, rules), encoding="utf-8")
    (out / "secrets_table.h").write_text(secrets(*read_secrets(rules)), encoding="ascii")


if __name__ == "__main__":
    main()
