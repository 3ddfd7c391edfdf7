/* /proc of the new pid namespace, with what is about the whole machine read-only. */
#define _GNU_SOURCE
#include "confine/enter.h"
#include "confine/fd.h"
#include "confine/sys.h"
#include <sys/mount.h>

/* The kernel takes no less for a namespace. */
#define PID_MAX_LEAST 301

/* Counts the whole tree, also for root, whom RLIMIT_NPROC does not bind.  Kernels before
 * 6.14 have one number for the machine, which we may not change: the watch remains. */
static void
limit_processes(uint64_t processes)
{
	char memory[64];
	struct arena a;
	struct buf b;
	closed_fd int fd = open("/proc/sys/kernel/pid_max", O_WRONLY | O_CLOEXEC);

	arena_init(&a, memory, sizeof memory);
	buf_init(&b, &a);
	buf_putu(&b, processes + 2 < PID_MAX_LEAST ? PID_MAX_LEAST : processes + 2);
	if (fd >= 0)
		(void)!write(fd, b.p, b.n);
}

int
step_proc(struct entering *e)
{
	static const char *const machine[] = { "/proc/sys", "/proc/sysrq-trigger",
		"/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi", "/proc/scsi",
		"/proc/mtrr" };

	e->path = "/proc";
	if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
		return -errno;
	if (e->plan->limits.processes)
		limit_processes(e->plan->limits.processes);
	/* Without root the files themselves refuse all but /proc/sys. */
	for (size_t i = 0; i < (e->root ? sizeof machine / sizeof *machine : 1); i++) {
		int r, copy = mount_copy(e->path = machine[i], KERNEL_MOUNT_RDONLY);

		if (copy == -ENOENT)
			continue;
		if (copy < 0)
			return copy;
		if ((r = mount_place(&copy, machine[i])))
			return r;
	}
	return 0;
}
