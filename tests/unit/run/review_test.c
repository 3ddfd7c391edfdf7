/* As many changes as a review can list, and one more: then it lists none. */
#include "../cm.h"
/* The list grows in that arena. */
#include "run/review/review.c"

static void
test_changes(void **state)
{
	cleanup_arena struct arena *a = arena_new((size_t)64 << 20);
	struct review r = { .a = a };
	struct walk w = { .r = &r, .name = "f" };

	(void)state;
	for (size_t i = 0; i < CHANGES_MAX; i++)
		assert_true(add(&w, REVIEW_ADDED, 1, S_IFREG));
	assert_null(r.failed);
	assert_int_equal(r.n, CHANGES_MAX);
	assert_str(r.v[CHANGES_MAX - 1].name, STR("f"));
	assert_false(add(&w, REVIEW_ADDED, 1, S_IFREG));
	assert_string_equal(r.failed, "there are too many changes");
	assert_int_equal(r.n, CHANGES_MAX);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_changes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
