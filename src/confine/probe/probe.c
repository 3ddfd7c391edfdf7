#define _GNU_SOURCE
#include "confine/probe/probe.h"
#include "confine/cgroup.h"
#include "confine/enter_internal.h"
#include "os/fd.h"
#include "os/sys.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#define NO_NAMESPACES                                                                      \
	"without it no command can be confined: each one that would be is asked for or "   \
	"refused"
#define APPARMOR                                                                           \
	"give the program a profile: in /etc/apparmor.d/cordon "                           \
	"'abi <abi/4.0>, profile cordon /usr/bin/cordon flags=(unconfined) { userns, }', " \
	"then apparmor_parser -r /etc/apparmor.d/cordon"
#define CONTAINER                                                                          \
	"start the container with what bubblewrap needs: --security-opt "                  \
	"seccomp=unconfined "                                                              \
	"--security-opt apparmor=unconfined --security-opt systempaths=unconfined"

/* No pointers: each would be a relocation at every start. */
static const struct {
	char name[32], works[64], fails[88], advice[96];
	bool needed;
} items[PROBES] = {
	[PROBE_USER] = { "user namespaces", "the sandbox needs no privilege", NO_NAMESPACES,
	    "allow them: sysctl kernel.unprivileged_userns_clone=1, "
	    "user.max_user_namespaces "
	    "above 0",
	    true },
	[PROBE_MOUNT] = { "mounts", "what is outside of the roots is read-only",
	    NO_NAMESPACES, "a kernel from 5.12 on that lets user namespaces mount", true },
	[PROBE_PID] = { "pid namespace",
	    "no process outlives its run, none outside is seen", NO_NAMESPACES,
	    "a container must not mask parts of /proc", true },
	[PROBE_NET] = { "network namespace", "networkAccess false leaves only loopback",
	    NO_NAMESPACES, "allow network namespaces: user.max_net_namespaces above 0",
	    true },
	[PROBE_IPC] = { "ipc, uts and cgroup namespaces",
	    "shared memory and message queues of the host are out of reach", NO_NAMESPACES,
	    "allow them: user.max_ipc_namespaces and its neighbours above 0", true },
	[PROBE_LANDLOCK] = { "Landlock", "a second layer holds writes, signals and sockets",
	    "cordon cannot check writes by name: only read-only runs start",
	    "a kernel from 5.19 on, booted with lsm=landlock,...", true },
	[PROBE_SECCOMP] = { "system call filter",
	    "system calls that could escape the sandbox are refused", NO_NAMESPACES,
	    "a kernel with CONFIG_SECCOMP_FILTER", true },
	[PROBE_NOTIFY] = { "seccomp notification",
	    "the supervisor makes the writes and judges each exec",
	    "nobody can judge by name: only read-only runs without the exec gate start",
	    "a kernel from 5.9 on; inside another supervisor let that one judge", true },
	[PROBE_HAND_OVER] = { "handing over descriptors",
	    "the supervisor opens files itself", "no file could be opened for writing",
	    "a kernel from 5.14 on", true },
	[PROBE_SYNC] = { "wake-up on one CPU",
	    "a supervised system call costs microseconds",
	    "supervised system calls take about ten times longer; nothing is less safe",
	    "a kernel from 6.6 on", false },
	[PROBE_TRACE] = { "tracing children", "every exec is verified after it happened",
	    "the exec gate judges at entry only", "sysctl kernel.yama.ptrace_scope below 3",
	    false },
	[PROBE_CGROUP] = { "cgroup v2", "limits of memory and processes are the kernel's",
	    "limits hold for each process, and the supervisor watches their sum",
	    "run in a delegated cgroup: systemd-run --user --scope -p Delegate=yes",
	    false },
	[PROBE_OVERLAY] = { "overlay",
	    "run --review can show what changed before it counts",
	    "run --review is refused", "a kernel from 6.6 on with overlayfs", false },
};

const char *
probe_name(enum probe_what what)
{
	return items[what].name;
}

bool
probe_is_needed(enum probe_what what)
{
	return items[what].needed;
}

const char *
probe_means(const struct probe *p, enum probe_what what)
{
	return p->v[what].state == PROBE_WORKS ? items[what].works : items[what].fails;
}

const char *
probe_advice(const struct probe *p, enum probe_what what)
{
	bool namespaces = what <= PROBE_IPC;

	if (p->v[what].state == PROBE_WORKS)
		return NULL;
	if (namespaces && p->apparmor_restricts)
		return APPARMOR;
	if (namespaces && p->inside == INSIDE_CORDON)
		return "nothing to do: the enclosing cordon run confines this one";
	if (namespaces && p->inside != INSIDE_NOTHING && !p->userns_switched_off)
		return CONTAINER;
	return items[what].advice;
}

const char *
probe_inside_name(enum probe_inside inside)
{
	static const char *const names[] = { [INSIDE_NOTHING] = "nothing",
		[INSIDE_CORDON] = "a run of cordon",
		[INSIDE_CONTAINER] = "a container",
		[INSIDE_FILTER] = "another sandbox" };

	return names[inside];
}

bool
probe_is_enough(const struct probe *p, enum probe_what *ret_missing)
{
	if (probe_is_bare(p))
		return true;
	for (enum probe_what w = 0; w < PROBES; w++)
		if (items[w].needed && p->v[w].state != PROBE_WORKS) {
			*ret_missing = w;
			return false;
		}
	return true;
}

/* ---- settings that explain a failure */

/* The number in a file of /proc/sys; -1: there is none. */
static long
read_setting(const char *path)
{
	char text[32];
	cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text) : -1;
	struct str rest = str_of(text, n > 0 ? (size_t)n : 0);
	uint64_t value = 0;

	if (n <= 0)
		return -1;
	(void)str_take_number(&rest, INT32_MAX, &value);
	return (long)value;
}

/* The first process of a run of cordon leaves a mark where nothing else can create one. */
enum probe_inside
probe_inside(void)
{
	if (access("/run/.hidden-file", F_OK) == 0 &&
	    access("/run/.hidden-directory", F_OK) == 0)
		return INSIDE_CORDON;
	if (access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0)
		return INSIDE_CONTAINER;
	return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) > 0 ? INSIDE_FILTER : INSIDE_NOTHING;
}

static void
find_settings(struct probe *p)
{
	p->inside = probe_inside();
	p->apparmor_restricts =
	    geteuid() != 0 &&
	    read_setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") > 0;
	p->userns_switched_off =
	    read_setting("/proc/sys/user/max_user_namespaces") == 0 ||
	    (geteuid() != 0 &&
		read_setting("/proc/sys/kernel/unprivileged_userns_clone") == 0);
}

static void
probe_plain(struct probe *p)
{
	int abi = landlock_abi();
	struct cgroup_parent parent;

	p->v[PROBE_LANDLOCK] =
	    (struct probe_item){ abi >= LANDLOCK_WANTED ? PROBE_WORKS : PROBE_FAILS,
		    abi ? 0 : ENOSYS, abi };
	p->v[PROBE_CGROUP].error = cgroup_find(&parent);
	p->v[PROBE_CGROUP].state = p->v[PROBE_CGROUP].error ? PROBE_FAILS : PROBE_WORKS;
}

void
probe_all(struct probe *ret)
{
	struct probe *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct sigaction usual = { .sa_handler = SIG_DFL }, old;

	*ret = (struct probe){ 0 };
	if (shared == MAP_FAILED) {
		for (size_t i = 0; i < PROBES; i++)
			ret->v[i].error = ENOMEM;
		return;
	}
	/* If SIGCHLD were ignored, children would be reaped before we wait for them. */
	(void)sigaction(SIGCHLD, &usual, &old);
	find_settings(shared);
	probe_plain(shared);
	probe_try_namespaces(shared);
	probe_try_filter(shared);
	probe_try_trace(shared);
	(void)sigaction(SIGCHLD, &old, NULL);
	*ret = *shared;
	(void)munmap(shared, sizeof *shared);
}
