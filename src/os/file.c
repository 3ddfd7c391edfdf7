#include "os/file.h"
#include "base/limits.h"
#include "os/dir_cache.h"
#include <errno.h>
#include <fcntl.h>

const char *
str_to_path(struct arena *a, struct str s)
{
	char *c;

	if (s.n == 0 || s.n >= LIMIT_PATH || str_find(s, '\0') < s.n)
		return NULL;
	c = arena_alloc(a, s.n + 1);
	if (!c)
		return NULL;
	memcpy(c, s.p, s.n);
	c[s.n] = '\0';
	return c;
}

struct str
path_parent(struct str path)
{
	size_t slash = str_rfind(path, '/');

	return str_cut(path, 0, slash == path.n || slash == 0 ? (path.n ? 1 : 0) : slash);
}

bool
file_stat(struct arena *a, struct str path, bool follow, struct stat *ret)
{
	size_t used = a->used;
	const char *c = str_to_path(a, path);
	bool done;

	if (!c) {
		errno = path.n < LIMIT_PATH ? ENOMEM : ENAMETOOLONG;
		return false;
	}
	done = fstatat(AT_FDCWD, dir_cache_relative(c, path.n), ret,
		   follow ? 0 : AT_SYMLINK_NOFOLLOW) == 0;
	arena_back(a, used);
	return done;
}

bool
file_is_missing(void)
{
	return errno == ENOENT || errno == ENOTDIR;
}

static int
read_all(int fd, char *to, size_t n, size_t *ret, struct err *e)
{
	size_t got = 0;

	while (got < n) {
		ssize_t k = read(fd, to + got, n - got);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return err_at(e, CORDON_EIO, got, "a file could not be read");
		if (k == 0)
			break;
		got += (size_t)k;
		/* The caller asks for one byte more than st_size: reading st_size bytes
		 * means end of file, so save the last read(). */
		if (got + 1 == n)
			break;
	}
	*ret = got;
	return 0;
}

int
file_read(struct arena *a, struct str path, const struct file_read *how, struct str *ret,
    bool *missing, struct err *reterr)
{
	const char *c = str_to_path(a, path);
	cleanup_fd int fd = -1;
	struct stat st;
	char *mem;
	size_t n;
	int err;

	*missing = false;
	if (!c)
		return err_at(reterr, CORDON_EIO, 0, "a file's name is too long");
	c = dir_cache_relative(c, path.n);
	/* A failed access() is cheaper than a failed open(). */
	if (how->rare && access(c, F_OK) < 0 && (errno == ENOENT || errno == ENOTDIR)) {
		*missing = true;
		return err_at(reterr, CORDON_EIO, 0, "there is no such file");
	}
	/* O_NONBLOCK: do not wait for the writer of a FIFO. */
	fd = openat(AT_FDCWD, c,
	    O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK |
		(how->nofollow ? O_NOFOLLOW : 0));
	if (fd < 0) {
		*missing = errno == ENOENT || errno == ENOTDIR;
		return err_at(reterr, CORDON_EIO, 0,
		    *missing          ? "there is no such file"
		    : errno == EACCES ? "permission denied"
				      : "it could not be opened");
	}
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return err_at(reterr, CORDON_EIO, 0, "a file is not a regular file");
	if (st.st_size < 0 || (size_t)st.st_size > how->max)
		return err_at(reterr, CORDON_ELIMIT, how->max, "a file is too large");
	mem = arena_alloc(a, (size_t)st.st_size + 1);
	if (!mem)
		return err_at(
		    reterr, CORDON_ENOMEM, 0, "a file needs more memory than its limit");
	err = read_all(fd, mem, (size_t)st.st_size + 1, &n, reterr);
	if (err)
		return err;
	if (n > (size_t)st.st_size)
		return err_at(reterr, CORDON_EIO, n, "a file grew while it was read");
	*ret = str_of(mem, n);
	return 0;
}
