/*
 * confine/cgroup.h: a cgroup v2 for one run, where cgroups are delegated to us.
 *
 * A group that has processes cannot have child groups with controllers.  So the new group
 * is a sibling: below the nearest ancestor that we may write and whose memory and pids
 * controllers are enabled.
 */
#pragma once
#include "base/limits.h"
#include "confine/plan/plan.h"
#include <sys/types.h>

struct cgroup_parent {
	char path[LIMIT_PATH];
};

/* Check whether a group can be made.  0, or a positive errno: ENOENT without cgroup v2,
 * EACCES if nothing is delegated. */
int cgroup_find(struct cgroup_parent *ret);

struct cgroup {
	char path[LIMIT_PATH]; /* "": none */
	pid_t janitor;         /* a process that removes it if we cannot */
	int life;              /* our end of the pipe to the janitor; it closes with us */
};

/* Make a group with these limits.  0, or a positive errno with nothing left behind. */
int cgroup_make(const struct plan_limits *limits, struct cgroup *ret);
/* Move a process into it, before that has children. */
int cgroup_add(const struct cgroup *g, pid_t pid);
/* True if the memory limit was hit. */
bool cgroup_was_oom(const struct cgroup *g);
/* Kill everything in it, and remove it. */
void cgroup_end(struct cgroup *g);

/* For tests: the path in the unified line of /proc/PID/cgroup; .p == NULL: none. */
struct str cgroup_line(struct str text);
