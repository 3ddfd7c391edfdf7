/* Numbers in the names of tests are those of the MUST list in journal/journal.h. */
#define _GNU_SOURCE
#include "fixture.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/resource.h>

static void
test_append_and_verify(void **state)
{
	struct fixture *f = *state;
	struct journal_head head = { 0 };
	int kinds[16];
	struct journal_verify v;

	for (size_t i = 0; i < 20; i++)
		assert_int_equal(add(f, i * i * 40, &head), 0);
	assert_int_equal(f->a->used, 0);
	v = check_all(f, kinds);
	assert_int_equal(v.faults, 0);
	assert_int_equal(v.notes, 0);
	assert_int_equal(v.records, 21);
	assert_int_equal(v.head.sequence, 21);
	assert_memory_equal(v.head.chain, head.chain, sizeof head.chain);
}

/* A journal in which nothing is whole is set aside, and said so. */
static void
test_set_aside(void **state)
{
	static const struct str texts[] = { STR_INIT(""), STR_INIT("\0\0\0"),
		STR_INIT("nonsense"), STR_INIT(JOURNAL_MAGIC), STR_INIT("\1\2\0\3\0") };
	struct fixture *f = *state;
	int kinds[16];

	for (size_t i = 0; i < COUNT(texts); i++) {
		save(f, texts[i]);
		assert_int_equal(add(f, 7, NULL), 0);
		assert_int_equal(add(f, 7, NULL), 0);
		assert_int_equal(check_all(f, kinds).faults, i + 1);
		assert_int_equal(kinds[FAULT_FILE], i + 1);
	}
}

/* As many files as are listed, and one more: then none is, and none is left out unsaid. */
static void
test_many_files(void **state)
{
	struct fixture *f = *state;
	struct journal_list list = { 0 };
	struct err e = { 0 };
	char name[32];

	for (int i = 1; i <= 512; i++) {
		(void)snprintf(name, sizeof name, "%s%d", JOURNAL_BAD, i);
		assert_int_equal(mknodat(f->j.dir, name, S_IFREG | 0600, 0), 0);
	}
	assert_int_equal(journal_list(&f->j, f->a, &list, &e), 0);
	assert_int_equal(list.n, 512);
	journal_list_done(&list);
	assert_int_equal(mknodat(f->j.dir, JOURNAL_BAD "x", S_IFREG | 0600, 0), 0);
	assert_int_equal(journal_list(&f->j, f->a, &list, &e), CORDON_ELIMIT);
	assert_string_equal(e.why, "the journal has too many files");
	assert_int_equal(list.n, 0);
	assert_int_equal(unlinkat(f->j.dir, JOURNAL_BAD "x", 0), 0);
}

/* 7 */
static void
test_7_rotation(void **state)
{
	struct fixture *f = *state;
	int kinds[16];
	struct journal_verify v;

	f->j.opts.file_bytes = 2000;
	f->j.opts.files = 1000;
	for (size_t i = 0; i < 60; i++)
		assert_int_equal(add(f, i * 11, NULL), 0);
	v = check_all(f, kinds);
	assert_int_equal(v.faults, 0);
	assert_int_equal(v.notes, 0);
	assert_true(v.files > 10);
	assert_int_equal(v.records, 60 + v.files);
	/* One larger than any file still has its place. */
	assert_int_equal(add(f, 9000, NULL), 0);
	assert_int_equal(add(f, 9000, NULL), 0);
	assert_int_equal(check_all(f, kinds).faults, 0);
	/* A file in the middle is missing, then the first. */
	assert_int_equal(unlinkat(f->j.dir, "journal.00000004", 0), 0);
	v = check_all(f, kinds);
	assert_true(kinds[FAULT_FILE] == 1 && v.faults >= 1);
	assert_int_equal(unlinkat(f->j.dir, "journal.00000001", 0), 0);
	(void)check_all(f, kinds);
	assert_int_equal(kinds[FAULT_FILE], 2);
}

static void
test_7_retention(void **state)
{
	struct fixture *f = *state;
	int kinds[16];
	struct journal_verify v;

	f->j.opts.file_bytes = 1000;
	f->j.opts.files = 4;
	for (size_t i = 0; i < 60; i++)
		assert_int_equal(add(f, 100, NULL), 0);
	v = check_all(f, kinds);
	assert_int_equal(v.faults, 0);
	assert_int_equal(kinds[NOTE_OLDER], 1);
	assert_int_equal(v.files, 4);
	assert_int_equal(v.head.sequence, 60 + v.number);
}

/* 7: a process killed between the steps of a rotation. */
static void
test_7_rotation_interrupted(void **state)
{
	struct fixture *f = *state;
	int kinds[16], fd;

	for (size_t i = 0; i < 5; i++)
		assert_int_equal(add(f, 100, NULL), 0);
	assert_int_equal(renameat(f->j.dir, JOURNAL_NAME, f->j.dir, "journal.00000001"), 0);
	(void)check_all(f, kinds);
	assert_int_equal(kinds[FAULT_FILE], 1);
	fd = openat(f->j.dir, JOURNAL_FRESH, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0 && write(fd, "half", 4) == 4);
	close(fd);
	assert_int_equal(add(f, 100, NULL), 0);
	assert_int_equal(check_all(f, kinds).faults, 0);
	assert_int_equal(check_all(f, kinds).files, 2);
}

/* 3 */
static void
test_3_owner_mode_link(void **state)
{
	struct fixture *f = *state;
	struct journal other;
	char link[80];
	struct err e;

	assert_int_equal(add(f, 1, NULL), 0);
	assert_int_equal(fchmodat(f->j.dir, JOURNAL_NAME, 0640, 0), 0);
	assert_int_equal(add(f, 1, NULL), CORDON_EIO);
	assert_int_equal(fchmodat(f->j.dir, JOURNAL_NAME, 0600, 0), 0);
	assert_int_equal(add(f, 1, NULL), 0);
	if (geteuid() == 0) {
		assert_int_equal(fchownat(f->j.dir, JOURNAL_NAME, 1, 1, 0), 0);
		assert_int_equal(add(f, 1, NULL), CORDON_EIO);
		assert_int_equal(fchownat(f->j.dir, JOURNAL_NAME, 0, 0, 0), 0);
		assert_int_equal(chown(f->dir, 1, 1), 0);
		assert_int_equal(
		    journal_open(&other, str_from_c(f->dir), NULL, &e), CORDON_EIO);
		assert_int_equal(chown(f->dir, 0, 0), 0);
	}
	assert_int_equal(renameat(f->j.dir, JOURNAL_NAME, f->j.dir, "elsewhere"), 0);
	assert_int_equal(symlinkat("elsewhere", f->j.dir, JOURNAL_NAME), 0);
	assert_int_equal(add(f, 1, NULL), CORDON_EIO);
	assert_int_equal(errno, ELOOP);
	assert_int_equal(unlinkat(f->j.dir, "elsewhere", 0), 0);
	assert_int_equal(unlinkat(f->j.dir, JOURNAL_NAME, 0), 0);
	assert_int_equal(mkfifoat(f->j.dir, JOURNAL_NAME, 0600), 0);
	assert_int_equal(add(f, 1, NULL), CORDON_EIO);
	assert_int_equal(chmod(f->dir, 0755), 0);
	assert_int_equal(journal_open(&other, str_from_c(f->dir), NULL, &e), CORDON_EIO);
	assert_int_equal(chmod(f->dir, 0700), 0);
	strcpy(link, f->dir);
	strcat(link, ".l");
	assert_int_equal(symlink(f->dir, link), 0);
	assert_int_equal(journal_open(&other, str_from_c(link), NULL, &e), CORDON_EIO);
	assert_int_equal(unlink(link), 0);
}

/* 3: made with the right modes, whatever the umask, and the directories above. */
static void
test_3_made(void **state)
{
	struct fixture *f = *state;
	struct fixture inner = { .a = f->a };
	mode_t mask = umask(0);
	struct journal_opts look = { .read_only = true };
	struct stat st;

	assert_int_equal(
	    journal_open_at(&inner.j, f->j.dir, STR("a/b/c"), &look, NULL), CORDON_EIO);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(journal_open_at(&inner.j, f->j.dir, STR("a/b/c"), NULL, NULL), 0);
	assert_int_equal(add(&inner, 5, NULL), 0);
	umask(mask);
	assert_int_equal(fstatat(f->j.dir, "a/b/c/journal", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(fstatat(f->j.dir, "a/b/c", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(unlinkat(inner.j.dir, JOURNAL_NAME, 0), 0);
	assert_int_equal(unlinkat(inner.j.dir, JOURNAL_LOCK, 0), 0);
	journal_close(&inner.j);
	assert_int_equal(unlinkat(f->j.dir, "a/b/c", AT_REMOVEDIR), 0);
	assert_int_equal(unlinkat(f->j.dir, "a/b", AT_REMOVEDIR), 0);
	assert_int_equal(unlinkat(f->j.dir, "a", AT_REMOVEDIR), 0);
	assert_int_equal(journal_open(&inner.j, STR(""), NULL, NULL), CORDON_EINVAL);
	assert_int_equal(
	    journal_open(&inner.j, STR("/tmp/a\0b"), NULL, NULL), CORDON_EINVAL);
}

/* 6 */
static void
test_6_lock_kept(void **state)
{
	struct fixture *f = *state;
	int fd, kinds[16];

	assert_int_equal(add(f, 1, NULL), 0);
	f->j.opts.wait_ms = 50;
	fd = openat(f->j.dir, JOURNAL_NAME, O_RDONLY | O_CLOEXEC);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(add(f, 1, NULL), CORDON_EIO);
	assert_int_equal(errno, 0);
	close(fd);
	assert_int_equal(add(f, 1, NULL), 0);
	assert_int_equal(check_all(f, kinds).records, 3);
}

/* 1: the kernel takes a part of the write, or nothing. */
static void
test_1_no_room(void **state)
{
	struct fixture *f = *state;
	struct rlimit was, now;
	struct journal_file file;
	int kinds[16];

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	assert_int_equal(add(f, 100, NULL), 0);
	for (size_t more = 0; more < 180; more += 7) {
		struct journal_verify v;
		uint64_t records;

		file = load(f);
		now = was;
		now.rlim_cur = file.bytes.n + more;
		records = check_all(f, kinds).records;
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &now), 0);
		assert_int_equal(add(f, 100, NULL), CORDON_EIO);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
		assert_int_equal(add(f, 10, NULL), 0);
		v = check_all(f, kinds);
		assert_int_equal(v.faults, 0);
		assert_int_equal(v.records, records + (more ? 2 : 1));
		journal_file_done(&file);
	}
	signal(SIGXFSZ, SIG_DFL);
}

/* 4 */
static void
test_4_redacted(void **state)
{
	struct fixture *f = *state;
	struct record r = { .kind = RECORD_RUN,
		.command = STR("x --password mackerel"),
		.outcome = STR("token=mackerel"),
		.detail = STR("{\"secret\":\"mackerel\"}") };
	struct journal_file file;

	assert_int_equal(journal_append(&f->j, f->a, &r, NULL, NULL), 0);
	file = load(f);
	assert_null(memmem(file.bytes.p, file.bytes.n, "macke", 5));
	assert_non_null(memmem(file.bytes.p, file.bytes.n, "[redacted:8-15]", 15));
	journal_file_done(&file);
}

static void
test_refused(void **state)
{
	struct fixture *f = *state;
	struct record r = { .kind = RECORD_SEAL };
	struct arena *a = arena_new(0);

	assert_int_equal(journal_append(&f->j, f->a, &r, NULL, NULL), CORDON_EUSAGE);
	r.kind = 99;
	assert_int_equal(journal_append(&f->j, f->a, &r, NULL, NULL), CORDON_EINVAL);
	r.kind = RECORD_RUN;
	assert_int_equal(journal_append(&f->j, a, &r, NULL, NULL), CORDON_ENOMEM);
	f->j.opts.read_only = true;
	assert_int_equal(journal_append(&f->j, f->a, &r, NULL, NULL), CORDON_EUSAGE);
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_append_and_verify),
		TEST(test_1_no_room),
		TEST(test_3_owner_mode_link),
		TEST(test_3_made),
		TEST(test_4_redacted),
		TEST(test_6_lock_kept),
		TEST(test_many_files),
		TEST(test_7_rotation),
		TEST(test_7_retention),
		TEST(test_7_rotation_interrupted),
		TEST(test_set_aside),
		TEST(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
