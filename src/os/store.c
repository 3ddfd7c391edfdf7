#include "os/store.h"
#include "base/limits.h"
#include "os/file.h"
#include "os/replace.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static struct identity
identity_of(const struct stat *st)
{
	return (struct identity){ .there = true,
		.dev = (uint64_t)st->st_dev,
		.ino = (uint64_t)st->st_ino,
		.size = (uint64_t)st->st_size,
		.mtime = st->st_mtim.tv_sec,
		.mtime_ns = st->st_mtim.tv_nsec,
		.ctime = st->st_ctim.tv_sec,
		.ctime_ns = st->st_ctim.tv_nsec,
		.mode = st->st_mode,
		.uid = st->st_uid };
}

struct identity
identity_find(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		/* Not ENOENT: the file exists but stat() failed. Opening it later fails
		 * too, and is reported then. */
		return (struct identity){ .there = errno != ENOENT && errno != ENOTDIR };
	return identity_of(&st);
}

static bool
is_ours(const struct stat *st, enum store_trust trust)
{
	if (trust == STORE_ANY)
		return true;
	if (st->st_mode & (S_IWGRP | S_IWOTH))
		return false;
	return st->st_uid == 0 || (trust == STORE_OWN && st->st_uid == geteuid());
}

const char *
store_why(enum store_result r, enum store_trust trust)
{
	switch (r) {
	case STORE_OK:
		return "it is fine";
	case STORE_MISSING:
		return "there is no such file";
	case STORE_FAILED:
		return strerror(errno);
	case STORE_ODD:
		return "it is not a regular file, or larger than 8 MiB";
	case STORE_FOREIGN:
		return trust == STORE_ADMIN
			   ? "root must own it, and no other user may have write permission"
			   : "you must own it, and no other user may have write permission";
	}
	return "it cannot be read";
}

static bool
read_all(int fd, char *p, size_t n)
{
	while (n) {
		ssize_t got = read(fd, p, n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		p += got;
		n -= (size_t)got;
	}
	return true;
}

enum store_result
store_read(struct arena *a, const char *path, enum store_trust trust, size_t max,
    struct str *ret, struct identity *ret_identity)
{
	return store_read_at(a, AT_FDCWD, path, trust, max, ret, ret_identity);
}

enum store_result
store_read_at(struct arena *a, int dir, const char *path, enum store_trust trust,
    size_t max, struct str *ret, struct identity *ret_identity)
{
	/* O_NONBLOCK: do not wait for the writer of a FIFO; FIFOs are refused below. */
	cleanup_fd int fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	char *mem;
	size_t n;

	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? STORE_MISSING : STORE_FAILED;
	if (fstat(fd, &st))
		return STORE_FAILED;
	if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size > max)
		return STORE_ODD;
	if (!is_ours(&st, trust))
		return STORE_FOREIGN;
	n = (size_t)st.st_size;
	mem = arena_alloc(a, n + 1);
	if (!mem) {
		errno = ENOMEM;
		return STORE_FAILED;
	}
	errno = EIO;
	if (!read_all(fd, mem, n))
		return STORE_FAILED;
	mem[n] = '\0';
	*ret = str_of(mem, n);
	if (ret_identity)
		*ret_identity = identity_of(&st);
	return STORE_OK;
}

bool
store_map(const char *path, bool admin, struct str *ret)
{
	cleanup_fd int fd =
	    openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	void *mem;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= 0 ||
	    !is_ours(&st, admin ? STORE_ADMIN : STORE_OWN))
		return false;
	mem = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (mem == MAP_FAILED)
		return false;
	*ret = str_of(mem, (size_t)st.st_size);
	return true;
}

/* ---- writing */

bool
store_make_dirs(const char *path, unsigned mode, unsigned *made)
{
	char part[LIMIT_PATH];
	size_t n = strlen(path);

	if (n >= sizeof part) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(part, path, n + 1);
	for (size_t i = 1; i < n; i++) {
		if (part[i] != '/')
			continue;
		part[i] = '\0';
		if (mkdir(part, mode) == 0)
			++*made;
		else if (errno != EEXIST)
			return false;
		part[i] = '/';
	}
	return true;
}

bool
store_make_parents(const char *path)
{
	unsigned made = 0;

	return store_make_dirs(path, 0700, &made);
}

/* Append a suffix to `path` that no other process uses. */
static bool
temporary_name(const char *path, char *temporary, size_t cap)
{
	static const char digits[] = "0123456789abcdef";
	struct timespec t;
	size_t n = strlen(path);
	uint64_t number;

	if (n + 19 > cap) {
		errno = ENAMETOOLONG;
		return false;
	}
	clock_gettime(CLOCK_MONOTONIC, &t);
	number = (uint64_t)t.tv_nsec << 32 ^ (uint64_t)getpid();
	memcpy(temporary, path, n);
	temporary[n] = '.';
	for (size_t i = 0; i < 16; i++)
		temporary[n + 1 + i] = digits[number >> (4 * i) & 15];
	temporary[n + 17] = '\0';
	return true;
}

bool
store_write(const char *path, struct str text)
{
	char temporary[LIMIT_PATH];

	if (!temporary_name(path, temporary, sizeof temporary))
		return false;
	return replace_at(AT_FDCWD, temporary, path, text, NULL) ||
	       (errno == ENOENT && store_make_parents(path) &&
		   replace_at(AT_FDCWD, temporary, path, text, NULL));
}

const char *
store_name(struct arena *a, const struct str *parts, size_t n)
{
	size_t all = 0, at = 0;
	char *out;

	for (size_t i = 0; i < n; i++)
		all += parts[i].n;
	out = all < LIMIT_PATH ? arena_alloc(a, all + 1) : NULL;
	if (!out)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		if (str_find(parts[i], '\0') < parts[i].n)
			return NULL;
		if (parts[i].n)
			memcpy(out + at, parts[i].p, parts[i].n);
		at += parts[i].n;
	}
	out[at] = '\0';
	return out;
}
