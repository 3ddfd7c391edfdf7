#define _GNU_SOURCE
#include "confine/enter_internal.h"
#include "os/fd.h"
#include "os/sys.h"
#include <sys/prctl.h>
#include <sys/resource.h>

#define FILES_DEFAULT 65536
#define OOM_ADJUST "300"

struct limit {
	uint64_t now, most;
};

/* Never raise a limit above the caller's. */
static int
lower(int what, uint64_t value)
{
	struct limit limit;

	if (syscall(SYS_prlimit64, 0, what, NULL, &limit))
		return -errno;
	limit.now = value < limit.now ? value : limit.now;
	limit.most = value < limit.most ? value : limit.most;
	return syscall(SYS_prlimit64, 0, what, &limit, NULL) ? -errno : 0;
}

uint64_t
limit_processes(const struct plan *plan)
{
	if (plan->limits.processes || plan->bare)
		return plan->limits.processes;
	return LIMIT_PROCESSES_DEFAULT;
}

/* When memory runs out the kernel kills this tree before the user's own programs.  This is
 * no limit, so nothing depends on it. */
static void
go_first(void)
{
	cleanup_fd int fd =
	    openat(AT_FDCWD, "/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
	char now[16];
	ssize_t n = fd >= 0 ? read(fd, now, sizeof now) : -1;

	if (n == 2 && now[0] == '0')
		(void)!pwrite(fd, OOM_ADJUST, sizeof OOM_ADJUST - 1, 0);
}

int
step_limits(struct entering *e)
{
	const struct plan_limits *l = &e->plan->limits;
	const uint64_t processes = limit_processes(e->plan);
	int r = lower(RLIMIT_NOFILE, l->files ? l->files : FILES_DEFAULT);

	go_first();
	if (r)
		return r;

	if (l->file_size)
		r = lower(RLIMIT_FSIZE, l->file_size);
	/* For each process alone; the supervisor watches the sum.  Do not limit the address
	 * space: node, Go and the sanitizers reserve much more than they use. */
	if (!r && l->memory)
		r = lower(RLIMIT_DATA, l->memory);
	/* Counted in this user namespace only. */
	if (!r && processes)
		r = lower(RLIMIT_NPROC, processes + 1);
	return r;
}
