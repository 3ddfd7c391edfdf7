/* /proc of the new PID namespace, with the files about the whole machine read-only. */
#define _GNU_SOURCE
#include "confine/enter_internal.h"
#include "os/fd.h"
#include "os/sys.h"
#include <sys/mount.h>
#include <sys/utsname.h>

/* The kernel accepts no lower value for a namespace. */
#define PID_MAX_LEAST 301

bool
proc_has_own_pid_max(struct str release)
{
	uint64_t major, minor;
	size_t dot = str_find(release, '.'), n = dot + 1;

	while (n < release.n && byte_is_digit(release.p[n]))
		n++;
	return dot < release.n &&
	       str_number(str_cut(release, 0, dot), UINT32_MAX, &major) &&
	       str_number(str_cut(release, dot + 1, n), UINT32_MAX, &minor) &&
	       (major > 6 || (major == 6 && minor >= 14));
}

/* Limit the whole tree, also for root, whom RLIMIT_NPROC does not restrict.  Kernels
 * before 6.14 have one value for the machine, which only root may set: there only
 * watch.c remains. */
static void
limit_pids(uint64_t processes)
{
	char memory[64];
	struct utsname kernel;
	struct arena a;
	struct buf b;
	cleanup_fd int fd = -1;

	if (uname(&kernel) || !proc_has_own_pid_max(str_from_c(kernel.release)))
		return;
	fd = open("/proc/sys/kernel/pid_max", O_WRONLY | O_CLOEXEC);
	arena_init(&a, memory, sizeof memory);
	buf_init(&b, &a);
	buf_putu(&b, processes + 2 < PID_MAX_LEAST ? PID_MAX_LEAST : processes + 2);
	if (fd >= 0)
		(void)!write(fd, b.p, b.n);
}

/*
 * A user has few inotify instances (128), and one command could take them all from the
 * user's editor: a run gets half of them, and of the watches.  The files below user/ belong
 * to this user namespace.  If they cannot be set the user's own limits remain.
 */
static void
share_inotify(void)
{
	static const struct {
		const char *all, *own;
	} files[] = {
		{ "/proc/sys/fs/inotify/max_user_instances",
		    "/proc/sys/user/max_inotify_instances" },
		{ "/proc/sys/fs/inotify/max_user_watches",
		    "/proc/sys/user/max_inotify_watches" },
	};

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		cleanup_fd int from = open(files[i].all, O_RDONLY | O_CLOEXEC), to = -1;
		char text[32], half[FD_LINK_SIZE];
		ssize_t n = from >= 0 ? read(from, text, sizeof text) : -1;
		uint64_t all;

		if (n < 2 || !str_number(str_of(text, (size_t)n - 1), UINT32_MAX, &all))
			continue;
		to = open(files[i].own, O_WRONLY | O_CLOEXEC);
		n = (ssize_t)fd_number(half, (unsigned long)(all / 2 + 1));
		if (to >= 0)
			(void)!write(to, half, (size_t)n);
	}
}

/* Mount a read-only copy of `path` on itself.  Copy each path separately: a copy of all
 * of /proc would have to be unmounted, which waits for an RCU grace period. */
static int
close_path(const char *path)
{
	cleanup_fd int copy = sys_open_tree(AT_FDCWD, path, KERNEL_OPEN_TREE_CLONE);

	if (copy < 0)
		return errno == ENOENT ? 0 : -errno;
	if (sys_mount_setattr(copy, "", AT_EMPTY_PATH, KERNEL_MOUNT_RDONLY, MS_PRIVATE) ||
	    sys_move_mount_to(copy, path))
		return -errno;
	return 0;
}

int
step_proc(struct entering *e)
{
	static const char machine[][20] = { "/proc/sys", "/proc/sysrq-trigger", "/proc/irq",
		"/proc/bus", "/proc/fs", "/proc/acpi", "/proc/scsi", "/proc/mtrr" };

	e->path = "/proc";
	if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
		return -errno;
	if (e->plan->limits.processes || e->root)
		limit_pids(limit_processes(e->plan));
	share_inotify();
	/* Without root the files themselves refuse everything but /proc/sys. */
	for (size_t i = 0; i < (e->root ? sizeof machine / sizeof *machine : 1); i++) {
		int r = close_path(e->path = machine[i]);

		if (r)
			return r;
	}
	return 0;
}
