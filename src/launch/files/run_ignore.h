/* launch/files/run_ignore.h: the ignore files of the workspace, as part of a sandbox's
 * policy. */
#pragma once
#include "look/root.h"
#include "policy/sandbox/sandbox.h"

/* Trees that were looked through, for the plan. */
struct run_ignores {
	struct listing **listings;
	size_t n;
};

/*
 * Adds to *p what the ignore files hide that the policy names, and `patterns`, lines of
 * such a file that hold for every root.  Those in folders below
 * count where the root has one of its own.  One that cannot be read is an error.
 */
int run_add_ignores(struct arena *a, const struct policy *policy,
    const struct root_answer *roots, struct str patterns, struct sandbox_policy *p,
    struct run_ignores *ret, struct err *reterr);
void run_free_ignores(struct run_ignores *i);
