/* The newest output of a run: what is there, and how much is gone. */
#define _GNU_SOURCE
#include "../cm.h"
#include "approve/ring.h"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void
test_ring(void **state)
{
	static char big[RING_BYTES + 1000], got[RING_BYTES + 1000];
	char path[] = "/tmp/cordon-ring.XXXXXX";
	struct ring w = { NULL }, r = { NULL }, other = { NULL };
	uint64_t at;
	int dir;

	(void)state;
	assert_non_null(mkdtemp(path));
	dir = open(path, O_RDONLY | O_DIRECTORY);
	assert_true(ring_make(&w, dir, "x"));
	assert_false(ring_make(&other, dir, "x"));
	assert_true(ring_open(&r, dir, "x"));
	assert_int_equal(ring_take(&r, 0, got, sizeof got, &at), 0);
	ring_put(&w, STR("hello "));
	ring_put(&w, STR("world"));
	assert_str(str_of(got, ring_take(&r, 0, got, sizeof got, &at)), STR("hello world"));
	assert_str(str_of(got, ring_take(&r, 6, got, 3, &at)), STR("wor"));
	assert_int_equal(at, 6);
	assert_int_equal(ring_take(&r, 99, got, sizeof got, &at), 0);
	assert_int_equal(at, 11);
	for (size_t i = 0; i < sizeof big; i++)
		big[i] = (char)('a' + i % 26);
	ring_put(&w, str_of(big, sizeof big));
	/* Only the newest are there, and where they begin is told. */
	assert_int_equal(ring_take(&r, 0, got, sizeof got, &at), RING_BYTES);
	assert_int_equal(at, 11 + 1000);
	assert_memory_equal(got, big + 1000, RING_BYTES);
	ring_close(&r);
	ring_close(&w);
	assert_int_equal(ftruncate(openat(dir, "x", O_RDWR), 10), 0);
	assert_false(ring_open(&r, dir, "x"));
	assert_int_equal(unlinkat(dir, "x", 0), 0);
	assert_int_equal(rmdir(path), 0);
	(void)close(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_ring) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
