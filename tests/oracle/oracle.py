#!/usr/bin/env python3
"""oracle.py: what a bash command string really does, seen in a sandbox.  See README.md.

  oracle.py -c 'cmdA && cmdB > f'            one command, JSON on stdout
  oracle.py --batch cases.jsonl -o out.jsonl many ({"id":..,"src":..} a line)
"""
import argparse
import fcntl
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.abspath(os.environ.get("CORDON_BUILD") or os.path.join(TOP, "build"))
ROOT = os.path.join(BUILD, "oracle")
INTERPS = {
    "bash": "/usr/bin/bash",
    "sh": "/usr/bin/sh",
    "dash": "/usr/bin/dash",
    "zsh": "/usr/bin/zsh",
    "busybox": "/usr/bin/ash",
}
DEFAULT_MODES = ["0", "1", "h"]


def build():
    """Make the sandbox's tree if it is missing or older than what it is made from.  Others may
    ask for it at the same time, and must not have it taken from under them."""
    parts = [os.path.join(HERE, f) for f in ("build.py", "runner.c", "stub.c")]
    done = os.path.join(ROOT, "built")
    os.makedirs(BUILD, exist_ok=True)
    with open(os.path.join(BUILD, "oracle.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.exists(done) and all(
            os.path.getmtime(p) <= os.path.getmtime(done) for p in parts
        ):
            return
        r = subprocess.run([sys.executable, parts[0], ROOT], stderr=subprocess.PIPE)
    if r.returncode:
        raise OSError(
            "tests/oracle/build.py: " + r.stderr.decode("utf-8", "replace").strip()
        )


def lacks():
    """Why the oracle cannot run here, or None."""
    for name in ["bwrap", "strace", "gcc", "bash"] + ["setpriv"] * (os.geteuid() == 0):
        if shutil.which(name) is None:
            return name + " is missing"
    try:
        build()
        r = run_cases([{"id": "0", "src": "cmdA"}], ["0"], jobs=1)[0]
    except OSError as e:
        return str(e)
    if r["crashed"] or not r["execs"]:
        return "the sandbox does not start here (user namespaces off?)"
    return None


def nobody_can_reach(path):
    """Others may search every directory down to `path`."""
    while path != "/":
        if not os.stat(path).st_mode & 0o001:
            return False
        path = os.path.dirname(path)
    return True


def sandbox_argv(interp="bash", timeout_ms=3000, flag="-c"):
    pre, root = [], ROOT
    if os.geteuid() == 0:
        # Drop root first: bwrap then uses an unprivileged user namespace.
        drop = "setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all"
        pre = (drop + " --bounding-set=-all --no-new-privs").split()
        if not nobody_can_reach(ROOT):
            root = "/mnt"
            mount = 'mount --bind "$1" /mnt && shift && cd / && exec "$@"'
            pre = ["unshare", "--mount", "sh", "-c", mount, "sh", ROOT] + pre
    b = """bwrap --unshare-all --die-with-parent --new-session --clearenv
        --uid 1000 --gid 1000 --hostname oracle
        --ro-bind @/bin /usr/bin --ro-bind @/lib /usr/lib/x86_64-linux-gnu
        --symlink usr/bin /bin --symlink usr/bin /sbin --symlink bin /usr/sbin
        --symlink usr/lib /lib --symlink usr/lib/x86_64-linux-gnu /lib64
        --ro-bind @/o /.o --ro-bind @/etc /etc
        --size 67108864 --tmpfs /w --size 16777216 --tmpfs /home --dir /home/u
        --size 67108864 --tmpfs /tmp --size 67108864 --tmpfs /run
        --proc /proc --dev /dev --remount-ro / --chdir /w -- /.o/runner"""
    b = [w.replace("@", root) for w in b.split()]
    b += ["-t", str(timeout_ms), "-i", INTERPS.get(interp, interp), "-f", flag]
    return pre + b


HEX = r'"((?:\\x[0-9a-f]{2})*)"(?:\.\.\.)?'
RE_LINE = re.compile(rb"^(\d+)\s+(.*)$")
RE_EXEC = re.compile(r"^execve\(" + HEX + r", \[(.*?)\](?:,|\s|$)")
RE_EXECAT = re.compile(r"^execveat\((\S+?), " + HEX + r", \[(.*?)\](?:,|\s|$)")
RE_STR = re.compile(HEX)
RE_OPEN = re.compile(
    r"^openat2?\((AT_FDCWD|-?\d+)(?:<((?:\\x[0-9a-f]{2})*)>)?, "
    + HEX
    + r", ([^)]*)\)\s+= (-?\d+)(?:<((?:\\x[0-9a-f]{2})*)>)?"
)
RE_CHDIR = re.compile(r"^chdir\(" + HEX + r"\)\s+= (-?\d+)")
RE_FCHDIR = re.compile(r"^fchdir\(\d+(?:<((?:\\x[0-9a-f]{2})*)>)?\)\s+= (-?\d+)")
RE_RES = re.compile(r"^<\.\.\. \w+ resumed>(.*)$")


def unhex(s):
    return bytes(int(x, 16) for x in s.split("\\x")[1:]).decode("utf-8", "surrogateescape")


def parse_trace(raw):
    """strace text -> (execs, cds, writes, reads), without the shell's own execve."""
    pend, lines = {}, []
    for ln in raw.split(b"\n"):
        m = RE_LINE.match(ln)
        if not m:
            continue
        pid, t = int(m.group(1)), m.group(2).decode("latin-1")
        if t.endswith("<unfinished ...>"):
            pend[pid] = t[: -len("<unfinished ...>")].rstrip()
            # order of execution is the order of entry: keep a place for it
            lines.append([pid, None])
            pend[(pid, "slot")] = len(lines) - 1
            continue
        r = RE_RES.match(t)
        if r:
            head = pend.pop(pid, None)
            slot = pend.pop((pid, "slot"), None)
            if head is not None:
                lines[slot][1] = head + r.group(1)
            continue
        lines.append([pid, t])
    for k, v in list(pend.items()):  # never resumed (killed): attempt still counts
        if isinstance(k, int):
            lines[pend[(k, "slot")]][1] = v + ") = ?"
    execs, cds, writes, reads, prog, lastexec = [], [], [], [], {}, {}
    first = True
    for pid, t in lines:
        if not t:
            continue
        if t.startswith("execve"):
            if t.startswith("execveat"):
                m = RE_EXECAT.match(t)
                if not m:
                    continue
                path, arr = unhex(m.group(2)), m.group(3)
            else:
                m = RE_EXEC.match(t)
                if not m:
                    continue
                path, arr = unhex(m.group(1)), m.group(2)
            argv = [unhex(x) for x in RE_STR.findall(arr)]
            ok = bool(re.search(r"\)\s+= (0|\?)", t[m.end() - 1 :]))
            err = re.search(r"= -1 (E\w+)", t)
            if first:
                first = False
                prog[pid] = "shell"
                continue
            e = {"argv": argv, "path": path, "ok": ok, "cwd": None}
            if err:
                e["errno"] = err.group(1)
            if path == "/.o/nf":
                e["argv"], e["path"], e["ok"], e["errno"] = (
                    argv[1:],
                    None,
                    False,
                    "NOTFOUND",
                )
            execs.append(e)
            if ok:
                lastexec[pid] = e
                b = os.path.basename(path)
                prog[pid] = "shell" if b in ("bash", "sh", "dash", "zsh", "ash") else b
            continue
        m = RE_OPEN.match(t)
        if m:
            cwd = unhex(m.group(2)) if m.group(1) == "AT_FDCWD" and m.group(2) else None
            le = lastexec.get(pid)
            if le is not None and le["cwd"] is None and cwd:
                le["cwd"] = cwd
            p, fl, rv, rp = unhex(m.group(3)), m.group(4), int(m.group(5)), m.group(6)
            full = unhex(rp) if rp else (os.path.normpath(os.path.join(cwd or "/", p)))
            if p == "/.o/cwd" or p == "/run/mode" or p == "/dev/tty":
                continue
            wr = "O_WRONLY" in fl or "O_RDWR" in fl
            if re.match(r"^/tmp/(sh-thd|sh-np|zsh)", full):
                continue
            rec = {
                "arg": p,
                "path": full,
                "flags": fl.split(",")[0],
                "ok": rv >= 0,
                "by": prog.get(pid, "shell"),
            }
            if wr:
                writes.append(rec)
            elif (
                rec["by"] == "shell"
                and not re.match(r"^/(etc|usr/lib|lib|proc|dev)/", full)
                and "O_DIRECTORY" not in fl
                and "O_CLOEXEC" not in fl
            ):
                reads.append(rec)
            continue
        m = RE_CHDIR.match(t)
        if m:
            cds.append(
                {
                    "dir": unhex(m.group(1)),
                    "ok": m.group(2) == "0",
                    "by": prog.get(pid, "shell"),
                }
            )
            continue
        m = RE_FCHDIR.match(t)
        if m and m.group(1):
            # No shell uses it; the pid may be a fork of find that has not yet run anything.
            cds.append({"dir": unhex(m.group(1)), "ok": m.group(2) == "0", "by": "find"})
    return execs, cds, writes, reads


ANSI = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "e": "\x1b",
    "E": "\x1b",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}


def xt_words(s):
    """split one xtrace record into words (bash prints it re-usably quoted)."""
    out, cur, i, have = [], [], 0, False
    while i < len(s):
        c = s[i]
        if c == " ":
            if have:
                out.append("".join(cur))
            cur, have, i = [], False, i + 1
        elif c == "'":
            j = s.find("'", i + 1)
            if j < 0:
                j = len(s)
            cur.append(s[i + 1 : j])
            have = True
            i = j + 1
        elif c == "$" and s[i + 1 : i + 2] == "'":
            i += 2
            have = True
            while i < len(s) and s[i] != "'":
                if s[i] == "\\" and i + 1 < len(s):
                    n = s[i + 1]
                    m = re.match(r"[0-7]{1,3}", s[i + 1 :])
                    if m:
                        cur.append(chr(int(m.group(0), 8)))
                        i += 1 + len(m.group(0))
                    else:
                        cur.append(ANSI.get(n, n))
                        i += 2
                else:
                    cur.append(s[i])
                    i += 1
            i += 1
        elif c == "\\" and i + 1 < len(s):
            cur.append(s[i + 1])
            have = True
            i += 2
        else:
            cur.append(c)
            have = True
            i += 1
    if have:
        out.append("".join(cur))
    return out


def parse_xtrace(raw):
    recs = re.split(r"(?m)^\x01+", raw.decode("utf-8", "surrogateescape"))
    return [w for w in (xt_words(r[:-1] if r.endswith("\n") else r) for r in recs[1:]) if w]


RE_SYN = re.compile(
    r"syntax error(?! in expression|: operand|: invalid)|unexpected EOF while looking"
    r"|unexpected end of file|bad substitution"
)


def run_frames(frames, interp, timeout_ms, flag="-c"):
    """(id, mode, bytes), many -> (id, mode, rc, flags, ms, trace, out, xtrace), each."""
    todo, fails = list(frames), {}
    while todo:
        with tempfile.TemporaryFile() as tf:
            for fid, mode, src in todo:
                tf.write(b"C %s %s %d\n" % (fid.encode(), mode.encode(), len(src)) + src)
            tf.flush()
            tf.seek(0)
            p = subprocess.Popen(
                sandbox_argv(interp, timeout_ms, flag),
                stdin=tf,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            errbuf = []
            th = threading.Thread(
                target=lambda: errbuf.append(p.stderr.read(65536)), daemon=True
            )
            th.start()
            done = 0
            while True:
                h = p.stdout.readline()
                if not h:
                    break
                _, fid, mode, rc, fl, ms, tl, ol, xl = h.split()
                t = p.stdout.read(int(tl))
                o = p.stdout.read(int(ol))
                x = p.stdout.read(int(xl))
                done += 1
                yield fid.decode(), mode.decode(), int(rc), int(fl), int(ms), t, o, x
            p.wait()
            th.join(1)
        if done >= len(todo):
            return
        bad = todo[done]
        fails[bad[:2]] = fails.get(bad[:2], 0) + 1
        todo = todo[done:]
        if done == 0 and fails[bad[:2]] > 1:
            sys.stderr.write(
                "oracle: sandbox died on %s %s: %s\n"
                % (bad[0], bad[1], (errbuf or [b""])[0][:300])
            )
            yield bad[0], bad[1], -1, 16, 0, b"", b"", b""
            todo = todo[1:]


def merge(case, runs):
    """runs: list of (mode, rc, flags, ms, trace, out, xt) -> result dict"""
    r = {
        "id": case["id"],
        "src": case["src"],
        "execs": [],
        "cd": [],
        "writes": [],
        "reads": [],
        "rc": {},
        "timeout": False,
        "truncated": False,
        "crashed": False,
        "syntax_error": False,
    }
    seen = {"execs": {}, "cd": {}, "writes": {}, "reads": {}}
    for mode, rc, fl, ms, t, o, x in runs:
        r["rc"][mode] = rc
        if rc == 137 and not fl & 1:
            r["tracer_killed"] = True  # the case killed strace or itself
        r["timeout"] |= bool(fl & 1)
        r["truncated"] |= bool(fl & 2)
        r["crashed"] |= bool(fl & 16)
        otext = o.decode("utf-8", "replace")
        if RE_SYN.search(otext):
            r["syntax_error"] = True
            r.setdefault("messages", otext[-400:])
        if "here-document at line" in otext:
            r["heredoc_eof"] = True
        ex, cd, wr, rd = parse_trace(t)
        for kind, items in (("execs", ex), ("cd", cd), ("writes", wr), ("reads", rd)):
            for it in items:
                k = json.dumps(it, sort_keys=True)
                if k in seen[kind]:
                    if mode not in seen[kind][k]["modes"]:
                        seen[kind][k]["modes"].append(mode)
                else:
                    it["modes"] = [mode]
                    seen[kind][k] = it
                    r[kind].append(it)
        if "x" in mode:
            xs = r.setdefault("simple", [])
            for w in parse_xtrace(x):
                if w not in xs:
                    xs.append(w)
    return r


def run_cases(
    cases,
    modes=DEFAULT_MODES,
    interp="bash",
    jobs=2,
    timeout_ms=3000,
    chunk=150,
    progress=False,
    flag="-c",
):
    """cases: list of {"id","src"}.  Returns results in order."""
    res = [None] * len(cases)
    q = queue.Queue()
    for i in range(0, len(cases), chunk):
        q.put((i, min(len(cases), i + chunk)))
    lock, cnt = threading.Lock(), [0]

    def work():
        while True:
            try:
                a, b = q.get_nowait()
            except queue.Empty:
                return
            frames = [
                ("%d" % i, m, cases[i]["src"].encode("utf-8", "surrogateescape"))
                for i in range(a, b)
                for m in modes
            ]
            acc = {}
            for fid, mode, rc, fl, ms, t, o, x in run_frames(
                frames, interp, timeout_ms, flag
            ):
                acc.setdefault(int(fid), []).append((mode, rc, fl, ms, t, o, x))
                if len(acc[int(fid)]) == len(modes):
                    res[int(fid)] = merge(cases[int(fid)], acc.pop(int(fid)))
            with lock:
                cnt[0] += b - a
                if progress:
                    sys.stderr.write("\r%d/%d" % (cnt[0], len(cases)))
                    sys.stderr.flush()

    ths = [threading.Thread(target=work) for _ in range(jobs)]
    [t.start() for t in ths]
    [t.join() for t in ths]
    if progress:
        sys.stderr.write("\n")
    return res


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("-c", dest="cmd")
    ap.add_argument("--batch")
    ap.add_argument("-o", dest="out")
    ap.add_argument("--modes", default=",".join(DEFAULT_MODES))
    ap.add_argument("--interp", default="bash")
    ap.add_argument("--flag", default="-c")
    ap.add_argument("-j", type=int, default=os.cpu_count() or 1)
    ap.add_argument("--timeout-ms", type=int, default=3000)
    ap.add_argument(
        "--keep",
        action="store_true",
        help="copy the extra fields of each case into the result",
    )
    a = ap.parse_args()
    try:
        build()
    except OSError as e:
        sys.exit("oracle: %s" % e)
    modes = a.modes.split(",")
    if a.cmd is not None:
        r = run_cases(
            [{"id": "0", "src": a.cmd}], modes, a.interp, 1, a.timeout_ms, flag=a.flag
        )[0]
        json.dump(r, sys.stdout, indent=1, ensure_ascii=True)
        print()
        return
    with open(a.batch, encoding="utf-8", errors="surrogateescape") as f:
        cases = [json.loads(l) for l in f if l.strip()]
    for n, c in enumerate(cases):
        c.setdefault("id", str(n))
    t0 = time.time()
    rs = run_cases(cases, modes, a.interp, a.j, a.timeout_ms, progress=True, flag=a.flag)
    out = open(a.out, "w") if a.out else sys.stdout
    for c, r in zip(cases, rs):
        if a.keep:
            for k, v in c.items():
                r.setdefault(k, v)
        out.write(json.dumps(r) + "\n")
    dt = time.time() - t0
    n = len(cases) * len(modes)
    sys.stderr.write(
        "%d cases x %d modes = %d runs in %.1f s (%.1f ms a run, %d workers); "
        "timeouts %d, crashed %d, syntax errors %d\n"
        % (
            len(cases),
            len(modes),
            n,
            dt,
            dt * 1000 * a.j / max(n, 1),
            a.j,
            sum(r["timeout"] for r in rs),
            sum(r["crashed"] for r in rs),
            sum(r["syntax_error"] for r in rs),
        )
    )


if __name__ == "__main__":
    main()
