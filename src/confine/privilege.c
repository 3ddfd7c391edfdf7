#define _GNU_SOURCE
#include "confine/enter_internal.h"
#include "os/fd.h"
#include "os/sys.h"
#include <signal.h>
#include <sys/prctl.h>

/* SECURE_NOROOT, NO_SETUID_FIXUP, KEEP_CAPS off, NO_CAP_AMBIENT_RAISE, and their locks:
 * user 0 gains nothing by an exec. */
#define SECUREBITS_ALL                                                                     \
	((1 << 0) | (1 << 1) | (1 << 2) | (1 << 3) | (1 << 5) | (1 << 6) | (1 << 7))
#define CAPABILITIES_MAX 64
#define CAPABILITIES_LEAST 37 /* CAP_AUDIT_READ: every supported kernel has it */

/* Join an anonymous session keyring: the user's keys cannot be found from it. */
int
step_keyring(struct entering *e)
{
	(void)e;
	if (syscall(SYS_keyctl, KERNEL_KEYCTL_JOIN_SESSION_KEYRING, NULL) < 0 &&
	    errno != ENOSYS)
		return -errno;
	return 0;
}

int
step_descriptors(struct entering *e)
{
	int r = streams_take(e);

	if (r)
		return r;
	if (e->control != ENTER_CONTROL) {
		if (dup3(e->control, ENTER_CONTROL, O_CLOEXEC) < 0)
			return -errno;
		e->control = ENTER_CONTROL;
	}
	return sys_close_range(ENTER_CONTROL + 1, ~0U) ? -errno : 0;
}

/* A process without capabilities keeps none: with no_new_privs no exec gives any, not even
 * to user 0. */
static bool
has_capabilities(void)
{
	struct kernel_cap_header header = { KERNEL_CAP_VERSION_3, 0 };
	struct kernel_cap_data has[2] = { 0 };

	return syscall(SYS_capget, &header, has) || has[0].permitted || has[1].permitted ||
	       has[0].inheritable || has[1].inheritable;
}

/* Dropping needs a capability, which a process has in its own user namespace.  Each drop is
 * a system call; the helper may have made them before. */
static int
bound_capabilities(void)
{
	int has = 0;

	for (unsigned long c = 0; c < CAPABILITIES_MAX; c++) {
		/* Once one capability is in the bounding set, assume the rest are: saves a
		 * prctl each. */
		if (has <= 0)
			has = prctl(PR_CAPBSET_READ, c, 0, 0, 0);
		if (has == 0 || (has > 0 && prctl(PR_CAPBSET_DROP, c, 0, 0, 0) == 0))
			continue;
		/* The kernel has no more. */
		if (errno == EINVAL && c > CAPABILITIES_LEAST)
			break;
		return -errno;
	}
	return prctl(PR_SET_SECUREBITS, SECUREBITS_ALL, 0, 0, 0) ? -errno : 0;
}

/*
 * The reaper keeps one capability that is worth nothing in a user namespace and that the
 * command does not have: so the kernel lets no command trace or inspect it, from the first
 * moment on.  PR_SET_DUMPABLE comes too late: until its exec the command shares the
 * reaper's memory.
 */
static int
keep_capabilities(uint32_t second)
{
	struct kernel_cap_header header = { KERNEL_CAP_VERSION_3, 0 };
	struct kernel_cap_data data[2] = { [1] = { .permitted = second } };

	return syscall(SYS_capset, &header, data) ? -errno : 0;
}

bool
privilege_clear(void)
{
	return keep_capabilities(0) == 0;
}

int
step_privilege(struct entering *e)
{
	int r = 0;

	if ((!e->plan->bare || has_capabilities()) && (r = bound_capabilities()))
		return r;
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) && errno != EINVAL)
		return -errno;
	/* Without namespaces Landlock separates the two. */
	if ((r = keep_capabilities(e->plan->bare ? 0 : KERNEL_CAP_WAKE_ALARM)))
		return r;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	/* A change of credentials may have reset it. */
	return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) ? -errno : 0;
}
