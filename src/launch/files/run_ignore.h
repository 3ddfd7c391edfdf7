/* launch/files/run_ignore.h: the ignore files of the workspace → sandbox policy. */
#pragma once
#include "look/root.h"
#include "policy/sandbox/sandbox.h"

/* Directory listings of the workspace, reused by the plan. */
struct run_ignores {
	struct listing **listings;
	size_t n;
};

/*
 * Add to *p the paths hidden by the ignore files that the policy names, and by `patterns`,
 * lines of such a file that apply to every root.  Ignore files in subdirectories count if
 * the root has one too.  An unreadable ignore file is an error.
 */
int run_add_ignores(struct arena *a, const struct policy *policy,
    const struct root_answer *roots, struct str patterns, struct sandbox_policy *p,
    struct run_ignores *ret, struct err *reterr);
void run_free_ignores(struct run_ignores *i);
