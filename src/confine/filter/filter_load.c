#define _GNU_SOURCE
#include "confine/enter_internal.h"
#include "confine/filter/filter.h"
#include <stdlib.h>

static long
install(const struct filter *f, unsigned long flags)
{
	struct kernel_bpf_program program = { (uint16_t)f->n, f->v };

	return syscall(SYS_seccomp, KERNEL_SECCOMP_SET_MODE_FILTER, flags, &program);
}

/* A signal while the supervisor works would make it do the work twice: with this flag the
 * call waits killably.  Kernels before 5.19 do not know it. */
static long
install_listening(const struct filter *f)
{
	long fd = install(f, KERNEL_SECCOMP_NEW_LISTENER | KERNEL_SECCOMP_WAIT_KILLABLE);

	if (fd < 0 && errno == EINVAL)
		fd = install(f, KERNEL_SECCOMP_NEW_LISTENER);
	return fd;
}

int
step_filter(struct entering *e)
{
	const struct plan *plan = e->plan;
	/* Other runs of the session can pass on what they have open. */
	bool joined = e->part == ENTER_COMMAND;
	struct filter_opts opts = { .network = plan->network,
		.listed = plan->listed,
		.listen = true,
		.watch_reads = plan->watch_reads,
		.gate = plan->gate,
		.bare = plan->bare,
		.attributes = !plan->bare && (joined || streams_are_outside()),
		.groups = !plan->bare && (joined || e->landlock < LANDLOCK_SIGNALS),
		.group = getegid(),
		.joined = joined };
	struct filter f;
	long fd;

	if (!filter_make(&f, &opts))
		return -E2BIG;
	fd = install_listening(&f);
	if (fd >= 0) {
		e->listener = (int)fd;
		return 0;
	}
	if (errno != EBUSY || !plan->readonly || plan->gate || plan->listed)
		return -errno;
	/* A supervisor outside listens already.  Without a listener everything is
	 * read-only, and nothing is reported. */
	opts.listen = false;
	if (!filter_make(&f, &opts))
		return -E2BIG;
	return install(&f, 0) ? -errno : 0;
}
