#!/usr/bin/env python3
"""tools/gemini-cases.py FILE [PROGRAM ARG...]: run a file of cases through the gemini dialect.

FILE has one JSON object per line: "fn", "input", "expect", and "from", the origin of the answer; or
"request" and "answer", which must match exactly.  PROGRAM reads a batch on standard input; the default
is `build/cordon check --as gemini --json --batch`.  Prints each case that does not agree, and the
counts: agree, stricter (or denied alike with another list or reason), wider (names all the expected
commands, and more), kept (quoted in another way, but the shell reads the same argument), other
(neither stricter nor looser: wrappers and shells of another platform or revision), looser, and foreign
(a function that the original of the dialect does not have).  Exits with 1 if an answer is looser, or
differs from an exact one.
"""
import collections
import json
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DEFAULT = [str(ROOT / "build/cordon"), "check", "--as", "gemini", "--json", "--batch"]
# The member of a case with the value that a function returns.
VALUE = {"getCommandRoots": "roots", "getCommandRoot": "root", "splitCommands": "result",
         "stripShellWrapper": "result", "escapeShellArg": "result",
         "parseAllowedSubcommands": "result", "doesToolInvocationMatch": "match",
         "mergeExcludeTools": "set", "detectCommandSubstitution": "detected",
         "isShellInvocationAllowlisted": "allowlisted"}
# For these functions True is the stricter answer.
TRUE_IS_STRICT = {"detectCommandSubstitution": True, "isShellInvocationAllowlisted": False}


def request(case):
    return case["request"] if "request" in case else {"fn": case["fn"], "input": case["input"]}


def ask(program, cases):
    lines = "".join(json.dumps({"id": i, **request(c)}) + "\n" for i, c in enumerate(cases))
    done = subprocess.run(program, input=lines.encode(), capture_output=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if [a["id"] for a in answers] != list(range(len(cases))):
        sys.exit("the answers are not one for each case, in order")
    return answers


def rank(allowed, hard):
    return 2 if allowed else 0 if hard else 1


def judge_check(want, got):
    allowed = want.get("allAllowed", want.get("allowed"))
    have = got.get("allAllowed", got.get("allowed"))
    same = allowed == have
    for key, value in want.items():
        if key.endswith("Contains"):
            same = same and value in got.get(key[:-len("Contains")], "")
        elif key not in ("allAllowed", "allowed"):
            same = same and got.get(key) == value
    if same:
        return "agree"
    if have and not allowed:
        return "looser"
    hard = want.get("isHardDenial")
    if hard is not None and rank(have, got.get("isHardDenial")) > rank(allowed, hard):
        return "looser"
    return "stricter"


def judge_confirm(want, got):
    if "confirmations" in want:
        return "agree" if got == want else "other"
    refused = got.get("error")
    for key in ("throws", "throwsContaining"):
        if key in want:
            if refused is None:
                return "looser"
            return "agree" if want[key] in refused else "stricter"
    if refused is not None:
        return "stricter"
    return "agree" if got == want else "stricter" if got.get("confirm") else "looser"


def read_back(text, shell):
    """The argument that the shell sees."""
    if shell == "bash":
        words = shlex.split(text)
        return words[0] if len(words) == 1 else None
    quote = {"cmd": '"', "powershell": "'"}[shell]
    if len(text) < 2 or text[0] != quote or text[-1] != quote:
        return None
    return text[1:-1].replace(2 * quote, quote)


def judge_names(want, got):
    """True if each expected command is a prefix of one of ours, in order."""
    rest = iter(got)
    base = lambda word: word.rpartition("/")[2]
    return "wider" if all(any(g.startswith(w) or g == base(w) for g in rest) for w in want) else "other"


def judge(case, answer):
    if "request" in case:
        return "agree" if answer == {"id": answer["id"], **case["answer"]} else "wrong"
    name, want = case["fn"], case["expect"]
    if answer.get("error") == "there is no such function":
        return "foreign"
    if "error" in answer:
        return "stricter"
    got = answer["result"]
    if name in ("isCommandAllowed", "checkCommandPermissions"):
        return judge_check(want, got)
    if name == "ShellTool.shouldConfirmExecute":
        return judge_confirm(want, got)
    if name == "ShellTool.build":
        return "agree" if got == want or (want.get("error") is True and "error" in got) \
            else "looser" if "error" in want and "ok" in got else "stricter"
    if name == "getShellConfiguration":
        return "agree" if got == want else "other"
    if "contains" in want:
        return "agree" if all(v in got for v in want["contains"]) else judge_names(want["contains"], got)
    value = want["old"] if "old" in want else want[VALUE[name]]
    if got == value:
        return "agree"
    if name == "escapeShellArg":
        return "kept" if read_back(got, case["input"]["shell"]) == case["input"]["arg"] else "looser"
    if name in ("getCommandRoots", "splitCommands"):
        return judge_names(value, got)
    if name in TRUE_IS_STRICT:
        return "stricter" if got == TRUE_IS_STRICT[name] else "looser"
    return "other"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = [json.loads(line) for line in file if line.strip() and line[0] != "#"]
    answers = ask(sys.argv[2:] or DEFAULT, cases)
    counts = collections.defaultdict(collections.Counter)
    for case, answer in zip(cases, answers):
        verdict = judge(case, answer)
        counts[case.get("from", "-")][verdict] += 1
        if verdict not in ("agree", "foreign"):
            print(verdict, case.get("from", "-"), json.dumps(request(case)))
            print("    want", json.dumps(case.get("expect", case.get("answer"))))
            print("    got ", json.dumps(answer))
    kinds = ("agree", "stricter", "wider", "kept", "other", "looser", "wrong", "foreign")
    for whose, count in sorted(counts.items()):
        print(f"{whose}:", ", ".join(f"{count[k]} {k}" for k in kinds if count[k]))
    sys.exit(any(count["looser"] or count["wrong"] for count in counts.values()))


main()
