/* tests/unit/journal/fixture.h: a journal in a directory of its own, for each test. */
#pragma once
#include "../cm.h"
#include "journal/files.h"
#include "journal/report.h"
#include <fcntl.h>
#include <stdlib.h>

struct fixture {
	char dir[64];
	struct journal j;
	struct arena *a;
};

static inline int
set_up(void **state)
{
	static struct fixture f;

	memset(&f, 0, sizeof f);
	strcpy(f.dir, "/tmp/journal-test-XXXXXX");
	f.a = arena_new((size_t)8 << 20);
	if (!f.a || !mkdtemp(f.dir) || journal_open(&f.j, str_from_c(f.dir), NULL, NULL))
		return -1;
	*state = &f;
	return 0;
}

static inline int
tear_down(void **state)
{
	struct fixture *f = *state;
	struct journal_list list = { 0 };

	if (journal_list(&f->j, f->a, &list, NULL) == 0)
		for (size_t i = 0; i < list.n; i++) {
			char name[64] = { 0 };

			memcpy(name, list.v[i].name.p, list.v[i].name.n);
			(void)unlinkat(f->j.dir, name, 0);
		}
	journal_list_done(&list);
	(void)unlinkat(f->j.dir, JOURNAL_LOCK, 0);
	(void)unlinkat(f->j.dir, JOURNAL_FRESH, 0);
	journal_close(&f->j);
	arena_free(f->a);
	return rmdir(f->dir);
}

static inline int
add(struct fixture *f, size_t n, struct journal_head *head)
{
	static char text[20000];
	struct record r = { .kind = RECORD_DECISION,
		.cwd = STR("/w"),
		.host = STR("test"),
		.command = str_of(text, n),
		.verdict = { true, 1 },
		.count = { true, n } };
	struct err e = { 0 };
	int err;

	memset(text, 'c', n);
	err = journal_append(&f->j, f->a, &r, head, &e);
	if (err && e.why == NULL)
		fail_msg("an error without a reason");
	return err;
}

static inline struct journal_file
load(struct fixture *f)
{
	struct journal_file file = { 0 };
	struct journal_name name = { .name = STR(JOURNAL_NAME) };

	name.fd = openat(f->j.dir, JOURNAL_NAME, O_RDONLY | O_CLOEXEC);
	assert_int_equal(journal_read(&f->j, &name, &file, NULL), 0);
	close(name.fd);
	return file;
}

static inline void
save(struct fixture *f, struct str bytes)
{
	int fd =
	    openat(f->j.dir, JOURNAL_NAME, O_WRONLY | O_TRUNC | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0 && write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n);
	close(fd);
}

static inline void
count_kind(void *context, const struct journal_fault *fault)
{
	((int *)context)[fault->kind]++;
}

static inline struct journal_verify
check(struct fixture *f, struct str bytes, int kinds[static 16])
{
	struct journal_verify v = { .tell = count_kind, .context = kinds, .scratch = f->a };

	memset(kinds, 0, 16 * sizeof *kinds);
	journal_verify_file(&v, STR("x"), 0, bytes);
	journal_verify_end(&v, false);
	return v;
}

static inline struct journal_verify
check_all(struct fixture *f, int kinds[static 16])
{
	struct journal_verify v = { .tell = count_kind, .context = kinds, .scratch = f->a };

	memset(kinds, 0, 16 * sizeof *kinds);
	assert_int_equal(journal_verify(&f->j, f->a, &v, NULL), 0);
	return v;
}

/* Where each frame of `bytes` begins; the last is the end. */
static inline size_t
frames(struct str bytes, size_t *at, size_t room)
{
	size_t n = 0, i = sizeof JOURNAL_MAGIC;

	for (; i < bytes.n && n + 1 < room; i += str_find(str_skip(bytes, i), '\0') + 1)
		at[n++] = i;
	at[n] = i;
	return n;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
