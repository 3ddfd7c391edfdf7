#define _GNU_SOURCE
#include "journal/files.h"
#include "os/clock.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

int
files_error(struct err *reterr, int error, const char *why)
{
	(void)err_at(reterr, CORDON_EIO, 0, why);
	errno = error;
	return CORDON_EIO;
}

int
files_check(const struct stat *st, uint32_t uid, struct err *reterr)
{
	if (!S_ISREG(st->st_mode))
		return files_error(reterr, 0, "the journal is not a regular file");
	if (st->st_uid != uid)
		return files_error(reterr, 0, "the journal belongs to another user");
	if (st->st_mode & 077)
		return files_error(
		    reterr, 0, "other users can access the journal: its mode must be 0600");
	return 0;
}

/* Poll instead of blocking: a blocking flock would wait forever for a stopped process.
 * Intervals grow and differ between processes. */
int
files_lock(int fd, int how, uint32_t wait_ms, struct err *reterr)
{
	uint64_t until = 0;
	long pause = 30000; /* ns */

	while (flock(fd, how | LOCK_NB)) {
		struct timespec t = { 0, pause };

		if (errno == EINTR)
			continue;
		if (errno != EWOULDBLOCK)
			return files_error(reterr, errno, "cannot lock the journal");
		if (until == 0) {
			until = clock_ms() + wait_ms;
			t.tv_nsec += (long)(getpid() % 64) * 500;
		} else if (clock_ms() >= until)
			return files_error(
			    reterr, 0, "another process keeps the journal locked");
		(void)nanosleep(&t, NULL);
		if (pause < 4000000)
			pause += pause / 2;
	}
	return 0;
}

/* ---- names */

void
files_number(const char *prefix, uint64_t number, char ret[static JOURNAL_NAME_BYTES])
{
	struct arena a;
	struct buf b;
	char mem[64];
	size_t n = 0;

	arena_init(&a, mem, sizeof mem);
	buf_init(&b, &a);
	buf_putu(&b, number);
	while (prefix[n]) {
		ret[n] = prefix[n];
		n++;
	}
	for (size_t i = b.n; i < 8; i++)
		ret[n++] = '0';
	memcpy(ret + n, b.p, b.n);
	ret[n + b.n] = '\0';
}

bool
files_take_number(struct str name, uint64_t *ret)
{
	struct str prefix = STR(JOURNAL_NAME "."), digits;

	if (!str_starts(name, prefix))
		return false;
	digits = str_skip(name, prefix.n);
	/* files_number writes eight digits, or more without a leading zero. */
	if (digits.n < 8 || digits.n > 18 || (digits.n > 8 && digits.p[0] == '0'))
		return false;
	return str_number(digits, UINT64_MAX, ret) && *ret > 0;
}

bool
files_rename(int dir, const char *from, const char *to)
{
	struct stat st;

	if (syscall(SYS_renameat2, dir, from, dir, to, RENAME_NOREPLACE) == 0)
		return true;
	if (errno != EINVAL && errno != ENOSYS)
		return false;
	/* Fallback for file systems without RENAME_NOREPLACE. We hold the lock. */
	if (fstatat(dir, to, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		errno = EEXIST;
		return false;
	}
	return renameat(dir, from, dir, to) == 0;
}

/* ---- bytes */

void
journal_file_done(struct journal_file *f)
{
	if (f->map)
		(void)munmap(f->map, f->map_n);
	*f = (struct journal_file){ 0 };
}

int
files_map(int fd, uint64_t from, size_t n, struct journal_file *ret, struct err *reterr)
{
	size_t got = 0;
	char *mem;

	if (n > JOURNAL_FILE_MAX)
		return err_at(
		    reterr, CORDON_ELIMIT, n, "the file is too large for a journal");
	/* Copy the file instead of mapping it, so that it cannot change while we read
	 * it. */
	mem = mmap(NULL, n + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mem == MAP_FAILED)
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory for the journal");
	*ret = (struct journal_file){ .map = mem, .map_n = n + 1 };
	while (got < n) {
		ssize_t k = pread(fd, mem + got, n - got, (off_t)(from + got));

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0) {
			int error = errno;

			journal_file_done(ret);
			return files_error(reterr, error, "cannot read the journal");
		}
		if (k == 0)
			break;
		got += (size_t)k;
	}
	ret->bytes = str_of(mem, got);
	return 0;
}

int
files_read(int fd, bool ours, uint32_t wait_ms, struct files_part part,
    struct journal_file *ret, struct err *reterr)
{
	struct stat st;
	uint64_t size;
	int err;

	if (fd < 0)
		return files_error(reterr, errno, "cannot open the journal");
	/* The lock excludes partial writes. */
	err = wait_ms ? files_lock(fd, LOCK_SH, wait_ms, reterr) : 0;
	if (err)
		return err;
	if (fstat(fd, &st))
		return files_error(reterr, errno, "cannot examine the journal");
	err = ours ? files_check(&st, geteuid(), reterr) : 0;
	if (!err && !S_ISREG(st.st_mode))
		err = files_error(reterr, 0, "not a regular file");
	if (wait_ms)
		(void)flock(fd, LOCK_UN);
	if (err)
		return err;
	size = (uint64_t)st.st_size;
	if (part.from > size)
		part.from = size;
	if (part.most > size - part.from)
		part.most = size - part.from;
	return files_map(fd, part.from, (size_t)part.most, ret, reterr);
}

int
journal_read_path(struct str path, struct journal_file *ret, struct err *reterr)
{
	char c[4096];
	cleanup_fd int fd = -1;
	int err;

	if (path.n == 0 || path.n >= sizeof c || str_find(path, '\0') < path.n)
		return err_at(reterr, CORDON_EINVAL, 0, "not a valid file name");
	memcpy(c, path.p, path.n);
	c[path.n] = '\0';
	fd = open(c, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	err = files_read(fd, false, JOURNAL_WAIT_MS, FILES_ALL, ret, reterr);
	if (!err)
		ret->name = path;
	return err;
}
