"""Make the C table of src/know/table.h from the full nodes of know_form.py."""
import json
import re

from know_check import CLASSES, HANDLERS, PAIR, ROLES, STYLES, WRITING, split_role
from know_form import WORDS

MARKS = {"": 0, "?": 1, "...": 2}
NO_ROLE = 255
# The class that a role implies, for the highest class of a node.
IMPLIED = {**dict.fromkeys(WRITING, "write"),
           **dict.fromkeys(["url", "host", "remote-read", "remote-write"], "network"),
           **dict.fromkeys(["exec-file", "cmd", "shell", "key-shell", "shell-words", "remote-shell",
                            "remote-cmd", "code"], "exec")}


def rank(name):
    return CLASSES.index(name) if name else 0


def weaken(worst, unknown):
    """The class with an unknown part: read and write become unknown, stronger classes stay."""
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


def option_worst(does):
    values = does.get("value", does.get("optional", []))
    values = values if isinstance(values, list) else [values]
    return max(rank(does.get("class")), roles_worst(values), cases_worst(does.get("cases", ())),
               roles_worst(does.get("operands", ())), rank("network") if does.get("network") else 0)


class Slices:
    """An array of runs of entries; equal runs are stored once."""

    def __init__(self):
        self.entries, self.known = [], {}

    def add(self, run):
        run = tuple(run)
        if run not in self.known:
            self.known[run] = len(self.entries)
            self.entries += run
        return self.known[run]


class Nodes:
    """Full nodes by their content: equal nodes have one number, in any file and with any order of
    options."""

    def __init__(self):
        self.numbers, self.known, self.options, self.worst = {}, {}, {}, {}

    def number(self, node):
        if id(node) not in self.numbers:
            subs = sorted((name, self.number(sub))
                          for name, sub in node.get("subcommands", {}).items())
            options = tuple((o.names, o.key) for o in self.sorted_options(node))
            rest = {k: v for k, v in node.items() if k not in ("options", "subcommands")}
            if rest.get("operands") == ["data..."]:
                del rest["operands"]
            key = (json.dumps(rest, sort_keys=True), options, tuple(subs))
            self.numbers[id(node)] = self.known.setdefault(key, len(self.known))
        return self.numbers[id(node)]

    def sorted_options(self, node):
        if id(node) not in self.options:
            self.options[id(node)] = sorted(node["options"], key=lambda o: o.names)
        return self.options[id(node)]

    def options_worst(self, node):
        worst = 0
        for option in node["options"]:
            if option.key not in self.worst:
                self.worst[option.key] = option_worst(option.does)
            worst = max(worst, self.worst[option.key])
        return worst

    def node_worst(self, node, above):
        """The highest class that any words could give it, and whether that may be unknown."""
        key = (self.number(node), above)
        if key not in self.worst:
            self.worst[key] = self.new_worst(node, above)
        return self.worst[key]

    def new_worst(self, node, above):
        options = self.options_worst(node)
        dashdash = node.get("dashdash", {"operands": []})
        worst = max(above, options, rank(node["class"]), roles_worst(node.get("operands", [])),
                    rank(dashdash.get("class")), roles_worst(dashdash["operands"]))
        unknown, below = False, max(above, options if node.get("inherit") else 0)
        for sub in node.get("subcommands", {}).values():
            inner, doubt = self.node_worst(sub, below)
            worst, unknown = max(worst, inner), unknown or doubt
        if "subcommands" in node and node.get("subcommand") != "optional":
            worst = max(worst, rank(node.get("unlisted")))
            unknown = unknown or node.get("unlisted", "unknown") == "unknown"
        return worst, unknown


class Layout:
    """The pool of texts: each text once, and none that is part of another."""

    GRAM = 8

    def __init__(self):
        self.pool, self.at, self.grams = bytearray(), {}, {}

    def add(self, texts):
        """Add the new texts to the pool, the longest first."""
        for text in sorted(set(texts) - set(self.at), key=lambda t: (-len(t), t)):
            at = self.find(text)
            self.at[text] = len(self.pool) if at < 0 else at
            if at < 0:
                self.append(text)

    def append(self, text):
        begin = max(0, len(self.pool) - self.GRAM + 1)
        self.pool += text
        for i in range(begin, len(self.pool) - self.GRAM + 1):
            self.grams.setdefault(bytes(self.pool[i:i + self.GRAM]), []).append(i)

    def find(self, text):
        if len(text) < self.GRAM:
            return self.pool.find(text)
        return next((at for at in self.grams.get(text[:self.GRAM], ())
                     if self.pool.startswith(text, at)), -1)


class Table:
    """The arrays of table.h.  `programs` are pairs of a name and its full node.  Rows have texts;
    emit() replaces them by offsets in the pool."""

    def __init__(self, programs, first):
        """The first `first` programs are those that agents start most."""
        self.content, self.texts, self.layout = Nodes(), {}, Layout()
        self.effects, self.cases = Slices(), Slices()
        self.roles, self.options = Slices(), Slices()
        self.shorts, self.longs = Slices(), Slices()
        self.subs, self.nodes = Slices(), []
        self.same, self.numbers, self.sides = {}, {}, []
        names = self.programs(programs[:first])
        self.layout.add(self.texts)
        names.update(self.programs(programs[first:]))
        self.layout.add(self.texts)
        self.slots = self.hash_table(names)

    def errors(self):
        """Report values that do not fit the small numbers of table.h."""
        counts = {"nodes": len(self.nodes), "different options": len(self.options.entries),
                  "effects of options": len(self.effects.entries),
                  "roles": len(self.roles.entries), "cases": len(self.cases.entries)}
        return [f"know: {n} {what}, expected at most 65535" for what, n in counts.items()
                if n > 65535]

    def bytes_at(self, text):
        return self.texts.setdefault(text, text)

    def words(self, texts):
        """Several texts, each after a byte with its length, and a 0 at the end."""
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
        """The number of an option."""
        key = (option.names, option.key)
        if key not in self.numbers:
            if option.key not in self.numbers:
                self.numbers[option.key] = self.effect(option.does)
            row = (self.words(option.names), self.numbers[option.key])
            self.numbers[key] = self.options.add([row])
        return self.numbers[key]

    def effect(self, does):
        values = does.get("value", does.get("optional", []))
        values = values if isinstance(values, list) else [values]
        first, count = self.role_list(values, does.get("cases", ()))
        operands, n = self.role_list(does.get("operands", ()))
        flags = (("optional" in does) | bool(does.get("network")) << 1
                 | ("operands" in does) << 2 | (does.get("network") is False) << 3
                 | bool(does.get("ends")) << 4 | bool(does.get("number")) << 5)
        return self.effects.add([(first, operands, count, n, rank(does.get("class")),
                                  rank(does.get("only")), does.get("drops", 0), flags)])

    def spellings(self, node, style):
        """The rows of `shorts` and `longs`: exact names in order, then stems, longest first."""
        shorts, exact, stems = [], [], []
        for option in self.content.sorted_options(node):
            number, at = self.option(option), 0
            for name in option.names:
                raw = name.encode()
                if style in ("gnu", "posix") and len(raw) == 2 and raw != b"+*":
                    shorts.append((raw[1], number))
                else:
                    (stems if name.endswith("*") else exact).append((raw, (number, at)))
                at += len(raw) + 1
        stems.sort(key=lambda s: (-len(s[0]), s[0]))
        return sorted(shorts), [row for _, row in sorted(exact) + stems], len(stems)

    def node(self, node, up):
        """Add a node and all below it; return its number.  `up` has the inherited values: style,
        network, `outer` (the nearest node whose options apply here too) and `above` (the highest
        class of those options).  Equal nodes are stored once."""
        key = (self.content.number(node), tuple(up.values()))
        if key not in self.same:
            self.same[key] = len(self.nodes)
            self.nodes.append(None)
            self.nodes[self.same[key]] = self.new_node(node, up, self.same[key])
        return self.same[key]

    def new_node(self, node, up, number):
        style = node.get("style", up["style"])
        network = node.get("network", up["network"])
        shorts, longs, stems = self.spellings(node, style)
        first, count = self.role_list(node.get("operands", ["data..."]))
        down = {**up, "style": style, "network": network}
        if node.get("inherit"):
            down["above"] = max(up["above"], self.content.options_worst(node))
            down["outer"] = number
        subs, globs = self.subcommands(node, down)
        dashdash = 0
        if "dashdash" in node:
            behind = {"class": node["class"], "options": [], **node["dashdash"]}
            self.sides.append(behind)  # keep the object, so that its id stays unique
            dashdash = self.node(behind, down)
        pairs = any(re.fullmatch(PAIR, n) for o in node["options"] for n in o.names
                    if len(n) == 3)
        flags = (network | bool(node.get("numeric")) << 1
                 | (node.get("subcommand") == "optional") << 2 | bool(subs) << 3
                 | pairs << 4 | bool(node.get("finds")) << 5)
        return (
            self.shorts.add(shorts), self.longs.add(longs),
            self.sub_rows(subs), first, number if up["outer"] < 0 else up["outer"], dashdash,
            len(longs) - stems, stems, len(subs) - globs, globs, len(shorts), count,
            rank(node["class"]), STYLES.index(style),
            HANDLERS.index(node.get("handler", "none")), rank(node.get("unlisted")),
            weaken(*self.content.node_worst(node, up["above"])), flags)

    def subcommands(self, node, down):
        """Rows for all names, exact ones in order and then stems, and the number of stems."""
        exact, stems = [], []
        for name, sub in sorted(node.get("subcommands", {}).items()):
            child = self.node(sub, down)
            raw = name.rstrip("*").encode()
            (stems if name.endswith("*") else exact).append((raw, child))
        stems.sort(key=lambda s: (-len(s[0]), s[0]))
        return sorted(exact) + stems, len(stems)

    def sub_rows(self, subs):
        return self.subs.add((self.bytes_at(raw), len(raw), child) for raw, child in subs)

    def programs(self, programs):
        """The number of each node."""
        up = {"style": "gnu", "network": False, "outer": -1, "above": 0}
        return {self.bytes_at(name.encode()): self.node(node, up) for name, node in programs}

    def hash_table(self, names):
        size = 2
        while size < 2 * len(names):
            size *= 2
        slots = [(b"", 0, 0)] * size
        for raw in sorted(names):
            at = fnv(raw) % size
            while slots[at][1]:
                at = (at + 1) % size
            slots[at] = (raw, len(raw), names[raw])
        return slots


def fnv(raw):
    value = 2166136261
    for byte in raw:
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return value ^ value >> 15


ARRAYS = ["know_slots", "know_nodes", "know_options", "know_effects", "know_shorts",
          "know_longs", "know_subs", "know_operands", "know_cases"]


def turned(table):
    """The rows of all arrays, with texts as offsets in the pool.  Nodes and options are in reverse
    order: their frequent entries then end where the frequent longs and subs begin
    (packaging/hot.ld), and one page fault maps both.  Node 0 means none."""
    n, last, at = len(table.nodes), len(table.options.entries) - 1, {b"": 0, **table.layout.at}
    nodes = [(*r[:4], n - r[4], r[5] and n - r[5], *r[6:]) for r in reversed(table.nodes)]
    none = [(0,) * len(r) for r in nodes[:1]]
    return [[(at[text], size, size and n - node) for text, size, node in table.slots],
            none + nodes, [(at[names], effect) for names, effect in table.options.entries[::-1]],
            table.effects.entries,
            [(c, last - option) for c, option in table.shorts.entries],
            [(last - option, skip) for option, skip in table.longs.entries],
            [(at[text], size, n - node) for text, size, node in table.subs.entries],
            table.roles.entries, [(at[match], *rest) for match, *rest in table.cases.entries]]


def emit(table, words):
    """The text of know_table.c and of know_table.h."""
    rows, pool = turned(table), table.layout.pool
    source = ["/* Made by tools/know-compile.py from know/: do not edit. */",
              '#include "know/know.h"', '#include "know/table.h"', "",
              f"const uint32_t know_slot_mask = {len(table.slots) - 1};", ""]
    for name, entries in zip(ARRAYS, rows):
        struct = {"know_slots": "know_sub"}.get(name, name[:-1])
        entries = entries or [(0,)]
        source.append(f"const struct {struct} {name}[{len(entries)}] = {{")
        source += pack(["{" + ",".join(map(str, e)) + "}," for e in entries])
        source += ["};", ""]
    source.append(f"const char know_pool[{len(pool) + 1}] =")
    source += ['"' + escape(pool[i:i + 80]) + '"' for i in range(0, len(pool), 80)]
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
    header += [f"\tKNOW_POOL = {len(pool)},", "};", ""]
    return "\n".join(source), "\n".join(header)


def sized(text):
    """A word of a list, after a byte with its length."""
    return bytes([len(text.encode())]) + text.encode()


def by_first_byte(calls):
    """The calls in order, and for each byte 1 + the index of the first call that begins with it."""
    calls = sorted(calls, key=str.encode)
    firsts, at = [0] * 256, 1
    for call in calls:
        first = call.encode()[0]
        firsts[first] = firsts[first] or at
        at += len(sized(call))
    return calls, firsts


def alias_blocks(programs):
    """For each program its name, two bytes with the length of the rest, and the rest: alias and
    name in turn."""
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
