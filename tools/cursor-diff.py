#!/usr/bin/env python3
"""tools/cursor-diff.py COMMAND...: compare the cursor dialect with the original's own steps.

COMMAND answers lines as `cordon check --as cursor --batch` does.  This program combines known
commands to random lines, and sends them to COMMAND and to the original flow, which is written below
step by step.  If the original asks, COMMAND must ask.  If only COMMAND asks, the reason must be one
of doc/CURSOR.md.
"""
import collections
import json
import random
import re
import subprocess
import sys

ROUNDS = 20000
WORKSPACE = "/nonexistent/ws"
PLAIN = ["ls -la", "ls", "git status", "git push origin main", "git commit -m x", "npm test",
         "rm x", "rm -rf build", "rmdir foo", "sudo ls", "sudo rm x", "echo hi", "cat a b",
         "wc -l a", "grep -r x .", "mkdir -p a/b", "touch a", "mv a b", "find . -name x", "cd sub",
         "python3 -V", "make all", "true"]
# The original reads these as one command; cordon reads several, or unknown ones.
HIDING = ["env ls", "bash -c 'rm x'", "sh x.sh", "/bin/rm x", "'rm' x", "X=1 ls", "eval \"$x\"",
          "$cmd y", "timeout 5 npm test", "xargs rm", "source a.sh", "find . -delete",
          "echo x > /etc/x", "echo x > .env", "doas ls", "git $x"]
ENTRIES = ["ls", "git", "git status", "git push", "npm", "rm", "rm -rf build", "rmdir", "sudo",
           "echo", "cat", "wc", "grep", "mkdir", "touch", "mv", "find", "cd", "env", "bash", "sh",
           "make", "python3", "true", "timeout", "xargs", "source", "eval", "X=1 ls", "doas"]
POLICIES = [None, {"type": "INSECURE_NONE"}, {"type": "UNSPECIFIED"},
            {"type": "WORKSPACE_READWRITE"},
            {"type": "WORKSPACE_READWRITE", "networkAccess": True},
            {"type": "WORKSPACE_READONLY"},
            {"type": "WORKSPACE_READWRITE", "blockGitWrites": True}]
SPACES = "\t\n\v\f\r \u00a0\ufeff"


def matches(text, pattern):
    """$Jt"""
    return re.match(re.escape(pattern) + r"(\s|\Z)", text.strip(SPACES)) is not None


def level(policy):
    """gDs, with read-only handled."""
    if not policy or policy["type"] in ("INSECURE_NONE", "UNSPECIFIED"):
        return 30
    network = policy.get("networkAccess", False)
    if policy["type"] == "WORKSPACE_READONLY":
        return 5 if network else 0
    return 20 if network else 10


def original(texts, readable, q):
    """xOh: (needs approval, step).  Step 12, which the original leaves out, accepts all it can."""
    s = q["approvalSettings"]
    blocked, allowed = s["blockedCommands"], s["allowedCommands"]
    everything = q["mode"] == "run_everything"
    if s["isDisabledByAdmin"]:
        return True, 2
    if q["mode"] == "ask_every_time":
        return True, 0
    if not readable:
        return not (everything and not blocked), 3
    if any(matches(t, b) for t in texts for b in blocked):
        return True, 4
    if not texts:
        return not (everything and not blocked), 5
    if everything and (not s["isAdminControlled"] or s["enableRunEverything"]):
        return False, 6
    if s["deleteFileProtection"] and not any(matches(a, "rm") for a in allowed) and \
            any(matches(t, "rm") for t in texts):
        return True, 7
    if any(matches(t, "sudo") for t in texts):
        return True, 8
    if not q["sandboxEnabled"] and not allowed:
        return True, 9
    if all(any(matches(t, a) for a in allowed + q["safeCommands"]) for t in texts):
        return False, 11
    if q["sandboxEnabled"]:
        user, requested = q.get("userPolicy"), q.get("requestedPolicy")
        asked = level(requested) if requested else level(user)
        if min(level(user), asked) < 30 and asked <= level(user):
            return False, 12
    return True, 13


def question(rng):
    some = lambda v, n: rng.sample(v, rng.randrange(n))
    texts = [rng.choice(PLAIN if rng.random() < 0.8 else HIDING)
             for _ in range(rng.choice([0, 1, 1, 1, 2, 3]))]
    readable = rng.random() > 0.05
    command = "".join(t + rng.choice([" && ", "; ", " | ", "\n", " || "]) for t in texts[:-1])
    command += texts[-1] if texts else rng.choice(["", "# nothing", "A=1"])
    q = {"command": command if readable else command + " && if",
         "mode": rng.choice(["ask_every_time", "use_allowlist", "use_allowlist", "run_everything"]),
         "sandboxEnabled": rng.random() < 0.5, "safeCommands": some(ENTRIES, 4),
         "compositeCommands": ["git", "npm"], "cwd": WORKSPACE, "roots": [WORKSPACE],
         "approvalSettings": {
             "isDisabledByAdmin": rng.random() < 0.05, "isAdminControlled": rng.random() < 0.2,
             "enableRunEverything": rng.random() < 0.5, "deleteFileProtection": rng.random() < 0.5,
             "allowedCommands": some(ENTRIES, 8), "blockedCommands": some(ENTRIES, 3)}}
    for key in ("userPolicy", "requestedPolicy"):
        policy = rng.choice(POLICIES)
        if policy:
            q[key] = policy
    return texts, readable, q


def reason(texts, q, step):
    """The reason why cordon may ask and the original does not; None if there is none."""
    s = q["approvalSettings"]
    if any(t in HIDING for t in texts):
        return "quotes, wrappers, assignments, the unknown, files"
    wrapped = [t[5:] for t in texts if t.startswith("sudo ")]
    if any(matches(t, b) for t in wrapped for b in s["blockedCommands"]):
        return "what a wrapper runs is judged, too"
    if step in (3, 5) and s["isAdminControlled"]:
        return "steps 3 and 5 have step 6's condition"
    if s["deleteFileProtection"] and any(matches(t, "rm") for t in texts):
        return "an entry lifts only what it covers"
    policies = [q.get("userPolicy") or {}, q.get("requestedPolicy") or {}]
    if step == 12 and any(p.get("blockGitWrites") for p in policies) and \
            any(t.startswith("git") and t != "git status" for t in texts):
        return "the command would write to the repository"
    return None


def main(command):
    rng = random.Random(3)
    asked = [question(rng) for _ in range(ROUNDS)]
    lines = "".join(json.dumps(dict(q, id=i)) + "\n" for i, (_, _, q) in enumerate(asked))
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    answers = done.stdout.splitlines()
    counts, bad = collections.Counter(), 0
    if len(answers) != ROUNDS:
        print(f"not ok {len(answers)} answers to {ROUNDS} lines")
        return 1
    for (texts, readable, q), line in zip(asked, answers):
        got = json.loads(line)
        want, step = original(texts, readable, q)
        needs = got.get("needApproval")
        why = reason(texts, q, step) if needs and not want else "same"
        if needs is None or (want and not needs) or why is None:
            bad += 1
            print(f"differs: original {want} at step {step}, got {line}\n  {json.dumps(q)}")
        elif step == 3 and not needs and got["effectivePolicy"]["type"] not in (
                "WORKSPACE_READWRITE", "WORKSPACE_READONLY"):
            bad += 1
            print(f"bare run of what cannot be read: {json.dumps(q)}")
        counts[(step, why)] += 1
    for (step, why), n in sorted(counts.items(), key=str):
        print(f"# step {step:2}: {n:6} {why}")
    print(f"not ok cursor-diff {bad} of {ROUNDS}" if bad else f"ok cursor-diff {ROUNDS} lines")
    return 1 if bad else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
