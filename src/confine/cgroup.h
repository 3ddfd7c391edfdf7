/*
 * confine/cgroup.h: a group of cgroup v2 for one run, where somebody has given us the right
 * to make one.
 *
 * A group that holds processes cannot have groups with controllers below it.  So the new
 * one becomes a neighbour: below the nearest directory on the way up that we may write,
 * in which the controllers of memory and processes are switched on already.
 */
#pragma once
#include "base/limits.h"
#include "confine/plan/plan.h"
#include <sys/types.h>

struct cgroup_place {
	char path[LIMIT_PATH];
};

/* 0, or a positive errno: ENOENT without cgroup v2, EACCES when nothing is delegated. */
int cgroup_find(struct cgroup_place *ret);

struct cgroup {
	char path[LIMIT_PATH]; /* "": none */
	pid_t janitor;         /* removes it if we cannot */
	int life;              /* its end, which closes with us */
};

/* 0 with limits set, or a positive errno and nothing left. */
int cgroup_make(const struct plan_limits *limits, struct cgroup *ret);
/* Moves a process, which has no children yet, into it. */
int cgroup_add(const struct cgroup *g, pid_t pid);
/* A limit of memory was hit. */
bool cgroup_was_oom(const struct cgroup *g);
/* Ends whatever is in it, and removes it. */
void cgroup_end(struct cgroup *g);

/* For tests: the path of the unified line of /proc/PID/cgroup; .p == NULL: none. */
struct str cgroup_line(struct str text);
