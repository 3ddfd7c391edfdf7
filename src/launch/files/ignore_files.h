/* launch/files/ignore_files.h: the ignore files of the workspace → sandbox policy. */
#pragma once
#include "look/root.h"
#include "policy/sandbox/sandbox.h"

/* Directory listings of the workspace, reused by the plan. */
struct ignore_files {
	struct listing **listings;
	size_t n;
};

/*
 * Add to *p the paths hidden by the ignore files that the policy names, and by `patterns`,
 * lines of such a file that apply to every root.  Ignore files in subdirectories count if
 * the root has one too.  An unreadable ignore file is an error.
 */
int ignore_files_add(struct arena *a, const struct policy *policy,
    const struct root_answer *roots, struct str patterns, struct sandbox_policy *p,
    struct ignore_files *ret, struct err *reterr);
void ignore_files_free(struct ignore_files *i);
