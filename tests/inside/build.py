"""The programs of this folder, built into the build directory unless CMake has done it."""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("CORDON_BUILD") or ROOT / "build")
HERE = ROOT / "tests/inside"
ROOMS = ("base", "parse", "know", "analyse", "look", "policy", "decide", "confine", "run", "approve",
         "record")
CLI = ("cmd_run.c", "run_options.c", "run_start.c", "run_learn.c", "run_review.c", "run_ignore.c", "run_warn.c", "run_session.c",
       "opts.c", "near.c", "output.c", "place.c")


def newest(paths):
    return max((p.stat().st_mtime for p in paths), default=0)


def compile_one(compiler, flags, source, out):
    objects = out / (str(source.relative_to(ROOT)).replace("/", "_") + ".o") \
        if ROOT in source.parents else out / (source.name + ".o")
    done = subprocess.run([compiler, *flags, "-c", source, "-o", objects], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return objects


def run_tool():
    """The sandbox as shipped: static, against musl where that is installed."""
    made = BUILD / "release/inside/run_tool"
    sources = [p for r in ROOMS for p in sorted((ROOT / "src" / r).glob("*.c"))]
    sources += [ROOT / "src/cli" / name for name in CLI] + [HERE / "run_tool.c"]
    sources += sorted(p for p in (BUILD / "release/gen").glob("*.c") if "pb-c" not in p.name and p.stem != "commands")
    headers = list((ROOT / "src").rglob("*.h"))
    if made.exists() and made.stat().st_mtime > newest(sources + headers):
        return made
    out = BUILD / "inside"
    own = out / "run_tool"
    if own.exists() and own.stat().st_mtime > newest(sources + headers):
        return own
    out.mkdir(parents=True, exist_ok=True)
    compiler = shutil.which("musl-gcc") or "gcc"
    flags = ["-std=gnu17", "-O2", "-g", "-w", "-ffunction-sections", "-fdata-sections",
             f"-I{ROOT}/src", f"-I{ROOT}/include", f"-I{BUILD}/release/gen",
             '-DCORDON_VERSION="test"']
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(lambda s: compile_one(compiler, flags, s, out), sources))
    subprocess.run([compiler, "-static", "-Wl,--gc-sections", *objects, "-o", own], check=True)
    return own


def helpers():
    """The attempts; static, so that they run whatever the sandbox shows."""
    out = BUILD / "inside"
    out.mkdir(parents=True, exist_ok=True)
    for source in sorted(HERE.glob("try_*.c")):
        program = out / source.stem
        if program.exists() and program.stat().st_mtime > newest([source, HERE / "try.h"]):
            continue
        subprocess.run(["gcc", "-std=gnu17", "-O1", "-static", "-Wall", "-Wextra", source, "-o",
                        program, "-lrt", "-lpthread"], check=True)
    return out
