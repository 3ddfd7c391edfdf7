/* Errors of the TOML parser with their positions, and every amount of memory. */
#include "../cm.h"
#include "base/toml.h"

static char memory[1 << 18];

static const struct refused refused[] = {
	{ STR("a"), 1, "expected '=' after the key" },
	{ STR("a = "), 4, "expected a value" },
	{ STR("a = x"), 4, "expected quotes around a string" },
	{ STR("a = 1 2"), 6, "expected the end of the line" },
	{ STR("a = 1\na = 2"), 9, "duplicate key in this table" },
	{ STR("a = 1\na.b = 2"), 8, "this key is not a table, or the table is complete" },
	{ STR("a = {b = 1}\n[a.c]"), 15,
	    "this key is not a table, or the table is complete" },
	{ STR("[a.b]\n[a]\nb.c = 1"), 12, "this table is complete and cannot be extended" },
	{ STR("[a]\n[a]"), 7, "duplicate table" },
	{ STR("a = 1\n[[a]]"), 11, "this key is not an array of tables" },
	{ STR("[a"), 2, "expected ']'" },
	{ STR("a = \"x"), 6, "string is never closed" },
	{ STR("a = \"x\ny\""), 6, "control byte in a string" },
	{ STR("a = \"\\q\""), 7, "invalid escape in a string" },
	{ STR("a = \"\\u12\""), 9, "expected hexadecimal digits" },
	{ STR("a = \"\\ud800\""), 11, "invalid character number" },
	{ STR("a = \"\\U00110000\""), 15, "invalid character number" },
	{ STR("a = \"\xff\""), 5, "invalid UTF-8" },
	{ STR("a = \"\"\"x \\ y\"\"\""), 11, "a lone backslash" },
	{ STR("a = [1 2]"), 7, "expected ',' or ']'" },
	{ STR("a = {b = 1 c = 2}"), 11, "expected ',' or '}'" },
	{ STR("# \x01"), 2, "comment with control bytes or invalid UTF-8" },
};

static const struct str accepted[] = {
	STR_INIT("a = 1\nb.c = 'x'\n[d]\ne = [1, 2, [3]]\n[[f]]\ng = {h = true, i = {}}\n"),
	STR_INIT("a = \"\\u00e9\\U0001F600\\t\\\"\"\nb = '''\nx'y'''\nc = \"\"\"\r\nx \\\n "
		 " y\"\"\"\"\n"),
	STR_INIT("a = 1979-05-27 07:32:00\nb = -0x1F\nc = +inf\nd = 1_000.5e3\n"),
	STR_INIT("[a.b]\n[a]\nc.d = 1\n[[a.e]]\n[[a.e]]\n# the end"),
};

static void
test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(refused); i++) {
		const struct json *v = NULL;
		struct err e = { 0, 0, NULL };
		struct arena a;

		arena_init(&a, memory, sizeof memory);
		assert_refused(&refused[i], toml_read(&a, refused[i].text, &v, &e), &e);
		assert_null(v);
	}
}

static void
test_accepted(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(accepted); i++) {
		const struct json *v = NULL;
		struct err e = { 0, 0, NULL };
		struct arena a;
		size_t peak;

		arena_init(&a, memory, sizeof memory);
		if (toml_read(&a, accepted[i], &v, &e))
			fail_msg("%s: %s at %u", accepted[i].p, e.why, (unsigned)e.at);
		peak = a.peak;
		for (size_t n = 0; n < peak; n += 8) {
			v = NULL;
			arena_init(&a, memory, n);
			assert_int_equal(toml_read(&a, accepted[i], &v, &e), CORDON_ENOMEM);
			assert_null(v);
		}
	}
}

/* Repeat `unit` n times. */
static struct str
many(struct arena *a, const char *begin, const char *unit, size_t n)
{
	struct buf b;

	buf_init(&b, a);
	buf_puts(&b, begin);
	while (n-- > 0)
		buf_puts(&b, unit);
	return buf_str(&b);
}

static void
test_limits(void **state)
{
	static const struct {
		const char *begin, *unit;
		size_t n;
	} rows[] = {
		{ "a = ", "[", 70 },
		{ "a", ".a", 70 },
		{ "[a", ".a", 70 },
		{ "a = ", "{a = ", 70 },
		{ "#", "x", LIMIT_TOML },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		cleanup_arena struct arena *a = arena_new(1 << 20);
		const struct json *v = NULL;
		struct str text = many(a, rows[i].begin, rows[i].unit, rows[i].n);

		assert_int_equal(toml_read(a, text, &v, NULL), CORDON_ELIMIT);
		assert_null(v);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_refused),
		cmocka_unit_test(test_accepted), cmocka_unit_test(test_limits) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
