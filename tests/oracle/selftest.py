#!/usr/bin/env python3
"""selftest.py: does the oracle see what it must see?  Exit 0 = yes."""
import sys

import oracle

T = [  # (source, commands that must be seen, writes, cds)
    ("cmdA x && cmdB", ["cmdA x", "cmdB"], [], []),
    ("cmdA 'a b' \"c\" $'\\t'", ["cmdA|a b|c|\t"], [], []),
    ("/bin/rm -rf /; /nonexistent/zz q", ["/bin/rm -rf /"], [], []),
    ("nosuchcommand a b", ["nosuchcommand a b"], [], []),
    (
        "env -i A=1 cmdA; nohup cmdB; timeout 5 cmdC",
        ["env -i A=1 cmdA", "cmdA", "cmdB", "cmdC"],
        [],
        [],
    ),
    ("echo a b | xargs -n1 cmdA", ["cmdA a", "cmdA b"], [], []),
    ("find . -maxdepth 0 -exec cmdA {} \\;", ["cmdA ."], [], []),
    ("cmdA & cmdB | cmdC; wait", ["cmdA", "cmdB", "cmdC"], [], []),
    ("cat <(cmdA) > >(cmdB)", ["cmdA", "cmdB"], [], []),
    ("trap cmdA EXIT", ["cmdA"], [], []),
    ("bash -c 'sh -c cmdA'", ["cmdA"], [], []),
    ("(setsid cmdA &) ; coproc cmdB", ["cmdA", "cmdB"], [], []),
    ("exec -a foo cmdA", ["foo"], [], []),
    (
        "cd d1 && cmdA >o1; cd ~; >>o2; exec 3<>o3; cmdB &>o4",
        ["cmdA", "cmdB"],
        ["/w/c/d1/o1", "/home/u/o2", "/home/u/o3", "/home/u/o4"],
        ["/w/c/d1", "/home/u"],
    ),
    ("PATH=/nope; cmdA x", ["cmdA x"], [], []),
    ("false && cmdA", [], [], []),
    ("cmdA || cmdB", ["cmdA", "cmdB"], [], []),  # needs mode 1
    ("while :; do :; done", [], [], []),  # must time out, not hang
    ("kill -9 -1", [], [], []),  # must be marked crashed, not hang
    ("busybox rm -rf /; cmdA", ["cmdA"], [], []),
]
why = oracle.lacks()
if why:
    sys.exit("selftest: " + why)
rs = oracle.run_cases(
    [{"id": str(i), "src": t[0]} for i, t in enumerate(T)], ["0", "1"], timeout_ms=1500
)
bad = 0
for (src, cmds, wr, cd), r in zip(T, rs):
    seen = {" ".join(e["argv"]) for e in r["execs"]} | {
        "|".join(e["argv"]) for e in r["execs"]
    }
    miss = (
        [c for c in cmds if c not in seen]
        + [w for w in wr if w not in [x["path"] for x in r["writes"]]]
        + [d for d in cd if d not in [x["dir"] for x in r["cd"]]]
    )
    if src.startswith("while") and not r["timeout"]:
        miss.append("timeout")
    if src.startswith("kill") and not r["crashed"]:
        miss.append("crashed")
    if src == "false && cmdA" and seen:
        miss.append("ran something")
    if miss:
        bad += 1
        print("FAIL", repr(src), "missing", miss, "seen", sorted(seen))
print("%d of %d ok" % (len(T) - bad, len(T)))
sys.exit(bool(bad))
