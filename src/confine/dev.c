/* A private /dev: the harmless nodes, terminals of its own, shared memory of its own. */
#define _GNU_SOURCE
#include "confine/enter.h"
#include "confine/fd.h"
#include "confine/sys.h"
#include <sys/mount.h>
#include <sys/stat.h>

static const char nodes[][16] = { "/dev/null", "/dev/zero", "/dev/full", "/dev/random",
	"/dev/urandom", "/dev/tty" };
#define NODES (sizeof nodes / sizeof *nodes)

static int
copy_nodes(struct entering *e, int *copies)
{
	for (size_t i = 0; i < NODES; i++) {
		/* Everything is read-only, private and without set-user-id by now, and so
		 * is the copy. */
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
	int copies[NODES], r;

	memset(copies, -1, sizeof copies);
	if ((r = copy_nodes(e, copies)))
		return r;
	e->path = "/dev";
	if (mount("tmpfs", "/dev", "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=755,size=64k"))
		return -errno;
	if ((r = place_nodes(e, copies)) || (r = make_links(e)))
		return r;
	e->path = "/dev/pts";
	if (mkdir("/dev/pts", 0755) ||
	    mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
		"newinstance,ptmxmode=0666,mode=620"))
		return -errno;
	e->path = "/dev/shm";
	return mkdir("/dev/shm", 01777) ? -errno : mount_tmpfs("/dev/shm", 0, "mode=1777");
}
