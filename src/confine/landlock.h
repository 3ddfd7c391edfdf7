/* confine/landlock.h: inside the room: one set of rules while it is made. */
#pragma once
#include "confine/enter.h"

struct ruleset {
	int fd;
	uint64_t handled;
};

/* Of `rights` what is handled, for what is at `path` and below. */
int landlock_give(
    struct entering *e, const struct ruleset *rules, const char *path, uint64_t rights);
/* The calling process has of `rights` what lies below the directory, and no others.  0, or
 * a negative errno. */
int landlock_keep_below(int dir, uint64_t rights);
/* landlock_bare.c: all rules of a plan without namespaces. */
int landlock_give_bare(struct entering *e, const struct ruleset *rules);
