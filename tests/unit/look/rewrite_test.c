/* The leading cd (4.6); tests/oracle/rewrite.py runs the texts. */
#include "../cm.h"
#include "look/rewrite.h"

static const struct {
	struct str root, text, want;
} cases[] = {
	{ STR_INIT("/w"), STR_INIT("ls"), STR_INIT("cd '/w' && ls") },
	{ STR_INIT("/w"), STR_INIT("a && b | c 2>&1 &>f # x"),
	    STR_INIT("cd '/w' && a && b | c 2>&1 &>f # x") },
	{ STR_INIT("/it's $(x) \"q\""), STR_INIT("ls"),
	    STR_INIT("cd '/it'\\''s $(x) \"q\"' && ls") },
	{ STR_INIT("/w"), STR_INIT("a; b"), STR_INIT("cd '/w' && true || exit; a; b") },
	{ STR_INIT("/w"), STR_INIT("a || b"), STR_INIT("cd '/w' && true || exit; a || b") },
	{ STR_INIT("/w"), STR_INIT("a & b"), STR_INIT("cd '/w' && true || exit; a & b") },
	{ STR_INIT("/w"), STR_INIT("a\nb"), STR_INIT("cd '/w' && true || exit; a\nb") },
	{ STR_INIT("/w"), STR_INIT("cat <<E\nx\nE"),
	    STR_INIT("cd '/w' && true || exit; cat <<E\nx\nE") },
	{ STR_INIT("/w"), STR_INIT("# only"), STR_INIT("cd '/w' && true || exit; # only") },
	{ STR_INIT("/w"), STR_INIT(""), STR_INIT("cd '/w' && true || exit; ") },
	{ STR_INIT("/w"), STR_INIT("echo a\\"), STR_INIT("cd '/w' && echo a\\") },
};

static void
seed_4_6_cd_is_prepended(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		cleanup_arena struct arena *a = arena_new(4096);
		struct str got = STR("");

		assert_int_equal(
		    rewrite_command(a, cases[i].root, cases[i].text, &got, NULL), 0);
		assert_str(got, cases[i].want);
	}
}

static void
refusals(void **state)
{
	cleanup_arena struct arena *a = arena_new(4096), *small = arena_new(8);
	struct str got = STR("untouched");

	(void)state;
	assert_int_equal(rewrite_command(a, STR(""), STR("ls"), &got, NULL), CORDON_EINVAL);
	assert_int_equal(
	    rewrite_command(a, STR("w"), STR("ls"), &got, NULL), CORDON_EINVAL);
	assert_int_equal(
	    rewrite_command(a, STR("/w\0x"), STR("ls"), &got, NULL), CORDON_EINVAL);
	assert_int_equal(
	    rewrite_command(small, STR("/w"), STR("ls"), &got, NULL), CORDON_ENOMEM);
	assert_str(got, STR("untouched"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(seed_4_6_cd_is_prepended),
		cmocka_unit_test(refusals) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
