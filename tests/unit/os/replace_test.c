#include "../cm.h"
#include "base/limits.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/replace.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int
open_dir(char *name)
{
	assert_non_null(mkdtemp(name));
	return open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void
assert_text(int dir, const char *name, const char *want)
{
	cleanup_fd int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	char text[64];
	ssize_t n = read(fd, text, sizeof text);

	assert_true(fd >= 0 && n >= 0 && str_is(str_of(text, (size_t)n), want));
}

static void
test_replaces(void **state)
{
	char name[] = "/tmp/replace-XXXXXX";
	cleanup_fd int dir = open_dir(name);
	struct replace how = { .mode = 0640, .sync = true };
	struct stat st;

	(void)state;
	assert_true(replace_at(dir, "new", "file", STR("one"), NULL));
	assert_text(dir, "file", "one");
	assert_int_equal(fstatat(dir, "file", &st, 0), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	/* a temporary file that a killed process left, and another mode */
	assert_true(replace_at(dir, "unused", "new", STR("left"), NULL));
	assert_true(replace_at(dir, "new", "file", STR("two"), &how));
	assert_text(dir, "file", "two");
	assert_int_equal(fstatat(dir, "file", &st, 0), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_int_equal(faccessat(dir, "new", F_OK, 0), -1);
	assert_int_equal(unlinkat(dir, "file", 0), 0);
	assert_int_equal(rmdir(name), 0);
}

/* A symlink in place of the temporary file is not followed; a failed rename leaves nothing.
 */
static void
test_fails(void **state)
{
	char name[] = "/tmp/replace-XXXXXX";
	cleanup_fd int dir = open_dir(name);

	(void)state;
	assert_true(replace_at(dir, "new", "victim", STR("kept"), NULL));
	assert_int_equal(symlinkat("victim", dir, "new"), 0);
	assert_true(replace_at(dir, "new", "file", STR("text"), NULL));
	assert_text(dir, "victim", "kept");
	assert_int_equal(mkdirat(dir, "folder", 0700), 0);
	assert_false(replace_at(dir, "new", "folder", STR("text"), NULL));
	assert_int_equal(errno, EISDIR);
	assert_int_equal(faccessat(dir, "new", F_OK, 0), -1);
	assert_false(replace_at(dir, "none/new", "file", STR("text"), NULL));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(unlinkat(dir, "file", 0), 0);
	assert_int_equal(unlinkat(dir, "victim", 0), 0);
	assert_int_equal(unlinkat(dir, "folder", AT_REMOVEDIR), 0);
	assert_int_equal(rmdir(name), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replaces),
		cmocka_unit_test(test_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
