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
