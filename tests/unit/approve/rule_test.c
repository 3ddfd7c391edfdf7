/* Rules for an allowlist: what each level names, and what gets none. */
#include "help.h"

static const struct {
	struct str command;
	struct str lines[APPROVE_LEVELS]; /* empty: none */
} rows[] = {
	{ STR_INIT("git push origin main"),
	    { STR_INIT("allow \"git\" \"push\" \"origin\" \"main\" exactly\n"),
		STR_INIT("allow \"git\" \"push\"\n"), STR_INIT("allow \"git\"\n") } },
	{ STR_INIT("tool 'a\"b' 'c\\d'"),
	    { STR_INIT("allow \"tool\" \"a\\\"b\" \"c\\\\d\" exactly\n"),
		STR_INIT("allow \"tool\"\n"), STR_INIT("allow \"tool\"\n") } },
	{ STR_INIT("tool \"$x\""),
	    { { NULL, 0 }, STR_INIT("allow \"tool\"\n"), STR_INIT("allow \"tool\"\n") } },
	{ STR_INIT("tool $'a\\nb'"),
	    { { NULL, 0 }, STR_INIT("allow \"tool\"\n"), STR_INIT("allow \"tool\"\n") } },
	{ STR_INIT("$x"), { { NULL, 0 }, { NULL, 0 }, { NULL, 0 } } },
	/* Two that ask: two lines; the same twice: one. */
	{ STR_INIT("tool a; other b; tool a"),
	    { STR_INIT("allow \"tool\" \"a\" exactly\nallow \"other\" \"b\" exactly\n"),
		STR_INIT("allow \"tool\"\nallow \"other\"\n"),
		STR_INIT("allow \"tool\"\nallow \"other\"\n") } },
	/* What runs inside is what the rule names. */
	{ STR_INIT("bash -c 'tool a'"),
	    { STR_INIT("allow \"tool\" \"a\" exactly\n"), STR_INIT("allow \"tool\"\n"),
		STR_INIT("allow \"tool\"\n") } },
	/* A part that is refused: no line lifts that. */
	{ STR_INIT("tool a; no b"), { { NULL, 0 }, { NULL, 0 }, { NULL, 0 } } },
};

static void
test_levels(void **state)
{
	static const struct str rules =
	    STR_INIT("mode use_allowlist\ndefault ask\ndeny no\n");

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct asked x;

		ask_about(&x, rows[i].command, rules);
		for (unsigned k = 0; k < APPROVE_LEVELS; k++) {
			struct approve_rules r = x.q.rules[APPROVE_USER][k];

			assert_str(r.lines, rows[i].lines[k]);
			assert_true((r.lines.p != NULL) != (r.why.n > 0));
		}
	}
}

/* The command chose its hosts: none of them is a word of the language. */
static void
test_hosts(void **state)
{
	struct asked x;

	(void)state;
	ask_about(&x, STR("curl http://readwrite http://sandbox http://x.org"),
	    STR("ask net *\n"));
	assert_str(approve_rules(&x.a, &x.decision, APPROVE_COMMAND).lines,
	    STR("allow \"curl\" net x.org \"sandbox\" \"readwrite\"\n"));
}

/* A line allows what it was made from, and at the exact level nothing else. */
static void
test_lines_allow(void **state)
{
	struct asked x;
	struct buf b;

	(void)state;
	ask_about(&x, STR("tool 'a b' --c"), STR("mode use_allowlist\ndefault ask\n"));
	for (unsigned k = 0; k < APPROVE_LEVELS; k++) {
		static char kept[4096];
		struct arena keep;

		arena_init(&keep, kept, sizeof kept);
		buf_init(&b, &keep);
		buf_puts(&b, "mode use_allowlist\ndefault ask\n");
		buf_put(&b, x.q.rules[APPROVE_USER][k].lines);
		ask_about(&x, STR("tool 'a b' --c"), buf_str(&b));
		assert_int_equal(x.decision.verdict,
		    k == APPROVE_EXACT ? VERDICT_ALLOW : x.decision.verdict);
		ask_about(&x, STR("tool 'a b' --c more"), buf_str(&b));
		if (k == APPROVE_EXACT)
			assert_int_equal(x.decision.verdict, VERDICT_ASK);
		ask_about(
		    &x, STR("tool 'a b' --c"), STR("mode use_allowlist\ndefault ask\n"));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_levels),
		cmocka_unit_test(test_hosts), cmocka_unit_test(test_lines_allow) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
