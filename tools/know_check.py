"""Check the nodes, options and roles of know/.  know/README.md is the contract."""
import json
import re

CLASSES = ["unknown", "read", "write", "network", "exec", "destroy", "admin"]
ROLES = ["data", "list", "read", "write", "append", "edit", "truncate", "create", "delete",
         "delete-tree", "move", "link-target", "chdir", "exec-file", "cmd", "shell",
         "shell-words", "remote-shell", "remote-cmd", "code", "assign", "url", "host",
         "remote-read", "remote-write", "key-shell", "read-names"]
HANDLERS = ["none", "env", "xargs", "find", "shell", "git", "sed", "awk", "tar", "code",
            "builtin", "fd"]
STYLES = ["gnu", "posix", "single", "keys", "free"]
REST = {"cmd", "shell-words", "remote-shell", "remote-cmd"}
WRITING = {"write", "append", "edit", "truncate", "create", "delete", "delete-tree", "move"}
NUMBER = "-NUM"  # `-5` is this option with the value 5
PAIR = "-[A-Z]{2}"  # zip -TT
MAX_DEPTH, MAX_OPERANDS, MAX_VALUES = 6, 15, 7

OPTION_KEYS = {"names": list, "value": (str, list, dict), "optional": (str, dict),
               "class": str, "network": bool, "only": str, "operands": list, "drops": int,
               "cases": list, "ends": bool, "number": bool, "about": str}
ROLE_KEYS = {"role": str, "cases": list}
CASE_KEYS = {"match": list, "class": str, "role": str, "only": str, "network": bool}
DASHDASH_KEYS = {"class": str, "network": bool, "operands": list}
TYPE_NAMES = {str: "a string", bool: "true or false", list: "a list", dict: "an object",
              int: "a number"}

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


def fits(text):
    """Check a text: one byte of the table has its length, and messages show it on one line."""
    return len(text.encode()) <= 250 and not any(ord(c) < 32 or ord(c) == 127 for c in text)


class Checker:
    """Collect every error of one file."""

    def __init__(self, file, spelt):
        """`spelt`: names of options that were checked before, each with its style."""
        self.file, self.errors, self.spelt = file, [], spelt

    def bad(self, path, text):
        self.errors.append(f"{self.file}: {path or '(file)'}: {text}")

    def keys(self, path, thing, keys, required=()):
        """Check that it is an object with only these keys, each of its type; remove bad ones."""
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
        """Check a non-empty list of different, non-empty strings."""
        if not values:
            self.bad(path, f"is empty, expected at least one {what}")
        seen = set()
        for i, value in enumerate(values):
            at = f"{path}[{i}]"
            if not isinstance(value, str) or not value:
                self.bad(at, f"is {json.dumps(value)[:40]}, expected a {what}")
            elif value in seen:
                self.bad(at, f'"{value}" is here twice, expected it once')
            elif not fits(value):
                self.bad(at, "has control characters or over 250 bytes, expected less")
            else:
                seen.add(value)
        return [v for v in values if isinstance(v, str) and v]

    def node(self, path, node, style, depth):
        style = node.get("style", style)
        self.one_of(join(path, "style"), style, STYLES)
        self.one_of(join(path, "class"), node.get("class"), CLASSES[1:])
        self.one_of(join(path, "unlisted"), node.get("unlisted"), CLASSES)
        self.one_of(join(path, "handler"), node.get("handler"), HANDLERS[1:])
        self.one_of(join(path, "subcommand"), node.get("subcommand"), ["required", "optional"])
        self.spellings(path, node, style)
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
        path = join(path, "subcommands")
        if depth == MAX_DEPTH and node["subcommands"]:
            self.bad(path, f"is nested deeper than {MAX_DEPTH} with what `like` takes over,"
                     " expected less")
            return
        last = None
        for name, sub in node["subcommands"].items():
            if sub is not last:
                self.node(join(path, name), sub, style, depth + 1)
            last = sub

    def dashdash(self, path, node):
        good = self.keys(path, node, DASHDASH_KEYS, ["operands"])
        self.one_of(join(path, "class"), good.get("class"), CLASSES[1:])
        if "operands" in good:
            self.operands(join(path, "operands"), good["operands"])

    def spellings(self, path, node, style):
        """Check that each name occurs once and fits the style of the node."""
        seen, options = {}, node["options"]
        if options and style == "free":
            self.bad(join(path, "options"),
                     "stands in style free, which has no options; expected none")
        for number, option in enumerate(options):
            if NUMBER in option.names and not node.get("numeric"):
                self.bad(option.at, f"has the name {NUMBER} in a node without numeric")
            for name in option.names:
                other = seen.setdefault(name, (number, option.at))
                if other[0] != number:
                    self.bad(option.at, f'"{name}" is also a name of {other[1]}, expected it once'
                             + (" (name it in `not`)" if option.at.endswith("like") else ""))
                self.spelling(option.at, name, style)

    def spelling(self, path, name, style):
        if (style, name) in self.spelt or style not in SPELLINGS:
            return
        pair = style in ("gnu", "posix") and (name == NUMBER or re.fullmatch(PAIR, name))
        if pair or any(re.fullmatch(pattern, name) for pattern, _ in SPELLINGS[style]):
            self.spelt.add((style, name))
        else:
            self.bad(path, f'"{name}" does not fit style {style}, expected '
                     + " or ".join(what for _, what in SPELLINGS[style]))

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
        """Check a role, which may be an object; return its name and mark."""
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
