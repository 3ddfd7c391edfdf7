/* The scanner by a grammar of its own: grammar.inc is made of grammar/ (see
 * tests/run.d/know-cases). */
#include "grammar.inc"

#include "know/know.c"
#include "know/look.c"
#include "know/option.c"
#include "know/roles.c"
#include "know/scan.c"
#include "know/words.c"
#include "tools/know_lines.h"
#include "unit/cm.h"

/* A vector, and the answer with " | " for tabs: class and flags, path, items, rest. */
struct row {
	const char *line, *want;
};

static void
check(const struct row *rows, size_t n)
{
	cleanup_arena struct arena *a = arena_new((size_t)1 << 20);

	for (size_t i = 0; i < n; i++) {
		struct str got;
		struct buf b;

		arena_reset(a);
		got = know_line(a, str_from_c(rows[i].line));
		buf_init(&b, a);
		for (size_t j = 0; j < got.n; j++)
			buf_put(&b, got.p[j] == '\t' ? STR(" | ") : str_cut(got, j, j + 1));
		if (!str_is(buf_str(&b), rows[i].want))
			print_error("in <%s>\n", rows[i].line);
		assert_str(buf_str(&b), str_from_c(rows[i].want));
	}
}

static const struct row gnu[] = {
	{ "g", "read | g |  | " },
	{ "gg x f", "read | gg | code:x read:f | " },
	{ "/bin/g x f", "read | g | code:x read:f | " },
	{ "g -a x -b f", "read | g | option:-a code:x option:-b read:f | " },
	{ "g -ab x", "read | g | option:-ab option:-ab code:x | " },
	{ "g -k v x", "read | g | option:-k data:v code:x | " },
	{ "g -kv x", "read | g | data:v code:x | " },
	{ "g -abkv x", "read | g | option:-abkv option:-abkv data:v code:x | " },
	{ "g -abk v x", "read | g | option:-abk option:-abk option:-abk data:v code:x | " },
	{ "g -k -a", "read | g | option:-k data:-a | " },
	{ "g -k", "read | g | option:-k | " },
	{ "g --key v x", "read | g | option:--key data:v code:x | " },
	{ "g --key=v x", "read | g | data:v code:x | " },
	{ "g --key= x", "read | g | data: code:x | " },
	{ "g --output f x", "write | g | option:--output write:f code:x | " },
	{ "g -of x", "write | g | write:f code:x | " },
	{ "g -o=f x", "write | g | write:f write:=f code:x | " },
	/* An option that ends the options: its value, then operands. */
	{ "g --last v -a --key x",
	    "read | g | option:--last data:v code:-a read:--key read:x | " },
	{ "g --last=-a -a", "read | g | data:-a code:-a | " },
	{ "g -a --last -k -k", "read | g | option:-a option:--last data:-k code:-k | " },
	/* Abbreviations: two names of one option are unambiguous, two options are not. */
	{ "g --bo x", "read | g | option:--bo code:x | " },
	{ "g --outp=f", "write | g | write:f | " },
	{ "g --out=f", "unknown odd | g | option:--out=f | " },
	{ "g --oute=f", "read | g | data:f | " },
	{ "g --al", "read | g | option:--al | " },
	{ "g --no-dry", "read | g | option:--no-dry | " },
	{ "g - x", "read | g | code:- read:x | " },
	{ "g -- -a -o", "read | g | code:-a read:-o | " },
	{ "g x -- -a --", "read | g | code:x read:-a read:-- | " },
	{ "g --", "read | g |  | " },
	{ "g -5 x", "read | g | option:-5 code:x | " },
	{ "g -15a x", "read | g | option:-15a option:-15a code:x | " },
	{ "g -a5kv", "read | g | option:-a5kv option:-a5kv data:v | " },
	{ "g --arg n f x", "read | g | option:--arg data:n read:f code:x | " },
	{ "g --arg=n f x", "read | g | data:n read:f code:x | " },
	{ "g --arg n", "read | g | option:--arg data:n | " },
};

static const struct row effects[] = {
	/* optional, operands */
	{ "g -i x f", "write | g | option:-i code:x edit:f | " },
	{ "g -i.bak x f", "write | g | write:.bak code:x edit:f | " },
	{ "g --in-place x f", "write | g | option:--in-place code:x edit:f | " },
	{ "g x f --in-place=b", "write | g | code:x edit:f write:b | " },
	/* drops do not add up */
	{ "g -e x f", "read | g | option:-e code:x read:f | " },
	{ "g -e x -f y f", "read | g | option:-e code:x option:-f read:y read:f | " },
	{ "g f -ex", "read | g | read:f code:x | " },
	/* classes */
	{ "g --run cmd -o f", "exec | g | option:--run shell:cmd option:-o write:f | " },
	{ "g --fetch", "network net | g | option:--fetch | " },
	{ "g --then ls -l", "exec | g | option:--then | cmd:ls -l" },
	{ "g --then=ls -a", "exec | g | cmd:ls option:-a | " },
	{ "g --there ls x", "exec | g | option:--there remote-shell:ls code:x | " },
	/* cases */
	{ "g --mode del", "destroy | g | option:--mode data:del | " },
	{ "g --mode=delete-it", "destroy | g | data:delete-it | " },
	{ "g --mode rm", "destroy | g | option:--mode data:rm | " },
	{ "g --mode rmx", "read | g | option:--mode data:rmx | " },
	{ "g --mode a.txt", "write | g | option:--mode write:a.txt | " },
	{ "g --mode ?", "destroy | g | option:--mode write:? | " },
	{ "g --mode a?", "write | g | option:--mode write:a? | " },
	{ "g --mode d?", "destroy | g | option:--mode write:d? | " },
	{ "ops cases . x", "destroy | ops cases | edit:. data:x | " },
	{ "ops cases x y", "read | ops cases | data:x data:y | " },
	{ "ops cases ./?", "destroy | ops cases | edit:./? | " },
	{ "ops cases -- -x", "exec | ops cases | data:-x | " },
	{ "ops cases up", "network net | ops cases | data:up | " },
	{ "ops cases send", "admin net | ops cases | data:send | " },
	{ "ops cases x +new", "read | ops cases | data:x data:+new | " },
	/* unknown options */
	{ "g --nope", "unknown odd | g | option:--nope | " },
	{ "g -aZk x", "unknown odd | g | option:-aZk option:-aZk code:x | " },
	{ "g -o f --nope", "unknown odd | g | option:-o write:f option:--nope | " },
	{ "g --run x --nope", "exec odd | g | option:--run shell:x option:--nope | " },
	{ "g --fetch --nope", "network net odd | g | option:--fetch option:--nope | " },
	{ "nobody", "unknown |  |  | " },
};

static const struct row only[] = {
	{ "g --help", "read dry | g | option:--help | " },
	{ "g -o f --help", "read dry | g | option:-o write:f option:--help | " },
	{ "g --run x --dry-run", "exec | g | option:--run shell:x option:--dry-run | " },
	{ "g --fetch --dry-run", "read dry | g | option:--fetch option:--dry-run | " },
	{ "g --plan", "network net dry | g | option:--plan | " },
	{ "g --plan --help", "network net dry | g | option:--plan option:--help | " },
	/* revoked, or unknown */
	{ "g -of --dry-run --no-dry-run",
	    "write | g | write:f option:--dry-run option:--no-dry-run | " },
	{ "g -of --no-dry-run --dry-run",
	    "read dry | g | write:f option:--no-dry-run option:--dry-run | " },
	{ "g -of --dry-run=false", "write | g | write:f option:--dry-run=false | " },
	{ "g -of --dry-run --dry-run=0",
	    "write | g | write:f option:--dry-run option:--dry-run=0 | " },
	{ "g -of --dry-run=true", "read dry | g | write:f option:--dry-run=true | " },
	{ "g -of --dry-run=?", "write | g | write:f option:--dry-run=? | " },
	{ "g -of --plan=none", "write | g | write:f data:none | " },
	{ "g -of --plan=some", "network net dry | g | write:f data:some | " },
	{ "g -of --help ?",
	    "write unsure at-worst=destroy | g | write:f option:--help code:? | " },
	{ "g --nope --help", "unknown odd | g | option:--nope option:--help | " },
	{ "g --help --nope", "unknown odd | g | option:--help option:--nope | " },
	{ "g x --help", "read | g | code:x option:--help | " },
	{ "g -of x --dry-run", "write | g | write:f code:x option:--dry-run | " },
	{ "g -- --help", "read | g | code:--help | " },
	{ "g -k --help -of", "write | g | option:-k data:--help write:f | " },
};

static const struct row places[] = {
	{ "ops cp a b c", "write | ops cp | read:a read:b write:c | " },
	{ "ops cp a b", "write | ops cp | read:a write:b | " },
	{ "ops cp a", "write | ops cp | write:a | " },
	{ "ops mid a b c d e", "write | ops mid | data:a read:b read:c edit:d write:e | " },
	{ "ops mid a b c", "write | ops mid | data:a edit:b write:c | " },
	{ "ops mid a b", "write | ops mid | data:a write:b | " },
	{ "ops mid a", "read | ops mid | data:a | " },
	{ "ops opt a b c", "write | ops opt | data:a read:b write:c | " },
	{ "ops opt a b", "write | ops opt | data:a write:b | " },
	{ "ops opt a b c d", "unknown odd | ops opt | data:a read:b write:c write:d | " },
	{ "ops two a", "read | ops two | read:a | " },
	{ "ops two a b", "write | ops two | read:a write:b | " },
	{ "ops lead a b c", "read | ops lead | read:a data:b data:c | " },
	{ "ops none", "read | ops none |  | " },
	{ "ops none a", "unknown odd | ops none | data:a | " },
	/* after a MANY */
	{ "ops cp ?? d", "write unsure | ops cp | read:?? write:d | " },
	{ "ops cp a ?? d", "write unsure | ops cp | read:a read:?? write:d | " },
	{ "ops cp a ??", "write unsure | ops cp | write:a write:?? | " },
	{ "ops cp -- ?? d", "write | ops cp | read:?? write:d | " },
	{ "ops mv ?? d", "write unsure | ops mv | move:?? write:d | " },
	{ "ops mv ?? ?? d", "write unsure | ops mv | move:?? move:?? write:d | " },
	{ "ops mv d ??", "write unsure | ops mv | move:d move:?? | " },
	{ "ops mid a ??", "write unsure | ops mid | data:a write:?? | " },
	{ "ops mid ?? a", "write unsure | ops mid | edit:?? write:a | " },
	{ "ops mid ?? a b c", "write unsure | ops mid | read:?? read:a edit:b write:c | " },
	{ "ops mid a b ?? c d",
	    "write unsure | ops mid | data:a read:b read:?? edit:c write:d | " },
	{ "ops opt a ?? b", "write unsure | ops opt | data:a read:?? write:b | " },
	{ "ops opt ??", "write unsure | ops opt | write:?? | " },
	{ "ops opt a b c ?? d",
	    "write unsure | ops opt | data:a write:b write:c write:?? write:d | " },
	{ "ops none ??", "read unsure | ops none | data:?? | " },
	{ "g -k ?? x f",
	    "read unsure at-worst=destroy | g | option:-k data:?? code:x code:f | " },
	/* addresses */
	{ "ops net http://h/", "network net | ops net | url:http://h/ | " },
	{ "ops net -- ??", "network net | ops net | remote-write:?? | " },
	{ "ops net ./here", "read | ops net | url:./here | " },
	{ "ops net . a b", "write | ops net | url:. remote-read:a remote-write:b | " },
	{ "ops net . h:a b",
	    "network net | ops net | url:. remote-read:h:a remote-write:b | " },
	{ "ops net . ./h:a /b:c",
	    "write | ops net | url:. remote-read:./h:a remote-write:/b:c | " },
	{ "ops net . a/b:c", "read | ops net | url:. remote-read:a/b:c | " },
	{ "ops net . rsync://h/x",
	    "network net | ops net | url:. remote-read:rsync://h/x | " },
	{ "ops net . h?", "network net | ops net | url:. remote-read:h? | " },
	{ "ops net . a/?", "read | ops net | url:. remote-read:a/? | " },
	{ "ops net . a b h",
	    "network net | ops net | url:. remote-read:a remote-write:b host:h | " },
};

static const struct row wrappers[] = {
	{ "p 5 ls -n x", "exec | p | data:5 | cmd:ls -n x" },
	{ "p -n 5 5 ls", "exec | p | option:-n data:5 data:5 | cmd:ls" },
	{ "p 5 -n ls", "exec | p | data:5 | cmd:-n ls" },
	{ "p -- 5 -n ls", "exec | p | data:5 | cmd:-n ls" },
	{ "p - 5 ls", "exec | p | option:- data:5 | cmd:ls" },
	{ "p +new 5 ls", "exec | p | data:new data:5 | cmd:ls" },
	{ "p -- +new ls", "exec | p | data:+new | cmd:ls" },
	{ "p 5 +new", "exec | p | data:5 | cmd:+new" },
	{ "p --sh a b", "exec | p | option:--sh | shell-words:a b" },
	{ "p --help 5 ls", "exec | p | option:--help data:5 | cmd:ls" },
	{ "p ? ls", "exec unsure | p | data:? | cmd:ls" },
	{ "p x? ls", "exec | p | data:x? | cmd:ls" },
	{ "p 5 ? x", "exec | p | data:5 | cmd:? x" },
	{ "p ?? 5 ls", "exec unsure | p |  | cmd:?? 5 ls" },
	{ "p -- ?? ls", "exec unsure | p |  | cmd:?? ls" },
	{ "p 5 ?? ls", "exec | p | data:5 | cmd:?? ls" },
	{ "e A=1 B=2 ls -l C=3", "exec | e | assign:A=1 assign:B=2 | cmd:ls -l C=3" },
	{ "e -u X ls", "exec | e | option:-u data:X | cmd:ls" },
	{ "e A=?", "exec | e | assign:A=? | " },
	{ "e =x y", "exec | e |  | cmd:=x y" },
	{ "e A=1 ? ls", "exec unsure | e | assign:A=1 | cmd:? ls" },
	{ "e A=1 ?? ls", "exec unsure | e | assign:A=1 | cmd:?? ls" },
	{ "h -v x -v ls -v",
	    "network net | h | option:-v host:x option:-v | remote-shell:ls -v" },
	{ "h x", "network net | h | host:x | " },
};

static const struct row others[] = {
	{ "s -v a", "read | s | option:-v read:a | " },
	{ "s --v a", "read | s | option:--v read:a | " },
	{ "s -v=false a", "read | s | option:-v=false read:a | " },
	{ "s -out f a", "write | s | option:-out write:f read:a | " },
	{ "s -out=f a", "write | s | write:f read:a | " },
	{ "s --out=f a", "write | s | write:f read:a | " },
	{ "s -o f -7", "write | s | option:-o write:f option:-7 | " },
	{ "s -ou f", "unknown odd | s | option:-ou read:f | " },
	{ "s -of", "unknown odd | s | option:-of | " },
	{ "s -only x", "unknown odd | s | option:-only read:x | " },
	{ "s --only=x x", "read | s | data:x read:x | " },
	{ "s -Dx=1", "read | s | data:x=1 | " },
	{ "s -Dbadly", "exec | s | data:ly | " },
	{ "s -D x", "read | s | option:-D read:x | " },
	{ "s -Idir -I dir", "read | s | read:dir option:-I read:dir | " },
	{ "s -I=dir", "read | s | read:dir | " },
	{ "s -Da?", "read | s | data:a? | " },
	{ "s -D?", "read unsure at-worst=exec | s | read:-D? | " },
	{ "s -I?", "read unsure at-worst=exec | s | read:-I? | " },
	{ "s -Ix?", "read | s | read:x? | " },
	{ "s -out=? a", "write | s | write:? read:a | " },
	{ "s -ou?", "read unsure at-worst=exec | s | read:-ou? | " },
	{ "s -- -v", "read | s | read:-v | " },
	{ "s -help", "read dry | s | option:-help | " },
	{ "k if=a of=b", "write | k | read:a write:b | " },
	{ "k of=? sync x", "write | k | write:? option:sync data:x | " },
	{ "k of", "read | k | data:of | " },
	{ "k o?", "read unsure at-worst=write | k | data:o? | " },
	{ "k x=1", "unknown odd | k | option:x=1 | " },
	{ "k -v", "unknown odd | k | option:-v | " },
	{ "k --help", "read dry | k | option:--help | " },
	{ "k -- of=x", "read | k | data:of=x | " },
	{ "f -a -- ? ??", "write | f | write:-a write:-- write:? write:?? | " },
};

static const struct row subcommands[] = {
	{ "t", "network net | t |  | " },
	{ "t ls x", "read | t ls | data:x | " },
	{ "t list", "read | t list |  | " },
	{ "t -C d ls", "read | t ls | option:-C chdir:d | " },
	{ "t ls -C d", "read | t ls | option:-C chdir:d | " },
	{ "t -q ls -q x", "read | t ls | option:-q option:-q data:x | " },
	{ "t ls --evil", "exec | t ls | option:--evil | " },
	{ "t deep er --quie", "network net | t deep er | option:--quie | " },
	{ "t deep er --qui", "network net odd | t deep er | option:--qui | " },
	{ "t describe-y", "network net | t describe-y |  | " },
	{ "t describe-xy", "admin net | t describe-xy |  | " },
	{ "t rm all", "admin net | t rm all |  | " },
	{ "t rm al b", "destroy net | t rm | delete:al delete:b | " },
	{ "t rm b all", "destroy net | t rm | delete:b delete:all | " },
	{ "t rm ?", "destroy net unsure at-worst=admin | t rm | delete:? | " },
	{ "t rm a?", "destroy net unsure at-worst=admin | t rm | delete:a? | " },
	{ "t rm ol?", "destroy net unsure at-worst=admin | t rm | delete:ol? | " },
	{ "t rm old-x?", "destroy net unsure at-worst=admin | t rm | delete:old-x? | " },
	{ "t rm b?", "destroy net | t rm | delete:b? | " },
	{ "t nope --x y", "unknown net unlisted | t | data:nope data:--x data:y | " },
	{ "t --evil nope", "exec net unlisted | t | option:--evil data:nope | " },
	{ "t deep nope -x", "network net unlisted | t deep | data:nope data:-x | " },
	{ "t ? ls", "unknown net unlisted unsure | t | data:? data:ls | " },
	{ "t l? x", "unknown net unlisted unsure | t | data:l? data:x | " },
	{ "t ?? ls", "unknown net unlisted unsure | t | data:?? data:ls | " },
	{ "t -C ? ls", "read | t ls | option:-C chdir:? | " },
	{ "t -- ls x", "read | t ls | data:x | " },
	{ "t co a b", "network net | t co | data:a data:b | " },
	{ "t co a -- b", "destroy net | t co | data:a edit:b | " },
	{ "t co -- a b", "destroy net | t co | edit:a edit:b | " },
	{ "t co a --", "network net | t co | data:a | " },
	{ "t exec x -- ls -l", "exec net | t exec | data:x | remote-cmd:ls -l" },
	{ "t exec x y -- ls", "exec net odd | t exec | data:x data:y | remote-cmd:ls" },
	/* without inherit, an option is valid only before the subcommand */
	{ "u --only-here a -x", "write | u a | option:--only-here option:-x | " },
	{ "u a --only-here", "unknown odd | u a | option:--only-here | " },
	{ "u ?", "unknown unlisted unsure | u | data:? | " },
};

static const struct row unknown[] = {
	{ "g ?", "read unsure at-worst=destroy | g | code:? | " },
	{ "g x ? y", "read unsure at-worst=destroy | g | code:x read:? read:y | " },
	{ "g x f?", "read | g | code:x read:f? | " },
	{ "g -- ? ??", "read | g | code:? read:?? | " },
	{ "g -?", "read unsure at-worst=destroy | g | code:-? | " },
	{ "g --?", "read unsure at-worst=destroy | g | code:--? | " },
	{ "g --ke?", "read unsure at-worst=destroy | g | code:--ke? | " },
	{ "g --zz?", "unknown odd | g | option:--zz? | " },
	{ "g --key=? x", "read | g | data:? code:x | " },
	{ "g --key=a? x", "read | g | data:a? code:x | " },
	{ "g --zz=?", "unknown odd | g | option:--zz=? | " },
	{ "g --all=?", "read | g | option:--all=? | " },
	{ "g -k ? x", "read | g | option:-k data:? code:x | " },
	{ "g -k? x", "read unsure at-worst=destroy | g | data:? code:x | " },
	{ "g -ka? x", "read | g | data:a? code:x | " },
	{ "g -i? x f", "write | g | write:? code:x edit:f | " },
	{ "g -a?", "read unsure at-worst=destroy | g | option:-a? code:-a? | " },
	{ "g -o ??", "write unsure at-worst=destroy | g | option:-o write:?? | " },
	{ "g --then ?? x", "exec unsure at-worst=destroy | g | option:--then | cmd:?? x" },
};

#define TABLES(X)                                                                          \
	X(gnu) X(effects) X(only) X(places) X(wrappers) X(others) X(subcommands) X(unknown)

#define X(table)                                                                           \
	static void test_##table(void **s)                                                 \
	{                                                                                  \
		(void)s;                                                                   \
		check(table, COUNT(table));                                                \
	}
TABLES(X)
#undef X

/* A number is never an empty word, and an option only if a digit is one. */
static void
test_number(void **state)
{
	cleanup_arena struct arena *a = arena_new(1 << 16);
	static const struct {
		struct str program, start;
		bool unsure;
	} cases[] = {
		{ STR_INIT("g"), STR_INIT(""), true },
		{ STR_INIT("ops"), STR_INIT(""), true },
		{ STR_INIT("p"), STR_INIT(""), false },
		{ STR_INIT("p"), STR_INIT("-n"), false },
		{ STR_INIT("s"), STR_INIT(""), true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct field argv[2] = { { .text = cases[i].program },
			{ .kind = FIELD_ONE, .text = cases[i].start, .number = true } };
		struct know_scan scan;

		assert_int_equal(
		    know_scan(a, know_program(cases[i].program), argv, 2, &scan), 0);
		assert_int_equal(scan.unsure < 2, cases[i].unsure);
	}
}

static void
test_names(void **state)
{
	const struct know_node *g = know_program(STR("gg"));
	const struct know_option *both = know_option(g, STR("-b"));

	(void)state;
	assert_ptr_equal(g, know_program(STR("g")));
	assert_int_equal(know_node_class(g), CLASS_READ);
	assert_int_equal(know_handler(g), HANDLER_NONE);
	assert_ptr_equal(know_option(g, STR("--bothways")), both);
	assert_null(know_option(g, STR("--bot")));
	assert_null(know_option(g, STR("-z")));
	assert_str(know_option_name(both, 0), STR("-b"));
	assert_str(know_option_name(both, 2), STR("--bothways"));
	assert_str(know_option_name(both, 3), STR(""));
	assert_str(know_option_name(both, 9), STR(""));
	assert_null(know_program(STR("")));
	assert_null(know_program(STR("ggg")));
	assert_string_equal(know_class_name(CLASS_ADMIN), "admin");
	assert_string_equal(know_role_name(ROLE_REMOTE_WRITE), "remote-write");
}

static void
test_globs(void **state)
{
	static const struct {
		struct str glob, word;
		bool match, begins;
	} cases[] = {
		{ STR_INIT("a"), STR_INIT("a"), true, true },
		{ STR_INIT("ab"), STR_INIT("a"), false, true },
		{ STR_INIT("a"), STR_INIT("ab"), false, false },
		{ STR_INIT("*"), STR_INIT(""), true, true },
		{ STR_INIT("a*c"), STR_INIT("abcbc"), true, true },
		{ STR_INIT("a*c"), STR_INIT("abcb"), false, true },
		{ STR_INIT("*.b*"), STR_INIT("a.a.b"), true, true },
		{ STR_INIT("x*"), STR_INIT("ax"), false, false },
		{ STR_INIT("**a"), STR_INIT("*a"), true, true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(know_glob(cases[i].glob, cases[i].word), cases[i].match);
		assert_int_equal(
		    know_glob_begins(cases[i].glob, cases[i].word), cases[i].begins);
	}
}

/* At every memory limit the scan is complete, or fails and leaves *ret unchanged. */
static void
test_memory(void **state)
{
	static char mem[8192];
	struct field argv[] = { { .text = STR_INIT("t") }, { .text = STR_INIT("rm") },
		{ .text = STR_INIT("-qqqqqqqqqqqqqqqqqq") }, { .text = STR_INIT("all") } };
	bool fits = false;

	(void)state;
	for (size_t limit = 0; limit < sizeof mem; limit += 8) {
		struct arena a;
		struct know_scan scan = { .count = 4711 };
		int r;

		arena_init(&a, mem, limit);
		r = know_scan(&a, know_program(STR("t")), argv, COUNT(argv), &scan);
		assert_true(r == (fits ? 0 : r));
		assert_int_equal(scan.count, r == 0 ? 18 : 4711);
		assert_true(r == 0 || r == CORDON_ENOMEM);
		fits = r == 0;
	}
	assert_true(fits);
}

/* Every argv has a scan: none, only the program, empty words. */
static void
test_small(void **state)
{
	cleanup_arena struct arena *a = arena_new(1 << 16);
	struct field argv[3] = { { .text = STR_INIT("g") } };
	struct know_scan scan;

	(void)state;
	for (size_t n = 0; n <= COUNT(argv); n++) {
		assert_int_equal(know_scan(a, know_program(STR("g")), argv, n, &scan), 0);
		assert_int_equal(scan.count, n > 1 ? n - 1 : 0);
		assert_int_equal(scan.rest, n);
	}
}

int
main(void)
{
#define X(table) cmocka_unit_test(test_##table),
	const struct CMUnitTest tests[] = { TABLES(X) cmocka_unit_test(test_number),
		cmocka_unit_test(test_names), cmocka_unit_test(test_globs),
		cmocka_unit_test(test_memory), cmocka_unit_test(test_small) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
