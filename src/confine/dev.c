/* A private /dev: the harmless nodes, the terminal that the run was started from, a devpts
 * and a /dev/shm of its own. */
#define _GNU_SOURCE
#include "base/limits.h"
#include "confine/enter_internal.h"
#include "os/fd.h"
#include "os/sys.h"
#include <sys/mount.h>
#include <sys/stat.h>

static const char nodes[][16] = { "/dev/null", "/dev/zero", "/dev/full", "/dev/random",
	"/dev/urandom", "/dev/tty" };
#define NODES (sizeof nodes / sizeof *nodes)

static int
copy_nodes(struct entering *e, int *copies)
{
	for (size_t i = 0; i < NODES; i++) {
		/* Everything is read-only, private and nosuid by now, and so is the
		 * copy. */
		copies[i] = sys_open_tree(AT_FDCWD, e->path = nodes[i],
		    KERNEL_OPEN_TREE_CLONE | AT_SYMLINK_NOFOLLOW);
		if (copies[i] < 0)
			return -errno;
	}
	return 0;
}

static int
place_nodes(struct entering *e, int *copies)
{
	for (size_t i = 0; i < NODES; i++) {
		e->path = nodes[i];
		if (mknod(nodes[i], S_IFREG | 0444, 0) ||
		    sys_move_mount_to(copies[i], nodes[i]))
			return -errno;
		(void)close(copies[i]);
	}
	return 0;
}

/* Copy the terminal of a standard stream as a read-only mount: the command must not change
 * its mode.  -1: there is none, or it is not visible from here. */
static int
copy_terminal(void)
{
	char path[LIMIT_PATH];

	for (int fd = 0; fd <= STDERR_FILENO; fd++) {
		cleanup_fd int copy = -1;

		if (!isatty(fd) || fd_path_into(fd, path, sizeof path) == 0)
			continue;
		copy = sys_open_tree(
		    AT_FDCWD, path, KERNEL_OPEN_TREE_CLONE | AT_SYMLINK_NOFOLLOW);
		if (copy >= 0 && stream_is_same(copy, fd))
			return fd_steal(&copy);
	}
	return -1;
}

/* If there is no other, use its own name: programs look for it. */
static int
place_terminal(struct entering *e, int copy)
{
	if (copy < 0)
		return 0;
	e->path = STREAM_TERMINAL;
	return mknod(e->path, S_IFREG | 0444, 0) || sys_move_mount_to(copy, e->path)
		   ? -errno
		   : 0;
}

static int
make_links(struct entering *e)
{
	static const struct {
		const char *to, *name;
	} links[] = {
		{ "/proc/self/fd", "/dev/fd" },
		{ "/proc/self/fd/0", "/dev/stdin" },
		{ "/proc/self/fd/1", "/dev/stdout" },
		{ "/proc/self/fd/2", "/dev/stderr" },
		{ "pts/ptmx", "/dev/ptmx" },
	};

	for (size_t i = 0; i < sizeof links / sizeof *links; i++)
		if (symlink(links[i].to, e->path = links[i].name))
			return -errno;
	return 0;
}

int
step_dev(struct entering *e)
{
	/* A session for many runs has no terminal. */
	cleanup_fd int terminal = e->part == ENTER_WHOLE ? copy_terminal() : -1;
	int copies[NODES], r;

	memset(copies, -1, sizeof copies);
	if ((r = copy_nodes(e, copies)))
		return r;
	e->path = "/dev";
	if (mount("tmpfs", "/dev", "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=755,size=64k"))
		return -errno;
	if ((r = place_nodes(e, copies)) || (r = place_terminal(e, terminal)) ||
	    (r = make_links(e)))
		return r;
	e->path = "/dev/pts";
	if (mkdir("/dev/pts", 0755) ||
	    mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
		"newinstance,ptmxmode=0666,mode=620"))
		return -errno;
	e->path = "/dev/shm";
	return mkdir("/dev/shm", 01777) ? -errno : mount_tmpfs("/dev/shm", 0, "mode=1777");
}
