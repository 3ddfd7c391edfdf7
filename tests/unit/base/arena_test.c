#include "../cm.h"
#include "base/buf.h"
#ifdef ARENA_HIDES
#include <sanitizer/asan_interface.h>
#endif

static void
test_limit(void **state)
{
	cleanup_arena struct arena *a = arena_new(64);
	char *p = arena_alloc(a, 10), *q = arena_alloc(a, 48);

	(void)state;
	assert_non_null(p);
	assert_int_equal(q - p, 16);
	assert_null(arena_alloc(a, 1));
	assert_non_null(arena_alloc(a, 0)); /* zero bytes */
	arena_reset(a);
	assert_ptr_equal(arena_alloc(a, 64), p);
	assert_null(arena_alloc(a, SIZE_MAX));
	assert_int_equal(a->peak, 64);
}

static void
test_zero(void **state)
{
	cleanup_arena struct arena *a = arena_new(0);

	(void)state;
	assert_null(arena_alloc(a, 1));
	assert_null(arena_zalloc(a, 1));
	assert_null(arena_copy(a, STR("x")).p);
	arena_free(NULL);
}

static void
test_array(void **state)
{
	cleanup_arena struct arena *a = arena_new(256);
	char *p;

	(void)state;
	memset(arena_alloc(a, 256), 'x', 256);
	arena_reset(a);
	p = arena_array(a, 8, 8);
	for (size_t i = 0; i < 64; i++)
		assert_int_equal(p[i], 0);
	assert_null(arena_array(a, SIZE_MAX / 2, 4));
	assert_null(arena_array(a, 100, 8));
	assert_non_null(arena_array(a, 0, 8));
}

static void
test_copy(void **state)
{
	char mem[64];
	struct arena a;
	char text[] = "abc";
	struct str copy;

	(void)state;
	arena_init(&a, mem, sizeof mem);
	copy = arena_copy(&a, str_of(text, 3));
	text[0] = 'x';
	assert_str(copy, STR("abc"));
	arena_free(&a); /* the caller's memory stays */
}

static bool
is_hidden(const void *p)
{
#ifdef ARENA_HIDES
	return __asan_address_is_poisoned(p);
#else
	(void)p;
	return true;
#endif
}

/* Released memory is reused; until then AddressSanitizer reports any access. */
static void
test_back(void **state)
{
	cleanup_arena struct arena *a = arena_new(256);
	char *kept, *first, *grown;
	struct buf b;
	size_t mark;

	(void)state;
	kept = arena_alloc(a, 16);
	mark = a->used;
	first = arena_alloc(a, 64);
	memset(first, 'x', 64);
	arena_back(a, mark);
	assert_true(is_hidden(first) && is_hidden(first + 63));
	kept[15] = 'y';
	grown = arena_alloc(a, 8);
	assert_ptr_equal(grown, first);
	memset(grown, 'z', 8);
	assert_true(is_hidden(first + 16));
	buf_init(&b, a);
	buf_puts(&b, "a text that is longer than its first room and grows in its place");
	assert_false(b.full);
	arena_reset(a);
	assert_true(is_hidden(kept));
	assert_int_equal(a->used, 0);
	assert_true(a->peak >= 80);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_zero),
		cmocka_unit_test(test_array),
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
