#include "../cm.h"

static void
test_numbers(void **state)
{
	cleanup_arena struct arena *a = arena_new(256);
	struct buf b;

	(void)state;
	buf_init(&b, a);
	assert_str(buf_str(&b), STR(""));
	buf_putu(&b, 0);
	buf_putc(&b, ' ');
	buf_putu(&b, UINT64_MAX);
	buf_puts(&b, "");
	assert_str(buf_str(&b), STR("0 18446744073709551615"));
}

/* The arena's newest allocation grows in place; an older one moves. */
static void
test_growth(void **state)
{
	cleanup_arena struct arena *a = arena_new(4096);
	struct buf b;
	const char *before;

	(void)state;
	buf_init(&b, a);
	buf_puts(&b, "start");
	before = b.p;
	for (int i = 0; i < 200; i++)
		buf_putc(&b, 'x');
	assert_ptr_equal(b.p, before);
	assert_non_null(arena_alloc(a, 1));
	for (int i = 0; i < 200; i++)
		buf_putc(&b, 'y');
	assert_ptr_not_equal(b.p, before);
	assert_int_equal(b.n, 405);
	assert_true(str_starts(buf_str(&b), STR("startxxx")));
	assert_true(str_ends(buf_str(&b), STR("yyy")));
}

/* `full` is set once and stays set; the text before it stays, for any limit. */
static void
test_full(void **state)
{
	(void)state;
	for (size_t limit = 0; limit < 600; limit++) {
		cleanup_arena struct arena *a = arena_new(limit);
		struct buf b;
		size_t n = 0;

		buf_init(&b, a);
		while (!b.full && n < 1000) {
			buf_put(&b, STR("abc"));
			n += 3;
		}
		assert_true(b.full);
		n = b.n;
		assert_true(n <= limit);
		assert_int_equal(n % 3, 0);
		buf_putc(&b, 'x');
		assert_int_equal(b.n, n);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_growth),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
