/* The meaning of the trials for each field of a policy. */
#include "confine/probe/probe.h"

/* The first Landlock ABI that restricts signals and abstract sockets; see bare.c. */
#define LANDLOCK_ALONE 6

/* No pointers: each would be a relocation at every start. */
static const struct {
	char whole[64], bare[64]; /* bare[0] == 0: only namespaces can enforce it */
	enum {
		NOTHING,
		ASKED,
		MAKES
	} needs; /* what the supervisor needs: to be asked by the kernel; to perform the
		    calls itself */
} fields[FIELDS] = {
	[FIELD_TYPE] = { "read-only mounts, Landlock",
	    "Landlock; changes are made by the supervisor", NOTHING },
	[FIELD_NETWORK] = { "a network namespace, socket families by seccomp",
	    "no sockets but local ones (seccomp)", NOTHING },
	[FIELD_NETWORK_ALLOW] = { "a network namespace; the supervisor makes the connects",
	    "", ASKED },
	[FIELD_READWRITE] = { "mounts, Landlock, the supervisor",
	    "Landlock, the supervisor", MAKES },
	[FIELD_READONLY] = { "read-only mounts", "Landlock, the supervisor", NOTHING },
	[FIELD_GIT] = { "read-only mounts, the supervisor", "Landlock, the supervisor",
	    NOTHING },
	[FIELD_TMP] = { "a private /tmp and /var/tmp",
	    "Landlock; TMPDIR leads to a directory of the run's own", NOTHING },
	[FIELD_IGNORE] = { "an unreadable mount on each file, the supervisor", "", ASKED },
	[FIELD_DEBUG] = { "hidden by a mount, written by the supervisor",
	    "Landlock: it cannot be read", NOTHING },
	[FIELD_PROTECTED] = { "writes are made by the supervisor, which knows the names",
	    "changes are made by the supervisor, which knows the names", MAKES },
	[FIELD_PROCESSES] = { "pid, user and ipc namespaces, seccomp",
	    "Landlock, seccomp; the reaper ends the tree", NOTHING },
	[FIELD_LIMITS] = { "limits of each process, the supervisor's watch", "", NOTHING },
};

static bool
works(const struct probe *p, enum probe_what what)
{
	return p->v[what].state == PROBE_WORKS;
}

static bool
has_namespaces(const struct probe *p)
{
	return works(p, PROBE_USER) && works(p, PROBE_MOUNT) && works(p, PROBE_PID) &&
	       works(p, PROBE_NET) && works(p, PROBE_IPC) && works(p, PROBE_SECCOMP);
}

static bool
is_asked(const struct probe *p)
{
	return works(p, PROBE_NOTIFY) && works(p, PROBE_HAND_OVER);
}

bool
probe_is_bare(const struct probe *p)
{
	return !has_namespaces(p) && works(p, PROBE_SECCOMP) && is_asked(p) &&
	       works(p, PROBE_LANDLOCK) && p->v[PROBE_LANDLOCK].detail >= LANDLOCK_ALONE;
}

struct plan_field_state
probe_field(const struct probe *p, enum plan_field f)
{
	bool bare = probe_is_bare(p);

	if (f == FIELD_LIMITS && works(p, PROBE_CGROUP) && (bare || has_namespaces(p)))
		return (struct plan_field_state){ PLAN_ENFORCED, "cgroup v2" };
	if (bare)
		return fields[f].bare[0]
			   ? (struct plan_field_state){ PLAN_ENFORCED, fields[f].bare }
			   : (struct plan_field_state){ PLAN_REFUSED,
				     "it does not hold without namespaces" };
	if (!has_namespaces(p))
		return (struct plan_field_state){ PLAN_REFUSED,
			"neither namespaces nor Landlock can hold it" };
	if (!is_asked(p) && fields[f].needs != NOTHING)
		return (struct plan_field_state){ PLAN_REFUSED,
			"the kernel cannot ask the supervisor" };
	if (!works(p, PROBE_LANDLOCK) && fields[f].needs == MAKES)
		return (struct plan_field_state){ PLAN_REFUSED,
			"without Landlock only read-only runs start" };
	if (!works(p, PROBE_LANDLOCK) && f == FIELD_TYPE)
		return (struct plan_field_state){ PLAN_ENFORCED,
			"read-only mounts alone, and only that type" };
	return (struct plan_field_state){ PLAN_ENFORCED, fields[f].whole };
}
