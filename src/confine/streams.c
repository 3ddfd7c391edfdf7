/*
 * The standard streams are all that comes in from outside.  A file among them is on a mount
 * of the host, where more can be changed than its descriptor was opened for: its mode, its
 * times.  So the supervisor checks these calls, too.
 */
#define _GNU_SOURCE
#include "confine/enter_internal.h"
#include "os/fd.h"
#include "os/sys.h"
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

#define STREAMS 3
#define PIPEFS_MAGIC 0x50495045
#define SOCKFS_MAGIC 0x534f434b

/* Memory devices that every /dev has, by their minor numbers. */
static const char devices[][16] = { [3] = "/dev/null",
	[5] = "/dev/zero",
	[7] = "/dev/full",
	[8] = "/dev/random",
	[9] = "/dev/urandom" };

/* The path of the device in any /dev; NULL: it cannot be reopened. */
static const char *
device_path(int fd)
{
	struct stat st;
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || (flags & O_PATH) || fstat(fd, &st) || !S_ISCHR(st.st_mode) ||
	    major(st.st_rdev) != 1 || minor(st.st_rdev) >= sizeof devices / sizeof *devices)
		return NULL;
	return devices[minor(st.st_rdev)][0] ? devices[minor(st.st_rdev)] : NULL;
}

bool
stream_is_outside(int fd)
{
	struct statfs st;

	/* Closed, or without a path: a pipe, a socket. */
	if (fstatfs(fd, &st))
		return errno != EBADF;
	/* The read-only mount refuses changes. */
	if (st.f_flags & ST_RDONLY)
		return false;
	return st.f_type != PIPEFS_MAGIC && st.f_type != SOCKFS_MAGIC && !device_path(fd);
}

bool
streams_are_outside(void)
{
	for (int fd = 0; fd < STREAMS; fd++)
		if (stream_is_outside(fd))
			return true;
	return false;
}

bool
stream_is_same(int x, int y)
{
	struct stat a, b;

	return fstat(x, &a) == 0 && fstat(y, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino && a.st_rdev == b.st_rdev;
}

/* Refuse a socket of the host's network: it could be connected again, or send anywhere.
 * Refuse a directory: it has a way up, on the mounts of the host. */
static int
check(const struct entering *e, int fd)
{
	int family = AF_UNIX;
	socklen_t n = sizeof family;
	struct stat st;

	if (!e->plan->network && getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &n) == 0 &&
	    family != AF_UNIX)
		return -ENOTSOCK;
	return fstat(fd, &st) == 0 && S_ISDIR(st.st_mode) ? -EISDIR : 0;
}

/* Reopen the stream as the same device in the private /dev, whose mode is not the
 * machine's.  A terminal that cannot be opened, because it is another user's, stays as it
 * is: the supervisor checks it. */
static int
replace(int fd)
{
	const char *path = device_path(fd);
	const bool terminal = !path && isatty(fd);
	int flags = fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND | O_NONBLOCK);
	cleanup_fd int own = -1;

	if (!path && !terminal)
		return 0;
	own = openat(AT_FDCWD, terminal ? STREAM_TERMINAL : path,
	    flags | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW);
	if (terminal && (own < 0 || !stream_is_same(own, fd)))
		return 0;
	if (own < 0 || (!terminal && !device_path(own)))
		return own < 0 ? -errno : -ENODEV;
	return dup2(own, fd) < 0 ? -errno : 0;
}

/*
 * /dev/tty is the user's terminal even if all streams are files: a command could draw a
 * dialog there, or leave it without echo.  Unless a stream is that very terminal, the
 * process gives it up, for all of its children.  It stays in the terminal's process group,
 * so that keys (^C) still reach it.  A new session could not take the terminal again: no
 * other name inside leads to it.
 */
static int
leave_terminal(struct entering *e)
{
	cleanup_fd int fd = -1;
	pid_t leader;

	for (int stream = 0; stream < STREAMS; stream++)
		if (ioctl(stream, TIOCGSID, &leader) == 0)
			return 0;
	fd = openat(AT_FDCWD, e->path = "/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	/* There is none, or it has gone; without /dev/tty none can be reached. */
	if (fd < 0)
		return errno == ENXIO || errno == ENOENT || errno == EIO ? 0 : -errno;
	return ioctl(fd, TIOCNOTTY) ? -errno : 0;
}

int
streams_take(struct entering *e)
{
	static const char *const names[STREAMS] = { "standard input", "standard output",
		"standard error" };

	int r;

	for (int fd = 0; fd < STREAMS; fd++) {
		r = check(e, fd);
		e->path = names[fd];
		if (!r && !e->plan->bare)
			r = replace(fd);
		if (r)
			return r;
	}
	if ((r = leave_terminal(e)))
		return r;
	e->path = NULL;
	return 0;
}
