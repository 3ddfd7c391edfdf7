#include "../cm.h"
#include "base/glob.h"

#define FOLD GLOB_FOLD
#define CHARS GLOB_CHARS

static void
test_match(void **state)
{
	static const struct {
		const char *pattern, *text;
		unsigned flags;
		bool match;
	} rows[] = {
		{ "", "", 0, true },
		{ "", "a", 0, false },
		{ "a", "", 0, false },
		{ "*", "", 0, true },
		{ "**", "ab", 0, true },
		{ "?", "", 0, false },
		{ "a?c", "abc", 0, true },
		{ "a*c", "ac", 0, true },
		{ "a*c", "abcbc", 0, true },
		{ "a*c", "abcb", 0, false },
		{ "*a*b", "xaaxb", 0, true },
		{ "*a*b", "xb", 0, false },
		{ "LD_*", "LD_PRELOAD", 0, true },
		{ "LD_*", "LD_", 0, true },
		{ "LD_*", "LD", 0, false },
		{ "*_PROXY", "HTTP_PROXY", 0, true },
		{ "*_PROXY", "HTTP_PROXY2", 0, false },
		/* case */
		{ "ab*", "ABC", 0, false },
		{ "ab*", "ABC", FOLD, true },
		/* one byte, or one character */
		{ "?", "\xc3\xa4", 0, false },
		{ "??", "\xc3\xa4", 0, true },
		{ "?", "\xc3\xa4", CHARS, true },
		{ "??", "\xc3\xa4", CHARS, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct glob_wild wild = { '*', '?', rows[i].flags };
		struct str pattern = str_from_c(rows[i].pattern),
			   text = str_from_c(rows[i].text);

		assert_int_equal(glob_match(&wild, pattern, text), rows[i].match);
		if (!rows[i].flags)
			assert_int_equal(glob_is(rows[i].pattern, text), rows[i].match);
	}
}

/* With other bytes as wildcards, `*` and `?` are literal; a NUL does not end the text. */
static void
test_codes(void **state)
{
	static const struct glob_wild codes = { '\1', '\2', 0 };

	(void)state;
	assert_true(glob_match(&codes, STR("*\1"), STR("*x")));
	assert_false(glob_match(&codes, STR("*\1"), STR("x")));
	assert_true(glob_match(&codes, STR("a\1"), STR("a\0b")));
	assert_false(glob_match(&codes, STR("a"), STR("a\0")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_codes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
