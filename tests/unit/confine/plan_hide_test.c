/* Hidden files with several names: as many as the table holds, and one more. */
#include "../cm.h"
/* The table belongs to the file. */
#include "confine/plan/plan_hide.c"

static void
test_linked(void **state)
{
	/* The arena size of `cordon run`. */
	cleanup_arena struct arena *a = arena_new((size_t)256 << 20);
	struct planning p = { .a = a };
	struct hiding *h = ARENA_NEW(a, struct hiding);

	(void)state;
	h->p = &p;
	for (uint64_t i = 1; i <= LINKED_MAX; i++)
		remember(h, 7, i, 2);
	assert_null(h->failed);
	assert_int_equal(h->linked_n, LINKED_MAX);
	/* The same inode on another device is another file. */
	assert_null(find_linked(h, 8, 1));
	assert_int_equal(find_linked(h, 7, 1)->names, 1);
	assert_true(names_are_missing(h));
	/* Other names of known files take no entry. */
	for (uint64_t i = 1; i <= LINKED_MAX; i++)
		remember(h, 7, i, 2);
	assert_false(names_are_missing(h));
	assert_null(h->failed);
	remember(h, 7, LINKED_MAX + 1, 2);
	assert_string_equal(h->failed, "too many files with several names");
	assert_int_equal(h->linked_n, LINKED_MAX);
}

/* Without memory it is refused as well. */
static void
test_no_memory(void **state)
{
	cleanup_arena struct arena *a = arena_new((size_t)64 << 10);
	struct planning p = { .a = a };
	struct hiding *h = ARENA_NEW(a, struct hiding);
	uint64_t i = 1;

	(void)state;
	h->p = &p;
	for (; i <= LINKED_MAX && !h->failed; i++)
		remember(h, 7, i, 2);
	assert_non_null(h->failed);
	assert_int_equal(h->linked_n, i - 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_linked),
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
