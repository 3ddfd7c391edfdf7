/*
 * look/resolve.h: where a path leads, by the kernel's own rules.
 *
 * MUST
 * 1. A link is read, never guessed; a `..` goes up from where the links led.
 * 2. What does not exist is named by its deepest existing directory and the rest,
 *    and only if that rest has no `..`.
 * 3. A link of /proc is not followed: it is another one for every process.
 * 4. No more than 40 links, as in the kernel.
 */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct made; /* names that the same text could make links: look/made.h */

struct resolved {
	struct str real; /* .p == NULL: could not be followed */
	const char *why; /* static text, when it could not */
	bool exists;
	bool directory, link; /* of what exists; link: not followed */
	bool linked;          /* a link was on the way */
};

enum resolve_flags {
	RESOLVE_NAME = 1, /* if the last name is a link, it is the link that is meant */
};

/* `path` is absolute.  `made` may be NULL.  Fails only with CORDON_ENOMEM. */
int resolve(struct arena *a, struct str path, unsigned flags, const struct made *made,
    struct resolved *ret, struct err *reterr);
