/*
 * confine/probe/probe.h: which mechanisms of the kernel work for this user, here and now.
 *
 * MUST
 * 1. Try each one the way the sandbox uses it; a setting that is read only explains why
 *    a trial failed.
 * 2. Leave nothing behind: trials are made in processes and mounts that end with them.
 * 3. Never say that the sandbox works because a trial could not be made.
 *
 * probe_all() takes some milliseconds; hot doors ask probe_can_confine().
 */
#pragma once
#include "base/buf.h"
#include "base/str.h"
#include "confine/plan/plan.h"
#include <stdbool.h>
#include <stdint.h>

enum probe_what {
	PROBE_USER,      /* user namespaces */
	PROBE_MOUNT,     /* mounts in one: open_tree, mount_setattr, move_mount, tmpfs */
	PROBE_PID,       /* a pid namespace with a /proc of its own */
	PROBE_NET,       /* a network namespace with loopback up */
	PROBE_IPC,       /* ipc, uts and cgroup namespaces */
	PROBE_LANDLOCK,  /* detail: the ABI */
	PROBE_SECCOMP,   /* a filter */
	PROBE_NOTIFY,    /* its calls are sent to a supervisor, one listener is free */
	PROBE_HAND_OVER, /* the supervisor can hand over descriptors (ADDFD with SEND) */
	PROBE_SYNC,      /* the wake-up on one CPU; without it only slower */
	PROBE_TRACE,     /* the exec gate can look again after the exec */
	PROBE_CGROUP,    /* cgroup v2, memory and pids given to us */
	PROBE_OVERLAY,   /* overlay in a user namespace: run --review */
	PROBES,
};

enum probe_state { PROBE_FAILS, PROBE_WORKS };

struct probe_item {
	enum probe_state state;
	int error;  /* errno of what failed */
	int detail; /* PROBE_LANDLOCK: the ABI */
};

/* Where we are; a sandbox inside of another one can add less. */
enum probe_inside {
	INSIDE_NOTHING,
	INSIDE_CORDON,    /* a run of our own */
	INSIDE_CONTAINER, /* Docker, Podman and their like */
	INSIDE_FILTER,    /* something else that filters system calls */
};

struct probe {
	struct probe_item v[PROBES];
	enum probe_inside inside;
	bool apparmor_restricts;  /* Ubuntu: user namespaces without rights */
	bool userns_switched_off; /* a sysctl forbids or limits them */
};

/* Starts processes of its own, and has waited for them when it returns. */
void probe_all(struct probe *ret);

/* Only where we are. */
enum probe_inside probe_inside(void);

/* "user namespaces" */
const char *probe_name(enum probe_what what);
/* The sandbox does not start without it. */
bool probe_is_needed(enum probe_what what);
/* One sentence: what it means that it works, or does not. */
const char *probe_means(const struct probe *p, enum probe_what what);
/* What a person can install or set; NULL: nothing is to be done. */
const char *probe_advice(const struct probe *p, enum probe_what what);
const char *probe_inside_name(enum probe_inside inside);
/* Without namespaces, but what is left holds most policies alone (confine/bare.c). */
bool probe_is_bare(const struct probe *p);
/* Whether a field of a policy would be held here, and by what, or why not. */
struct plan_field_state probe_field(const struct probe *p, enum plan_field field);
/* Everything that is needed is there, or what is left is enough; else *ret_missing is the
 * first that is not. */
bool probe_is_enough(const struct probe *p, enum probe_what *ret_missing);

/*
 * The same, from memory where that is sure: `cache` is a directory of the user's own
 * ($XDG_CACHE_HOME/cordon; NULL: no memory), in which a yes is kept for this boot, user,
 * namespaces and filter.  A no is never kept.  A yes that has become wrong only means
 * that `run` refuses later.  *ret_why: a sentence, when it is false.
 */
bool probe_can_confine(const char *cache, const char **ret_why);

/* ---- the parts, for this room */

/* probe_try.c: in processes of their own; results in *p, which they share. */
void probe_try_namespaces(struct probe *p);
void probe_try_filter(struct probe *p);
void probe_try_trace(struct probe *p);
