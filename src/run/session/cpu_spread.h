/*
 * run/session/cpu_spread.h: move a helper to another CPU.
 *
 * The kernel leaves a new process on the CPU of its parent, even if others are idle; there
 * it waits until the parent sleeps.  So a helper is moved to another CPU.  Before it makes
 * a process, which would inherit the affinity, it resets its own.
 */
#pragma once
#include <stddef.h>
#include <sys/types.h>

#define CPU_SPREAD_WORDS 16 /* for 1024 CPUs; with more nothing is moved */

struct cpu_spread {
	size_t bytes; /* of each set; 0: there is no other CPU */
	unsigned long all[CPU_SPREAD_WORDS], others[CPU_SPREAD_WORDS];
};

/* Find our CPU and the others that we may use. */
void cpu_spread_find(struct cpu_spread *x);
/* Move the process to another CPU. */
void cpu_spread_away(const struct cpu_spread *x, pid_t pid);
/* Let the process use all CPUs again; `pid` 0: ourselves.  Returns 0, or -errno: then its
 * children would be restricted as well. */
int cpu_spread_reset(const struct cpu_spread *x, pid_t pid);
