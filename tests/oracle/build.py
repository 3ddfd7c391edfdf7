#!/usr/bin/env python3
"""build.py DIR: make the read-only trees that oracle.py binds into its sandbox.

Needs gcc, strace and bash; dash, busybox, zsh and the rest are used when present.
EXTRA_SHELLS="/path/bash-5.3:bash53 ..." adds shells: --interp /.o/real/bash53.
"""
import os
import re
import shutil
import string
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# Programs that are themselves inside: shells, programs that run other programs,
# and harmless filters.  They can do no harm: read-only root, tmpfs, no network.
REAL = """bash dash busybox zsh env nohup timeout nice ionice chrt setsid stdbuf xargs find
cat tee true false echo printf test [ seq base64 tr rev sed mawk sort head tail tac od
mkdir touch mktemp chmod ln ls sleep basename dirname readlink realpath cut wc uniq paste
chroot taskset flock script watch time xxd expr date id pwd printenv""".split()

# Stubs beside every name that this host has.
TOOLS = """git curl wget npm npx node docker kubectl sudo doas su ssh scp rsync make
cargo rustc go python python3 pip perl ruby gcc cc vim nano apt-get dnf pacman brew
systemctl reboot shutdown mkfs dd rm mv cp chown kill pkill killall parallel gh aws
pytest jq rg fd grep diff tar cmake ninja yarn pnpm tsc eslint mypy ruff black go
sqlite3 psql redis-cli terraform helm""".split()

PASSWD = """root:x:0:0:root:/root:/bin/bash
u:x:1000:1000:u:/home/u:/bin/bash
bob:x:1001:1001:bob:/home/bob:/bin/bash
nobody:x:65534:65534:nobody:/nonexistent:/bin/sh
"""


def compile_static(source, out):
    cc = ["gcc", "-std=gnu17", "-O2", "-Wall", "-Wextra", "-static", "-s", "-o", out]
    subprocess.run(cc + [os.path.join(HERE, source)], check=True)


def libraries(programs):
    found = set()
    for p in programs:
        r = subprocess.run(["ldd", p], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        found.update(re.findall(r"/[^ )\n]+", r.stdout.decode()))
    return {p for p in found if ".so" in p and os.path.exists(p)}


def markers():
    for prefix in ("cmd", "dat", "ok", "ko"):
        for a in string.ascii_uppercase:
            yield prefix + a
            for b in string.ascii_uppercase:
                yield prefix + a + b


def fill(root):
    bin_, lib, o, real, etc = (
        os.path.join(root, d) for d in ("bin", "lib", "o", "o/real", "etc")
    )
    for d in (bin_, lib, real, etc):
        os.makedirs(d)
    compile_static("stub.c", o + "/stub")
    compile_static("runner.c", o + "/runner")
    shutil.copy(shutil.which("strace"), o + "/strace")
    os.symlink("stub", o + "/nf")
    open(o + "/cwd", "w").close()

    path = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
    for name in REAL:
        p = shutil.which(name, path=path)
        if p:
            shutil.copy(p, os.path.join(real, name))
            os.symlink("/.o/real/" + name, os.path.join(bin_, name))
    for alias, name in (("sh", "dash"), ("ash", "busybox"), ("awk", "mawk")):
        if os.path.exists(os.path.join(real, name)):
            os.symlink("/.o/real/" + name, os.path.join(bin_, alias))
    for extra in os.environ.get("EXTRA_SHELLS", "").split():
        p, _, name = extra.partition(":")
        shutil.copy(p, os.path.join(real, name))

    for p in libraries([o + "/strace"] + [os.path.join(real, n) for n in os.listdir(real)]):
        shutil.copy(p, lib)
    zsh = "/usr/lib/x86_64-linux-gnu/zsh"
    if os.path.isdir(zsh):
        shutil.copytree(zsh, lib + "/zsh")

    names = set(TOOLS) | set(markers())
    for d in ("/usr/bin", "/bin", "/usr/sbin", "/sbin"):
        if os.path.isdir(d):
            names.update(os.listdir(d))
    for name in names:
        p = os.path.join(bin_, name)
        if not os.path.lexists(p):
            os.symlink("/.o/stub", p)

    for name, text in (
        ("passwd", PASSWD),
        ("group", "root:x:0:\nu:x:1000:\nnogroup:x:65534:\n"),
        ("nsswitch.conf", "passwd: files\ngroup: files\n"),
    ):
        with open(os.path.join(etc, name), "w") as f:
            f.write(text)
    for d, _, files in os.walk(root):
        os.chmod(d, 0o755)
        for f in files:
            p = os.path.join(d, f)
            if not os.path.islink(p):
                os.chmod(p, 0o755 if os.access(p, os.X_OK) else 0o644)


def build(root):
    """Built aside and moved into place, so that two runs at once do no harm."""
    os.makedirs(os.path.dirname(root), exist_ok=True)
    new = tempfile.mkdtemp(prefix="oracle.", dir=os.path.dirname(root))
    try:
        fill(new)
        open(os.path.join(new, "built"), "w").close()
        if os.path.isdir(root):
            old = tempfile.mkdtemp(prefix="oracle.", dir=os.path.dirname(root))
            os.rename(root, os.path.join(old, "old"))
            shutil.rmtree(old)
        os.rename(new, root)
    finally:
        shutil.rmtree(new, ignore_errors=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build(os.path.abspath(sys.argv[1]))
