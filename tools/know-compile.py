#!/usr/bin/env python3
"""Check know/*.json against know/README.md and compile them to know_table.c.

usage: know-compile.py [--check] KNOW_DIR [OUTDIR]

The output depends on nothing but the input, and is written only when it changed.
Its layout is src/know/table.h.
"""
import json
import os
import re
import sys

CLASSES = ["unknown", "read", "write", "network", "exec", "destroy", "admin"]
ROLES = ["data", "list", "read", "write", "append", "edit", "truncate", "create", "delete",
         "delete-tree", "move", "link-target", "chdir", "exec-file", "cmd", "shell",
         "shell-words", "remote-shell", "remote-cmd", "code", "assign", "url", "host",
         "remote-read", "remote-write", "key-shell", "read-names"]
HANDLERS = ["none", "env", "xargs", "find", "shell", "git", "sed", "awk", "tar", "code",
            "builtin", "fd"]
STYLES = ["gnu", "posix", "single", "keys", "free"]
REST = {"cmd", "shell-words", "remote-shell", "remote-cmd"}
MARKS = {"": 0, "?": 1, "...": 2}
# What a role alone says about the class, for the worst that a node can do.
IMPLIED = {**dict.fromkeys(["write", "append", "edit", "truncate", "create", "delete",
                            "delete-tree", "move"], "write"),
           **dict.fromkeys(["url", "host", "remote-read", "remote-write"], "network"),
           **dict.fromkeys(["exec-file", "cmd", "shell", "key-shell", "shell-words", "remote-shell",
                            "remote-cmd", "code"], "exec")}
# words.json: lists of words, each an array of its own in the table.
WORDS = ["verbs", "foreign_verbs", "outward", "options", "calls", "launchers", "readers",
         "fetchers", "connectors", "privilege"]
# What agents start most stands first in every array: few pages of the table are touched then.
FIRST = ["ls", "cat", "cd", "echo", "pwd", "head", "tail", "wc", "grep", "git", "find", "sed",
         "rg", "mkdir", "cp", "mv", "rm", "touch", "test", "which", "sort", "python3", "node",
         "make", "npm", "npx", "cargo", "go", "gh", "curl", "jq", "xargs", "awk", "diff"]
NUMBER = "-NUM"  # `-5` is this option with the value 5
PAIR = "-[A-Z]{2}"  # zip -TT
MAX_DEPTH, MAX_OPERANDS, MAX_VALUES, NO_ROLE = 6, 15, 7, 255

NODE_KEYS = {"about": str, "class": str, "network": bool, "style": str, "numeric": bool,
             "options": list, "operands": list, "dashdash": dict, "subcommands": dict,
             "subcommand": str, "unlisted": str, "inherit": bool, "handler": str, "finds": bool}
OPTION_KEYS = {"names": list, "value": (str, list, dict), "optional": (str, dict),
               "class": str, "network": bool, "only": str, "operands": list, "drops": int,
               "cases": list, "ends": bool, "number": bool, "about": str}
ROLE_KEYS = {"role": str, "cases": list}
CASE_KEYS = {"match": list, "class": str, "role": str, "only": str, "network": bool}
DASHDASH_KEYS = {"class": str, "network": bool, "operands": list}
TYPE_NAMES = {str: "a string", bool: "true or false", list: "a list", dict: "an object",
              int: "a number"}


class Checker:
    """Collects every error of one file."""

    def __init__(self, file):
        self.file, self.errors = file, []

    def bad(self, path, text):
        self.errors.append(f"{self.file}: {path or '(file)'}: {text}")

    def keys(self, path, thing, keys, required=()):
        """Is it an object with only these keys, each of its type?  Bad ones are taken out."""
        if not isinstance(thing, dict):
            self.bad(path, "is no object, expected one with keys " + ", ".join(keys))
            return {}
        good = {}
        for key, value in thing.items():
            types = keys.get(key)
            if types is None:
                self.bad(join(path, key), "unknown key, expected one of " + ", ".join(keys))
                continue
            types = types if isinstance(types, tuple) else (types,)
            if type(value) not in types:
                want = " or ".join(TYPE_NAMES[t] for t in types)
                self.bad(join(path, key), f"is {json.dumps(value)[:40]}, expected {want}")
                continue
            good[key] = value
        for key in required:
            if key not in thing:
                self.bad(join(path, key), "is missing, expected it here")
        return good

    def one_of(self, path, value, allowed):
        if value is not None and value not in allowed:
            self.bad(path, f'is "{value}", expected one of ' + ", ".join(allowed))

    def strings(self, path, values, what):
        """A list that is not empty, of different strings that are not empty."""
        if not values:
            self.bad(path, f"is empty, expected at least one {what}")
        seen = set()
        for i, value in enumerate(values):
            at = f"{path}[{i}]"
            if not isinstance(value, str) or not value:
                self.bad(at, f"is {json.dumps(value)[:40]}, expected a {what}")
            elif value in seen:
                self.bad(at, f'"{value}" is here twice, expected it once')
            elif len(value.encode()) > 250 or any(ord(c) < 32 or ord(c) == 127 for c in value):
                self.bad(at, "has control characters or over 250 bytes, expected less")
            else:
                seen.add(value)
        return [v for v in values if isinstance(v, str) and v]

    def words(self, data):
        good = self.keys("", data, {"words": str, **dict.fromkeys(WORDS, list)},
                         ["words", *WORDS])
        for key in WORDS:
            self.strings(key, good.get(key, ["-"]), "word")

    def hosts(self, data):
        good = self.keys("", data, {"hosts": str, "sets": dict}, ["hosts", "sets"])
        for name, programs in good.get("sets", {}).items():
            at = join("sets", name)
            if not re.fullmatch(r"@[a-z][a-z0-9_-]*", name):
                self.bad(at, "is no name of a set, expected @name")
            self.strings(at, programs if isinstance(programs, list) else [], "program")

    def aliases(self, data):
        good = self.keys("", data, {"aliases": str, "names": dict}, ["aliases", "names"])
        for program, names in good.get("names", {}).items():
            seen = []
            for name, others in names.items():
                at = join(join("names", program), name)
                seen += [name, *self.strings(at, others if isinstance(others, list) else [],
                                             "name")]
            if len(seen) != len(set(seen)):
                self.bad(join("names", program), "has a name twice, expected it once")

    def program(self, data):
        good = self.keys("", data, {"program": list, **NODE_KEYS}, ["program", "class"])
        for i, name in enumerate(self.strings("program", good.get("program", ["-"]), "name")):
            if re.search(r"[\s/]", name):
                self.bad(f"program[{i}]", f'"{name}" has a slash or blank, expected a base name')
        self.node("", good, "gnu", 0)

    def node(self, path, node, style, depth):
        style = node.get("style", style)
        self.one_of(join(path, "style"), style, STYLES)
        self.one_of(join(path, "class"), node.get("class"), CLASSES[1:])
        self.one_of(join(path, "unlisted"), node.get("unlisted"), CLASSES)
        self.one_of(join(path, "handler"), node.get("handler"), HANDLERS[1:])
        self.one_of(join(path, "subcommand"), node.get("subcommand"), ["required", "optional"])
        self.options(path, node, style)
        if "operands" in node:
            self.operands(join(path, "operands"), node["operands"])
        if "dashdash" in node:
            self.dashdash(join(path, "dashdash"), node["dashdash"])
        if node.get("numeric") and style in ("keys", "free"):
            self.bad(join(path, "numeric"), f"is true in style {style}, expected only in others")
        self.subcommands(path, node, style, depth)

    def subcommands(self, path, node, style, depth):
        if "subcommands" not in node:
            for key in ("subcommand", "unlisted", "inherit"):
                if key in node:
                    self.bad(join(path, key), "stands without subcommands, expected both")
            return
        path, seen = join(path, "subcommands"), set()
        if not node["subcommands"]:
            self.bad(path, "is empty, expected at least one subcommand")
        if depth == MAX_DEPTH:
            self.bad(path, f"is nested deeper than {MAX_DEPTH}, expected less")
            return
        for names, sub in node["subcommands"].items():
            at = join(path, names if len(names) <= 40 else names[:40] + "~")
            for name in names.split("|"):
                if not re.fullmatch(r"[^\s*|-][^\s*|]*\*?|\*", name) or len(name) > 250:
                    self.bad(at, f'"{name}" is no subcommand, expected a word that may end in *')
                if name in seen:
                    self.bad(at, f'"{name}" is here twice, expected it once')
                seen.add(name)
            self.node(at, self.keys(at, sub, NODE_KEYS, ["class"]), style, depth + 1)

    def dashdash(self, path, node):
        good = self.keys(path, node, DASHDASH_KEYS, ["operands"])
        self.one_of(join(path, "class"), good.get("class"), CLASSES[1:])
        if "operands" in good:
            self.operands(join(path, "operands"), good["operands"])

    def options(self, path, node, style):
        path, seen = join(path, "options"), {}
        options = node.get("options", [])
        if options and style == "free":
            self.bad(path, "stands in style free, which has no options; expected none")
        for i, option in enumerate(options):
            at = f"{path}[{i}]"
            good = self.keys(at, option, OPTION_KEYS, ["names"])
            if NUMBER in good.get("names", ()) and not node.get("numeric"):
                self.bad(at, f"has the name {NUMBER} in a node without numeric")
            for j, name in enumerate(self.strings(at + ".names", good.get("names", ["-"]), "name")):
                if "names" in good:
                    self.spelling(f"{at}.names[{j}]", name, style, seen)
            self.option(at, good)

    def spelling(self, path, name, style, seen):
        if name in seen and seen[name] != path.split(".names")[0]:
            self.bad(path, f'"{name}" is also a name of {seen[name]}, expected it once')
        seen[name] = path.split(".names")[0]
        if style in ("gnu", "posix") and (name == NUMBER or re.fullmatch(PAIR, name)):
            return
        for pattern, what in SPELLINGS.get(style, []):
            if re.fullmatch(pattern, name):
                return
        if style in SPELLINGS:
            wants = " or ".join(what for _, what in SPELLINGS[style])
            self.bad(path, f'"{name}" does not fit style {style}, expected {wants}')

    def option(self, path, option):
        self.one_of(join(path, "class"), option.get("class"), CLASSES[1:])
        self.one_of(join(path, "only"), option.get("only"), CLASSES[1:])
        if "value" in option and "optional" in option:
            self.bad(path, "has both value and optional, expected one of them")
        if "number" in option and "optional" not in option:
            self.bad(join(path, "number"), "stands without optional, expected it beside that")
        if NUMBER in option.get("names", ()) and "value" not in option:
            self.bad(path, f"has the name {NUMBER} without a value, expected one")
        values = option.get("value", option.get("optional"))
        if isinstance(values, list):
            if not 1 <= len(values) <= MAX_VALUES:
                self.bad(join(path, "value"),
                         f"has {len(values)} roles, expected 1 to {MAX_VALUES}")
            for i, role in enumerate(values):
                self.role(f"{path}.value[{i}]", role, False)
        elif values is not None:
            self.role(join(path, "value" if "value" in option else "optional"), values, False)
        if "cases" in option:
            if not isinstance(values, str):
                self.bad(join(path, "cases"), "stands without a value of one role, expected it"
                         " beside one (in a list give the role as an object)")
            self.cases(join(path, "cases"), option["cases"])
        if "operands" in option:
            self.operands(join(path, "operands"), option["operands"])
        if not 1 <= option.get("drops", 1) <= MAX_OPERANDS:
            self.bad(join(path, "drops"), f"is {option['drops']}, expected 1 to {MAX_OPERANDS}")

    def operands(self, path, operands):
        many = None
        if len(operands) > MAX_OPERANDS:
            self.bad(path, f"has {len(operands)} roles, expected at most {MAX_OPERANDS}")
        for i, role in enumerate(operands):
            at = f"{path}[{i}]"
            name, mark = self.role(at, role, True)
            if many is not None and mark and not (name in REST and mark == "?"):
                self.bad(at, f'"{mark}" stands behind a "...", expected one "..." and then'
                         " only roles without a mark")
            if name in REST and (i + 1 < len(operands) or mark == "..."):
                self.bad(at, f'"{name}" takes all words that follow, expected it last and'
                         ' without "..."')
            if name in REST and many not in (None, "assign"):
                self.bad(at, f'"{name}" stands behind "{many}...", expected only'
                         ' "assign..." or roles without "..." before it')
            many = name if mark == "..." else many

    def role(self, path, role, marks):
        """Check a role, which may be an object; returns its name and mark."""
        if isinstance(role, dict):
            good = self.keys(path, role, ROLE_KEYS, ["role", "cases"])
            if "cases" in good:
                self.cases(join(path, "cases"), good["cases"])
            path, role = join(path, "role"), good.get("role", "data")
        if not isinstance(role, str):
            self.bad(path, f"is {json.dumps(role)[:40]}, expected a role")
            return "data", ""
        name, mark = split_role(role)
        if mark and not marks:
            self.bad(path, f'"{role}" ends in "{mark}", expected that only in operands')
        self.one_of(path, name, ROLES)
        return name, mark

    def cases(self, path, cases):
        if not cases:
            self.bad(path, "is empty, expected at least one case")
        for i, case in enumerate(cases):
            at = f"{path}[{i}]"
            good = self.keys(at, case, CASE_KEYS, ["match"])
            self.strings(at + ".match", good.get("match", ["-"]), "glob")
            self.one_of(at + ".class", good.get("class"), CLASSES[1:])
            self.one_of(at + ".only", good.get("only"), CLASSES[1:])
            if "class" not in good and "role" not in good:
                self.bad(at, "does nothing, expected class or role")
            self.one_of(at + ".role", good.get("role"), [r for r in ROLES if r not in REST])


LONG = (r"--[^\s=*-][^\s=*]*", "--long")
SPELLINGS = {
    "gnu": [(r"-[^\s=*-]?", "-c"), LONG, (r"\+\*", "+*")],
    "posix": [(r"-[^\s=*-]?", "-c"), LONG, (r"\+\*", "+*")],
    "single": [(r"--?[^\s=*-][^\s=*]*\*?", "-name, --name or -stem*")],
    "keys": [(r"[^\s=*-][^\s=*]*", "key"), (r"-[^\s=*-]", "-c"), LONG],
}


def join(path, key):
    return f"{path}.{key}" if path else key


def split_role(role):
    for mark in ("...", "?"):
        if role.endswith(mark):
            return role[: -len(mark)], mark
    return role, ""


def unique_keys(pairs):
    found = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f'the key "{key}" is here twice, expected it once')
        found[key] = value
    return found


def load(directory):
    """All files in order of name, checked.  Returns programs, lists of words and errors."""
    data, words, errors, owner = [], {}, [], {}
    for name in sorted(f for f in os.listdir(directory) if f.endswith(".json")):
        checker = Checker(f"{os.path.basename(os.path.normpath(directory))}/{name}")
        try:
            with open(os.path.join(directory, name), encoding="utf-8") as file:
                content = json.load(file, object_pairs_hook=unique_keys)
            if name in ("words.json", "hosts.json", "aliases.json"):
                getattr(checker, name[:-5])(content)
                words.update(content)
            else:
                checker.program(content)
        except (ValueError, OSError) as error:
            checker.bad("", f"cannot be read: {error}")
        errors += checker.errors
        if checker.errors or "program" not in content:
            continue
        for i, program in enumerate(content["program"]):
            if program in owner:
                errors.append(f'{checker.file}: program[{i}]: "{program}" is also in'
                              f" {owner[program]}, expected it once")
            owner[program] = checker.file
        data.append(content)
    return sorted(data, key=first_rank), words, errors


def first_rank(data):
    """Its place in FIRST; all others behind, in the order of their files."""
    return min((FIRST.index(name) for name in data["program"] if name in FIRST),
               default=len(FIRST))


def rank(name):
    return CLASSES.index(name) if name else 0


def weaken(worst, unknown):
    """With something unknown, read and write are no longer sure; stronger ones stay."""
    return 0 if unknown and worst <= rank("write") else worst


def role_worst(role):
    if isinstance(role, dict):
        return max(role_worst(role["role"]), cases_worst(role["cases"]))
    return rank(IMPLIED.get(split_role(role)[0]))


def roles_worst(roles):
    return max(map(role_worst, roles), default=0)


def cases_worst(cases):
    return max((max(rank(c.get("class")), role_worst(c.get("role", "data")),
                    rank("network") if c.get("network") else 0) for c in cases), default=0)


def options_worst(options):
    worst = 0
    for option in options:
        values = option.get("value", option.get("optional", []))
        values = values if isinstance(values, list) else [values]
        worst = max(worst, rank(option.get("class")), roles_worst(values),
                    cases_worst(option.get("cases", ())),
                    roles_worst(option.get("operands", ())),
                    rank("network") if option.get("network") else 0)
    return worst


def node_worst(node, above):
    """The most that any words could make of it, and whether that might be unknown."""
    options = options_worst(node.get("options", []))
    dashdash = node.get("dashdash", {"operands": []})
    worst = max(above, options, rank(node["class"]), roles_worst(node.get("operands", [])),
                rank(dashdash.get("class")), roles_worst(dashdash["operands"]))
    unknown, below = False, max(above, options if node.get("inherit") else 0)
    for sub in node.get("subcommands", {}).values():
        inner, doubt = node_worst(sub, below)
        worst, unknown = max(worst, inner), unknown or doubt
    if "subcommands" in node and node.get("subcommand") != "optional":
        worst = max(worst, rank(node.get("unlisted")))
        unknown = unknown or node.get("unlisted", "unknown") == "unknown"
    return worst, unknown


class Slices:
    """An array to which runs of entries are added; equal runs are stored once."""

    def __init__(self):
        self.entries, self.known = [], {}

    def add(self, run):
        run = tuple(run)
        if run not in self.known:
            self.known[run] = len(self.entries)
            self.entries += run
        return self.known[run]


class Table:
    """The arrays of table.h, filled from the checked data."""

    def __init__(self, data, *texts):
        self.pool, self.texts = bytearray(), {}
        for some in texts:
            self.lay_out(some)
        self.effects, self.cases = Slices(), Slices()
        self.roles, self.options = Slices(), Slices()
        self.shorts, self.longs = Slices(), Slices()
        self.subs, self.nodes, self.same = Slices(), [], {}
        self.slots = self.programs(data)

    def lay_out(self, texts):
        """Put the texts of an earlier run into the pool, the longest first: many a text is
        a part of another then."""
        for text in sorted(set(texts) - set(self.texts), key=lambda t: (-len(t), t)):
            at = self.pool.find(text)
            self.texts[text] = len(self.pool) if at < 0 else at
            self.pool += text if at < 0 else b""

    def errors(self):
        """What does not fit the small numbers of table.h."""
        counts = {"nodes": len(self.nodes), "different options": len(self.options.entries),
                  "effects of options": len(self.effects.entries),
                  "roles": len(self.roles.entries), "cases": len(self.cases.entries)}
        return [f"know: {n} {what}, expected at most 65535" for what, n in counts.items()
                if n > 65535]

    def bytes_at(self, text):
        if text not in self.texts:
            self.texts[text] = len(self.pool)
            self.pool += text
        return self.texts[text]

    def word(self, text):
        return self.bytes_at(text.encode())

    def words(self, texts):
        """Several texts, each behind a byte of its length, and a 0 at the end."""
        raw = [t.encode() for t in texts]
        return self.bytes_at(b"".join(bytes([len(r)]) + r for r in raw) + b"\0")

    def role(self, role, cases):
        if isinstance(role, dict):
            role, cases = role["role"], role["cases"]
        name, mark = split_role(role)
        rows = [(self.words(c["match"]), rank(c.get("class")),
                 ROLES.index(c["role"]) if "role" in c else NO_ROLE,
                 rank(c.get("only")), int(c.get("network", False))) for c in cases]
        return (self.cases.add(rows) if rows else 0, len(rows), ROLES.index(name), MARKS[mark])

    def role_list(self, roles, cases=()):
        """The first role and the count."""
        return self.roles.add([self.role(r, cases) for r in roles]), len(roles)

    def option(self, option):
        values = option.get("value", option.get("optional", []))
        values = values if isinstance(values, list) else [values]
        first, count = self.role_list(values, option.get("cases", ()))
        operands, n = self.role_list(option.get("operands", ()))
        flags = (("optional" in option) | bool(option.get("network")) << 1
                 | ("operands" in option) << 2 | (option.get("network") is False) << 3
                 | bool(option.get("ends")) << 4 | bool(option.get("number")) << 5)
        raises = option.get("class")
        if "value" in option and not option.get("cases") and IMPLIED.get(values[0]
                if len(values) == 1 and isinstance(values[0], str) else "") == raises == "write":
            raises = None  # the role says so, and better: /dev/null is no file
        effect = self.effects.add([(first, operands, count, n, rank(raises),
                                    rank(option.get("only")), option.get("drops", 0), flags)])
        return (self.words(option["names"]), effect)

    def spellings(self, options, style):
        """The rows of `shorts` and `longs`: exact names in order, then stems, longest first."""
        shorts, exact, stems = [], [], []
        for option in options:
            number, at = self.options.add([self.option(option)]), 0
            for name in option["names"]:
                raw = name.encode()
                if style in ("gnu", "posix") and len(raw) == 2 and raw != b"+*":
                    shorts.append((raw[1], number))
                else:
                    (stems if name.endswith("*") else exact).append((raw, (number, at)))
                at += len(raw) + 1
        stems.sort(key=lambda s: (-len(s[0]), s[0]))
        return sorted(shorts), [row for _, row in sorted(exact) + stems], len(stems)

    def node(self, name, data, up):
        """Add a node and all below it; returns its number.  `up` is what it takes from
        above: style, network, `outer` (the nearest node whose options hold here too) and
        `above` (the worst of those options).  Equal nodes are stored once."""
        key = (name, json.dumps(data), tuple(sorted(up.items())))
        if key not in self.same:
            self.same[key] = len(self.nodes)
            self.nodes.append(None)
            self.nodes[self.same[key]] = self.new_node(name, data, up, self.same[key])
        return self.same[key]

    def new_node(self, name, data, up, number):
        style = data.get("style", up["style"])
        network = data.get("network", up["network"])
        options = data.get("options", [])
        shorts, longs, stems = self.spellings(options, style)
        first, count = self.role_list(data.get("operands", ["data..."]))
        down = {**up, "style": style, "network": network}
        if data.get("inherit"):
            down["above"] = max(up["above"], options_worst(options))
            down["outer"] = number
        subs, globs = self.subcommands(data, down)
        dashdash = 0
        if "dashdash" in data:
            dashdash = self.node(name, {"class": data["class"], **data["dashdash"]}, down)
        flags = (network | bool(data.get("numeric")) << 1
                 | (data.get("subcommand") == "optional") << 2 | bool(subs) << 3
                 | any(re.fullmatch(PAIR, n) for o in options for n in o["names"]) << 4
                 | bool(data.get("finds")) << 5)
        return (
            self.word(name), self.shorts.add(shorts), self.longs.add(longs),
            self.sub_rows(subs), first, number if up["outer"] < 0 else up["outer"], dashdash,
            len(longs) - stems, stems, len(subs) - globs, globs, len(shorts), count,
            len(name.encode()), rank(data["class"]), STYLES.index(style),
            HANDLERS.index(data.get("handler", "none")), rank(data.get("unlisted")),
            weaken(*node_worst(data, up["above"])), flags)

    def subcommands(self, data, down):
        """Rows for all names, exact ones in order and then stems, and how many are stems."""
        exact, stems = [], []
        for names, sub in data.get("subcommands", {}).items():
            child = self.node(names.split("|")[0], sub, down)
            for name in names.split("|"):
                glob = name.endswith("*")
                raw = name.rstrip("*").encode()
                (stems if glob else exact).append((raw, child))
        stems.sort(key=lambda s: (-len(s[0]), s[0]))
        return sorted(exact) + stems, len(stems)

    def sub_rows(self, subs):
        return self.subs.add((self.bytes_at(raw), len(raw), child) for raw, child in subs)

    def programs(self, data):
        """All programs; returns the hash table that finds them."""
        names, up = {}, {"style": "gnu", "network": False, "outer": -1, "above": 0}
        for content in data:
            number = self.node(content["program"][0], content, up)
            names.update(dict.fromkeys(content["program"], number))
        size = 2
        while size < 2 * len(names):
            size *= 2
        slots = [(0, 0, 0)] * size
        for name in sorted(names):
            raw = name.encode()
            at = fnv(raw) % size
            while slots[at][1]:
                at = (at + 1) % size
            slots[at] = (self.bytes_at(raw), len(raw), names[name])
        return slots


def fnv(raw):
    value = 2166136261
    for byte in raw:
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return value ^ value >> 15


ARRAYS = ["know_slots", "know_nodes", "know_options", "know_effects", "know_shorts",
          "know_longs", "know_subs", "know_operands", "know_cases"]


def turned(table):
    """The rows of slots, nodes, options, shorts, longs and subs, with the nodes and the options
    from last to first: what is frequent among them then ends where the frequent longs and subs
    begin (packaging/hot.ld), and one look at the file brings both.  Node 0 is none."""
    n, last = len(table.nodes), len(table.options.entries) - 1
    nodes = [(*r[:5], n - r[5], r[6] and n - r[6], *r[7:]) for r in reversed(table.nodes)]
    none = [(0,) * len(r) for r in nodes[:1]]
    return ([(text, size, size and n - node) for text, size, node in table.slots],
            none + nodes, table.options.entries[::-1],
            [(c, last - option) for c, option in table.shorts.entries],
            [(last - option, skip) for option, skip in table.longs.entries],
            [(text, size, n - node) for text, size, node in table.subs.entries])


def emit(table, words):
    """The text of know_table.c and of know_table.h."""
    slots, nodes, options, shorts, longs, subs = turned(table)
    rows = [slots, nodes, options, table.effects.entries, shorts, longs, subs,
            table.roles.entries, table.cases.entries]
    source = ["/* Made by tools/know-compile.py from know/: do not edit. */",
              '#include "know/know.h"', '#include "know/table.h"', "",
              f"const uint32_t know_slot_mask = {len(table.slots) - 1};", ""]
    for name, entries in zip(ARRAYS, rows):
        struct = {"know_slots": "know_sub"}.get(name, name[:-1])
        entries = entries or [(0,)]
        source.append(f"const struct {struct} {name}[{len(entries)}] = {{")
        source += pack(["{" + ",".join(map(str, e)) + "}," for e in entries])
        source += ["};", ""]
    source.append(f"const char know_pool[{len(table.pool) + 1}] =")
    source += ['"' + escape(table.pool[i:i + 80]) + '"' for i in range(0, len(table.pool), 80)]
    source += ['"";', ""]
    pairs = [w for name, programs in sorted(words.get("sets", {}).items())
             for program in programs for w in (program, name)]
    lists = {**words, "hosts": pairs}
    calls, firsts = by_first_byte(lists.get("calls", []))
    lists["calls"] = calls
    source += ["const uint16_t know_call_firsts[256] = {", *pack([f"{n}," for n in firsts]),
               "};", ""]
    for key in [*WORDS, "hosts", "aliases"]:
        raw = b"".join(sized(w) for w in lists.get(key, []))
        if key == "aliases":
            raw = alias_blocks(words.get("names", {}))
        name = {"options": "verb_options"}.get(key, key)
        source.append(f"const char know_{name}[{len(raw) + 1}] =")
        source += ['"' + escape(raw[i:i + 80]) + '"' for i in range(0, len(raw), 80)]
        source += ['"";', ""]
    header = ["/* Made by tools/know-compile.py from know/: do not edit. */", "#pragma once",
              "/* How many entries each array of know/table.h has. */", "enum know_size {"]
    for name, entries in zip(ARRAYS, rows):
        header.append(f"\t{name.upper()} = {len(entries)},")
    header += [f"\tKNOW_POOL = {len(table.pool)},", "};", ""]
    return "\n".join(source), "\n".join(header)


def sized(text):
    """A word of a list: a byte in front says how long it is."""
    return bytes([len(text.encode())]) + text.encode()


def by_first_byte(calls):
    """The calls in order, and for each byte 1 + where those that begin with it are."""
    calls = sorted(calls, key=str.encode)
    firsts, at = [0] * 256, 1
    for call in calls:
        first = call.encode()[0]
        firsts[first] = firsts[first] or at
        at += len(sized(call))
    return calls, firsts


def alias_blocks(programs):
    """For each program its name, two bytes that say how long the rest is, and the rest: other
    name and name in turn."""
    raw = b""
    for program, names in programs.items():
        block = b"".join(sized(w) for name, others in names.items()
                         for other in others for w in (other, name))
        raw += sized(program) + bytes([len(block) // 256, len(block) % 256]) + block
    return raw


def pack(parts):
    """Join short parts to lines of moderate length."""
    lines, line = [], ""
    for part in parts:
        if len(line) + len(part) > 90:
            lines.append(line)
            line = ""
        line += part
    return lines + [line]


def escape(raw):
    plain = {ord('"'): '\\"', ord("\\"): "\\\\", ord("?"): "\\?"}
    return "".join(plain.get(b) or (chr(b) if 32 <= b < 127 else f"\\{b:03o}") for b in raw)


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
    data, words, errors = load(args[0])
    table = None if errors else Table(data)
    for error in errors or table.errors():
        sys.stderr.write(error + "\n")
    if errors or table.errors():
        return 1
    if not check:
        # The second run knows all texts, and so can lay them out in less room.
        first = [d for d in data if first_rank(d) < len(FIRST)]
        texts = emit(Table(data, Table(first).texts, table.texts), words)
        for name, text in zip(("know_table.c", "know_table.h"), texts):
            write_if_changed(os.path.join(args[1], name), text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
