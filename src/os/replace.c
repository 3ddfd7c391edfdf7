#include "os/replace.h"
#include "os/fd.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h> /* renameat */
#include <sys/stat.h>
#include <unistd.h>

static int
open_new(int dir, const char *name)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
	int fd = openat(dir, name, flags, 0600);

	if (fd < 0 && errno == EEXIST && unlinkat(dir, name, 0) == 0)
		fd = openat(dir, name, flags, 0600);
	return fd;
}

static bool
fill(int fd, struct str text, const struct replace *how)
{
	if (!write_all(fd, text))
		return false;
	if (!how)
		return true;
	return (!how->chown || fchown(fd, how->uid, how->gid) == 0) &&
	       (!how->mode || fchmod(fd, how->mode) == 0) && (!how->sync || fsync(fd) == 0);
}

bool
replace_at(int dir, const char *temporary, const char *name, struct str text,
    const struct replace *how)
{
	cleanup_fd int fd = open_new(dir, temporary);
	int error;

	if (fd < 0)
		return false;
	if (fill(fd, text, how) && renameat(dir, temporary, dir, name) == 0)
		return true;
	error = errno;
	(void)unlinkat(dir, temporary, 0);
	errno = error;
	return false;
}
