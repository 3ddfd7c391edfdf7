#!/usr/bin/env python3
"""gen.py - seeded, deterministic grammar-based generator of bash command strings.

  gen.py --seed 1 -n 5000 > cases.jsonl

Each line: {"id","level","src","markers":{name: context}}.  Every command that
the grammar places in an executable position gets a fresh marker name cmdA,
cmdB ... cmdZ, cmdAA ...; text that only looks like a command gets datA ...
"context" is the path of constructs around the marker, outermost first, so a
missed command can be classed without looking at the source.

level 1: lists, pipes, quoting, redirections, comments, assignments
level 2: + compound commands, functions, all substitutions, here-documents,
         parameter/arithmetic/brace expansion, odd white space
level 3: + run-time meaning: wrappers, eval, sh -c, trap, alias, source,
         computed names, arithmetic injection, coproc, ...
Every case ends by itself: loops carry a break or a bounded counter.
"""
import argparse, json, random, re


def sq(s):
    return "'" + s.replace("'", "'\\''") + "'"


def dq(s):
    for c in '\\"$`':
        s = s.replace(c, "\\" + c)
    return '"' + s + '"'


def ansic(s):
    return (
        "$'"
        + s.replace("\\", "\\\\")
        .replace("'", "\\'")
        .replace("\n", "\\n")
        .replace("\t", "\\t")
        + "'"
    )


class Gen:
    def __init__(self, rng, level, budget):
        self.r, self.level, self.left = rng, level, budget
        self.n = {"cmd": 0, "dat": 0, "fn": 0, "v": 0, "o": 0, "E": 0}
        self.markers, self.ctx = {}, []
        self.pend = [[]]
        self.nohere = 0  # no here-documents here
        self.nonl = 0  # no newlines here
        self.nosq = 0  # inside double quotes: plain words only
        self.depth = 0
        self.funcs = []

    # --- little helpers
    def p(self, x):
        return self.r.random() < x

    def pick(self, *a):
        return self.r.choice(a)

    def wpick(self, *pairs):
        return self.r.choices([x for x, _ in pairs], [w for _, w in pairs])[0]

    def uniq(self, kind):
        i = self.n[kind]
        self.n[kind] += 1
        if kind in ("cmd", "dat"):
            return kind + (
                chr(65 + i) if i < 26 else chr(65 + (i // 26 - 1) % 26) + chr(65 + i % 26)
            )
        return kind + str(i)

    def mark(self, *extra):
        self.left -= 1
        n = self.uniq("cmd")
        self.markers[n] = "/".join(self.ctx + list(extra))
        return n

    def dat(self):
        return self.uniq("dat")

    def within(self, tag, fn, *a, **k):
        d = 0 if tag in ("time", "bang", "bang2") else 1
        self.ctx.append(tag)
        self.depth += d
        try:
            return fn(*a, **k)
        finally:
            self.ctx.pop()
            self.depth -= d

    def sp(self):
        if self.level == 1:
            return self.wpick((" ", 12), ("  ", 1), ("\t", 1))
        if self.nonl:
            return self.wpick((" ", 12), ("  ", 1), ("\t", 1))
        return self.wpick((" ", 20), ("  ", 1), ("\t", 1), (" \\\n", 1), (" \\\n\t", 1))

    def osp(self):
        return (
            self.wpick(("", 3), (" ", 6), ("  ", 1))
            if not (self.level > 1 and self.p(0.03) and not self.nonl)
            else " \\\n "
        )

    def nl(self):
        out = "\n"
        for delim, body, strip in self.pend[-1]:
            out += body + ("\t" if strip and self.p(0.7) else "") + delim + "\n"
        self.pend[-1] = []
        return out

    def level_push(self, fn, *a):
        """a nested source text with its own here-document queue"""
        self.pend.append([])
        try:
            s = fn(*a)
            if self.pend[-1]:
                s += self.nl()
        finally:
            self.pend.pop()
        return s

    # --- words
    def lit(self):
        return self.wpick(
            ("a", 3),
            ("-x", 2),
            ("--opt=val", 2),
            ("f1", 2),
            ("d2/x", 1),
            ("a.b-c_d", 1),
            ("1", 1),
            ("x=y", 1),
            ("%s", 1),
            ("a:b", 1),
            ("@", 1),
            ("+", 1),
            ("a,b", 1),
            ("-", 1),
            ("--", 1),
            ("a#b", 1),
            ("]", 1),
            ("^x", 1),
        )

    def kw(self):
        return self.pick(
            "if",
            "then",
            "fi",
            "do",
            "done",
            "case",
            "esac",
            "in",
            "{",
            "}",
            "!",
            "[[",
            "]]",
            "function",
            "time",
            "for",
            "while",
            "select",
            "coproc",
            "until",
            "else",
            "elif",
        )

    def quoted(self):
        d = self.dat
        k = self.r.randrange(17)
        if k == 0:
            return sq("a b")
        if k == 1:
            return dq("a b")
        if k == 2:
            return sq("; " + d())
        if k == 3:
            return dq("&& " + d())
        if k == 4:
            return sq("$(" + d() + ")")
        if k == 5:
            return dq("$(" + d() + ")")  # escaped: \$(
        if k == 6:
            return sq("| " + d() + " `" + d() + "`")
        if k == 7:
            return "a\\ b"
        if k == 8:
            return "\\;" + self.sp() + d() + "arg"
        if k == 9:
            return ansic("it's; " + d())
        if k == 10:
            return "$'\\x3b\\'\\t" + d() + "'"
        if k == 11:
            return '$"a b"'
        if k == 12:
            return dq("it's")
        if k == 13:
            return "\"a'b\"'c\"d'"
        if k == 14:
            return "\\#" + d()
        if k == 15:
            return "''"
        return "a" + sq("b c") + "d" + dq("e'f")

    def word(self, cmds=True):
        """an argument word"""
        lv = self.level
        opts = [(self.lit, 8), (self.quoted, 4)]
        if self.p(0.03):
            return self.kw()
        if lv >= 2 and not self.nonl and self.p(0.02):
            return self.pick(
                "-de\\\nlete", "a\\\nb", "'a\\\nb'", '"a\\\nb"', "--out\\\nput=x"
            )
        if lv >= 2:
            opts += [
                (self.var, 2),
                (self.brace, 1),
                (
                    lambda: self.pick(
                        "*", "f?", "[fg]*", "d*/x", "~", "~/h1", "~bob", "*.zz"
                    ),
                    1,
                ),
            ]
        if cmds and self.left > 0 and self.depth < 6:
            if lv >= 2:
                opts += [
                    (self.cmdsub, 3),
                    (self.cmdsub_dq, 3),
                    (self.param, 2),
                    (self.arith, 1),
                    (self.procsub, 1),
                    (self.wordmix, 1),
                ]
            else:
                opts += [(self.simplesub, 1)]
        return self.wpick(*opts)()

    def var(self):
        return self.pick(
            "$HOME",
            "${HOME}",
            '"$HOME"',
            "$x",
            '"$x"',
            "${x}",
            "$?",
            "$#",
            "$$",
            "$1",
            '"$@"',
            "$*",
            "${#x}",
            "$-",
            "$_",
            "${x:-d}",
            "${x%y}",
            "${x^^}",
        )

    def brace(self):
        return self.pick(
            "{a,b}",
            "x{1..3}y",
            "{a..c}",
            "{a,b}{c,d}",
            "{a,'b c'}",
            "{,x}",
            "a{b}c",
            "{1..5..2}",
            "\\{a,b}",
            "{a,b",
            "'{a,b}'",
        )

    def wordmix(self):
        return self.lit() + self.cmdsub() + self.pick("", "z", sq("q r"), "$x")

    def simplesub(self):
        return self.pick("$({})", '"$({})"', "`{}`", '"a $({}) b"').format(
            self.within("cmdsub", self.mark) + " " + self.lit()
        )

    def cmdsub(self):
        return self.wpick(
            (self.cs_dollar, 6),
            (self.cs_back, 2),
            (self.cs_file, 0.3),
            (self.cs_ambig, 0.15),
            (self.cs_contd, 0 if self.nonl else 0.1),
        )()

    def cs_dollar(self):
        def f():
            a = self.wpick(("", 4), (" ", 2), ("\n", 1 if not self.nonl else 0))
            s = self.level_push(self.lst, 1 if self.p(0.7) else 2)
            if self.level >= 2 and not self.nonl and self.p(0.08) and not s.endswith("\n"):
                s += self.pick(" # it's (", " # )", ' # "') + "\n"
            if s[:1] == "(" and a == "":
                a = " "
            return "$(" + a + s + self.wpick(("", 4), (" ", 1)) + ")"

        return self.within("cmdsub", f)

    def cs_back(self):
        def f():
            self.nohere += 1
            self.nonl += 1
            try:
                s = self.level_push(self.lst, 1)
            finally:
                self.nohere -= 1
                self.nonl -= 1
            return "`" + s.replace("\\", "\\\\").replace("`", "\\`") + "`"

        return self.within("backtick", f)

    def cs_file(self):
        return "$(< f1)"

    def cs_ambig(self):
        f = self.pick("$((%s) )", "$((%s); (%s))", "$( (%s) | (%s))")
        return self.within(
            "cmdsub-ambig",
            lambda: f.replace("%s", self.mark() + " a", 1).replace("%s", "true", 1),
        )

    def cs_contd(self):
        return self.within("cmdsub-contd", lambda: "$\\\n(" + self.mark() + " a)")

    def cmdsub_dq(self):
        return self.within(
            "dq",
            lambda: '"'
            + self.pick("", "a ", "it's ", '\\" ', "$x ")
            + self.wpick((self.cs_dollar, 5), (self.cs_back_dq, 2))()
            + self.pick("", " b", " ; " + self.dat(), "'")
            + '"',
        )

    def cs_back_dq(self):
        def f():
            # inside "`...`" plain words only: double quotes there are a swamp of their own
            n = self.mark()
            return "`" + n + " " + self.lit() + "`"

        return self.within("backtick", f)

    def cs_plain(self):
        return self.within("cmdsub", lambda: "$(" + self.mark() + " " + self.lit() + ")")

    def param(self):
        v = self.pick("x", "u", "HOME")
        c = lambda: self.within("param", self.wpick((self.cs_dollar, 4), (self.cs_back, 1)))
        k = self.r.randrange(17)
        if k == 15:
            return self.within("param-sq", lambda: "\"${u:-'%s'}\"" % self.cs_plain())
        if k == 16:
            return "${u:-'$(" + self.dat() + ")'}"
        if k == 0:
            s = "${u:-%s}" % c()
        elif k == 1:
            s = "${u-%s}" % c()
        elif k == 2:
            s = "${w:=%s}" % c()
        elif k == 3:
            s = "${HOME:+%s}" % c()
        elif k == 4:
            s = "${HOME#%s}" % c()
        elif k == 5:
            s = "${HOME%%%%%s}" % c()
        elif k == 6:
            s = "${HOME/o/%s}" % c()
        elif k == 7:
            s = "${HOME//%s/y}" % c()
        elif k == 8:
            s = "${HOME:%s}" % c()
        elif k == 9:
            s = "${HOME:0:%s}" % c()
        elif k == 10:
            s = "${u:-${w2:-%s}}" % c()
        elif k == 11:
            s = "${HOME:?%s}" % c()
        elif k == 12:
            s = "${ar[%s]}" % c()
        elif k == 13:
            s = "${HOME^^%s}" % c()
        else:
            s = '${u:-"%s"}' % c()
        return s if self.p(0.5) else '"' + s + '"'

    def arith(self):
        c = lambda: self.within("arith", self.cs_plain)
        k = self.r.randrange(6)
        if k == 0:
            return "$((1+%s))" % c()
        if k == 1:
            return '"$(( %s * 2 ))"' % c()
        if k == 2:
            return "$[1+$(%s a)]" % self.within(
                "arith", lambda: self.within("cmdsub", self.mark)
            )
        if k == 3:
            return "$((x=%s,x+1))" % c()
        if k == 4:
            return "$(( (1) + ${u:-%s} ))" % c()
        return "$((ar[%s]))" % c()

    def procsub(self):
        d = self.pick("<", "<", ">")
        return self.within(
            "procsub",
            lambda: d
            + "("
            + self.wpick(("", 3), (" ", 1))
            + self.level_push(self.lst, 1)
            + ")",
        )

    # --- redirections
    def out(self):
        self.n["o"] += 1
        n = "o%d" % self.n["o"]
        if self.level >= 2 and self.p(0.15):
            return self.pick(
                "'" + n + "'",
                '"' + n + '"',
                "d1/" + n,
                "'" + n + " s'",
                "$HOME/" + n,
                "\\" + n,
                "~/" + n,
                "/tmp/" + n,
                n[:1] + '"' + n[1:] + '"',
            )
        return n

    def redir(self):
        o = self.out
        if self.level == 1:
            k = self.r.randrange(8)
            return [
                lambda: ">" + self.osp() + o(),
                lambda: ">> " + o(),
                lambda: "2>" + o(),
                lambda: "2>&1",
                lambda: "&>" + o(),
                lambda: "< f1",
                lambda: "2>/dev/null",
                lambda: ">" + o() + " 2>&1",
            ][k]()
        k = self.r.randrange(24)
        if k == 0:
            return ">" + self.osp() + o()
        if k == 1:
            return ">>" + self.osp() + o()
        if k == 2:
            return ">|" + self.osp() + o()
        if k == 3:
            return "<>" + self.osp() + o()
        if k == 4:
            return "&>" + self.osp() + o()
        if k == 5:
            return "&>>" + self.osp() + o()
        if k == 6:
            return ">&" + self.osp() + o()
        if k == 7:
            return (
                self.pick("2>", "1>", "3>", "9>>", "2>|", "4<>", "10>") + self.osp() + o()
            )
        if k == 8:
            return "{fd}>" + self.osp() + o()
        if k == 9:
            return self.pick(
                "2>&1",
                ">&2",
                "1>&2",
                "3>&1",
                "2>&-",
                "<&0",
                "<&-",
                "2<&1",
                "{fd}>&1",
                "0<&0",
                "3<&0-",
            )
        if k == 10:
            return "<" + self.osp() + "f1"
        if k == 11:
            return "3<f1"
        if k in (12, 13):
            return "<<<" + self.osp() + self.within("herestr", self.word)
        if k == 14 and self.left > 0:
            return self.pick("> ", ">> ", "2>") + self.within("redirtarget", self.cs_plain)
        if k == 15 and self.left > 0:
            return "> " + self.within(
                "redir",
                lambda: self.within(
                    "procsub", lambda: ">(" + self.level_push(self.lst, 1) + ")"
                ),
            )
        if k == 16 and self.left > 0:
            return "< " + self.within(
                "redir",
                lambda: self.within(
                    "procsub", lambda: "<(" + self.level_push(self.lst, 1) + ")"
                ),
            )
        if k == 17:
            return "2>/dev/null"
        if not self.nohere:
            return self.heredoc()
        return ">" + o()

    def heredoc(self):
        i = self.uniq("E")
        strip = self.p(0.3)
        style = self.r.randrange(9)
        raw, delim, q = [
            (i, i, 0),
            (i, i, 0),
            (i, i, 0),
            ("'%s'" % i, i, 1),
            ('"%s"' % i, i, 1),
            ("\\" + i, i, 1),
            (i[0] + "'" + i[1:] + "'", i, 1),
            ("'%s E'" % i, i + " E", 1),
            ("%s-x.y" % i, i + "-x.y", 0),
        ][style]
        tab = "\t" if strip else ""
        lines = []
        self.nohere += 1
        nn = self.nonl
        try:
            for _ in range(self.r.randrange(0, 4)):
                t = tab if self.p(0.7) else ""
                k = self.r.randrange(10)
                if k == 9 and not q and not strip:
                    l = "joined \\\n" + delim + "\n" + self.dat()
                elif k == 0:
                    l = "text it's \" unbalanced ( " + self.dat()
                elif k == 1:
                    l = self.dat() + "; " + self.dat() + " && x"
                elif k in (2, 3, 4) and self.left > 0 and self.depth < 6:
                    if q:
                        l = "pre $(" + self.dat() + ") post `" + self.dat() + "`"
                    else:
                        l = (
                            "pre "
                            + self.within(
                                "heredoc",
                                self.wpick(
                                    (self.cs_dollar, 5),
                                    (self.cs_backh, 2),
                                    (self.cs_plain, 2),
                                ),
                            )
                            + " post"
                        )
                elif k == 5:
                    l = (
                        "\\$(" + self.dat() + ") \\`" + self.dat() + "\\`"
                        if not q
                        else "\\$x"
                    )
                elif k == 6:
                    l = "$HOME ${x:-d}"
                elif k == 7 and self.left > 0 and not q:
                    l = (
                        "${u:-"
                        + self.within(
                            "heredoc", lambda: self.within("param", self.cs_plain)
                        )
                        + "}"
                    )
                else:
                    l = "a 'b' # not a comment"
                lines.append(t + l + "\n")
        finally:
            self.nohere -= 1
            self.nonl = nn
        self.pend[-1].append((delim, "".join(lines), strip))
        return ("<<-" if strip else "<<") + self.wpick(("", 5), (" ", 2)) + raw

    def cs_backh(self):
        return self.within("backtick", lambda: "`" + self.mark() + " " + self.lit() + "`")

    # --- command names
    def name(self):
        if self.level == 1:
            f = self.wpick(("plain", 20), ("q", 1), ("dq", 1), ("abs", 1))
        else:
            f = self.wpick(
                ("plain", 40),
                ("q", 1),
                ("dq", 1),
                ("mix", 1),
                ("bs", 1),
                ("bs1", 1),
                ("ansi", 1),
                ("hex", 1),
                ("abs", 1),
                ("cont", 0 if self.nonl else 1),
                ("brace", 1),
                ("empty", 1),
                ("loc", 0.5),
                ("relabs", 0.5),
                ("uni", 0.5),
                ("dqbs", 0 if self.nonl else 0.5),
            )
        n = self.mark(*([] if f == "plain" else ["name-" + f]))
        h, t = n[:2], n[2:]
        return {
            "plain": n,
            "q": sq(n),
            "dq": dq(n),
            "mix": h + "'" + t + "'",
            "bs": h + "\\" + t,
            "bs1": "\\" + n,
            "ansi": "$'" + n + "'",
            "hex": "$'\\x63\\155" + n[2:] + "'",
            "abs": "/usr/bin/" + n,
            "cont": h + "\\\n" + t,
            "brace": "{" + n + "," + self.lit() + "}",
            "empty": "''" + n + '""',
            "loc": '$"' + n + '"',
            "relabs": "../../bin/" + n,
            "uni": "$'\\u0063" + n[1:] + "'",
            "dqbs": '"' + h + "\\\n" + t + '"',
        }[f]

    # --- assignments
    def assign(self):
        if self.level == 1:
            return self.pick("x=1", "A=b", "x='a b'", "x=")
        v = self.pick("x", "y", "z1", "_q")
        c = self.left > 0 and self.depth < 6
        k = self.r.randrange(12)
        if k == 0 and c:
            return v + "=" + self.within("assign", self.cmdsub)
        if k == 1 and c:
            return v + "=" + self.within("assign", self.cmdsub_dq)
        if k == 2:
            return v + "+=" + self.lit()
        if k == 3 and c:
            return v + "=" + self.within("assign", self.param)
        if k == 4:
            return v + "=" + self.quoted()
        if k == 5:
            return v + "=~/x:~/y"
        if k == 6:
            return v + "={a,b}"
        return v + "=" + self.pick("1", "", "a", "'b c'", "$HOME")

    def assign_only(self):
        c = self.left > 0 and self.depth < 6
        if self.level == 1 or not c:
            return self.assign()
        k = self.r.randrange(9)
        if k == 0:
            return "ar=(a %s 'b c')" % self.within("array", self.cmdsub)
        if k == 1:
            return "ar+=(%s)" % self.within("array", self.cmdsub_dq)
        if k == 2:
            return "ar[%s]=v" % self.within("subscript", self.cs_plain)
        if k == 3:
            return "ar=([1]=%s [2]=b)" % self.within("array", self.cs_plain)
        if k == 4:
            return "declare dv=%s" % self.within("declare", self.cmdsub_dq)
        if k == 5:
            return "export ev=%s ew=1" % self.within("declare", self.cs_plain)
        if k == 6:
            return "declare -a da=(a %s)" % self.within("declare", self.cs_plain)
        if k == 7 and not self.nonl:
            return "ar=(\n a # %s\n %s\n)" % (
                self.dat(),
                self.within("array", self.cs_plain),
            )
        return self.assign()

    # --- simple commands
    def simple(self):
        # decide the shape first, then generate left to right, so that the order of
        # here-document operators in the text is the order of their bodies
        plan = []
        if self.p(0.1):
            plan.append(self.assign)
        if self.p(0.06):
            plan.append(self.redir)
        plan.append(self.name)
        rest = [self.word] * self.wpick((0, 3), (1, 4), (2, 3), (3, 1)) + [
            self.redir
        ] * self.wpick((0, 8), (1, 4), (2, 1))
        if self.p(0.25):
            self.r.shuffle(rest)
        s = ""
        for f in plan + rest:
            s += (self.sp() if s else "") + f()
        return s

    def builtin(self):
        c = self.left > 0 and self.depth < 6 and self.level >= 2
        w = lambda: self.word(c)
        k = self.r.randrange(9)
        if k == 0:
            return "echo " + w() + " " + w()
        if k == 1:
            return "printf '%s\\n' " + w()
        if k == 2:
            return self.pick(
                "cd d1",
                "cd /tmp",
                "cd",
                "cd ~",
                "cd ..",
                "cd -- d1",
                "cd -P d2",
                "pushd d1",
                "cd $HOME",
                "cd 'd1'",
                "cd d1/../d2",
            )
        if k == 3:
            return self.pick(
                ":",
                "true",
                "false",
                "wait",
                "[ -n a ]",
                "test -f f1",
                "shift",
                "set -- a b",
                "hash",
                "umask 022",
                "type cmdZ",
                "unset x",
                "read x y",
                "export Q=1",
                "local z 2>/dev/null",
                "readonly -p",
            )
        if k == 4:
            return self.assign_only()
        if k == 5:
            return ": " + w()
        if k == 6:
            return ">" + self.out()
        if k == 7:
            return "echo " + self.kw() + " " + self.kw()
        return "[ " + w() + " = " + w() + " ]" if self.level > 1 else "echo x"

    def command(self):
        if self.left <= 0 or self.depth > 7:
            return self.pick(":", "true", "echo z")
        lv = self.level
        o = [(self.simple, 14), (self.builtin, 2)]
        if lv >= 2:
            o += [(self.compound, 6 if self.depth < 5 else 1)]
        if lv >= 3:
            o += [(self.semantic, 10 if self.depth < 5 else 2)]
        return self.wpick(*o)()

    def pipeline(self):
        n = self.wpick((1, 8), (2, 3), (3, 1)) if self.left > 1 else 1
        pre = ""
        if self.level >= 2:
            pre = self.wpick(
                ("", 30),
                ("! ", 1),
                ("time ", 1),
                ("time -p ", 0.5),
                ("! ! ", 0.2),
                ("time ! ", 0.2),
                ("! time ", 0.2),
            )
        s = (
            self.within(
                "time" if "time" in pre else "bang2" if pre == "! ! " else "bang",
                self.command,
            )
            if pre
            else self.command()
        )
        for _ in range(n - 1):
            op = self.wpick(("|", 6), ("|&", 1))
            if self.level >= 2 and self.p(0.08) and not self.nonl:
                s += (
                    self.osp()
                    + op
                    + self.nl()
                    + self.wpick(("", 2), ("\n", 1), ("# c\n", 1))
                )
            else:
                s += self.osp() + op + self.osp()
            s += self.within("pipe", self.command)
        if "time" in pre and re.match(r"\(\(|\w+\+?=\(|\w+\[", s):
            pre = ""
        return pre + s

    def andor(self):
        s = self.pipeline()
        for _ in range(self.wpick((0, 6), (1, 3), (2, 1)) if self.left > 0 else 0):
            op = self.pick("&&", "||")
            if self.level >= 2 and not self.nonl and self.p(0.02):
                op = op[0] + "\\\n" + op[1]
            if self.level >= 2 and self.p(0.08) and not self.nonl:
                s += (
                    self.osp()
                    + op
                    + self.nl()
                    + self.wpick(("", 2), ("\n", 1), (" # c '\n", 1))
                )
            else:
                s += self.osp() + op + self.osp()
            s += self.within("andor", self.pipeline)
        return s

    def sep(self, bg=True):
        if self.nonl:
            return self.wpick(("; ", 6), (";", 2), (" & ", 1 if bg else 0))
        k = self.wpick(
            ("; ", 8),
            (";", 3),
            ("\n", 4),
            (" & ", 1 if bg else 0),
            ("&", 0.5 if bg else 0),
            (";\n", 1),
            ("cmt", 0.7),
            ("\n\n", 0.5),
            (" ;\t", 0.5),
        )
        if k == "cmt":
            return (
                self.pick(" # it's ", " # ", "\t#! ")
                + self.dat()
                + "; $("
                + self.dat()
                + self.nl()
            )
        if "\n" in k:
            return k.replace("\n", "", 1) + self.nl() + ("\n" if k == "\n\n" else "")
        return k

    def lst(self, n=None):
        n = n or self.wpick((1, 4), (2, 4), (3, 2), (4, 1))
        s = self.andor()
        for _ in range(n - 1):
            if self.left <= 0:
                break
            x, y = self.sep(), self.andor()
            if x == ";" and y[:1] in "&;":
                x = "; "
            s += x + y
        return s

    def body(self, n=None):
        """list plus a terminator, ready for a closing keyword"""
        s = self.lst(n or self.wpick((1, 4), (2, 2)))
        if self.nonl:
            return s + self.pick("; ", " ;", ";")
        return s + (self.nl() if self.p(0.35) else self.pick("; ", ";", " ; ", "& "))

    def ksp(self):
        return (
            " "
            if self.nonl
            else self.wpick((" ", 6), ("\n", 1), ("  ", 1), ("\t", 1))
            if not self.pend[-1]
            else " "
        )

    # --- compound commands
    def compound(self):
        k = self.r.randrange(17)
        f = [
            self.c_sub,
            self.c_group,
            self.c_if,
            self.c_for,
            self.c_cfor,
            self.c_while,
            self.c_until,
            self.c_case,
            self.c_select,
            self.c_dbrack,
            self.c_dparen,
            self.c_func,
            self.c_sub,
            self.c_group,
            self.c_if,
            self.c_case,
            self.c_odd,
        ][k]
        s = f()
        if self.p(0.12) and f not in (self.c_func, self.c_select, self.c_odd):
            s += self.sp() + self.redir()
        return s

    def c_sub(self):
        return self.within(
            "subshell",
            lambda: "("
            + self.wpick(("", 3), (" ", 2))
            + self._nodbl(self.level_push2(self.lst))
            + self.wpick(("", 3), (" ", 1))
            + ")",
        )

    def _nodbl(self, s):
        return " " + s if s[:1] == "(" else s

    def level_push2(self, fn, *a):
        """same parser level, but half of the time flush our here-documents before the end"""
        s = fn(*a)
        if self.pend[-1] and not self.nonl and self.p(0.5):
            s += self.nl()
        return s

    def c_group(self):
        return self.within("group", lambda: "{" + self.ksp() + self.body() + "}")

    def c_if(self):
        def f():
            s = (
                "if"
                + self.ksp()
                + self.within("cond", self.body, 1)
                + "then"
                + self.ksp()
                + self.body()
            )
            if self.p(0.2):
                s += "elif" + self.ksp() + self.body(1) + "then" + self.ksp() + self.body(1)
            if self.p(0.3):
                s += "else" + self.ksp() + self.body(1)
            return s + "fi"

        return self.within("if", f)

    def brk(self):
        return "break" + (
            self.nl() if not self.nonl and self.p(0.3) else self.pick("; ", ";")
        )

    def c_for(self):
        v = self.pick("i", "j", "for", "in", "do")
        return self.within(
            "for",
            lambda: "for "
            + v
            + self.wpick((" in", 1))
            + "".join(self.sp() + self.word() for _ in range(self.r.randrange(1, 3)))
            + self.semi()
            + "do"
            + self.ksp()
            + self.body()
            + "done",
        )

    def semi(self):
        return self.pick("; ", ";", " ;") if self.nonl or self.p(0.7) else self.nl()

    def c_cfor(self):
        v = "k%d" % self.r.randrange(100)
        init = "%s=0" % v
        if self.left > 0 and self.p(0.4):
            init = v + "=" + self.within("arith", self.cs_plain)
        return self.within(
            "cfor",
            lambda: "for (("
            + init
            + "; "
            + v
            + "<1; "
            + v
            + "++)); do"
            + self.ksp()
            + self.body()
            + "done",
        )

    def c_while(self):
        return self.within(
            "while",
            lambda: "while"
            + self.ksp()
            + self.within("cond", self.body, 1)
            + "do"
            + self.ksp()
            + self.body()
            + self.brk()
            + "done",
        )

    def c_until(self):
        return self.within(
            "until",
            lambda: "until"
            + self.ksp()
            + self.within("cond", self.body, 1)
            + "do"
            + self.ksp()
            + self.body()
            + self.brk()
            + "done",
        )

    def c_case(self):
        def f():
            w = (
                self.pick("a", '"a"', "$HOME", "x", "in")
                if self.p(0.6) or self.left <= 0
                else self.word()
            )
            s = "case " + w + " in" + self.ksp()
            items = self.r.randrange(1, 4)
            for i in range(items):
                pat = self.pick(
                    "a",
                    "*",
                    "a|b",
                    "'a b'",
                    "[a-z]*",
                    "x*",
                    '"$x"',
                    "in",
                    "(a",
                    "( a | *",
                    "?",
                    "esac1",
                )
                if self.left > 0 and self.p(0.1):
                    pat = self.within("casepat", self.cs_plain)
                s += pat + ")" + self.ksp()
                s += self.lst(1)
                last = i == items - 1
                t = self.wpick((";;", 6), (";&", 1), (";;&", 1), ("", 1 if last else 0))
                if t == "":
                    s += "; " if self.nonl or self.p(0.5) else self.nl()
                else:
                    s += (
                        self.pick(" ", "")
                        + t
                        + (self.nl() if not self.nonl and self.p(0.3) else " ")
                    )
            return s + "esac"

        return self.within("case", f)

    def c_select(self):
        return self.within(
            "select",
            lambda: "select s in "
            + self.word()
            + " b; do"
            + self.ksp()
            + self.body()
            + self.brk()
            + "done <<< 1",
        )

    def c_dbrack(self):
        c = lambda: self.within(
            "dbrack", self.wpick((self.cmdsub_dq, 2), (self.cs_plain, 2), (self.param, 1))
        )
        k = self.r.randrange(8)
        if k == 0:
            return "[[ -n " + c() + " ]]"
        if k == 1:
            return "[[ " + c() + " == *x* ]]"
        if k == 2:
            return "[[ a < " + c() + " && ( -f f1 || ! -d d1 ) ]]"
        if k == 3:
            return "[[ x =~ ^(" + self.within("dbrack", self.cs_plain) + "|x)$ ]]"
        if k == 4:
            return "[[ -z " + c() + " || -n " + c() + " ]]"
        if k == 5:
            return "[[ a == @(a|b) ]] && " + self.simple()
        if k == 6:
            return "[[ 1 -eq " + self.within("dbrack", self.cs_plain) + " ]]"
        return "[[ ! a > b ]] || " + self.simple()

    def c_dparen(self):
        c = lambda: self.within("dparen", self.cs_plain)
        k = self.r.randrange(4)
        if k == 0:
            return "((x = " + c() + " + 1))"
        if k == 1:
            return "(( " + c() + " || 1 )) && " + self.simple()
        if k == 2:
            return "let y=" + self.within("let", self.cs_plain) + "+1"
        return "(( 1 > 0 )) && " + self.simple()

    def c_func(self):
        n = self.uniq("fn")
        k = self.r.randrange(6)
        b = lambda: self.within("func", lambda: "{" + self.ksp() + self.body() + "}")
        if k == 0:
            d = n + "() " + b()
        elif k == 1:
            d = "function " + n + " " + b()
        elif k == 2:
            d = "function " + n + "() " + b()
        elif k == 3:
            d = n + " ( )" + (" " if self.nonl else self.wpick((" ", 1), ("\n", 1))) + b()
        elif k == 4:
            d = n + "() " + self.within("func", lambda: "(" + self.lst(1) + ")")
        else:
            d = (
                n
                + "() "
                + self.within("func", lambda: "if true; then " + self.body(1) + "fi")
            )
        return d + self.semi() + n + " " + self.lit()

    def c_odd(self):
        """reserved words in odd places"""
        k = self.r.randrange(13)
        m = self.name
        if k == 10:
            return "for i in a; { " + m() + "; }"
        if k == 11:
            return "((" + m() + ") )"
        if k == 12:
            return "set -- p; for q do " + m() + " $q; done"
        if k == 0:
            return "for for in do done; do " + m() + " $for; done"
        if k == 1:
            return "case case in case) " + m() + ";; esac"
        if k == 2:
            return "{ " + m() + " }; }"
        if k == 3:
            return "if " + m() + " then; then " + m() + " fi; fi"
        if k == 4:
            return "if=1 then=2 " + m()
        if k == 5:
            return "case in in in) " + m() + ";; esac"
        if k == 6:
            return m() + " do done esac"
        if k == 7:
            return "while " + m() + " do; do " + m() + "; break; done"
        if k == 8:
            return "{ { " + m() + "; }; }"
        return "! { " + m() + "; }"

    # --- things that need knowledge of meaning
    def inner(self, n=1):
        """source text for an inner shell"""
        self.nohere += 0
        return self.level_push(self.lst, n)

    def str_of(self, s):
        f = self.wpick((sq, 5), (dq, 3), (ansic, 1))
        return f(s)

    def args(self):
        return "".join(" " + self.word(False) for _ in range(self.r.randrange(0, 3)))

    def semantic(self):
        k = self.wpick(
            ("wrap", 8),
            ("wrap2", 2),
            ("eval", 3),
            ("shc", 4),
            ("stdin", 2),
            ("trap", 2),
            ("alias", 1),
            ("source", 1.5),
            ("dyn", 5),
            ("find", 2),
            ("xargs", 3),
            ("coproc", 1),
            ("inject", 2),
            ("cb", 1.5),
            ("exec", 1.5),
            ("glob", 0.7),
            ("env", 1),
        )
        return getattr(self, "s_" + k)()

    def wrapper(self):
        return self.wpick(
            ("env", 2),
            ("env A=1", 2),
            ("env -i PATH=/usr/bin", 1),
            ("env -u X", 1),
            ("env -C d1", 0.5),
            ("env --", 0.5),
            ("env - PATH=/usr/bin", 0.5),
            ("command", 2),
            ("command --", 0.5),
            ("command -p", 0.5),
            ("nohup", 1),
            ("timeout 5", 2),
            ("timeout -k 1 5s", 1),
            ("timeout --signal=KILL 5", 0.7),
            ("timeout -s TERM 5", 0.5),
            ("nice", 1),
            ("nice -n 3", 1),
            ("nice -3", 0.5),
            ("stdbuf -oL", 1),
            ("stdbuf -o L", 0.5),
            ("setsid -w", 1),
            ("builtin command", 0.5),
            ("flock f1", 0.5),
            ("busybox env", 0.4),
            ("time -p command", 0.4),
            ("/usr/bin/env", 1),
            ("\\env", 0.3),
            ("'env'", 0.3),
            ("chrt -o 0", 0.0),
            ("command env", 0.5),
            ("nohup --", 0.2),
            ("timeout 5 --", 0),
        )

    def s_wrap(self):
        w = self.wrapper()
        t = (
            "wrapper:"
            + w.replace("\\", "")
            .replace("'", "")
            .replace("time -p ", "")
            .split()[0]
            .split("/")[-1]
        )
        return self.within(t, lambda: w + " " + self.name() + self.args())

    def s_wrap2(self):
        w = self.wrapper()
        v = self.pick("env B=2", "nice", "timeout 5", "nohup", "stdbuf -oL", "setsid -w")
        return self.within(
            "wrapper:nested", lambda: w + " " + v + " " + self.name() + self.args()
        )

    def s_env(self):
        return self.within(
            "wrapper:env-S",
            lambda: "env -S " + self.pick("'%s a b'", '"%s a"', "'A=1 %s x'") % self.mark(),
        )

    def s_eval(self):
        k = self.r.randrange(6)

        def f():
            if k == 0:
                return "eval " + self.name() + self.args().replace("\n", " ")
            if k == 1:
                return "x=" + sq(self.inner()) + '; eval "$x"'
            if k == 2:
                return "eval " + self.str_of(self.inner(1)) + " " + sq("&& " + self.mark())
            if k == 3:
                return "builtin eval " + self.str_of(self.inner())
            if k == 4:
                return "command eval " + self.str_of(self.inner())
            return "eval " + self.str_of(self.inner(2))

        return self.within("eval", f)

    def s_shc(self):
        sh = self.pick(
            "bash -c",
            "bash -c",
            "sh -c",
            "bash -ec",
            "bash --norc -c",
            "bash -o pipefail -c",
            "/bin/bash -c",
            "dash -c",
            "env bash -c",
            "bash -c --",
            "busybox sh -c",
            "bash -lc",
            "timeout 5 bash -c",
            "xargs -a f1 bash -c",
        )

        def f():
            if sh.split()[0] in ("sh", "dash", "busybox"):
                inner = (
                    self.mark()
                    + " "
                    + self.lit()
                    + self.pick("; ", " && ", " | ")
                    + self.mark()
                )
            else:
                inner = self.inner(1 if self.p(0.6) else 2)
            return sh + " " + self.str_of(inner) + self.pick("", "", " _ a b", ' "$x"')

        return self.within("sh-c", f)

    def s_stdin(self):
        def f():
            k = self.r.randrange(6)
            m = self.mark
            if k == 0:
                return "echo " + sq(m() + " a") + " | bash"
            if k == 1:
                return "bash <<< " + sq(m() + "; " + m())
            if k == 2 and not self.nohere and not self.nonl:
                i = self.uniq("E")
                self.pend[-1].append((i, m() + " x\n", False))
                return "bash <<'" + i + "'"
            if k == 3:
                return "printf '%s a\\n' " + m() + " | sh"
            if k == 4:
                return "bash -s <<< " + m() + " a b"
            return "bash < <(echo " + m() + ")"

        return self.within("stdin-sh", f)

    def s_trap(self):
        def f():
            sig = self.wpick(
                ("EXIT", 5),
                ("0", 1),
                ("ERR", 1),
                ("DEBUG", 1),
                ("RETURN", 0.3),
                ("exit", 1),
                ("USR1", 1),
            )
            t = "trap " + self.str_of(self.mark() + " " + self.lit()) + " " + sig
            if sig == "ERR":
                t += "; false"
            if sig == "USR1":
                t += "; kill -USR1 $BASHPID"
            if sig == "DEBUG":
                t += "; :; trap - DEBUG"
            return (
                self.pick("( %s )", "{ %s; }", "( %s; true )") % t
                if sig != "USR1"
                else "( %s )" % t
            )

        return self.within("trap", f)

    def s_alias(self):
        if self.nonl or self.pend[-1]:
            return self.s_wrap()

        def f():
            k = self.r.randrange(4)
            if k == 0:
                return (
                    "shopt -s expand_aliases\nalias zz=" + sq(self.mark() + " a") + "\nzz b"
                )
            if k == 1:
                return (
                    "shopt -s expand_aliases\nalias zz="
                    + sq(self.mark() + "; " + self.mark())
                    + "\nzz b"
                )
            if k == 2:
                return (
                    "shopt -s expand_aliases\nalias pre='env ' zz="
                    + self.mark()
                    + "\npre zz b"
                )
            return "shopt -s expand_aliases; alias ls=" + self.mark() + "\nls"

        return self.within("alias", f)

    def s_source(self):
        def f():
            k = self.r.randrange(5)
            m = self.mark
            if k == 0:
                return "source <(echo " + sq(m() + " a") + ")"
            if k == 1:
                return ". /dev/stdin <<< " + sq(m())
            if k == 2:
                return "echo " + sq(m() + " x") + " > s1; . ./s1"
            if k == 3:
                return "echo " + sq(m()) + " > s2; bash s2"
            return "printf '#!/bin/bash\\n%s\\n' " + m() + " > s3; chmod +x s3; ./s3"

        return self.within("source", f)

    def s_dyn(self):
        def f():
            m, k = self.mark, self.r.randrange(17)
            if k == 0:
                return "x=" + m() + "; $x a"
            if k == 1:
                return "c=(" + m() + " a 'b c'); \"${c[@]}\""
            if k == 2:
                return "${u:-" + m() + "} a"
            if k == 3:
                return "$(echo " + m() + ") a"
            if k == 4:
                return "`printf %s " + m() + "` a"
            if k == 5:
                n = m()
                return "c=cmd; ${c}" + n[3:] + " a"
            if k == 6:
                return "set -- " + m() + ' a; "$@"'
            if k == 7:
                return "for q in " + m() + " " + m() + "; do $q a; done"
            if k == 8:
                return "read -r q <<< " + m() + "; $q"
            if k == 9:
                return "printf -v q %s " + m() + '; "$q" a'
            if k == 10:
                return "a1=" + m() + " b1=a1; ${!b1} a"
            if k == 11:
                n = m()
                return "x=cmQ" + n[3:] + "; ${x/Q/d} a"
            if k == 12:
                return "( IFS=,; x=" + m() + ",a; $x )"
            if k == 13:
                return "q=" + m() + ' && "$q"'
            if k == 14:
                return "( HOME=/usr/bin; ~/" + m() + " )"
            if k == 15:
                return "export q=" + m() + "; bash -c '$q a'"
            return "case " + m() + " in *) $_ ;; esac; x=" + m() + "; command $x"

        return self.within("dynname", f)

    def s_glob(self):
        def f():
            n = self.mark()
            return (
                self.pick(
                    "/usr/bin/cmd[" + n[3] + "]" + n[4:], "/usr/?in/" + n, "/*/bin/" + n
                )
                + " a"
            )

        return self.within("globname", f)

    def s_find(self):
        def f():
            m, k = self.mark, self.r.randrange(6)
            if k == 0:
                return "find . -maxdepth 0 -exec " + m() + " {} \\;"
            if k == 1:
                return "find f1 -exec " + m() + " {} +"
            if k == 2:
                return (
                    "find d1 -maxdepth 0 -exec "
                    + m()
                    + " a {} ';' -exec "
                    + m()
                    + " {} ';'"
                )
            if k == 3:
                return "find . -maxdepth 0 -exec sh -c '" + m() + ' "$1"\' _ {} \\;'
            if k == 4:
                return "find d2 -name x -execdir /usr/bin/" + m() + " {} \\;"
            return (
                "find . -maxdepth 0 -name . -print -o -exec "
                + m()
                + " \\; , -exec env "
                + m()
                + ' {} ";"'
            )

        return self.within("wrapper:find", f)

    def s_xargs(self):
        def f():
            m, k = self.mark, self.r.randrange(9)
            if k == 0:
                return "echo a b | xargs " + m()
            if k == 1:
                return "echo a b | xargs -n1 " + m() + " x"
            if k == 2:
                return "xargs -I{} " + m() + " {} < f1"
            if k == 3:
                return "printf '%s\\0' a b | xargs -0 env " + m()
            if k == 4:
                return "xargs sh -c '" + m() + ' "$@"\' _ < f1'
            if k == 5:
                return "echo " + m() + " | xargs -I% sh -c %"
            if k == 6:
                return "echo " + m() + " | xargs env"
            if k == 7:
                return "xargs -a f1 -P2 -L1 -- " + m()
            return "echo a | xargs -t -r --max-args=1 nice " + m()

        return self.within("wrapper:xargs", f)

    def s_coproc(self):
        def f():
            k = self.r.randrange(3)
            if k == 0:
                return "{ coproc " + self.mark() + " a; wait; }"
            if k == 1:
                return "{ coproc { " + self.body(1) + "}; wait; }"
            return "{ coproc CP { " + self.body(1) + "}; wait; }"

        return self.within("coproc", f)

    def s_inject(self):
        def f():
            m, k = self.mark(), self.r.randrange(15)
            e = "'b0[$(" + m + ")]'"
            return [
                "a0=" + e + "; (( a0 ))",
                "a0=" + e + "; [[ $a0 -eq 0 ]]",
                "a0=" + e + "; let c0=a0",
                "declare -i c0=" + e,
                "test -v " + e,
                "[[ -v " + e + " ]]",
                "printf -v " + e + " 1",
                "unset " + e,
                "read " + e + " <<< 1",
                "a0=" + e + "; echo ${HOME:a0}",
                "a0=" + e + "; echo $((a0))",
                "p0='$(" + m + ')\'; echo "${p0@P}"',
                "( PS4='$(" + m + ")'; set -x; : )",
                "a0=" + e + "; ar[a0]=1",
                "a0=" + e + '; echo "${ar[a0]}"',
            ][k]

        return self.within("inject", f)

    def s_cb(self):
        def f():
            m, k = self.mark(), self.r.randrange(7)
            return [
                "mapfile -c 1 -C " + m + " mf < f1",
                "readarray -C '" + m + " q' -c 1 mf < f1",
                "compgen -C " + m,
                "compgen -W '$(" + m + ")'",
                "hash -p /usr/bin/" + m + " hh; hh a",
                "BASH_ENV=<(echo " + m + ") bash -c :",
                "command_not_found_handle() { " + m + "; }; nosuchcmd",
            ][k]

        return self.within("callback", f)

    def s_exec(self):
        def f():
            m, k = self.mark, self.r.randrange(5)
            if k == 0:
                return "( exec " + m() + " a )"
            if k == 1:
                return "( exec -a other " + m() + " a )"
            if k == 2:
                return "( exec -c " + m() + " )"
            if k == 3:
                return "( exec env " + m() + " )"
            return "( exec >" + self.out() + "; " + m() + " )"

        return self.within("wrapper:exec", f)

    def top(self):
        pre = (
            ""
            if self.level == 1
            else self.wpick(
                ("", 12), (" ", 1), ("\n", 1), ("# c\n", 1), ("\t", 1), ("\\\n", 0.5)
            )
        )
        s = self.lst()
        suf = ""
        if self.pend[-1]:
            suf = self.nl()
        if self.p(0.15):
            suf += self.pick(
                "\n", " ", ";" if not suf else "", " &" if not suf else "", " # end", "\n\n"
            )
        return pre + s + suf


def make(seed, i, level=None):
    rng = random.Random("%d/%d" % (seed, i))
    lv = level or rng.choices([1, 2, 3], [2, 4, 4])[0]
    while True:
        g = Gen(
            rng, lv, rng.choice([1, 2, 3, 4, 5, 6, 8, 10] if lv > 1 else [1, 2, 3, 4, 5])
        )
        s = g.top()
        if g.markers and len(s) < 3000:
            break
    return {"id": "g%d.%d" % (seed, i), "level": lv, "src": s, "markers": g.markers}


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("-n", type=int, default=100)
    ap.add_argument("--level", type=int)
    ap.add_argument("--start", type=int, default=0)
    ap.add_argument(
        "--text", action="store_true", help="print readable text, not JSON lines"
    )
    a = ap.parse_args()
    for i in range(a.start, a.start + a.n):
        c = make(a.seed, i, a.level)
        if a.text:
            print("----", c["id"], c["level"])
            print(c["src"])
        else:
            print(json.dumps(c))


if __name__ == "__main__":
    main()
