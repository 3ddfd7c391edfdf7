"""The Python binding against libcordon."""
import threading

import cordon


def report(name, good, why=""):
    print(f"ok python {name}" if good else f"not ok python {name} {why}", flush=True)


def fails(call):
    try:
        call()
    except cordon.Error as error:
        return str(error)
    return None


answer = cordon.analyse("cd build && make > log", cwd="/w", home="/h")
report("analyse", answer["ok"] and answer["files"][0]["path"] == "/w/build/log", answer)
report("bad text", not cordon.analyse("echo 'x")["ok"])
with cordon.Policy([("user", 'allow make\ndeny git push because "no"\n', "mine")]) as policy:
    place = {"cwd": "/w", "home": "/h", "flags": cordon.BY_NAME}
    found = {c: policy.check(c, **place).verdict for c in ("make", "git push", "ls", "git fetch")}
    report("verdicts", found == {"make": "allow", "git push": "deny", "ls": "allow",
                                 "git fetch": "ask"}, found)
    answer = policy.check("git push", **place)
    report("rule", answer["commands"][0]["rule"]["line"] == 2, answer)
    report("bytes", policy.check(b"cat '\xff'", **place).verdict in cordon.VERDICTS)
    report("mode", bool(fails(lambda: policy.check("ls", mode="sometimes"))))
    wrong = []

    def ask():
        for _ in range(200):
            if policy.check("git push origin", **place).verdict != "deny":
                wrong.append(1)
    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    report("threads", not wrong, len(wrong))
report("closed", bool(fails(lambda: policy.check("ls"))))
report("broken rules", "mine" in (fails(lambda: cordon.Policy([("user", "allwo x\n", "mine")])) or ""))
report("unknown layer", bool(fails(lambda: cordon.Policy([("king", "")]))))
report("version", cordon.version().count(".") == 2)
