"""Nothing that a command does holds up its supervisor: deadlines and SIGTERM are met, nothing is left."""
import os
import pathlib
import signal
import subprocess
import time

import drive

FIFO = """
import os, threading, time
os.makedirs('scratch', exist_ok=True)
os.path.exists('scratch/fifo') or os.mkfifo('scratch/fifo')
for flags in (os.O_WRONLY, os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_TRUNC) * 4:
    threading.Thread(target=lambda f=flags: os.open('scratch/fifo', f), daemon=True).start() if flags == os.O_WRONLY else None
time.sleep(0.2)
open('scratch/goes-on', 'w').write('x')
os.rename('scratch/goes-on', 'scratch/went-on')
print('WENT ON', flush=True)
time.sleep(900)
"""
LEASES = """
import fcntl, os, signal, sys, threading, time
signal.signal(signal.SIGIO, signal.SIG_IGN)
kept = []
for name in sys.argv[1:]:
    for kind in (fcntl.F_WRLCK, fcntl.F_RDLCK):
        try:
            kept.append(os.open(name, os.O_RDONLY | os.O_NONBLOCK))
            fcntl.fcntl(kept[-1], fcntl.F_SETLEASE, kind)
            print('LEASE', name, kind, flush=True)
            break
        except OSError:
            pass
f = os.open('scratch-lease', os.O_CREAT | os.O_RDWR)
os.close(f)
f = os.open('scratch-lease', os.O_RDONLY)
try:
    fcntl.fcntl(f, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    print('LEASE own', flush=True)
except OSError:
    pass
threading.Thread(target=lambda: os.open('scratch-lease', os.O_WRONLY), daemon=True).start()
time.sleep(0.3)
open('scratch-other', 'w').write('x')
os.unlink('scratch-other')
print('WENT ON', flush=True)
time.sleep(900)
"""
DIES = """
import os, signal, threading, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
while True:
    child = os.fork()
    if child == 0:
        for n in range(6):
            threading.Thread(target=lambda: [open('scratch-x', 'w').close() for _ in range(1000)], daemon=True).start()
        time.sleep(0.003)
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
"""
VFORKS = """
import os, signal, subprocess, threading, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
def again():
    while True:
        try:
            subprocess.run(['/bin/true'])
        except OSError:
            pass
for n in range(6):
    threading.Thread(target=again, daemon=True).start()
time.sleep(900)
"""
STOPPED_CALL = """
import os, signal, threading, time
def writer():
    while True:
        open('scratch-y', 'w').close()
for n in range(3):
    if os.fork() == 0:
        writer()
time.sleep(0.1)
os.kill(-1, signal.SIGSTOP)
time.sleep(900)
"""
IGNORES = """
import os, signal, time
for n in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(n, signal.SIG_IGN)
for n in range(3):
    if os.fork() == 0:
        os.setsid()
        time.sleep(900)
time.sleep(900)
"""


def cases(mode):
    tool, out = mode.tool("try_promise"), mode.w.out
    held = [str(out / "lease"), str(mode.w.home / "lease"), str(mode.w.ws / "a.txt"), "/etc/hosts", "/etc/passwd",
            str(mode.w.home / ".config/cordon/rules"), *map(str, (mode.w.home / ".local/state/cordon").glob("*"))]
    return {
        "six-threads-exec": [tool, "execs", "1000000"],
        "stops-everybody": [tool, "stop"],
        "stops-in-calls": mode.script("stopped", STOPPED_CALL),
        "fifos": mode.script("fifo", FIFO),
        "leases": [*mode.script("leases", LEASES), *held],
        "dies-in-calls": mode.script("dies", DIES),
        "threads-that-start": mode.script("vforks", VFORKS),
        "ignores-everything": mode.script("ignores", IGNORES),
    }


def left(mark):
    """Processes that have this word in their environment or command line."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and int(folder.name) != os.getpid() and (
                    mark in (folder / "environ").read_bytes() or mark in (folder / "cmdline").read_bytes()):
                found.append((int(folder.name), (folder / "stat").read_text().split(")")[-1].split()[0]))
        except OSError:
            pass
    return [f for f in found if f[1] not in "ZX"]


def ended(p, seconds):
    try:
        p.wait(timeout=seconds)
        return True
    except subprocess.TimeoutExpired:
        return False


def one(mode, name, argv, how, slack):
    """Runs it until its deadline, or until SIGTERM comes; None, or what went wrong."""
    mark = f"PROMISEMARK={os.getpid()}x{time.monotonic_ns()}"
    out = mode.w.top / "stall.out"
    started = time.monotonic()
    options = ["--timeout", "2"] if how == "deadline" else []
    with out.open("wb") as stream:
        p = subprocess.Popen(mode.argv("--", *argv, options=options), cwd=mode.w.ws, env=mode.w.env(PROMISEMARK=mark.split("=")[1]), stdin=subprocess.DEVNULL,
                             stdout=stream, stderr=stream)
    if how == "term":
        time.sleep(0.5)
        started = time.monotonic()
        p.send_signal(signal.SIGTERM)
        limit = 7 + slack  # a command that ignores the signal has some time before it is killed
    else:
        limit = 3 + slack
    why = None
    if not ended(p, limit):
        took = "not at all"
        if ended(p, 10):
            took = f"after {time.monotonic() - started:.1f} s"
        why = f"ended {took}, the limit was {limit:.1f} s"
        for pid, _ in left(mark.encode()):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        if p.poll() is None:
            p.kill()
            p.wait()
    elif how == "deadline" and p.returncode != 124:
        why = f"status {p.returncode} {out.read_bytes()[-200:]!r}"
    elif name in ("fifos", "leases") and how == "deadline" and b"WENT ON" not in out.read_bytes():
        why = f"other calls did not go on: {out.read_bytes()[-300:]!r}"
    if not why and not drive.wait_for(lambda: not left(mark.encode()), 5):
        why = f"left: {left(mark.encode())}"
    return why


def host_blocked(mode):
    """A lease that the command holds must not hold up a writer of the host's."""
    slow = [*mode.script("leases", LEASES), str(mode.w.out / "lease"), str(mode.w.ws / "a.txt"), str(mode.w.home / "lease")]
    p = mode.start("--", *slow, options=["--timeout", "8"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    got = []
    for line in p.stdout:
        got.append(line.strip())
        if line.startswith("WENT"):
            break
    started = time.monotonic()
    done = subprocess.run(["timeout", "6", "bash", "-c", f"echo x >> {mode.w.out}/lease; echo a > {mode.w.ws}/a.txt; echo x >> {mode.w.home}/lease"], check=False)
    took = time.monotonic() - started
    mode.tally.tell(f"{mode.who}-{mode.name}-host-writes-beside-leases", None if done.returncode == 0 and took < 2 else f"{took:.1f} s, {done.returncode}, {got}")
    p.terminate()
    p.wait()


def stalls(mode):
    if mode.name == "review" and not mode.long:
        return
    for place in (mode.w.out, mode.w.home):
        (place / "lease").write_text("x\n")
        mode.w.own(place / "lease")
    first = (mode.who, mode.name) == ("user", "plain") or mode.long
    started = time.monotonic()
    mode.run("--", "true")
    slack = 0.3 + 4 * (time.monotonic() - started)
    for n, (name, argv) in enumerate(cases(mode).items()):
        for how in ("deadline", "term"):
            if first and how == "deadline" or mode.long or (n + (how == "term")) % 8 == mode.index % 8:
                mode.tally.tell(f"{mode.who}-{mode.name}-{how}-{name}", one(mode, name, argv, how, slack))
    if first:
        host_blocked(mode)
    mode.clean()
    for path in mode.w.ws.glob("scratch-*"):
        path.unlink()
