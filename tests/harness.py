"""What the scripts of tests/run.d and tests/soak.d share.  A script begins with two lines:

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
    from harness import FORMS, ROOT, must, tell  # noqa: E402

Each line `ok NAME`, `not ok NAME why`, `skip NAME why` is one test for tests/run.  There are three
ways to write tests:

- tell(NAME, FINE, why...) or report(NAME, PROBLEM): one line for what was just looked at;
- attempt(NAME, function, arguments...): one line for a function, which calls must() and may raise
  Skipped; each_test() does so with every function test_NAME of a script, in both forms of the program;
- each_user(PARTS): functions that get a Case: a workspace, a user (root and another one) and the
  sandbox as a program that runs what it is given, without a decision.

The modules of tests/inside, tests/tools, tests/promise and tools can be imported after this one.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Before the system's: a package may have the name of one of ours.
sys.path[1:1] = [str(ROOT / folder) for folder in ("tests/inside", "tests/tools", "tests/promise", "tools")]
import build  # noqa: E402
import fixture  # noqa: E402
from project import Project, base  # noqa: E402,F401

BUILD = build.BUILD.resolve()
CORDON = os.environ.get("CORDON", str(ROOT / "build/cordon"))
# The program as it is shipped, and under the sanitizers; and the folders with all programs.
FORMS = {"release": CORDON, "asan": os.environ.get("CORDON_ASAN", str(ROOT / "build/asan/cordon"))}
BUILDS = {"release": ROOT / "build", "asan": ROOT / "build/asan"}
NOBODY = 64321  # a user id that no account has
MOST = 900      # characters of one reason


class Failed(Exception):
    """Something was not as it must be."""


class Skipped(Exception):
    """The test cannot be made here; the text says why."""


def short(what):
    """The beginning and the end of a long text."""
    text = str(what)
    return text if len(text) <= MOST else f"{text[:MOST // 2]} ... {text[-MOST // 2:]}"


def tell(name, fine, *why):
    """One test: it passed if `fine`; else `why` is shown, on one line."""
    text = " ".join(short(w) for w in why)
    text = text if text.isprintable() else repr(text)
    print(f"ok {name}" if fine else f"not ok {name} {text}", flush=True)
    return bool(fine)


def report(name, problem=None):
    """One test: it passed if there is no problem."""
    return tell(name, not problem, problem)


def skip(name, why):
    print(f"skip {name} {short(why)!r}", flush=True)


def must(truth, *about):
    """Within attempt(): fails the test unless it is true."""
    if not truth:
        raise Failed(" ".join(short(a) for a in about))


def attempt(name, test, *args):
    """One test: the function passes if it raises nothing; a text that it returns is shown."""
    try:
        more = test(*args)
    except Skipped as why:
        skip(name, why)
    except (Failed, AssertionError, OSError, subprocess.SubprocessError) as why:
        return tell(name, False, type(why).__name__, why)
    except Exception as why:  # pylint: disable=broad-except
        traceback.print_exc(file=sys.stdout)
        return tell(name, False, type(why).__name__, why)
    else:
        print(f"ok {name} {more}" if isinstance(more, str) else f"ok {name}", flush=True)
    return True


def each_test(scope, make, forms=FORMS, **more):
    """Every test_NAME of `scope`, or those NAMEs that the command line has, in each form: it gets
    what make(FORM, FOLDER) returns.  1 if one failed."""
    passed = True
    for form in forms:
        for name, test in sorted(scope.items()):
            if name.startswith("test_") and (not sys.argv[1:] or name[5:] in sys.argv[1:]):
                with tempfile.TemporaryDirectory(**more) as folder:
                    passed &= attempt(f"{form}/{name[5:]}", lambda test=test, form=form, folder=folder:
                                      test(*make(form, pathlib.Path(folder))))
    return 0 if passed else 1


def wait_for(what, seconds=30):
    """Whether what() becomes true in that time."""
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def users():
    """(name, user id): root and somebody else, where the tests are run by root."""
    return [("root", 0), ("user", NOBODY)] if os.getuid() == 0 else [("user", os.getuid())]


class Case:
    """One user's workspace and the program run_tool, and the checks that are made with them."""

    def __init__(self, who, fix, tool):
        self.who, self.fix, self.tool = who, fix, tool

    def argv(self, *words):
        return fixture.as_user(self.fix.uid) + [self.tool, *words]

    def run(self, *words, **more):
        more.setdefault("cwd", self.fix.ws)
        more.setdefault("stdin", subprocess.DEVNULL)
        more.setdefault("env", self.fix.env())
        return subprocess.run(self.argv(*words), capture_output=True, timeout=60, check=False,
                              text=True, **more)

    def start(self, *words, **more):
        more.setdefault("cwd", self.fix.ws)
        more.setdefault("env", self.fix.env())
        return subprocess.Popen(self.argv(*words), **more)

    def tell(self, name, fine, *why):
        return tell(f"{self.who}-{name}", fine, *why)

    def gives(self, name, want, *words, **more):
        done = self.run(*words, **more)
        self.tell(name, done.returncode == want, done.returncode, done.stderr[-300:])
        return done

    def text(self, path):
        """Of a file in the workspace; None without one."""
        try:
            return (self.fix.ws / path).read_text()
        except FileNotFoundError:
            return None


def each_user(parts, with_helpers=False):
    """Every part with a Case, as root and as somebody else where that is possible.  With helpers,
    the programs try_* lie in the folder bin beside the workspace."""
    for who, uid in users():
        fix = fixture.Fixture(uid)
        try:
            if with_helpers:
                build.place_all(build.helpers(), fix)
            c = Case(who, fix, build.place(build.run_tool(), fix))
            probe = c.run("--", "true")
            if probe.returncode == 125:
                skip(who, probe.stderr)
                continue
            for part in parts:
                part(c)
        finally:
            fix.close()
