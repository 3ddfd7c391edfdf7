/*
 * confine/probe/probe.h: which kernel mechanisms work for this user, here and now.
 *
 * MUST
 * 1. Try each one the way the sandbox uses it; a setting only explains why a trial failed.
 * 2. Leave nothing behind: trials run in processes and mounts that end with them.
 * 3. Never report that the sandbox works because a trial could not be made.
 *
 * probe_all() takes some milliseconds; hot doors call probe_can_confine().
 */
#pragma once
#include "base/buf.h"
#include "base/str.h"
#include "confine/plan/plan.h"
#include <stdbool.h>
#include <stdint.h>

enum probe_what {
	PROBE_USER,     /* user namespaces */
	PROBE_MOUNT,    /* mounts in a user namespace: open_tree, mount_setattr, move_mount,
			   tmpfs */
	PROBE_PID,      /* a PID namespace with its own /proc */
	PROBE_NET,      /* a network namespace with loopback up */
	PROBE_IPC,      /* IPC, UTS and cgroup namespaces */
	PROBE_LANDLOCK, /* detail: the ABI */
	PROBE_SECCOMP,  /* a filter */
	PROBE_NOTIFY,   /* user notification: one listener is free */
	PROBE_HAND_OVER, /* the supervisor can pass descriptors (ADDFD with SEND) */
	PROBE_SYNC,      /* wake-up on one CPU; without it only slower */
	PROBE_TRACE,     /* the exec gate can check again after the exec */
	PROBE_CGROUP,    /* cgroup v2, memory and pids delegated to us */
	PROBE_OVERLAY,   /* overlayfs in a user namespace: run --review */
	PROBES,
};

enum probe_state { PROBE_FAILS, PROBE_WORKS };

struct probe_item {
	enum probe_state state;
	int error;  /* errno of the failure */
	int detail; /* PROBE_LANDLOCK: the ABI */
};

/* Where we run; a sandbox inside another one can add less. */
enum probe_inside {
	INSIDE_NOTHING,
	INSIDE_CORDON,    /* a run of cordon */
	INSIDE_CONTAINER, /* Docker, Podman and the like */
	INSIDE_FILTER,    /* something else that filters system calls */
};

struct probe {
	struct probe_item v[PROBES];
	enum probe_inside inside;
	bool apparmor_restricts;  /* Ubuntu: user namespaces without capabilities */
	bool userns_switched_off; /* a sysctl forbids or limits them */
};

/* Make all trials, in processes that have ended when it returns. */
void probe_all(struct probe *ret);

/* Only find out where we run. */
enum probe_inside probe_inside(void);

/* The name, such as "user namespaces". */
const char *probe_name(enum probe_what what);
/* True if the sandbox does not start without it. */
bool probe_is_needed(enum probe_what what);
/* One sentence: what it means that it works, or does not. */
const char *probe_means(const struct probe *p, enum probe_what what);
/* Advice for a person: what to install or set; NULL: nothing. */
const char *probe_advice(const struct probe *p, enum probe_what what);
const char *probe_inside_name(enum probe_inside inside);
/* True if there are no namespaces, but the rest enforces most policies (confine/bare.c). */
bool probe_is_bare(const struct probe *p);
/* Whether a field of a policy would be enforced here, and by what, or why not. */
struct plan_field_state probe_field(const struct probe *p, enum plan_field field);
/* True if everything needed works, or the rest is enough; otherwise *ret_missing is the
 * first that does not. */
bool probe_is_enough(const struct probe *p, enum probe_what *ret_missing);

/*
 * The same, from a cache where that is safe: `cache` is a directory of the user's own
 * ($XDG_CACHE_HOME/cordon; NULL: none), which keeps a yes for this boot, user, namespaces
 * and filter.  A no is never kept.  A yes that has become wrong only means that `run`
 * refuses later.  *ret_why: a sentence, when it is false.
 */
bool probe_can_confine(const char *cache, const char **ret_why);

/* ---- the parts, for this room */

/* probe_try.c: make the trials in processes of their own; results in *p, which is
 * shared. */
void probe_try_namespaces(struct probe *p);
void probe_try_filter(struct probe *p);
void probe_try_trace(struct probe *p);
