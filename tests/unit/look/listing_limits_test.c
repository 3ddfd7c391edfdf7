/* The limits of a listing, and one more: then it reports nothing. */
#define _GNU_SOURCE
#include "../cm.h"
#include "look/listing/listing.h"
#include "look/listing/listing_parts.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* More than twice the size of the chunks below. */
#define FILES 10000

static char top[] = "/tmp/cordon-listing-XXXXXX";
static int fd = -1;

static int
set_up(void **state)
{
	(void)state;
	memcpy(top + sizeof top - 7, "XXXXXX", 6);
	if (!mkdtemp(top) || (fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
		return -1;
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	(void)close(fd);
	return rmdir(top);
}

static enum listing_step
count(void *context, struct str path, size_t name, bool directory)
{
	(void)path;
	(void)name;
	(void)directory;
	++*(size_t *)context;
	return LISTING_GO;
}

/* The number of reported entries; 0: refused. */
static size_t
looked_through(const char **ret_why)
{
	struct listing *l = listing_make(str_from_c(top), ret_why);
	size_t n = 0;

	if (l)
		assert_true(listing_walk(l, count, &n));
	listing_free(l);
	return n;
}

static void
test_depth(void **state)
{
	char path[2 * LISTING_DEPTH + 3];
	size_t n = 0;
	const char *why;

	(void)state;
	for (; n < 2 * LISTING_DEPTH; n += 2) {
		memcpy(path + n, "d/", 3);
		assert_int_equal(mkdirat(fd, path, 0700), 0);
	}
	assert_int_equal(looked_through(&why), LISTING_DEPTH);
	assert_null(why);
	memcpy(path + n, "d/", 3);
	assert_int_equal(mkdirat(fd, path, 0700), 0);
	assert_int_equal(looked_through(&why), 0);
	assert_string_equal(why, "the tree is too deep");
	for (n += 2; n > 0; n -= 2) {
		path[n] = '\0';
		assert_int_equal(unlinkat(fd, path, AT_REMOVEDIR), 0);
	}
}

static void
free_chunks(struct listing *l)
{
	for (struct chunk *c = l->chunks, *next; c; c = next) {
		next = c->next;
		(void)munmap(c, c->size);
	}
	l->chunks = NULL;
}

/* The last of the memory for names, and one piece more.  Bug 282: one large directory
 * exceeded the limit, which was checked between directories only. */
static void
test_bytes(void **state)
{
	struct listing l = { .lock = PTHREAD_MUTEX_INITIALIZER,
		.bytes = LISTING_BYTES - LISTING_CHUNK };
	struct lister t = { .l = &l };

	(void)state;
	assert_non_null(listing_take(&t, LISTING_CHUNK / 2));
	assert_null(l.failed);
	assert_null(listing_take(&t, LISTING_CHUNK / 2));
	assert_string_equal(l.failed, "too many files to list");
	free_chunks(&l);
}

static void
each_file(int (*each)(const char *name))
{
	char name[] = "a-name-that-takes-its-room-00000";

	for (int i = 0; i < FILES; i++) {
		for (int k = 0, left = i; k < 5; k++, left /= 10)
			name[sizeof name - 2 - (size_t)k] = (char)('0' + left % 10);
		assert_int_equal(each(name), 0);
	}
}

static int
make(const char *name)
{
	return mknodat(fd, name, S_IFREG | 0600, 0);
}

static int
take(const char *name)
{
	return unlinkat(fd, name, 0);
}

/* A single directory cannot exceed the limit either. */
static void
test_one_directory(void **state)
{
	struct listing l = { .lock = PTHREAD_MUTEX_INITIALIZER,
		.bytes = LISTING_BYTES - 4 * LISTING_CHUNK,
		.fd = fd };
	struct lister t = { .l = &l };
	struct listing_node root = { .name = top };

	(void)state;
	each_file(make);
	listing_dir(&t, &root);
	assert_non_null(l.failed);
	/* One piece, of twice the size of the last. */
	assert_in_range(l.bytes, LISTING_BYTES + 1, LISTING_BYTES + 4 * LISTING_CHUNK);
	free_chunks(&l);
	each_file(take);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		T(test_depth),
		T(test_bytes),
		T(test_one_directory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
