/* Errors of the parser, its trees as text, and every amount of memory. */
#include "../cm.h"
#include "base/json/json.h"
#include "base/limits.h"
#include "parse/parse.h"
#include "parse/print.h"

static char memory[2][1 << 20];

/* clang-format off: one text per line */
/* If bash accepts one of these, this parser is not certain how bash reads it. */
static const struct refused refused[] = {
	{ STR("echo 99999999999>x"), 5, "this file descriptor is too large for bash" },
	{ STR("echo >&-x"), 7, "bash ends the word after >&- here: add a space" },
	{ STR("echo >a[b"), 6, "a redirection target with [ but no ]" },
	{ STR("echo &>>a=b"), 8, "&>> with a target like an assignment" },
	{ STR("echo >"), 6, "a redirection needs a target" },
	{ STR("exec {a[]}>x"), 5, "empty subscript" },
	{ STR("exec {a[b[c]]}>x"), 5, "a subscript in {name[ ]}> that is not simple" },
	{ STR("exec {a[1]b}>x"), 5, "a subscript in {name[ ]}> that is not simple" },
	{ STR("{ ls; } x"), 8, "unexpected token after a command" },
	{ STR("a=(b <<c)"), 5, "unexpected token in an array" },
	{ STR("a=(b"), 2, "this ( is never closed" },
	{ STR("a=(b;c)"), 4, "unexpected token in an array" },
	{ STR("a=(b)c"), 5, "a word continues after the ) of an array" },
	{ STR("a[1]=(b)"), 5, "an array cannot be an element" },
	{ STR("a=([x)"), 6, "the text ends inside an expansion" },
	{ STR("a=([$x)"), 7, "the text ends inside an expansion" },
	{ STR("a[1"), 3, "the text ends inside an expansion" },
	{ STR("a[\"x\""), 5, "the text ends inside an expansion" },
	{ STR("ls a=(b)"), 5, "unexpected (" },
	{ STR("echo ${x///y}"), 10, "three slashes in ${x///y}" },
	{ STR("echo ${x:}"), 9, "${x:} without an offset" },
	{ STR("echo ${x@Z}"), 9, "unknown letter in ${x@letter}" },
	{ STR("echo ${x[1]} ${1[2]}"), 16,
	    "bad substitution: only a variable has a subscript" },
	{ STR("echo ${#x-y}"), 9, "an operator after ${#" },
	{ STR("echo ${!#x}"), 9, "an operator after ${!#" },
	{ STR("echo ${!@}"), 8, "${! with a special parameter" },
	{ STR("echo ${ ls; }"), 7,
	    "${ command; } runs a command in newer versions of bash" },
	{ STR("echo ${}"), 7, "bad substitution: no name in ${ }" },
	{ STR("echo ${x"), 8, "bad substitution: unknown operator in ${ }" },
	{ STR("echo ${x y}"), 8, "bad substitution: unknown operator in ${ }" },
	{ STR("echo ${x:1?2:3}"), 10, "? : inside the offset of ${x:offset}" },
	{ STR("echo $'\\c\\''"), 9, "\\c with this byte in $'...'" },
	{ STR("echo $'abc"), 5, "this $' is never closed" },
	{ STR("for x in a b"), 12, "; or a newline expected after the words of the loop" },
	{ STR("for x in a b | c"), 13,
	    "; or a newline expected after the words of the loop" },
	{ STR("for 1x in a; do :; done"), 4,
	    "the variable of a loop must be a plain name" },
	{ STR("a=b >x c=(d)"), 9, "an array cannot be assigned here" },
	{ STR("a=b >x c[1]=d"), 8, "a subscript where bash may end the word" },
	{ STR("[[ 2<3 ]]"), 4, "a blank is needed before < and > in [[ ]]" },
	{ STR("[[ {x}<3 ]]"), 6, "a blank is needed before < and > in [[ ]]" },
	{ STR("cat <<-E\n$(echo \"a\n\tb\")\nE\n"), 9,
	    "tab that <<- strips inside an expansion" },
	{ STR("for x y"), 6, "do expected" },
	{ STR("for x { :; }"), 6, "; or a newline expected before {" },
	{ STR("f() ls"), 4, "a function body must be a compound command" },
	{ STR("function"), 8, "a name expected after function" },
	{ STR("function $x { :; }"), 8, "a function name with quotes or expansions" },
	{ STR("f$x() { :; }"), 0, "a function name with quotes or expansions" },
	{ STR("for ((a;b)); do :; done"), 9, "for (( needs three expressions" },
	{ STR("for ((a;(b;c);d)); do :; done"), 10, "; inside parentheses of for ((" },
	{ STR("for ((a;b;c"), 11, "the text ends inside an expansion" },
	{ STR("coproc"), 6, "the text ends too early" },
	{ STR("coproc then"), 7, "unexpected reserved word after coproc" },
	{ STR("coproc f() { :; }"), 9, "a command was expected here" },
	{ STR("coproc a then { :; }"), 9, "unexpected reserved word after coproc" },
	{ STR("| ls"), 0, "a command was expected here" },
	{ STR("ls |"), 4, "the text ends too early" },
	{ STR("ls | | x"), 5, "a command was expected here" },
	{ STR("ls && && x"), 6, "a command was expected here" },
	{ STR("ls ;; x"), 3, "unexpected token" },
	{ STR("ls )"), 3, "unexpected token" },
	{ STR("} ls"), 0, "unexpected token" },
	{ STR("then"), 0, "unexpected token" },
	{ STR("if ls; then :; fi then"), 18, "unexpected token" },
	{ STR("echo $[`x"), 7, "this ` is never closed" },
	{ STR("echo ${a[1+2]} ${a[]}"), 19, "empty subscript" },
	{ STR("echo ${a[}]}"), 9, "} inside a subscript" },
	{ STR("echo `ls"), 5, "this ` is never closed" },
	{ STR("echo \"${x:-`echo \\\"a\\\"`}\""), 17,
	    "\\\" inside ` ` inside ${ } inside quotes" },
	{ STR("echo `ls )`"), 5, "unexpected token inside backquotes" },
	{ STR("echo `cat <<E`"), 5, "here-document without a body" },
	{ STR("echo $(ls"), 5, "this ( is never closed" },
	{ STR("echo $(ls; fi)"), 11, "unexpected token inside $( )" },
	{ STR("[[ a"), 4, "an operator was expected in [[ ]]" },
	{ STR("[[ ]]"), 3, "an operand is missing in [[ ]]" },
	{ STR("[[ a == ]]"), 8, "an operand is missing in [[ ]]" },
	{ STR("[[ a b c ]]"), 6, "an operator was expected in [[ ]]" },
	{ STR("[[ (a ]]"), 6, ") expected in [[ ]]" },
	{ STR("[[ a <<x ]]"), 5, "an operator was expected in [[ ]]" },
	{ STR("[[ a 2<b ]]"), 6, "an operator was expected in [[ ]]" },
	{ STR("[[ -f ]]"), 6, "an operand is missing in [[ ]]" },
	{ STR("case"), 4, "a word expected after case" },
	{ STR("case a"), 6, "in expected after the word of case" },
	{ STR("case a in"), 9, "a pattern expected in case" },
	{ STR("case a in b"), 11, ") expected after the pattern" },
	{ STR("case a in b c) ;; esac"), 12, ") expected after the pattern" },
	{ STR("case a in b) ; esac"), 13, "a command was expected here" },
	{ STR("cat <<E"), 4, "this here-document has no body" },
	{ STR("cat <<$x\na\n$x"), 6, "a here-document delimiter with $ or `" },
	{ STR("cat <<`x`\na\n`x`"), 6, "a here-document delimiter with $ or `" },
	{ STR("cat <<\"a\nb\"\nx"), 6, "a here-document delimiter with a newline" },
	{ STR("cat <<-E\n${x\n\ty}\nE"), 12, "bad substitution: unknown operator in ${ }" },
	{ STR("echo \"a"), 5, "this \" is never closed" },
	{ STR("echo 'a"), 5, "this ' is never closed" },
	{ STR("echo ?(a|b) @(c) !(d)"), 6, "unexpected (" },
	{ STR("echo +("), 6, "unexpected (" },
	{ STR("if ls; then"), 11, "the text ends too early" },
	{ STR("while ls; do"), 12, "the text ends too early" },
	{ STR("{ ls"), 4, "} expected" },
	{ STR("( ls"), 0, "this ( is never closed" },
	{ STR("()"), 1, "a command was expected here" },
	{ STR("if; then"), 2, "a command was expected here" },
	{ STR("while; do"), 5, "a command was expected here" },
	{ STR(">x if"), 3, "a reserved word after a redirection" },
	{ STR(">x for a"), 3, "a reserved word after a redirection" },
};

/* Errors only in scripts for any sh. */
static const struct {
	struct str text;
	const char *why;
} not_sh[] = {
	{ STR("ls 10>x"), "sh and bash differ: descriptors above 9" },
	{ STR("ls {fd}>x"), "sh and bash differ: {name}>" },
	{ STR("a=(b)"), "sh and bash differ: arrays" },
	{ STR("a-b() { ls; }"), "sh and bash differ: this function name" },
};

static const struct str accepted[] = {
	STR("exec {a[1]}>x"),
	STR("exec {a[1$x]}>f"),
	STR("{ ls; } {fd}>x"),
	STR("a=(\nb\n[1]=c\n)"),
	STR("a=([x y]=c)"),
	STR("a=([x]y z)"),
	STR("echo ${x~} ${x~~a} ${1} ${12} ${@}"),
	STR("echo ${!x*} ${!x@}"),
	STR("echo $'\\x{41}' $'\\x{4}'"),
	STR("echo $'\\x{41}'"),
	STR("echo $'\\xg\\ca\\c?\\q\\u41\\U1F600'"),
	STR("echo $'\\ud800'"),
	STR("echo $'\\0a'"),
	STR("for x; { :; }"),
	STR("select x in a; do :; done"),
	STR("function f ( ) { :; }"),
	STR("function f { :; }"),
	STR("for ((;;)); do :; done"),
	STR("for ((;;)) { :; }"),
	STR("coproc x { :; }"),
	STR("coproc { ls; }"),
	STR("coproc ls x"),
	STR("coproc (ls)"),
	STR("! ! ls"),
	STR("time -p ls"),
	STR("time"),
	STR("ls }"),
	STR("echo $((1+(2)))"),
	STR("echo $((a < (b)))"),
	STR("echo $(( `x` + $y + 'z' ))"),
	STR("((a+b))"),
	STR("((echo a); (echo b))"),
	STR("((echo a) )"),
	STR("echo $[1+2]"),
	STR("echo $[a]b]"),
	STR("echo ${a:$(x)}"),
	STR("echo \"$(cat <<E\na\nE\n)\""),
	STR("echo `ls \\`pwd\\` \\\\`"),
	STR("echo \"`echo \\\"a\\\"`\""),
	STR("echo <(ls) >(cat)"),
	STR("echo \"<(ls)\" ${x:-<(ls)}"),
	STR("[[ a == b && ( c < d || ! -f e ) ]]"),
	STR("[[ a =~ b(c|d)+ ]]"),
	STR("case a in b) ls; esac"),
	STR("case a in (b|c) ls ;; d) ;& e) ;;& *) esac"),
	STR("cat <<'E'\n$x\nE"),
	STR("cat <<-E\n\ta $x\n\tE"),
	STR("cat <<E\nEx)\nE"),
	STR("cat <<E\nE"),
	STR("echo a\\"),
	STR("a() (ls)"),
	STR("until ls; do :; done"),
	STR(">x"),
	STR("2>&1"),
	STR("<<<a"),
	STR("a=b c=d"),
	STR("a+=b"),
	STR("a+=(c d)"),
	STR("declare -a x=(1 2)"),
	STR("export a=b"),
	STR("ls 2>x <y >>z >|w <>v &>u &>>t >&3 <&- <<<s"),
	STR("if a; then b; elif c; then d; else e; fi >x"),
	STR("\"function\" x"),
	STR("echo \\\na"),
	STR("echo a # b"),
	STR("'if' x"),
	STR("x() { :; } 2>y"),
	STR("time { ls; }"),
	STR("! { ls; }"),
	STR("echo $\"a\" $x$ $'' \"\""),
	STR("a=b{c,d} ls"),
	STR("alias a=b"),
	STR("echo ${x#a} ${x##a} ${x%a} ${x%%a} ${x/a/b} ${x//a/b} ${x/#a/b} ${x/%a/b} "
	    "${x^} ${x^^} ${x,} ${x,,} ${x:-a} ${x-a} ${x:=a} ${x:+a} ${x:?a} ${x:1:2} "
	    "${#x} ${!x} ${x@Q}"),
	STR("( ( ls ); for x in a; do case $x in (b) [[ -f c ]];; esac; done )"),
	STR("f() { local a=(1 [2]=3); }; f | { cat; } >&2"),
	STR("if ((a)); then while b; do until c; do :; done; done; else ! time -p d & fi"),
};
/* clang-format on */

static void
test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(refused); i++) {
		struct list *top = NULL;
		struct err e = { 0, 0, NULL };
		struct arena a;

		arena_init(&a, memory[0], sizeof memory[0]);
		assert_refused(&refused[i], parse(&a, refused[i].text, NULL, &top, &e), &e);
		assert_null(top);
	}
}

static void
test_not_sh(void **state)
{
	const struct parse_opts sh = { .dialect = DIALECT_SH };

	(void)state;
	for (size_t i = 0; i < COUNT(not_sh); i++) {
		struct list *top = NULL;
		struct err e = { 0, 0, NULL };
		struct arena a;

		arena_init(&a, memory[0], sizeof memory[0]);
		assert_int_equal(parse(&a, not_sh[i].text, NULL, &top, NULL), 0);
		top = NULL;
		assert_true(parse(&a, not_sh[i].text, &sh, &top, &e) < 0);
		assert_null(top);
		assert_string_equal(e.why, not_sh[i].why);
	}
}

/* An argv has the limits of execve(2), a command line has smaller ones. */
static void
test_argv(void **state)
{
	const struct parse_opts argv = { .argv = true };
	cleanup_arena struct arena *a = arena_new((size_t)256 << 20);
	char *text = arena_alloc(a, LIMIT_ARGV + 1);
	struct list *top = NULL;
	struct err e = { 0, 0, NULL };
	const size_t used = a->used;

	(void)state;
	for (size_t i = 0; i < LIMIT_ARGV + 1; i++)
		text[i] = i % 2 ? ' ' : 'x';
	assert_true(parse(a, str_of(text, 2 * LIMIT_WORDS + 1), NULL, &top, &e) < 0);
	arena_back(a, used);
	assert_int_equal(parse(a, str_of(text, 2 * LIMIT_ARGV_WORDS), &argv, &top, &e), 0);
	arena_back(a, used);
	assert_true(parse(a, str_of(text, 2 * LIMIT_ARGV_WORDS + 1), &argv, &top, &e) < 0);
	assert_string_equal(e.why, "too many words");
	memset(text, 'x', LIMIT_ARGV + 1);
	arena_back(a, used);
	assert_int_equal(parse(a, str_of(text, LIMIT_ARGV), &argv, &top, &e), 0);
	arena_back(a, used);
	assert_true(parse(a, str_of(text, LIMIT_ARGV + 1), &argv, &top, &e) < 0);
	assert_string_equal(e.why, "the command is too long");
}

/* The JSON form of the tree is valid JSON; the text form begins with a list. */
static void
test_accepted(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(accepted); i++) {
		struct list *top = NULL;
		struct err e = { 0, 0, NULL };
		const struct json *v = NULL;
		struct arena a, b;
		struct buf out;

		arena_init(&a, memory[0], sizeof memory[0]);
		if (parse(&a, accepted[i], NULL, &top, &e) != 0)
			fail_msg("%s: %s", accepted[i].p, e.why);
		buf_init(&out, &a);
		tree_print_json(&out, top);
		arena_init(&b, memory[1], sizeof memory[1]);
		assert_int_equal(json_read(&b, buf_str(&out), NULL, &v, &e), 0);
		assert_int_equal(v->kind, JSON_OBJECT);
		buf_init(&out, &a);
		tree_print(&out, top);
		assert_true(str_starts(buf_str(&out), STR("list 0-")));
	}
}

static const char tree_text[] =
    "for x in a; do [[ -f $x && ( b < c ) ]] || { a[1]=2 ls {fd}>o; } 2>f; done";
static const char tree[] = "list 0-74\n"
			   "  pipeline 0-74 after=\";\"\n"
			   "    for 0-74 name=\"x\" in\n"
			   "      word 9-10\n"
			   "        text 9-10 text=\"a\"\n"
			   "      body: list 15-68\n"
			   "        pipeline 15-39 after=\"||\"\n"
			   "          cond 15-39\n"
			   "            expr: and\n"
			   "              left: unary op=\"-f\"\n"
			   "                a: word 21-23\n"
			   "                  param 21-23 name=\"x\" op=\"plain\"\n"
			   "              right: group\n"
			   "                left: binary op=\"<\"\n"
			   "                  a: word 29-30\n"
			   "                    text 29-30 text=\"b\"\n"
			   "                  b: word 33-34\n"
			   "                    text 33-34 text=\"c\"\n"
			   "        pipeline 43-68 after=\";\"\n"
			   "          group 43-68\n"
			   "            body: list 45-61\n"
			   "              pipeline 45-61 after=\";\"\n"
			   "                simple 45-61\n"
			   "                  assign 45-51 name=\"a\"\n"
			   "                    subscript: word 47-48\n"
			   "                      text 47-48 text=\"1\"\n"
			   "                    value: word 50-51\n"
			   "                      text 50-51 text=\"2\"\n"
			   "                  word 52-54\n"
			   "                    text 52-54 text=\"ls\"\n"
			   "                  redir 55-61 op=\">\" var=\"fd\"\n"
			   "                    target: word 60-61\n"
			   "                      text 60-61 text=\"o\"\n"
			   "            redir 65-68 op=\">\" fd=2\n"
			   "              target: word 67-68\n"
			   "                text 67-68 text=\"f\"\n";

static void
test_tree(void **state)
{
	struct list *top = NULL;
	struct arena a;
	struct buf out;

	(void)state;
	arena_init(&a, memory[0], sizeof memory[0]);
	assert_int_equal(parse(&a, str_from_c(tree_text), NULL, &top, NULL), 0);
	buf_init(&out, &a);
	tree_print(&out, top);
	assert_str(buf_str(&out), str_from_c(tree));
}

/* In any smaller memory the text is refused, for its error or for lack of memory, but never
 * accepted. */
static void
check_memory(struct str text)
{
	struct list *top = NULL;
	struct err e = { 0, 0, NULL };
	struct arena a;
	size_t peak;
	int want;

	arena_init(&a, memory[0], sizeof memory[0]);
	want = parse(&a, text, NULL, &top, NULL);
	peak = a.peak;
	for (size_t n = 0; n < peak; n += 8) {
		int r;

		top = NULL;
		arena_init(&a, memory[0], n);
		r = parse(&a, text, NULL, &top, &e);
		if (r != CORDON_ENOMEM && (r != want || want == 0))
			fail_msg("%s: %d in %u bytes", text.p, r, (unsigned)n);
		assert_null(top);
		assert_non_null(e.why);
	}
	arena_init(&a, memory[0], peak);
	assert_int_equal(parse(&a, text, NULL, &top, NULL), want);
}

/* The same with a joined line before each byte: then the parser copies what it reads. */
static void
check_joined_memory(struct str text)
{
	struct arena b;
	struct buf joined;

	arena_init(&b, memory[1], sizeof memory[1]);
	buf_init(&joined, &b);
	for (size_t i = 0; i < text.n; i++) {
		buf_puts(&joined, "\\\n");
		buf_putc(&joined, text.p[i]);
	}
	buf_putc(&joined, '\0');
	check_memory(str_cut(buf_str(&joined), 0, 3 * text.n));
}

static void
test_memory(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(accepted); i++)
		check_memory(accepted[i]);
	for (size_t i = 0; i < COUNT(refused); i++)
		check_memory(refused[i].text);
	for (size_t i = 0; i < COUNT(accepted); i++)
		check_joined_memory(accepted[i]);
}

/* The text before `at`, `put`, and the text after it; or only the text before. */
static struct str
damaged(struct arena *a, struct str text, size_t at, const char *put)
{
	struct buf b;

	buf_init(&b, a);
	buf_put(&b, str_cut(text, 0, at));
	if (put) {
		buf_puts(&b, put);
		buf_put(&b, str_skip(text, at));
	}
	return buf_str(&b);
}

/* The text is accepted as a whole, or refused with a reason and a position in it. */
static void
check_damaged(struct str text)
{
	struct list *top = NULL;
	struct err e = { 0, 0, NULL };
	struct arena a;
	int r;

	arena_init(&a, memory[0], sizeof memory[0]);
	r = parse(&a, text, NULL, &top, &e);
	if (r == 0 ? !top || e.why : top || !e.why || e.code != r || e.at > text.n)
		fail_msg("%.*s: %d at %u, %s", (int)text.n, text.p, r, (unsigned)e.at,
		    e.why ? e.why : "no reason");
}

/* Every valid text, cut off or with an insertion, at each byte. */
static void
test_damaged(void **state)
{
	static const char *const puts[] = { NULL, "\r", "\n", ";", "|", "&", "(", ")", "{",
		"}", "<", ">", "<<E ", "<(", "$[", "$((", "${", "`", "'", "\"", "\\", "[",
		"]", "=(", " do ", " time ", "\\\n", "#\r\n", " #\r\n" };

	(void)state;
	for (size_t i = 0; i < COUNT(accepted); i++)
		for (size_t at = 0; at <= accepted[i].n; at++)
			for (size_t k = 0; k < COUNT(puts); k++) {
				struct arena b;

				arena_init(&b, memory[1], sizeof memory[1]);
				check_damaged(damaged(&b, accepted[i], at, puts[k]));
			}
}

/* The greatest valid depth, and one level more. */
static void
test_deep(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(accepted); i++)
		for (size_t n = LIMIT_NESTING - 8; n <= LIMIT_NESTING; n++) {
			struct arena b;
			struct buf text;

			arena_init(&b, memory[1], sizeof memory[1]);
			buf_init(&text, &b);
			for (size_t k = 0; k < n; k++)
				buf_puts(&text, "{ ");
			buf_put(&text, accepted[i]);
			check_damaged(buf_str(&text));
		}
}

/* Repeat `unit` n times between the two ends. */
static struct str
many(struct arena *a, const char *begin, const char *unit, size_t n, const char *end)
{
	struct buf b;

	buf_init(&b, a);
	buf_puts(&b, begin);
	while (n-- > 0)
		buf_puts(&b, unit);
	buf_puts(&b, end);
	return buf_str(&b);
}

static void
test_limits(void **state)
{
	static const struct {
		const char *begin, *unit;
		size_t n;
		const char *end, *why;
	} rows[] = {
		{ "", "{ ", LIMIT_NESTING + 2, "", "too deeply nested" },
		{ "", "$(", LIMIT_NESTING + 2, "", "too deeply nested" },
		{ "ls", " a", LIMIT_WORDS + 1, "", "too many words" },
		{ "ls", "; ls", LIMIT_COMMANDS + 1, "", "too many commands" },
		{ "ls", " <<a", LIMIT_HEREDOCS + 1, "",
		    "too many here-documents on a line" },
		{ "ls ", "a", LIMIT_COMMAND, "", "the command is too long" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		cleanup_arena struct arena *a = arena_new(LIMIT_ARENA);
		cleanup_arena struct arena *texts = arena_new(1 << 20);
		struct str text =
		    many(texts, rows[i].begin, rows[i].unit, rows[i].n, rows[i].end);
		struct list *top = NULL;
		struct err e = { 0, 0, NULL };

		assert_int_equal(parse(a, text, NULL, &top, &e), CORDON_ELIMIT);
		assert_string_equal(e.why, rows[i].why);
		assert_null(top);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_not_sh),
		cmocka_unit_test(test_argv),
		cmocka_unit_test(test_accepted),
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
