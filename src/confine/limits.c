#define _GNU_SOURCE
#include "confine/enter.h"
#include "confine/sys.h"
#include <sys/prctl.h>
#include <sys/resource.h>

struct limit {
	uint64_t now, most;
};

/* Never above what the caller had. */
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

int
step_limits(struct entering *e)
{
	const struct plan_limits *l = &e->plan->limits;
	int r = 0;

	if (l->file_size)
		r = lower(RLIMIT_FSIZE, l->file_size);
	/* Each process alone; the supervisor watches the sum.  Not the address space: node,
	 * Go and the sanitizers reserve much more than they use. */
	if (!r && l->memory)
		r = lower(RLIMIT_DATA, l->memory);
	/* Counted in this user namespace only. */
	if (!r && l->processes)
		r = lower(RLIMIT_NPROC, l->processes + 1);
	return r;
}
