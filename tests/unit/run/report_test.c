#include "../cm.h"
#include "run/run.h"

static void
test_report(void **state)
{
	static const struct violation v[] = { { RUN_WRITE, STR_INIT("/a\n\"b"),
	    STR_INIT("cp"), NULL, 3 } };
	static const struct str want = STR_INIT(
	    "{\"verdict\":\"confine\",\"exit\":137,\"signal\":9,\"wall_ms\":5,"
	    "\"cpu_ms\":4,\"max_rss\":3,\"processes\":2,\"violations\":[{\"op\":"
	    "\"write\",\"path\":\"/a\\n\\\"b\",\"program\":\"cp\",\"count\":3}],"
	    "\"limits_hit\":[\"timeout\",\"memory\"],\"fields\":[{\"field\":"
	    "\"type\",\"state\":\"not asked\",\"by\":null},{\"field\":"
	    "\"networkAccess\",\"state\":\"enforced\",\"by\":\"a wall\"},{\"field\":"
	    "\"networkAllow\",\"state\":\"refused\",\"by\":\"no wall\"},");
	const struct run_result r = { .end = RUN_SIGNALLED,
		.code = 9,
		.wall_ms = 5,
		.cpu_ms = 4,
		.max_rss = 3,
		.processes = 2,
		.violations = v,
		.violations_n = 1,
		.limits_hit = RUN_LIMIT_WALL | RUN_LIMIT_MEMORY,
		.fields = { [FIELD_NETWORK] = { PLAN_ENFORCED, "a wall" },
		    [FIELD_NETWORK_ALLOW] = { PLAN_REFUSED, "no wall" } } };
	struct arena *a = arena_new(4096);
	struct buf b;

	(void)state;
	buf_init(&b, a);
	run_report(&r, VERDICT_CONFINE, &b);
	assert_true(str_starts(buf_str(&b), want));
	assert_true(str_ends(
	    buf_str(&b), STR("{\"field\":\"limits\",\"state\":\"not asked\",\"by\":null}],"
			     "\"planted\":[]}\n")));
	arena_free(a);
}

static void
test_exit_status(void **state)
{
	static const struct {
		struct run_result r;
		int want;
	} cases[] = {
		{ { .end = RUN_EXITED, .code = 3 }, 3 },
		{ { .end = RUN_SIGNALLED, .code = 15 }, 143 },
		{ { .end = RUN_TIMED_OUT }, 124 },
		{ { .end = RUN_NOT_STARTED }, 125 },
		{ { 0 }, 125 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(run_exit_status(&cases[i].r), cases[i].want);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_exit_status),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
