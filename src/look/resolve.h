/*
 * look/resolve.h: resolve a path as the kernel does.
 *
 * MUST
 * 1. Read each symlink, never guess; `..` goes up from the symlink's target.
 * 2. Name a missing file by its deepest existing directory and the rest, and only if that
 *    rest has no `..`.
 * 3. Do not follow magic links of /proc: they differ for each process.
 * 4. Follow at most 40 symlinks, as the kernel does.
 */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct created; /* names that the same text may create as symlinks: look/created_names.h */

struct resolved {
	struct str real; /* .p == NULL: could not be resolved */
	const char *why; /* static text, if it could not be resolved */
	bool exists;
	bool directory,
	    link;    /* of an existing file; link: a symlink that was not followed */
	bool linked; /* a symlink was followed */
};

enum resolve_flags {
	RESOLVE_NAME = 1, /* do not follow a symlink in the last component */
};

/* Resolve an absolute path.  `made` may be NULL.  Fails only with CORDON_ENOMEM. */
int look_resolve(struct arena *a, struct str path, unsigned flags,
    const struct created *made, struct resolved *ret, struct err *reterr);
