"""Answers of each guard to dangerous commands and to everyday commands."""
import common

LISTS = common.ROOT / "tests/cases/published"
LEVELS = ("standard", "strict", "paranoid")


HELD = "# Held by the sandbox"


def commands(name):
    text = (LISTS / f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def held():
    """Commands below this heading may run in a sandbox instead; decide-published runs them there."""
    text = (LISTS / "dangerous.txt").read_text(encoding="utf-8").partition("\n" + HELD)[2]
    return [line for line in text.splitlines()[1:] if line and not line.startswith("#")]


def decisions():
    rows = {}
    texts = {name: commands(name) for name in ("dangerous", "harmless")}
    with common.scratch() as top:
        cwd, env = common.project(top)
        for name, lines in texts.items():
            for peer, said in ask_all(lines, cwd, env).items():
                count = {}
                for word in said:
                    count[word] = count.get(word, 0) + 1
                rows.setdefault(peer, {})[name] = count
                common.say(f"  {name}, {peer}: {count}")
                if peer == "cordon":
                    rows[peer][name + " wrong"] = wrong(name, lines, said)
    return {"commands": {n: len(v) for n, v in texts.items()}, "held": len(held()), "rows": rows}


def wrong(name, lines, said):
    good, may = ("ask", "deny") if name == "dangerous" else ("allow", "confine"), held()
    return [f"{word}: {text}" for text, word in zip(lines, said)
            if word not in good and not (word == "confine" and text in may)]


def ask_all(lines, cwd, env):
    said = {"cordon": [a.get("verdict", "deny") for a in common.cordon_batch(
        "check", [{"command": c} for c in lines], [], env, cwd)]}
    if (common.MODULES / "@google/gemini-cli-core").exists():
        answers = common.node([{"peer": "gemini", "command": c} for c in lines], env, cwd)
        said["gemini-cli"] = [{"ask_user": "ask"}.get(a.get("answer"), a.get("answer", "error"))
                              for a in answers]
    if (common.MODULES / "cc-safety-net").exists():
        for level in LEVELS:
            answers = common.node([{"peer": "ccsn", "command": c, "cwd": str(cwd),
                                    "level": level} for c in lines], env, cwd)
            said[f"cc-safety-net, {level}"] = [a.get("answer", "error") for a in answers]
    return said
