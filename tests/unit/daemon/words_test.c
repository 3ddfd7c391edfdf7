#include "../cm.h"
#include "daemon/store/store.h"
#include "daemon/store/words.h"

static const struct {
	const char *text, *query;
} queries[] = {
	{ "git push", "\"git\" AND \"push\"" },
	{ "--force-with-lease", "\"force\" AND \"with\" AND \"lease\"" },
	{ "pus*", "\"pus\"*" },
	{ "a\"b OR c", "\"a\" AND \"b\" AND \"OR\" AND \"c\"" },
	{ "NEAR(a b)", "\"NEAR\" AND \"a\" AND \"b\"" },
	{ "\xc3\xa9t\xc3\xa9", "\"\xc3\xa9t\xc3\xa9\"" },
	{ "-- \"' *", NULL },
	{ "", NULL },
};

static void
test_words_put(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
		cleanup_arena struct arena *a = arena_new(4096);
		struct buf b;

		buf_init(&b, a);
		assert_int_equal(
		    words_put(&b, str_from_c(queries[i].text)), queries[i].query != NULL);
		if (queries[i].query)
			assert_true(str_is(buf_str(&b), queries[i].query));
	}
}

static const struct {
	const char *text;
	bool stands;
} parts[] = {
	{ "a/b.c", true },
	{ "A/B.C", true },
	{ "b.c push", true },
	{ "b/c", false },
	{ "a/b.d", false },
	{ "push*", true },
	{ "word", true }, /* one word is the index's business */
	{ "--force-w*", true },
	{ "force--with", false },
};

static void
test_words_stand(void **state)
{
	const struct str fields[] = { STR("git push --force-with-lease"), { NULL, 0 },
		STR("x a/b.c") };

	(void)state;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		assert_int_equal(
		    words_stand(str_from_c(parts[i].text), fields, 3), parts[i].stands);
}

static const struct {
	const char *text;
	bool good;
	int64_t seconds;
} moments[] = {
	{ "1970-01-01", true, 0 },
	{ "2000-02-29", true, 951782400 },
	{ "2026-11-15T07:00", true, 1794726000 },
	{ "2026-11-15T07:00:30Z", true, 1794726030 },
	{ "2026-11-15 07:00:30", true, 1794726030 },
	{ "30m", true, 1000000 - 1800 },
	{ "8h", true, 1000000 - 28800 },
	{ "7d", true, 1000000 - 604800 },
	{ "2w", true, 1000000 - 1209600 },
	{ "2026-13-01", false, 0 },
	{ "2026-1-1", false, 0 },
	{ "2026-11-15T25:00", false, 0 },
	{ "2026-11-15T07:00:00X", false, 0 },
	{ "m", false, 0 },
	{ "9999999d", false, 0 },
	{ "-1d", false, 0 },
	{ "yesterday", false, 0 },
	{ "", false, 0 },
};

static void
test_when(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
		int64_t got = -1;
		bool good = when_read(
		    str_from_c(moments[i].text), (int64_t)1000000 * 1000000000, &got);

		assert_int_equal(good, moments[i].good);
		if (good)
			assert_true(got == moments[i].seconds * 1000000000);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_put),
		cmocka_unit_test(test_words_stand),
		cmocka_unit_test(test_when),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
