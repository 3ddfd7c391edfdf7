/* confine/landlock.h: inside the room: build one ruleset. */
#pragma once
#include "confine/enter.h"

struct ruleset {
	int fd;
	uint64_t handled;
};

/* Grant those of `rights` that are handled, for `path` and below. */
int landlock_give(
    struct entering *e, const struct ruleset *rules, const char *path, uint64_t rights);
/* Restrict the calling process to `rights` below the directory.  0, or a negative errno. */
int landlock_keep_below(int dir, uint64_t rights);
/* landlock_bare.c: add all rules of a plan without namespaces. */
int landlock_give_bare(struct entering *e, const struct ruleset *rules);
