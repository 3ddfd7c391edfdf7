#!/usr/bin/env python3
"""daily.py --seed S -n N: level 4, the forms that coding agents write every day.

Same lines as gen.py gives, with one more field: "exact" says that nothing in the text is
dynamic in a way that could hide a command, so an analyser should neither refuse it nor
call anything in it unknown.  Syntax and names are those of real sessions; in the sandbox
git, npm, make and the like are stubs, so that everything can be let loose.
"""
import argparse
import json
import random

FILES = ["f1", "f2.txt", "g.c", "d2/x", "'sp ace'", "./f1", "d1/new.txt"]
DIRS = ["d1", "d2", "./d1", "/tmp", "/w/c/d2", "~"]
WORDS = ["TODO", "'a b'", '"fix: it"', "main", "v1.2.3", "'^import '", "-n", "--all", "src"]
PATTERNS = ["'*.py'", "'*.c'", '"*.txt"', "\\*.md"]
MESSAGES = [
    "fix: handle the empty list",
    "Add tests",
    "docs: say why",
    "it's done; next: ship",
]


class Daily:
    def __init__(self, rng):
        self.r = rng
        self.exact = True
        self.count = {"cmd": 0, "o": 0, "fn": 0, "v": 0}
        self.markers = {}

    # --- small things
    def pick(self, *a):
        return self.r.choice(a)

    def chance(self, p):
        return self.r.random() < p

    def fresh(self, kind):
        self.count[kind] += 1
        return kind + str(self.count[kind])

    def mark(self):
        i = self.count["cmd"]
        self.count["cmd"] += 1
        name = "cmd" + (chr(65 + i) if i < 26 else chr(64 + i // 26) + chr(65 + i % 26))
        self.markers[name] = "daily"
        return name

    def out(self):
        n = self.fresh("o")
        return self.pick(n, n + ".log", "d1/" + n, "/tmp/" + n, "'" + n + " x'", "../" + n)

    def file(self):
        return self.r.choice(FILES)

    def dir(self):
        return self.r.choice(DIRS)

    def word(self):
        return self.r.choice(WORDS)

    def dynamic(self, text):
        self.exact = False
        return text

    def tool(self):
        """A program with plain arguments: the bulk of every session."""
        m = self.mark
        return self.pick(
            lambda: "git "
            + self.pick("status", "diff --stat", "log --oneline -5", "add -A"),
            lambda: "git "
            + self.pick("commit -m ", "tag -m ")
            + "'%s'" % self.pick("a", "b c"),
            lambda: "npm " + self.pick("test", "run build", "ci", "run lint -- --fix"),
            lambda: "make " + self.pick("", "-j2", "test", "CFLAGS='-O2 -g' all"),
            lambda: "grep -rn " + self.word() + " " + self.dir(),
            lambda: "ls -la " + self.dir(),
            lambda: "cat " + self.file(),
            lambda: "python3 -m pytest -q "
            + self.pick("", "tests/test_a.py::test_b", "-k 'a or b'"),
            lambda: "cargo "
            + self.pick("build --release", "test", "clippy -- -D warnings"),
            lambda: "go test ./...",
            lambda: "docker ps -a",
            lambda: "jq -r '.a[] | .b' " + self.file(),
            lambda: "sed -n '1,20p' " + self.file(),
            lambda: "wc -l " + self.file(),
            lambda: m() + " " + self.word() + " " + self.file(),
            lambda: m() + " --flag=" + self.word(),
            lambda: m() + " \\\n  -a " + self.word() + " \\\n  -b",
            lambda: m(),
        )()

    # --- redirections
    def redirected(self):
        o = self.out
        return self.tool() + self.pick(
            " > " + o(),
            " >> " + o(),
            " 2>&1",
            " 2>/dev/null",
            " > " + o() + " 2>&1",
            " &> " + o(),
            " &>> " + o(),
            " 2> " + o() + " > " + o(),
            " >| " + o(),
            " 3>&1 1>&2 2>&3",
            " < f1",
            " > /dev/null 2>&1",
        )

    # --- here-documents
    def heredoc(self):
        e = self.pick("EOF", "END", "PY", "'EOF'", '"EOF"', "\\EOF")
        end = e.strip("'\"\\")
        inert = e != end
        lines = [
            "line with 'quotes' and \"more\"",
            "import os; print('x')",
            "- item (see #12)",
            "if (a && b) { return; }",
        ]
        if inert:
            lines += ["$(danger) `also` $HOME \\ ${x"]
        body = "".join(self.pick(*lines) + "\n" for _ in range(self.r.randrange(0, 4)))
        return e, body + end + "\n"

    def message(self):
        """git commit -m "$(cat <<'EOF' ...)": the one form with a here-document inside."""
        body = self.r.choice(MESSAGES) + "\n"
        if self.chance(0.5):
            body += "\n- one\n- $(two) `three`\n"
        close = self.pick("EOF\n)", "EOF\n  )")
        return (
            self.pick("git commit -m", "git commit -am", "gh pr create --title x --body")
            + " \"$(cat <<'EOF'\n"
            + body
            + close
            + '"'
        )

    def into_program(self):
        e, body = self.heredoc()
        return self.pick(
            lambda: "python3 - <<%s\n%s" % (e, body),
            lambda: "cat <<%s > %s\n%s" % (e, self.out(), body),
            lambda: "cat > %s <<%s\n%s" % (self.out(), e, body),
            lambda: "cat <<%s | %s x\n%s" % (e, self.mark(), body),
            lambda: "tee %s <<%s >/dev/null\n%s" % (self.out(), e, body),
            lambda: "%s -f - <<%s && %s\n%s" % (self.mark(), e, self.mark(), body),
            lambda: "sort <<%s | uniq -c | head -3\n%s" % (e, body),
            lambda: 'while read -r l; do %s "$l"; done <<%s\n%s' % (self.mark(), e, body),
        )()

    def here_string(self):
        return self.pick(
            lambda: self.mark() + " <<< 'a b'",
            lambda: 'read -r a b <<< "x y"; ' + self.mark() + ' "$a"',
            lambda: "tr a b <<< abc > " + self.out(),
        )()

    # --- pipes
    def pipe(self):
        ends = [
            "head",
            "tail -5",
            "tail -n +2",
            "sort -u",
            "wc -l",
            "cut -d: -f1",
            "grep -v '^#'",
            "sort | uniq -c | sort -rn | head -20",
            "tee " + self.out(),
            "tee -a " + self.out() + " | tail -3",
            "sed 's/a/b/g'",
            "awk '{print $1}'",
            "tr -d '\\n'",
            "xargs " + self.mark() + " -n",
            "xargs -r -n1 " + self.mark(),
            "xargs -I{} " + self.mark() + " {} x",
            "xargs -0 -P4 " + self.mark(),
            "while read -r line; do " + self.mark() + ' "$line"; done',
            "while IFS= read -r a; do "
            + self.mark()
            + ' "x-$a" "$a"; done > '
            + self.out(),
        ]
        first = self.pick(
            self.tool(),
            "echo a b",
            "printf '%s\\n' a b",
            "ls",
            "find . -type f -name '*.c'",
        )
        return first + self.pick(" | ", " |& ", " 2>&1 | ") + self.r.choice(ends)

    def find(self):
        m = self.mark
        return self.pick(
            lambda: "find . -name '*.py' -not -path './.git/*'",
            lambda: "find . -type f \\( -name '*.c' -o -name '*.h' \\) | head",
            lambda: "find . -maxdepth 1 -name "
            + self.r.choice(PATTERNS)
            + " -exec "
            + m()
            + " {} +",
            lambda: "find d2 -type f -exec " + m() + " -x {} \\;",
            lambda: "find . -name '*.c' -print0 | xargs -0 " + m(),
            lambda: "find . -maxdepth 1 -type f -exec sh -c '" + m() + ' "$1"\' _ {} \\;',
        )()

    # --- loops and conditions
    def loop(self):
        m = self.mark
        v = self.pick("f", "i", "name", "file")
        use = self.pick('"$%s"', "$%s", '"${%s}"', '"x-$%s.log"') % v
        items = self.pick(
            "a b c", "1 2 3", "{1..3}", "*.c", "d1 d2", "f1 'sp ace'", "$(ls)", "*.{c,txt}"
        )
        return self.pick(
            lambda: "for %s in %s; do %s %s; done" % (v, items, m(), use),
            lambda: "for %s in %s; do\n  %s %s\n  %s\ndone"
            % (v, items, m(), use, self.tool()),
            lambda: "for %s in %s; do %s %s || break; done" % (v, items, m(), use),
            lambda: "for %s in %s; do %s %s > %s; done" % (v, items, m(), use, self.out()),
            lambda: "for %s in a b; do (cd d1 && %s %s); done" % (v, m(), use),
            lambda: "for %s in a b; do [ -f %s ] && %s; done" % (v, use, m()),
            lambda: "for ((i = 0; i < 3; i++)); do %s $i; done" % m(),
            lambda: 'for i in $(seq 1 3); do %s "$i"; done' % m(),
            lambda: "i=0; while [ $i -lt 2 ]; do %s $i; i=$((i + 1)); done" % m(),
            lambda: "until %s; do break; done" % m(),
            lambda: 'while read -r a b; do %s "$a" "$b"; done < f1' % m(),
            lambda: 'while read -r a; do %s "$a"; done < <(%s)' % (m(), self.tool()),
            lambda: "n=3; while ((n > 0)); do %s $n; ((n--)); done" % m(),
        )()

    def condition(self):
        m = self.mark
        test = self.pick(
            lambda: "[ -f f1 ]",
            lambda: "[[ -d d1 && ! -e nope ]]",
            lambda: '[[ "$HOME" =~ ^/home/([a-z]+)$ ]]',
            lambda: "[[ a.tar.gz == *.gz ]]",
            lambda: 'test -n "$CI"',
            lambda: "grep -q x f1",
            lambda: "! " + self.mark() + " -q",
            lambda: "command -v git >/dev/null 2>&1",
            lambda: "(( 2 > 1 ))",
            lambda: '[ "$(%s)" = "out" ]' % self.mark(),
        )()
        return self.pick(
            lambda: "if %s; then %s; else %s; fi" % (test, m(), self.tool()),
            lambda: "if %s; then\n  %s\nelif %s; then\n  %s\nfi"
            % (test, m(), m(), self.tool()),
            lambda: "%s && %s || %s" % (test, m(), m()),
            lambda: "%s || { %s; exit 1; }" % (test, m()),
            lambda: "%s && echo yes || echo no" % test,
            lambda: "if ! %s; then echo no >&2; fi" % m(),
        )()

    def choice(self):
        m = self.mark
        subject = self.pick('"$1"', "main", '"$HOME"', "a.c")
        return self.pick(
            lambda: "case %s in\n  main|master) %s ;;\n  *.c) %s x ;;\n  *) %s ;;\nesac",
            lambda: "case %s in a*) %s ;& b) %s ;; *) %s;; esac",
            lambda: "case %s in a*) %s ;;& *.c) %s ;;& *) %s; esac",
            lambda: "case %s in (-h|--help) %s ;; ('') %s ;; (*) %s ;; esac",
        )() % (subject, m(), m(), m())

    # --- functions, parameters, variables
    def function(self):
        m, f = self.mark, self.fresh("fn")
        return self.pick(
            lambda: '%s() { %s "$1"; }; %s a; %s b' % (f, m(), f, f),
            lambda: '%s() {\n  local x=$1\n  %s "$x" "$@"\n}\n%s a b' % (f, m(), f),
            lambda: "function %s { %s; return 0; }\n%s" % (f, m(), f),
            lambda: "%s() { cd d1 && %s; }; (%s)" % (f, m(), f),
            lambda: '%s() { for a in "$@"; do %s "$a"; done; }; %s x y' % (f, m(), f),
            lambda: "%s() { %s; } > %s; %s" % (f, m(), self.out(), f),
        )()

    def variable(self):
        m, v = self.mark, self.pick("X", "name", "DIR", "out")
        return self.pick(
            lambda: "%s=1 %s test" % (v, m()),
            lambda: "%s=1 B='x y' npm test" % v,
            lambda: "export %s=1 && %s" % (v, m()),
            lambda: '%s=lit; %s "$%s" > "o-$%s"' % (v, m(), v, v),
            lambda: '%s=d1; cd "$%s" && %s' % (v, v, m()),
            lambda: '%s=$(%s); echo "got $%s"' % (v, m(), v),
            lambda: '%s="$(%s)" && %s "$%s"' % (v, m(), m(), v),
            lambda: '%s=$(date +%%s); %s "run-$%s"' % (v, m(), v),
            lambda: 'set -- a \'b c\'; %s "$@" "$1" $#' % m(),
            lambda: 'set -- a b; shift; %s "$1"' % m(),
            lambda: "printf -v %s '%%s-%%s' a b; %s \"$%s\"" % (v, m(), v),
            lambda: 'a=(x \'y z\'); %s "${a[@]}" "${#a[@]}"' % m(),
            lambda: 'declare -A h=([k]=v); %s "${h[k]}"' % m(),
            lambda: "set -euo pipefail; " + m(),
            lambda: "set -e\n" + m() + "\n" + m(),
            lambda: '%s ${%s:-default} "${%s:+set}" ${#HOME}' % (m(), v, v),
            lambda: '%s "${HOME##*/}" "${HOME%%/*}" "${HOME/u/v}"' % m(),
            lambda: '%s $((1 + 2)) "$((2 * 3))"' % m(),
            lambda: "read -r -p 'x? ' a; %s \"$a\"" % m(),
            lambda: 'echo "$(%s) and $(%s a | head -1)"' % (m(), m()),
            lambda: "%s <(%s) <(%s a)" % (m(), m(), m()),
        )()

    # --- directories
    def moved(self):
        m, d = self.mark, self.dir()
        return self.pick(
            lambda: "cd %s && %s" % (d, self.tool()),
            lambda: "cd %s && %s 2>&1 | tail -5" % (d, self.tool()),
            lambda: "cd %s && %s > %s" % (d, m(), self.out()),
            lambda: "cd %s && %s || exit" % (d, m()),
            lambda: "cd %s || exit 1; %s > %s" % (d, m(), self.out()),
            lambda: "cd %s || exit 1\n%s >> %s" % (d, m(), self.out()),
            lambda: "(cd %s && %s > %s) && %s > %s" % (d, m(), self.out(), m(), self.out()),
            lambda: "cd %s; %s > %s" % (d, m(), self.out()),
            lambda: "cd d1 && cd .. && %s > %s" % (m(), self.out()),
            lambda: "cd d1; cd ../d2; %s > %s" % (m(), self.out()),
            lambda: "cd %s && { %s; %s; } > %s 2>&1" % (d, m(), m(), self.out()),
            lambda: "pushd d1 >/dev/null && %s && popd" % self.dynamic(m()),
            lambda: "x=$(cd d1 && pwd) && " + m() + ' "$x"',
            lambda: "mkdir -p d1/n && cd d1/n && touch %s && %s" % (self.fresh("o"), m()),
            lambda: "cd %s && cd - && %s" % (d, self.dynamic(m())),
            lambda: "git -C d1 status && make -C d2 " + self.word(),
        )()

    # --- programs that run programs
    def wrapped(self):
        m = self.mark
        w = self.pick(
            "timeout 60",
            "timeout -k 5 60s",
            "nohup",
            "nice -n 10",
            "env A=1 B=2",
            "env -u X",
            "stdbuf -oL",
            "time",
            "command",
            "exec",
            "setsid -w",
            "env -i PATH=/usr/bin",
        )
        inner = "env C=3 nice timeout 5 " if self.chance(0.2) and w != "time" else ""
        if w == "exec":
            return "(exec %s%s a)" % (inner, m())
        return "%s %s%s %s" % (w, inner, m(), self.word())

    def shell(self):
        m = self.mark
        text = self.pick(
            lambda: m() + " && " + m() + " x",
            lambda: "cd d1 && " + m() + " > " + self.fresh("o"),
            lambda: "for i in a b; do " + m() + " $i; done",
            lambda: "set -e; " + m() + "; " + m(),
        )()
        return self.pick(
            lambda: "bash -c '%s'" % text,
            lambda: 'bash -lc "%s"' % text.replace("$", "\\$"),
            lambda: "sh -c '%s'" % text,
            lambda: "timeout 30 bash -c '%s' 2>&1 | tail -20" % text,
            lambda: "env A=1 bash -c '%s'" % text,
            lambda: "bash -c '%s \"$1\"' _ arg" % m(),
            lambda: "bash <<'EOF'\n%s\nEOF\n" % text,
            lambda: "eval '%s'" % text,
            lambda: "xargs -n1 sh -c '%s \"$0\"' < f1" % m(),
            lambda: "trap '%s' EXIT; %s" % (m(), m()),
        )()

    def background(self):
        m = self.mark
        return self.pick(
            lambda: m() + " & wait",
            lambda: m() + " > " + self.out() + " 2>&1 &\n" + m(),
            lambda: "nohup %s > %s 2>&1 & echo $!" % (m(), self.out()),
            lambda: "(%s; %s) & %s; wait $!" % (m(), m(), m()),
        )()

    # --- whole texts
    def step(self):
        return self.r.choices(
            [
                self.tool,
                self.redirected,
                self.pipe,
                self.moved,
                self.loop,
                self.condition,
                self.variable,
                self.wrapped,
                self.function,
                self.choice,
                self.find,
                self.shell,
                self.here_string,
                self.background,
                self.message,
                self.into_program,
            ],
            [8, 5, 6, 8, 5, 5, 6, 4, 3, 2, 3, 4, 1, 2, 3, 5],
        )[0]()

    def text(self):
        s = self.step()
        for _ in range(self.r.choices([0, 1, 2, 3], [5, 4, 2, 1])[0]):
            n = self.step()
            # A text that ends in a here-document, or in &, takes no operator.
            joint = "" if s.endswith("\n") else "\n" if s.endswith("&") else None
            if joint is None:
                joint = self.pick(" && ", " && ", "; ", "\n", "\n\n", " || ", "\n# then\n")
            s += joint + n
        if "\n" not in s and self.chance(0.1):
            s = self.pick("( %s )", "{ %s; }", "! ( %s )") % s if s[-1] != "&" else s
        return s


def make(seed, i):
    rng = random.Random("daily %d/%d" % (seed, i))
    while True:
        d = Daily(rng)
        s = d.text()
        if d.markers:
            break
    return {
        "id": "d%d.%d" % (seed, i),
        "level": 4,
        "src": s,
        "markers": d.markers,
        "exact": d.exact,
    }


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("-n", type=int, default=100)
    ap.add_argument(
        "--text", action="store_true", help="print readable text, not JSON lines"
    )
    a = ap.parse_args()
    for i in range(a.n):
        c = make(a.seed, i)
        if a.text:
            print("----", c["id"], "" if c["exact"] else "(dynamic)")
            print(c["src"])
        else:
            print(json.dumps(c))


if __name__ == "__main__":
    main()
