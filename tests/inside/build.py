"""Where the programs for the inside are: built by CMake, with the other programs for the tests."""
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("CORDON_BUILD") or ROOT / "build")
INSIDE = BUILD / "release/inside"


def run_tool():
    """The sandbox as shipped, without a decision: static, against musl."""
    made = INSIDE / "run_tool"
    if not made.exists():
        sys.exit(f"{made} is missing: make test builds it")
    return made


def helpers():
    """The attempts; static, so that they run whatever the sandbox shows."""
    if not list(INSIDE.glob("try_*")):
        sys.exit(f"{INSIDE}/try_* are missing: make test builds them")
    return INSIDE


def place(tool, fix):
    """Where the user can run it: the build directory may be somebody's own."""
    copy = fix.top / "run_tool"
    copy.write_bytes(pathlib.Path(tool).read_bytes())
    copy.chmod(0o755)
    return str(copy)


def place_all(folder, fix):
    target = fix.top / "bin"
    target.mkdir()
    target.chmod(0o755)
    for program in folder.glob("try_*"):
        copy = target / program.name
        if program.is_file() and not program.suffix:
            copy.write_bytes(program.read_bytes())
            copy.chmod(0o755)
    return target
