#include "../cm.h"
#include "base/quote.h"

static const struct {
	struct str arg, bash, cmd, powershell;
} cases[] = {
	{ STR_INIT("plain-1.0/x"), STR_INIT("plain-1.0/x"), STR_INIT("\"plain-1.0/x\""),
	    STR_INIT("'plain-1.0/x'") },
	{ STR_INIT(""), STR_INIT("''"), STR_INIT("\"\""), STR_INIT("''") },
	{ STR_INIT("a b"), STR_INIT("'a b'"), STR_INIT("\"a b\""), STR_INIT("'a b'") },
	{ STR_INIT("it's"), STR_INIT("'it'\\''s'"), STR_INIT("\"it's\""),
	    STR_INIT("'it''s'") },
	{ STR_INIT("\"q\""), STR_INIT("'\"q\"'"), STR_INIT("\"\"\"q\"\"\""),
	    STR_INIT("'\"q\"'") },
	{ STR_INIT("$x`y`\n"), STR_INIT("'$x`y`\n'"), STR_INIT("\"$x`y`\n\""),
	    STR_INIT("'$x`y`\n'") },
	{ STR_INIT("~"), STR_INIT("'~'"), STR_INIT("\"~\""), STR_INIT("'~'") },
	{ STR_INIT("a=b"), STR_INIT("'a=b'"), STR_INIT("\"a=b\""), STR_INIT("'a=b'") },
	{ STR_INIT("''"), STR_INIT("''\\'''\\'''"), STR_INIT("\"''\""),
	    STR_INIT("''''''") },
	/* PowerShell treats curly quotes as straight ones. */
	{ STR_INIT("a\xe2\x80\x99z"), STR_INIT("'a\xe2\x80\x99z'"),
	    STR_INIT("\"a\xe2\x80\x99z\""), STR_INIT("'a\xe2\x80\x99\xe2\x80\x99z'") },
};

static void
check(enum quote_shell shell, struct str arg, struct str want)
{
	cleanup_arena struct arena *a = arena_new(4096);
	struct buf b;

	buf_init(&b, a);
	assert_int_equal(quote_put(&b, shell, arg, NULL), 0);
	assert_str(buf_str(&b), want);
}

static void
seed_1_19_escape_shell_arg(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		check(QUOTE_BASH, cases[i].arg, cases[i].bash);
		check(QUOTE_CMD, cases[i].arg, cases[i].cmd);
		check(QUOTE_POWERSHELL, cases[i].arg, cases[i].powershell);
	}
}

static void
no_such_shell(void **state)
{
	cleanup_arena struct arena *a = arena_new(4096);
	struct err e = { 0 };
	struct buf b;

	(void)state;
	buf_init(&b, a);
	assert_int_equal(
	    quote_put(&b, (enum quote_shell)99, STR("a b"), &e), CORDON_EINVAL);
	assert_string_equal(e.why, "no such shell");
	assert_int_equal(b.n, 0);
}

static void
words_of_rules(void **state)
{
	static const struct {
		struct str arg, want;
	} rules[] = {
		{ STR_INIT("plain-1.0/x"), STR_INIT("plain-1.0/x") },
		{ STR_INIT(""), STR_INIT("\"\"") },
		{ STR_INIT("a b"), STR_INIT("\"a b\"") },
		{ STR_INIT("@x"), STR_INIT("\"@x\"") },
		{ STR_INIT("{a,b}*"), STR_INIT("\"{a,b}*\"") },
		{ STR_INIT("q\"\\"), STR_INIT("\"q\\\"\\\\\"") },
		{ STR_INIT("x\nallow rm"), STR_INIT("\"x\\x0aallow rm\"") },
		{ STR_INIT("\x1b[2J"), STR_INIT("\"\\x1b[2J\"") },
		{ STR_INIT("\xc3\xa9"), STR_INIT("\"\xc3\xa9\"") },
		{ STR_INIT("\xff"), STR_INIT("\"\\xff\"") },
		/* a right-to-left override */
		{ STR_INIT("\xe2\x80\xae"), STR_INIT("\"\\xe2\\x80\\xae\"") },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rules); i++)
		check(QUOTE_RULE, rules[i].arg, rules[i].want);
}

static void
nul_is_refused(void **state)
{
	cleanup_arena struct arena *a = arena_new(64);
	struct err e = { 0 };
	struct buf b;

	(void)state;
	buf_init(&b, a);
	assert_int_equal(quote_put(&b, QUOTE_BASH, STR("a\0b"), &e), CORDON_EINVAL);
	assert_int_equal(e.at, 1);
	assert_int_equal(b.n, 0);
	assert_int_equal(quote_put_always(&b, QUOTE_BASH, STR("a"), &e), 0);
	assert_str(buf_str(&b), STR("'a'"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(seed_1_19_escape_shell_arg),
		cmocka_unit_test(no_such_shell), cmocka_unit_test(words_of_rules),
		cmocka_unit_test(nul_is_refused) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
