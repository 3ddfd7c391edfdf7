/* Every name comes once, however many reads that takes; faults are told from the end. */
#include "../cm.h"
#include "os/entries.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MANY 500

static void
every_name_once(void **state)
{
	char top[] = "/tmp/entries-XXXXXX", name[32];
	bool seen[MANY] = { false };
	struct entries e;
	struct str found;
	unsigned char type;
	size_t n = 0;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(top));
	fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	for (int i = 0; i < MANY; i++) {
		(void)snprintf(name, sizeof name, "a-longer-name-%d", i);
		assert_int_equal(mkdirat(fd, name, 0700), 0);
	}
	entries_init(&e, fd);
	for (; entries_next(&e, &found, &type); n++) {
		int i = atoi(found.p + sizeof "a-longer-name-" - 1);

		assert_true(i >= 0 && i < MANY && !seen[i]);
		assert_true(type == DT_DIR || type == DT_UNKNOWN);
		assert_int_equal(found.p[found.n], '\0');
		seen[i] = true;
		assert_int_equal(unlinkat(fd, found.p, AT_REMOVEDIR), 0);
	}
	assert_int_equal(n, MANY);
	assert_int_equal(e.error, 0);
	assert_int_equal(rmdir(top), 0);
	(void)close(fd);
}

static void
faults(void **state)
{
	struct entries e;
	struct str found;
	unsigned char type;
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)state;
	entries_init(&e, fd);
	assert_false(entries_next(&e, &found, &type));
	assert_int_equal(e.error, ENOTDIR);
	(void)close(fd);
	entries_init(&e, -1);
	assert_false(entries_next(&e, &found, &type));
	assert_int_equal(e.error, EBADF);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_once),
		cmocka_unit_test(faults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
