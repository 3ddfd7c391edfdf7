/* System calls without the C library: the kernel decides how large a CPU set is. */
#define _GNU_SOURCE
#include "run/session/cpu_spread.h"
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BITS (8 * sizeof(unsigned long))

void
cpu_spread_find(struct cpu_spread *x)
{
	unsigned here = 0;
	long n = syscall(SYS_sched_getaffinity, 0, sizeof x->all, x->all);
	unsigned long some = 0;

	x->bytes = 0;
	if (n <= 0 || syscall(SYS_getcpu, &here, NULL, NULL) || here >= (size_t)n * 8)
		return;
	memcpy(x->others, x->all, (size_t)n);
	x->others[here / BITS] &= ~(1UL << here % BITS);
	for (size_t i = 0; i < (size_t)n / sizeof *x->others; i++)
		some |= x->others[i];
	if (some)
		x->bytes = (size_t)n;
}

void
cpu_spread_away(const struct cpu_spread *x, pid_t pid)
{
	if (x->bytes)
		(void)syscall(SYS_sched_setaffinity, pid, x->bytes, x->others);
}

int
cpu_spread_reset(const struct cpu_spread *x, pid_t pid)
{
	return x->bytes && syscall(SYS_sched_setaffinity, pid, x->bytes, x->all) ? -errno
										 : 0;
}
