"""Read one file of know/ and expand its short forms.  know/README.md is the contract.

A node of a file becomes a full node: the same keys, but `options` holds an Option for each
option that `options`, `info`, `flags`, `takes`, `optional`, `use` and `like` name.
"""
import json
import re
from collections import namedtuple

from know_check import CLASSES, MAX_DEPTH, NUMBER, OPTION_KEYS, ROLES, WRITING, Checker, fits, join

# words.json: lists of words, each a separate array of the table.
WORDS = ["verbs", "foreign_verbs", "outward", "options", "calls", "launchers", "readers",
         "fetchers", "connectors", "privilege"]
SOURCE = re.compile(r"\S.*, \S.*, 20[0-9]{2}-(0[1-9]|1[0-2])")

# Short forms: the keys of an option in each of them; a `=role` replaces the last value.
SHORT = {"info": {"only": "read"}, "flags": {}, "takes": {"value": "data"},
         "optional": {"optional": "data"}}
TEXT = (str, list)
SET_KEYS = {**dict.fromkeys(SHORT, TEXT), "options": list}
NODE_KEYS = {"about": str, "class": str, "network": bool, "style": str, "numeric": bool,
             "like": str, "not": TEXT, "use": TEXT, **SET_KEYS,
             "operands": list, "dashdash": dict, "subcommands": dict,
             "subcommand": str, "unlisted": str, "inherit": bool, "handler": str, "finds": bool}
PROGRAM_KEYS = {"program": list, "source": str, "sets": dict, **NODE_KEYS}
STUB_KEYS = {"about": str, "source": str, "class": str, "programs": TEXT}

# `does` is everything except the names; `key` is the same as text, to find equal options.
Option = namedtuple("Option", "names does key at")


def unique_keys(pairs):
    found = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f'the key "{key}" is here twice, expected it once')
        found[key] = value
    return found


def make_option(names, option, at):
    does = {k: v for k, v in option.items() if k not in ("names", "about")}
    value = does.get("value")
    if does.get("class") == "write" and "cases" not in does and isinstance(value, str) \
            and value in WRITING:
        del does["class"]  # the role already says so, and more exactly: /dev/null is not a file
    return Option(tuple(names), does, json.dumps(does, sort_keys=True), at)


class Reader(Checker):
    """Read one file; each method returns its programs as pairs of names and full node."""

    def __init__(self, file, files):
        """`files` finds the node that a `like` names, knows the `busy` ones (being expanded, so that
        no node is like itself), and keeps values that were checked before."""
        super().__init__(file, files.spelt)
        self.files, self.sets, self.used = files, {}, set()

    def text(self, path, value):
        """The words of a string, or of a list of strings: the lines of a long one."""
        lines = value if isinstance(value, list) else [value]
        for i, line in enumerate(lines):
            if not isinstance(line, str):
                self.bad(f"{path}[{i}]", f"is {json.dumps(line)[:40]}, expected a string")
        words = " ".join(line for line in lines if isinstance(line, str)).split()
        if not words:
            self.bad(path, "is empty, expected at least one word; leave the key out")
        return words

    # Files that do not describe a program.

    def words(self, data):
        good = self.keys("", data, {"words": str, **dict.fromkeys(WORDS, list)},
                         ["words", *WORDS])
        for key in WORDS:
            self.strings(key, good.get(key, ["-"]), "word")
        return []

    def hosts(self, data):
        good = self.keys("", data, {"hosts": str, "sets": dict}, ["hosts", "sets"])
        for name, programs in good.get("sets", {}).items():
            at = join("sets", name)
            if not re.fullmatch(r"@[a-z][a-z0-9_-]*", name):
                self.bad(at, "is no name of a set, expected @name")
            self.strings(at, programs if isinstance(programs, list) else [], "program")
        return []

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
        return []

    def stubs(self, data):
        """Programs of which only the class is known: style free, any operands."""
        good, found = self.keys("", data, {"stubs": list}, ["stubs"]), []
        for i, stub in enumerate(good.get("stubs", [])):
            at = f"stubs[{i}]"
            stub = self.keys(at, stub, STUB_KEYS, STUB_KEYS)
            self.one_of(at + ".class", stub.get("class"), CLASSES[1:])
            self.source(at + ".source", stub)
            names = self.text(at + ".programs", stub.get("programs", "-"))
            self.program_names(at + ".programs", names)
            found.append((names, {"class": stub.get("class"), "style": "free", "options": []}))
        return found

    # Programs.

    def source(self, path, thing):
        if "source" in thing and not SOURCE.fullmatch(thing["source"]):
            self.bad(path, f'is "{thing["source"]}", expected "PACKAGE VERSION, MANUAL, YYYY-MM"'
                     ' (if not known: "PACKAGE, version and manual not recorded, YYYY-MM")')

    def program_names(self, path, names):
        for i, name in enumerate(self.strings(path, names, "name")):
            if re.search(r"[\s/]", name):
                self.bad(f"{path}[{i}]", f'"{name}" has a slash or blank, expected a base name')

    def program(self, data):
        good = self.keys("", data, PROGRAM_KEYS, ["program", "source"])
        self.program_names("program", good.get("program", ["-"]))
        self.source("source", good)
        self.read_sets(good.get("sets", {}))
        full = self.expand("", data, good, 0)
        self.node("", full, "gnu", 0)
        for name in self.sets:
            if name not in self.used:
                self.bad(join("sets", name), "is not used: remove it, or name it in `use`")
        return [(good.get("program", []), full)]

    def read_sets(self, sets):
        for name, one in sets.items():
            at = join("sets", name)
            if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
                self.bad(at, "is no name of a set, expected a-z, 0-9 and -")
            self.sets[name] = self.own_options(at, self.keys(at, one, SET_KEYS))

    def expand(self, path, raw, node, depth):
        """The full node of `raw`; `node` has its valid keys."""
        self.files.busy.add(id(raw))
        full = self.expanded(path, node, depth)
        self.files.busy.discard(id(raw))
        if "class" not in full and isinstance(raw, dict) and "like" not in raw:
            self.bad(join(path, "class"), "is missing, expected it here")
        return full

    def expanded(self, path, node, depth):
        full = {k: v for k, v in node.items()
                if k not in SHORT and k not in ("like", "not", "use", "about", "source",
                                                "program", "sets")}
        full["options"] = self.own_options(path, node)
        for name in self.text(join(path, "use"), node["use"]) if "use" in node else ():
            if name not in self.sets:
                self.bad(join(path, "use"), f'"{name}" is no set of this file, expected one of '
                         + (", ".join(self.sets) or "its `sets` (there are none)"))
            self.used.add(name)
            full["options"] = full["options"] + self.sets.get(name, [])
        if "subcommands" in node:
            full["subcommands"] = self.expand_subcommands(join(path, "subcommands"),
                                                          node["subcommands"], depth + 1)
        if "like" in node:
            full = self.merge(path, node, full)
        elif "not" in node:
            self.bad(join(path, "not"), "stands without like, expected both")
        return full

    def expand_subcommands(self, path, subcommands, depth):
        found, seen = {}, set()
        if depth > MAX_DEPTH:
            self.bad(path, f"is nested deeper than {MAX_DEPTH}, expected less")
            return {}
        if not subcommands:
            self.bad(path, "is empty, expected at least one subcommand")
        for names, sub in subcommands.items():
            at = join(path, names if len(names) <= 40 else names[:40] + "~")
            for name in names.split("|"):
                if not re.fullmatch(r"[^\s*|-][^\s*|]*\*?|\*", name) or len(name) > 250:
                    self.bad(at, f'"{name}" is no subcommand, expected a word that may end in *')
                if name in seen:
                    self.bad(at, f'"{name}" is here twice, expected it once')
                seen.add(name)
            full = self.expand(at, sub, self.keys(at, sub, NODE_KEYS), depth)
            found.update((name, full) for name in names.split("|"))
        return found

    def merge(self, path, node, full):
        """`like`: the other node, without the names in `not`, overridden by the keys of this node."""
        base = self.files.find(node["like"].split())
        if isinstance(base, str):
            self.bad(join(path, "like"), f'"{node["like"]}": {base}')
            return full
        taken = self.text(join(path, "not"), node["not"]) if "not" in node else []
        subs = base.get("subcommands", {})
        known = {name for option in base["options"] for name in option.names} | set(subs)
        for name in taken:
            if name not in known:
                self.bad(join(path, "not"), f'"{name}" is no option or subcommand of'
                         f' "{node["like"]}", expected one of them')
        kept = [o._replace(at=join(path, "like")) for o in base["options"]
                if not set(taken) & set(o.names)]
        merged = {**base, **full, "options": full["options"] + kept}
        subs = {k: v for k, v in subs.items() if k not in taken}
        subs.update(full.get("subcommands", {}))
        merged.pop("subcommands", None)
        return {**merged, "subcommands": subs} if subs else merged

    def own_options(self, path, node):
        found = []
        for i, option in enumerate(node.get("options", [])):
            at = f"{join(path, 'options')}[{i}]"
            good = self.keys(at, option, OPTION_KEYS, ["names"])
            names = self.strings(at + ".names", good.get("names", ["-"]), "name")
            self.option(at, good)
            found.append(make_option(names if "names" in good else [], good, at))
        for key in SHORT:
            at = join(path, key)
            for word in self.text(at, node[key]) if key in node else ():
                made = self.files.short.get((key, word))
                if made is None:
                    before = len(self.errors)
                    made = self.short_option(at, key, word)
                    if len(self.errors) > before:
                        continue
                    self.files.short[key, word] = made
                found += [o._replace(at=at) for o in made]
        return found

    def short_option(self, path, key, word):
        """The options of a word such as `-c/--[no-]colour=read`."""
        does, (spelling, equals, role) = dict(SHORT[key]), word.partition("=")
        if equals:
            if key not in ("takes", "optional"):
                self.bad(path, f'"{word}" has a value, expected it in takes or optional')
            elif role not in ROLES:
                self.bad(path, f'"{word}": "{role}" is no role, expected one of '
                         + ", ".join(ROLES))
            else:
                does[list(does)[0]] = role
        names, refused = [], []
        for name in spelling.split("/"):
            plain = name.replace("--[no-]", "--", 1)
            if plain != name:
                refused.append("--no-" + plain[2:])
            names.append(plain)
        if "" in names:
            self.bad(path, f'"{word}" has an empty name, expected -c/--long'
                     " (an option with a slash in its name belongs in options)")
        if not all(map(fits, names)):
            self.bad(path, f"{json.dumps(word)[:40]} has control characters or over 250 bytes,"
                     " expected less")
        if len(set(names)) < len(names):
            self.bad(path, f'"{word}" has a name twice, expected it once')
        if any("[" in name or "]" in name for name in names):
            self.bad(path, f'"{word}" has a bracket, expected only --[no-] at the beginning')
        if refused and key == "info":
            self.bad(path, f'"{word}" has --[no-], expected that in flags, takes or optional')
        if NUMBER in names and key != "takes":
            self.bad(path, f"has the name {NUMBER} without a value, expected it in takes")
        made = [make_option(names, does, path)]
        return made + [make_option(refused, {}, path)] if refused else made
