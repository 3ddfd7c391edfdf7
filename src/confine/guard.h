/*
 * confine/guard.h: names that make other programs run code, or say what agents may do.
 *
 * They stay as they are even where the command may write; look/names.h has the list.
 */
#pragma once
#include "confine/plan/plan.h"
#include "look/git/gitnames.h"
#include "look/names.h"

struct guard_hit {
	const char *why; /* static text; NULL: not guarded */
	/* In a directory that the run itself has made the name is free: a clone, an
	 * unpacked package.  Its path is the first so many bytes; 0: the name is always
	 * guarded. */
	size_t free_if_new;
	bool own;            /* cordon's: no rule lifts it */
	bool package;        /* a name in packages that others have made */
	bool nested;         /* it does not guard the workspace itself: it may be removed */
	bool inside_git;     /* a directory of git's, or in one */
	bool gitdir;         /* the directory itself */
	enum name_kind kind; /* by its own name; NAME_FREE in a directory of git's */
	/* The name lies in a directory of git's, whose path is the first so many bytes; 0:
	 * in none.  `git` is what the name is to it; perform_git.c judges what has no
	 * `why`. */
	size_t git_dir;
	enum git_name git;
};

/* `path` is real and lies in a writable path of the plan. */
struct guard_hit guard_look(const struct plan *plan, struct str path);
/* The length of the writable path that `path` lies in, the longest; 0: none.  Names in that
 * part are not judged. */
size_t guard_root_length(const struct plan *plan, struct str path);
/* It is, or lies in, a directory of packages that others have made. */
bool guard_is_package(const struct plan *plan, struct str path);
