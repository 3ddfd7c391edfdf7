/*
 * confine/guard.h: names that make other programs run code, or that instruct agents.  They
 * stay as they are even where the command may write; look/names.h has the list.
 */
#pragma once
#include "confine/plan/plan.h"
#include "look/git/gitnames.h"
#include "look/names.h"

struct guard_hit {
	const char *why; /* static text; NULL: not protected */
	/* The name is free in a directory that the run itself created: a clone, an unpacked
	 * package.  That directory's path is the first so many bytes; 0: the name is always
	 * protected. */
	size_t free_if_new;
	bool own;            /* cordon's own: no rule lifts it */
	bool package;        /* a name inside installed packages */
	bool nested;         /* below the top of the workspace: it may be removed */
	bool inside_git;     /* a git directory, or in one */
	bool gitdir;         /* the git directory itself */
	enum name_kind kind; /* by its own name; NAME_FREE in a git directory */
	/* The name lies in a git directory, whose path is the first so many bytes; 0: in
	 * none.  `git` is its meaning there; broker/git/ judges names without `why`. */
	size_t git_dir;
	enum git_name git;
};

/* Judge a name.  `path` is real and lies in a writable path of the plan. */
struct guard_hit guard_look(const struct plan *plan, struct str path);
/* The length of the longest writable path that `path` lies in; 0: none.  Names in that part
 * are not judged. */
size_t guard_root_length(const struct plan *plan, struct str path);
/* True if it is, or lies in, a directory of installed packages. */
bool guard_is_package(const struct plan *plan, struct str path);
