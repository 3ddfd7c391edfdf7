"""Make doc/COMPARISON.md from doc/comparison.json, which has every figure of the page."""

NODE = ("cc-safety-net",)
NATIVE = ("codex execpolicy",)
YARDSTICKS = ("an empty program", "node -e 0", "python3 -c pass", "no sandbox")


def ms(value):
    return "–" if value is None else f"{value:.0f} ms" if value >= 100 else \
        f"{value:.1f} ms" if value >= 10 else f"{value:.2f} ms"


def times(value):
    return f"{value:.0f} ×" if value >= 20 else f"{value:.1f} ×" if value >= 2 else f"{value:.2f} ×"


def table(head, rows, texts=1):
    """The first `texts` columns are text, the others numbers."""
    lines = ["| " + " | ".join(head) + " |",
             "|" + "|".join("---" if i < texts else "--:" for i in range(len(head))) + "|"]
    return lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows] + [""]


def verdict(goal):
    text, ok = goal
    return f"- {'reached' if ok else '**missed**'}: {text}"


# ---- goals: (text, reached)


def hook_goals(data):
    worst = {}
    for row in data["rows"].values():
        for name, value in row.items():
            if name in NODE + NATIVE:
                ratio = max(mine / other for mine, other in zip(row["cordon"], value))
                worst[name] = max(worst.get(name, 0), ratio)
    for name, ratio in worst.items():
        most = 20 if name in NODE else 2
        yield (f"at most 1/{most} of {name}, by both figures and for each command: "
               f"1/{1 / ratio:.0f}"), ratio <= 1 / most


def parse_goals(data):
    if "tree-sitter-bash" in data["rows"]:
        ratio = data["rows"]["tree-sitter-bash"] / data["rows"]["cordon"]
        yield f"at least 8 × as fast as tree-sitter-bash: {ratio:.1f} ×", ratio >= 8


def decision_goals(data):
    mine, of = data["rows"]["cordon"], data["commands"]
    for name, text in (("dangerous", f"all {of['dangerous']} dangerous commands stopped, or safely confined"),
                       ("harmless", f"all {of['harmless']} harmless commands passed")):
        wrong = mine[name + " wrong"]
        yield text + (": not " + ", ".join(f"`{w}`" for w in wrong) if wrong else ""), not wrong


def soundness_goals(data):
    missed = data["rows"]["cordon"]["missed"]
    yield f"no silent miss: {missed}", missed == 0
    others = {n: r["missed"] for n, r in data["rows"].items() if n != "cordon"}
    yield "every other guard misses some: " + ", ".join(f"{n} {v}" for n, v in others.items()), \
        all(others.values())


def start_goals(data):
    mine, other = data["rows"]["cordon"], data["rows"]["bubblewrap"]
    ratio = max(mine[0] / other[0], mine[1] / other[1])
    yield (f"at most 0.75 × bubblewrap: least {mine[0] / other[0]:.2f}, "
           f"tenth percentile {mine[1] / other[1]:.2f}"), ratio <= 0.75


def escape_goals(data):
    got = [n for c in data["classes"].values() for n in c["through"].get("cordon", [])]
    yield "nothing gets through: " + (", ".join(got) or "0"), not got


GOALS = {"hook": hook_goals, "parse": parse_goals, "decisions": decision_goals,
         "soundness": soundness_goals, "start": start_goals, "escapes": escape_goals}


def goals(data):
    return [g for name, of in GOALS.items() for g in of(data[name])]


# ---- sections


def peers(data):
    rows = [[n, v[0] or "–", "" if v[0] else v[1]] for n, v in data["peers"].items()]
    return table(["peer", "version", "why it is not compared"], rows, 3)


def hook(data):
    names = ["an empty program", "cordon", *NATIVE, *NODE, "node -e 0", "python3 -c pass"]
    commands = list(data["rows"])
    rows = []
    for name in names:
        if name in data["rows"][commands[0]]:
            cells = [data["rows"][c][name] for c in commands]
            base = [data["rows"][c]["cordon"][0] for c in commands]
            ratio = sum(v[0] / b for v, b in zip(cells, base)) / len(cells)
            rows.append([f"*{name}*" if name in YARDSTICKS else name]
                        + [f"{ms(v[0])} / {ms(v[1])}" for v in cells]
                        + ["" if name == "cordon" else times(ratio)])
    return table(["least / tenth percentile"] + [f"`{c}`" for c in commands]
                 + ["times cordon's least"],
                 rows)


def parse(data):
    base = data["rows"]["cordon"]
    rows = [[n, f"{v:.2f} µs", "" if n == "cordon" else times(v / base)]
            for n, v in sorted(data["rows"].items(), key=lambda r: r[1])]
    return table(["parser", "time for a command", "times cordon's"], rows)


def decisions(data):
    rows = []
    for name, row in data["rows"].items():
        bad, good = row["dangerous"], row["harmless"]
        rows.append([name, bad.get("deny", 0) + bad.get("ask", 0), bad.get("confine", 0),
                     bad.get("allow", 0), good.get("allow", 0), good.get("confine", 0),
                     good.get("ask", 0) + good.get("deny", 0)])
    of = data["commands"]
    return table(["guard", f"of {of['dangerous']} dangerous: stopped", "confined", "let run",
                  f"of {of['harmless']} harmless: let run", "confined", "stopped"], rows)


def soundness(data):
    rows = [[n, r["asked"], f"**{r['missed']}**", r["stopped"], r["confined"], r["guessed"]]
            for n, r in data["rows"].items()]
    lines = table(["guard", "asked", "missed", "stopped", "confined",
                   "stopped though the program is absent"], rows)
    lines += [f"- {n}: {r['note']}." for n, r in data["rows"].items()] + [""]
    lines += ["The shortest texts that each guard let pass (in brackets the forbidden program that ran):",
              ""]
    for name, row in data["rows"].items():
        for text, program in row["examples"][:2]:
            lines.append(f"- {name}: `{text.encode('unicode_escape').decode()}` ({program})"
                         .replace("|", "\\|"))
    return lines + [""]


def start(data):
    base = data["rows"]["cordon"]
    rows = [[f"*{n}*" if n in YARDSTICKS else n, ms(v[0]), ms(v[1]),
             "" if n == "cordon" else times(v[0] / base[0])] for n, v in data["rows"].items()]
    base = data["others"]["cordon"]
    rows += [[n, ms(v[0]), ms(v[1]), times(v[0] / base[0])] for n, v in data["others"].items()
             if n not in data["rows"]]
    return table(["`true` in", "least", "tenth percentile", "times cordon's least"], rows)


def build(data):
    base = data["rows"]["no sandbox"]
    rows = [[f"*{n}*" if n in YARDSTICKS else n, ms(v[0]), ms(v[1]), times(v[0] / base[0])]
            for n, v in data["rows"].items()]
    return table(["`make`, 25 files, in", "least", "median", "times the least without a sandbox"], rows)


def hidden(data):
    rows = []
    for name, (least, fine) in data["rows"].items():
        note = ("yes" if fine else "**no**") if least is not None else f"does not start: {fine}"
        rows.append([name, ms(least), note])
    return table([f"`true` with {data['files']} hidden files, in", "least", "hidden"], rows)


def escapes(data):
    names = data["sandboxes"]
    rows = [[title, c["tried"]] + [f"{len(c['through'][n]) or '0'}" for n in names]
            for title, c in data["classes"].items()]
    rows.append(["**all**", sum(c["tried"] for c in data["classes"].values())]
                + [f"**{sum(len(c['through'][n]) for c in data['classes'].values())}**"
                   for n in names])
    lines = table(["attempt", "number", *[f"through {n}" for n in names]], rows)
    lines += ["Successful attempts, by their names in `tests/inside/attempts.py`:", ""]
    for name in names:
        got = [n for c in data["classes"].values() for n in c["through"][name]]
        lines.append(f"- {name}: " + (", ".join(got) or "nothing"))
    return lines + [""]


# ---- results where a peer is better than cordon


def losses(data):
    for command, row in data["hook"]["rows"].items():
        for name, value in row.items():
            if name not in YARDSTICKS and value[1] < row["cordon"][1]:
                yield f"hook, `{command}`: {name} answers faster"
    rows = data["parse"]["rows"]
    for name in ("dash -n", "bash -n", "shfmt", "tree-sitter-bash"):
        if rows.get(name, 1e9) < rows["cordon"]:
            yield f"parse: {name} needs {rows[name]:.2f} µs, cordon {rows['cordon']:.2f} µs"
    yield from decision_losses(data["decisions"])
    mine = data["soundness"]["rows"]["cordon"]
    for name, row in data["soundness"]["rows"].items():
        share, own = row["guessed"] / row["asked"], mine["guessed"] / mine["asked"]
        if share < own:
            yield (f"soundness: {name} stops {100 * share:.1f} % of the texts in which the program "
                   f"is absent, cordon {100 * own:.1f} %")
    rows = data["build"]["rows"]
    for name, value in rows.items():
        if name not in YARDSTICKS and value[0] < rows["cordon"][0]:
            yield f"build: {name} takes {ms(value[0])}, cordon {ms(rows['cordon'][0])}"
    for title, c in data["escapes"]["classes"].items():
        for name, got in c["through"].items():
            if len(got) < len(c["through"]["cordon"]):
                yield f"escapes, {title}: {name} refuses more"


def decision_losses(data):
    mine = data["rows"]["cordon"]
    for name, row in data["rows"].items():
        stops, own = (r["dangerous"].get("ask", 0) + r["dangerous"].get("deny", 0)
                      for r in (row, mine))
        if stops > own:
            yield (f"decisions: {name} stops {stops} dangerous commands; cordon stops {own} and "
                   f"confines {mine['dangerous'].get('confine', 0)}")
        most = row["harmless"].get("allow", 0)
        if most > mine["harmless"].get("allow", 0):
            yield (f"decisions: {name} lets {most} harmless commands run without a sandbox, cordon "
                   f"{mine['harmless'].get('allow', 0)}; cordon confines the others")


SECTIONS = [
    ("How long does the agent wait?", hook, "hook", """\
Each guard is started as an agent starts its hook, with the payload of one command on its standard
input. The time ends with its answer. Each command has {hook[rounds]} rounds, in turn. cordon's time
includes the decision and the record in the journal. `codex execpolicy check` only matches words
against one rule; it parses no shell text and records nothing. Gemini CLI has no hook program."""),
    ("How long does a text take to parse?", parse, "parse", """\
{parse[commands]} commands of `bench/typical.txt`, in a running process. The shells and shfmt read a
long file of them; the time for an empty file is subtracted. The time of shfmt includes its output,
which cannot be switched off."""),
    ("How does it answer dangerous and everyday commands?", decisions, "decisions", """\
The lists are in `tests/cases/published/`. We wrote them, so check them first. Every guard has its
default policy and the same project. *Stopped* is ask or deny; *confined* commands run at once, in
cordon's sandbox. A sandbox is enough for {decisions[held]} of the dangerous commands:
`tests/run.d/decide-published` runs them in it and checks that nothing outside changes. Codex is not in
the table, because it runs every command that no rule names in its sandbox."""),
    ("Does it find the programs that bash runs?", soundness, "soundness", """\
Real bash executed {soundness[texts]} generated texts (`tests/oracle`, seed {soundness[seed]}); in
{soundness[asked]} of them a marked program ran. The rule is always the same: *that program must not
run, all others may*. A guard that lets such a text pass has missed it. The last column counts texts
that are stopped although the rule names a program that they do not contain."""),
    ("What does a sandbox cost to start?", start, "start", """\
`true`, as an unprivileged user, with a writable workspace, no network, and the rest of the disk
readable. cordon's time includes the decision, the exec gate and the journal; *in a session* it joins
existing namespaces. bubblewrap has the same namespaces and mounts, but no seccomp, Landlock or
reports."""),
    ("What does a build cost in it?", build, "build", """\
{build[rounds]} rounds in turn, wall time. On a busy machine, differences of a few hundredths are noise."""),
    ("What do many hidden files cost?", hidden, "hidden", """\
One pattern hides every second file of the workspace; bubblewrap gets a mount for each."""),
    ("What gets out of the sandbox?", escapes, "escapes", """\
The attempts of `tests/inside`, as an unprivileged user. Each sandbox gets the same policy as far as
it can express it: bubblewrap gets read-only binds for git's existing hooks and configuration, a mask
for each hidden file, a clean environment and `--disable-userns`; codex a permission profile; srt its
settings. We wrote the attempts: a peer may refuse other things that no attempt tries, and allows some
attempts by design, such as a new `.envrc` in the workspace."""),
]

HEAD = """\
# Comparison

cordon and its peers do the same work on one machine. `bench/peers` measures every figure, keeps it in
[comparison.json](comparison.json), and writes this page. The last section lists the results where
cordon loses.

    make compare             # installs the available peers, measures everything, writes this page
    bench/peers hook parse   # measures some parts again

Absolute times depend on the machine and its load; compare ratios. Programs are started in turn, so
that all meet the same conditions. *Least* is the shortest time; a tenth of the times are below the
*tenth percentile*. On this machine an empty program starts in {empty}. The machine has
{machine[processors]} CPUs and a load of {machine[load]}. Measured on {date}.

## Peers
"""


def page(data):
    row = next(iter(data["hook"]["rows"].values()))
    empty = ms(row["an empty program"][0]) if "an empty program" in row else "not known"
    lines = [HEAD.format(date=max(data[name]["date"] for _, _, name, _ in SECTIONS), empty=empty,
                         machine=data["machine"])]
    lines += peers(data)
    for title, show, name, text in SECTIONS:
        lines += [f"## {title}", "", text.format(**data), ""] + show(data[name])
        if name in GOALS:
            lines += ["Goals:", ""] + [verdict(g) for g in GOALS[name](data[name])] + [""]
    lines += ["## Where cordon loses", ""]
    lines += [f"- {text}" for text in losses(data)] or ["Nothing in this measurement."]
    lines += ["", "Not measured: macOS and Windows, where codex and srt have a sandbox and cordon has "
              "none; use", "inside a container without user namespaces."]
    return "\n".join(lines) + "\n"
