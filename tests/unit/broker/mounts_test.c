#define _GNU_SOURCE
#include "../cm.h"
#include "broker/guard/guard.h"
#include "broker/report/report.h"
#include "run/run.h"

static uint64_t
mount_of(int fd)
{
	uint64_t id = 0;

	assert_true(fd >= 0);
	assert_true(file_mount(fd, &id));
	return id;
}

/* Take our own mounts for those of the sandbox: /, and the kernel's for pipes. */
static void
test_own(void **state)
{
	cleanup_arena struct arena *a = arena_new((size_t)1 << 20);
	struct broker s = { .a = a };
	int ends[2], root = open("/", O_PATH | O_CLOEXEC);
	uint64_t of_root = mount_of(root);

	(void)state;
	s.init = getpid();
	assert_int_equal(pipe(ends), 0);
	assert_true(mount_is_inside(&s, of_root));
	assert_true(mount_is_inside(&s, mount_of(ends[0])));
	/* No machine has so many mounts, and IDs beyond the limit belong to nobody. */
	assert_false(mount_is_inside(&s, (UINT64_C(1) << 20) - 1));
	assert_false(mount_is_inside(&s, UINT64_C(1) << 20));
	assert_false(mount_is_inside(&s, UINT64_MAX));
	assert_true(mount_is_inside(&s, of_root));
	/* If the mounts cannot be read any more, no ID is known, not even earlier ones. */
	s.init = -1;
	assert_false(mount_is_inside(&s, UINT64_MAX));
	assert_false(mount_is_inside(&s, of_root));
	(void)close(ends[0]);
	(void)close(ends[1]);
	(void)close(root);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_own) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
