"""Shared by the tools that send files of commands to cordon."""
import json
import subprocess
import sys


def ask(place, what, rows, *more):
    """Run `cordon WHAT --batch` in `place` (program, cwd, env), with one request for each row."""
    lines = "".join(json.dumps({"id": i, **row}) + "\n" for i, row in enumerate(rows))
    done = subprocess.run([place.program, what, "--batch", *more], cwd=place.cwd,
                          input=lines.encode("utf-8", "surrogateescape"), env=place.env,
                          capture_output=True, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(rows):
        sys.exit(f"{what} answered {len(answers)} of {len(rows)} lines: "
                 + done.stderr.decode("utf-8", "replace"))
    return answers
