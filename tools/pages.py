"""tools/pages.py: parse the help pages of src/cli/help.

A page has the usage, a sentence, an empty line, and the rest with `Examples:`.  In the rest, a line
that begins with exactly two blanks lists options or words:

  --cwd DIR, --home DIR   options, each with the name of its value, two blanks, and the purpose
  --json, --root   as for check      copied from another page
  verify [FILE]   a possible first word
  AGENT           claude, cursor or codex: possible values
"""
import dataclasses
import pathlib
import re


@dataclasses.dataclass
class Option:
    name: str
    value: str = ""          # DIR, FILE ...; empty: a flag
    choices: tuple = ()
    what: str = ""


@dataclasses.dataclass
class Page:
    name: str
    usage: str
    sentence: str
    options: dict = dataclasses.field(default_factory=dict)
    words: dict = dataclasses.field(default_factory=dict)      # verb -> its operands
    operands: dict = dataclasses.field(default_factory=dict)   # AGENT -> choices
    examples: list = dataclasses.field(default_factory=list)


def choices_of(value, text):
    """The choices of `on|off`, or of a text that begins with `a, b or c`."""
    if re.fullmatch(r"[a-z]+(\|[a-z]+)*", value):
        return tuple(value.split("|"))
    found = []
    for part in re.split(r", or |, |; or |; | or ", text):
        word = re.match(r"([a-z_]+)(?=$|[:.]| \()", part)
        if not word:
            break
        found.append(word[1])
        if word[1] != part:
            break
    return tuple(found) if len(found) > 1 else ()


def items(lines):
    """(number, term, text) of each listed line; the text includes continuation lines."""
    found = []
    for number, line in lines:
        listed = re.match(r"  (\S.*?)(?:   *(\S.*))?$", line)
        below = re.match(r" {6,}(\S.*)$", line)
        if listed and not below:
            found.append([number, listed[1], listed[2] or ""])
        elif below and found:
            found[-1][2] = f"{found[-1][2]} {below[1]}".strip()
    return found


def read_option(page, where, part, text):
    option = re.fullmatch(r"(--?[a-z][a-z-]*)(?: ([A-Za-z:|.]+))?", part)
    if not option:
        raise SystemExit(f"{where}: not an option and its value: {part!r}")
    name, value = option[1], option[2] or ""
    have = page.options.get(name)
    choices = choices_of(value, text)
    if have:      # --to json, --to wire
        choices = have.choices + choices
    page.options[name] = Option(name, value, choices, text)


def read_item(page, pages, where, term, text):
    other = re.match(r"as for ([a-z]+)", text)
    if not term.startswith("-"):
        word = re.match(r"[a-z]+(?= |$)", term)
        if word:
            page.words[word[0]] = term[word.end():]
        elif re.fullmatch(r"[A-Z]+", term):
            page.operands[term] = (pages[other[1]].operands[term] if other
                                   else choices_of("", text))
        return
    for part in term.split(", "):
        if other:
            option = pages[other[1]].options.get(part)
            if not option:
                raise SystemExit(f"{where}: {other[1]} has no {part}")
            page.options[part] = option
        else:
            read_option(page, where, part, text)


def read_lines(page, pages, path):
    lines = list(enumerate(path.read_text(encoding="ascii").split("\n"), 1))[3:]
    end = next(i for i, (_, line) in enumerate(lines) if line == "Examples:")
    page.examples = [line.strip() for _, line in lines[end + 1:] if line.strip()]
    for number, term, text in items(lines[:end]):
        read_item(page, pages, f"{path}:{number}", term, text)
    for name in re.findall(r"(?<![\w-])--[a-z][a-z-]*", page.usage):
        page.options.setdefault(name, Option(name))


def read(folder):
    """The pages of a program by name; pages that refer to another come last."""
    paths = sorted(pathlib.Path(folder).glob("*.txt"),
                   key=lambda p: ("as for" in p.read_text(encoding="ascii"), p.name))
    pages = {}
    for path in paths:
        usage, sentence = path.read_text(encoding="ascii").split("\n")[:2]
        pages[path.stem] = Page(path.stem, usage, sentence)
        read_lines(pages[path.stem], pages, path)
    return dict(sorted(pages.items()))
