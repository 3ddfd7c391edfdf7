"""The command cannot get at the process that started it, however early it tries: on one
processor it mostly runs before the other has gone on."""
import os
import subprocess

import fixture


def traced(case, env, before, options):
    """Whether it was refused each time, and what was said."""
    said = set()
    processor = str(min(os.sched_getaffinity(0)))
    for _ in range(8):
        done = subprocess.run([*fixture.as_user(case.fix.uid), "taskset", "-c", processor, *before, case.tool,
                               *options, "--timeout", "20", "--", str(case.fix.top / "bin/try_kernel"), "ptrace", "0"],
                              cwd=case.fix.ws, env=env, stdin=subprocess.DEVNULL, timeout=60,
                              capture_output=True, text=True, check=False)
        said.add(done.stdout.strip() or done.stderr[-200:])
    return said == {"ptrace Operation not permitted"}, said
