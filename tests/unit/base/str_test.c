#include "../cm.h"
#include "base/str.h"

static void
test_number(void **state)
{
	static const struct {
		const char *text;
		uint64_t most, n;
		bool ok;
	} rows[] = {
		{ "0", 0, 0, true },
		{ "7", 7, 7, true },
		{ "7", 5, 0, false },
		{ "10", 9, 0, false },
		{ "0009", 9, 9, true },
		{ "65535", 65535, 65535, true },
		{ "65536", 65535, 0, false },
		{ "18446744073709551615", UINT64_MAX, UINT64_MAX, true },
		{ "18446744073709551616", UINT64_MAX, 0, false },
		{ "99999999999999999999999", UINT64_MAX, 0, false },
		{ "", 9, 0, false },
		{ "-1", 9, 0, false },
		{ "+1", 9, 0, false },
		{ " 1", 9, 0, false },
		{ "1 ", 9, 0, false },
		{ "1x", 99, 0, false },
		{ "\xb9", 9, 0, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint64_t n = 0;

		assert_int_equal(
		    str_number(str_from_c(rows[i].text), rows[i].most, &n), rows[i].ok);
		assert_int_equal(n, rows[i].n);
	}
}

/* Leading digits are skipped; without digits, or above the limit, nothing changes. */
static void
test_take_number(void **state)
{
	static const struct {
		const char *text, *rest;
		uint64_t n;
		bool ok;
	} rows[] = {
		{ "12", "", 12, true },
		{ "12 ab", " ab", 12, true },
		{ "007x", "x", 7, true },
		{ "99", "", 99, true },
		{ "100", "100", 5, false },
		{ "x1", "x1", 5, false },
		{ "", "", 5, false },
		{ "-1", "-1", 5, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct str s = str_from_c(rows[i].text);
		uint64_t n = 5;

		assert_int_equal(str_take_number(&s, 99, &n), rows[i].ok);
		assert_int_equal(n, rows[i].n);
		assert_true(str_is(s, rows[i].rest));
	}
}

/* Try every byte: none above 127 or next to the letters may pass for a digit. */
static void
test_hex(void **state)
{
	static const char digits[] = "0123456789abcdef";

	(void)state;
	for (int i = 0; i < 256; i++) {
		const char *at = i ? strchr(digits, byte_lower((char)i)) : NULL;

		assert_int_equal(byte_hex((char)i), at ? at - digits : -1);
	}
}

static void
test_bytes(void **state)
{
	(void)state;
	assert_true(str_is_ascii(STR("")));
	assert_true(str_is_ascii(STR("a\x01\x7f")));
	assert_false(str_is_ascii(STR("a\x80")));
	assert_true(str_has_any(STR("a*"), "*?"));
	assert_false(str_has_any(STR("ab"), "*?"));
	assert_false(str_has_any(STR(""), "*?"));
	/* the NUL that ends the set is not part of it */
	assert_false(str_has_any((struct str){ "a\0", 2 }, "*?"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_number),
		cmocka_unit_test(test_take_number),
		cmocka_unit_test(test_hex),
		cmocka_unit_test(test_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
