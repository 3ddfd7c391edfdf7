#include "../cm.h"

static void
test_place(void **state)
{
	struct str text = STR("ab\ncd\n");
	static const struct {
		size_t at, line, column;
	} cases[] = { { 0, 1, 1 }, { 2, 1, 3 }, { 3, 2, 1 }, { 5, 2, 3 }, { 6, 3, 1 },
		{ 99, 3, 1 } };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct pos got = err_pos(text, cases[i].at);

		assert_int_equal(got.line, cases[i].line);
		assert_int_equal(got.column, cases[i].column);
	}
}

static void
test_names(void **state)
{
	(void)state;
	assert_string_equal(err_text(0), "no error");
#define X(name, number, text) assert_string_equal(err_text(CORDON_##name), text);
	CORDON_ERR_MAP(X)
#undef X
}

static void
test_fill(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_int_equal(err_at(&e, CORDON_EIO, 7, "why"), CORDON_EIO);
	assert_int_equal(e.code, CORDON_EIO);
	assert_int_equal(e.at, 7);
	assert_string_equal(e.why, "why");
	assert_int_equal(err_at(NULL, CORDON_EIO, 7, "why"), CORDON_EIO);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_place),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_fill),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
