/*
 * Create new files.  Everything here runs under a separate lock file, because there may be
 * no journal to lock.  After a kill, the next process completes the work: the numbered
 * files alone determine the next step.
 */
#define _GNU_SOURCE
#include "journal/files.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

static int
lock_directory(struct journal *j, int *ret, struct err *reterr)
{
	int fd = openat(j->dir, JOURNAL_LOCK,
	    O_RDWR | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0600);
	int err;

	if (fd < 0)
		return files_error(reterr, errno, "cannot open the journal's lock file");
	err = files_lock(fd, LOCK_EX, j->opts.wait_ms, reterr);
	if (err) {
		int error = errno;

		(void)close(fd);
		errno = error;
		return err;
	}
	*ret = fd;
	return 0;
}

/* Read the head of a numbered file, where the next one starts. */
static int
head_of(struct journal *j, struct arena *a, uint64_t number, struct journal_head *ret,
    struct err *reterr)
{
	cleanup_journal_file struct journal_file file = { 0 };
	cleanup_fd int fd = -1;
	struct journal_tail tail;
	char name[JOURNAL_NAME_BYTES];
	int err;

	files_number(JOURNAL_NAME ".", number, name);
	fd =
	    openat(j->dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	/* A numbered file does not grow: a process that gets its lock sees that it was
	 * renamed.  We may hold that lock ourselves. */
	err = files_read(fd, true, 0, FILES_ALL, &file, reterr);
	if (err)
		return err;
	if (!journal_find_tail(a, file.bytes, 0, &tail))
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory for the journal");
	if (!tail.found)
		return files_error(reterr, 0, "the newest file of the journal is damaged");
	*ret = tail.head;
	return 0;
}

/* Build the first bytes of a new file. */
static int
first_bytes(struct arena *a, const struct record *start, const struct journal_head *before,
    struct str *ret, struct err *reterr)
{
	size_t magic = sizeof JOURNAL_MAGIC; /* including the NUL */
	uint8_t chain[SHA256_BYTES];
	struct str body;
	char *out;
	int err = record_encode(a, start, &body, reterr);

	if (err)
		return err;
	out = arena_alloc(a, magic + frame_room(body.n));
	if (!out)
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory for a record");
	record_finish(body, before->sequence + 1, clock_now_ns(), before->chain, chain);
	memcpy(out, JOURNAL_MAGIC, magic);
	*ret = str_of(out, magic + frame_put(body, out + magic));
	return 0;
}

/* Write a temporary file and rename it, so that it is never there in part. */
static int
publish(struct journal *j, struct str bytes, struct err *reterr)
{
	cleanup_fd int fd = -1;
	ssize_t n;

	/* Left over from a killed process. */
	(void)unlinkat(j->dir, JOURNAL_FRESH, 0);
	fd = openat(j->dir, JOURNAL_FRESH,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return files_error(reterr, errno, "cannot create the journal");
	/* Independent of the umask. */
	if (fchmod(fd, 0600))
		return files_error(reterr, errno, "cannot create the journal");
	n = write(fd, bytes.p, bytes.n);
	if (n != (ssize_t)bytes.n) {
		int error = n < 0 ? errno : ENOSPC;

		(void)unlinkat(j->dir, JOURNAL_FRESH, 0);
		return files_error(reterr, error, "cannot write the journal");
	}
	if (!files_rename(j->dir, JOURNAL_FRESH, JOURNAL_NAME) && errno != EEXIST)
		return files_error(
		    reterr, errno, "cannot rename the new journal into place");
	return 0;
}

/* Remove files beyond the number to keep.  Ignore failures. */
static void
remove_older(struct journal *j, uint64_t least, uint64_t oldest)
{
	char name[JOURNAL_NAME_BYTES];

	for (uint64_t i = least; i && i < oldest; i++) {
		files_number(JOURNAL_NAME ".", i, name);
		(void)unlinkat(j->dir, name, 0);
	}
}

/* Create the journal, under the directory's lock. */
static int
make_next(struct journal *j, struct arena *a, struct err *reterr)
{
	struct record start = { .kind = RECORD_START };
	struct journal_head before = { 0 };
	uint64_t least, most, oldest;
	struct str bytes;
	int err = files_range(j, &least, &most, reterr);

	if (!err && most)
		err = head_of(j, a, most, &before, reterr);
	if (err)
		return err;
	oldest = most + 1 > j->opts.files ? most + 2 - j->opts.files : 1;
	if (oldest < least)
		oldest = least;
	start.file = (struct record_number){ true, most + 1 };
	start.oldest = (struct record_number){ true, oldest };
	start.previous.set = true;
	memcpy(start.previous.b, before.chain, sizeof before.chain);
	err = first_bytes(a, &start, &before, &bytes, reterr);
	if (!err)
		err = publish(j, bytes, reterr);
	if (!err)
		remove_older(j, least, oldest);
	return err;
}

int
journal_create(struct journal *j, struct arena *a, struct err *reterr)
{
	cleanup_fd int lock = -1;
	struct stat st;
	int err = lock_directory(j, &lock, reterr);

	if (err)
		return err;
	if (fstatat(j->dir, JOURNAL_NAME, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return 0; /* another process was faster */
	return make_next(j, a, reterr);
}

/* Is the journal still the file that the caller has locked? */
static bool
is_there(struct journal *j, const struct stat *st)
{
	struct stat now;

	return fstatat(j->dir, JOURNAL_NAME, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
	       now.st_ino == st->st_ino && now.st_dev == st->st_dev;
}

int
journal_rotate(
    struct journal *j, struct arena *a, const struct stat *st, struct err *reterr)
{
	cleanup_fd int lock = -1;
	char name[JOURNAL_NAME_BYTES];
	uint64_t least, most;
	int err = lock_directory(j, &lock, reterr);

	if (err || !is_there(j, st))
		return err;
	err = files_range(j, &least, &most, reterr);
	if (err)
		return err;
	files_number(JOURNAL_NAME ".", most + 1, name);
	if (!files_rename(j->dir, JOURNAL_NAME, name))
		return files_error(
		    reterr, errno, "cannot rename the full journal to its number");
	return make_next(j, a, reterr);
}

int
journal_set_aside(
    struct journal *j, struct arena *a, const struct stat *st, struct err *reterr)
{
	cleanup_fd int lock = -1;
	char name[JOURNAL_NAME_BYTES];
	int err = lock_directory(j, &lock, reterr);

	if (err || !is_there(j, st))
		return err;
	for (uint64_t i = 1;; i++) {
		files_number(JOURNAL_BAD, i, name);
		if (files_rename(j->dir, JOURNAL_NAME, name))
			return make_next(j, a, reterr);
		if (errno != EEXIST)
			return files_error(
			    reterr, errno, "cannot set the damaged journal aside");
	}
}
