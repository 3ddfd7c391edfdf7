#!/usr/bin/env python3
"""ignore_oracle.py TOOLS PAIRS [SEED]: our ignore matcher beside `git check-ignore`.

Makes trees with odd names and pattern files at several depths, asks git and ignore_tool
about every path, and compares which line of which file decides.  TOOLS is the folder that
holds ignore_tool.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

NAMES = [b"a", b"b", b"ab", b"abc", b"foo", b"Foo", b"bar", b"foo.o", b"bar.c", b"x.tar.gz",
         b"a b", b"a ", b" a", b"#x", b"!y", b"a*b", b"a?b", b"a[b", b"a]b", b"a\\b", b".env",
         b".x", b"build", b"BUILD", b"node_modules", b"z-1", b"z_2", b"\xc3\xa9", b"\xff",
         b"a-b", b"**", b"[a]", b"9", b"tab\there", b"foo bar", b"ba", b"baz"]
PIECES = [b"*", b"**", b"?", b"[a-z]", b"[!a]", b"[^b]", b"[]a]", b"[a\\]]", b"[[:alpha:]]",
          b"[[:digit:]]", b"[[:upper:]]", b"[[:bad:]]", b"[[:space:]]", b"[[:x]", b"[a-", b"[", b"]",
          b"\\*", b"\\?", b"\\[", b"\\\\", b"\\a", b"\\A", b"\\", b"a", b"b", b"o", b"foo", b".", b"-",
          b"[A-F]", b"[a-c-e]", b"[--9]", b"[!]]", b"[\\-x]", b"***", b"B", b"[:a:]", b"[[:]a]"]


def quoted(r, name):
    out = b""
    for i in range(len(name)):
        c = name[i:i + 1]
        out += b"\\" + c if (c in b"*?[\\" or r.random() < .03) and r.random() < .9 else c
    return out


def component(r, names):
    kind = r.random()
    name = r.choice(names)
    if kind < .35:
        return quoted(r, name)
    if kind < .55:
        i = r.randrange(len(name) + 1)
        j = r.randrange(i, len(name) + 1)
        return quoted(r, name[:i]) + r.choice(PIECES) + quoted(r, name[j:])
    if kind < .65:
        return b"*" + name[r.randrange(len(name)):]
    if kind < .8:
        return b"".join(r.choice(PIECES) for _ in range(r.randrange(1, 4)))
    return r.choice([b"**", b"*", b"?", b"a*", b"*.o", b"foo**", b"**foo", b"*a*b*"])


def pattern(r, names, paths):
    kind = r.random()
    if kind < .4:
        body = component(r, names)
    elif kind < .6:
        parts = r.choice(paths).split(b"/")
        i = r.randrange(len(parts))
        j = r.randrange(i, len(parts)) + 1
        body = b"/".join(component(r, names) if r.random() < .3 else quoted(r, p)
                         for p in parts[i:j])
    else:
        body = b"/".join(component(r, names) for _ in range(r.randrange(2, 5)))
    line = (r.choice([b"", b"", b"/"]) + body + r.choice([b"", b"", b"", b"/", b"/**", b"/*", b" ",
            b"  ", b"\\ ", b"\t", b"\r", b"\\", b"//"]))
    if r.random() < .25:
        line = b"!" + line
    if r.random() < .03:
        line = r.choice([b"\\#x", b"#x", b"\\!y", b"", b"/", b"!", b"  ", b"\\", b"!/", b"**/", b"/**",
                         b"**/**", b"./a", b"a//b", b"../a"])
    return line.replace(b"\n", b"")


def tree(r, top):
    """Directories and files; returns [(path, is a directory)]."""
    found, open_dirs = [], [b""]
    for _ in range(r.randrange(10, 50)):
        above = r.choice(open_dirs)
        path = above + b"/" + r.choice(NAMES) if above else r.choice(NAMES)
        full = os.path.join(os.fsencode(top), path)
        if os.path.lexists(full):
            continue
        directory = r.random() < .5 and path.count(b"/") < 4
        if directory:
            os.mkdir(full)
            open_dirs.append(path)
        elif r.random() < .05:
            os.symlink(b"/", full)
        else:
            open(full, "wb").close()
        found.append((path, directory))
    links = {p for p, d in found if not d}
    for path, directory in list(found):
        for name in r.sample(NAMES, 2) if directory or r.random() < .1 else []:
            extra = path + b"/" + name
            if path not in links and not os.path.lexists(os.path.join(os.fsencode(top), extra)):
                found.append((extra, False))
    return found


def pattern_files(r, top, found):
    dirs = [b""] + r.sample([p for p, d in found if d], min(2, sum(d for _, d in found)))
    files = []
    paths = [p for p, _ in found] or [b"a"]
    for d in sorted(set(dirs)):
        lines = [pattern(r, NAMES, paths) for _ in range(r.randrange(1, 12))]
        text = b"\n".join(lines) + r.choice([b"", b"\n"])
        if r.random() < .02:
            text = b"\xef\xbb\xbf" + text
        with open(os.path.join(os.fsencode(top), d, b".gitignore"), "wb") as out:
            out.write(text)
        files.append((d, text))
    return files


def ask_git(top, found, fold):
    env = dict(os.environ, GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL="/dev/null", LC_ALL="C")
    done = subprocess.run(
        ["git", "-c", "core.excludesFile=/dev/null", "-c", f"core.ignorecase={fold}",
         "check-ignore", "-z", "--stdin", "--no-index", "-v", "-n"], cwd=top, env=env,
        input=b"".join(p + b"\0" for p, _ in found), capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"git: {done.stderr.decode('utf-8', 'replace')}")
    fields = done.stdout.split(b"\0")[:-1]
    return [tuple(fields[i:i + 4]) for i in range(0, len(fields), 4)]


def frame(data):
    return str(len(data)).encode() + b"\n" + data


def text_of(data):
    return data.decode("utf-8", "surrogateescape")


class Matcher:
    def __init__(self, tools, fold):
        self.process = subprocess.Popen([str(tools / "ignore_tool")] + (["fold"] if fold else []),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, files, found):
        mapping = {"version": 1, "root": "/t", "files": [
            {"dir": text_of(d), "name": ".gitignore", "patterns": text_of(t)} for d, t in files]}
        paths = b"".join((b"d" if d else b"f") + p + b"\0" for p, d in found)
        self.process.stdin.write(frame(json.dumps(mapping).encode()) + frame(paths))
        self.process.stdin.flush()
        return [self.process.stdout.readline().decode().split() for _ in found]


def wanted(row, files):
    source, line, text, _ = row
    if not source:
        return ["none"]
    where = source[:-len(b".gitignore")].rstrip(b"/")
    number = [d for d, _ in files].index(where)
    return [str(number), line.decode(), "-" if text.startswith(b"!") else "+"]


def compare(files, found, rows, answers, report):
    bad = 0
    for (path, directory), row, got in zip(found, rows, answers):
        want = wanted(row, files)
        if got != want:
            bad += 1
            if report[0] > 0:
                report[0] -= 1
                print(f"{path!r} directory={directory}: git {want} {row[2]!r}, ours {got}")
                print(f"   {files!r}")
    return bad


def main(tools, pairs, seed):
    r = random.Random(seed)
    matchers = {fold: Matcher(tools, fold) for fold in (False, True)}
    done = bad = 0
    report = [5]
    while done < pairs:
        with tempfile.TemporaryDirectory() as top:
            subprocess.run(["git", "init", "-q", top], check=True, capture_output=True)
            (pathlib.Path(top) / ".git/info/exclude").write_text("")
            found = tree(r, top)
            for _ in range(12):
                for old in pathlib.Path(top).rglob(".gitignore"):
                    old.unlink()
                files = pattern_files(r, top, found)
                fold = r.random() < .2
                rows = ask_git(top, found, str(fold).lower())
                answers = matchers[fold].ask(files, found)
                bad += compare(files, found, rows, answers, report)
                done += len(found)
    name = f"ignore-oracle seed {seed}, {done} pairs of pattern files and path"
    print(f"not ok {name}: {bad} paths differ" if bad else f"ok {name}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), int(sys.argv[2]),
                  int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(10**6)))
