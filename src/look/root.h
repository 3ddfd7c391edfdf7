/*
 * look/root.h: find the workspace roots, and decide who may choose them.
 *
 * MUST
 * 1. An empty, relative, missing or unreadable root is an error, never "no root".
 * 2. Accept `/` and the home as roots only from --root.
 * 3. A project that is not trusted cannot choose or move the root: the variable may only
 *    narrow the git worktree.
 * 4. Trust a .git file only if the directory that it names points back to it.
 */
#pragma once
#include "look/look.h"

/* The directories of one repository, all resolved; .p == NULL: none. */
struct git_dirs {
	struct str worktree;  /* the directory that contains .git */
	struct str gitdir;    /* HEAD, index: for a linked worktree below commondir */
	struct str commondir; /* objects, refs, hooks, config */
	bool linked;
};

/* Find the repository that contains `dir` (resolved).  False: none, or not to be trusted;
 * *why is the reason, or NULL. */
bool git_find(struct arena *a, struct str dir, struct git_dirs *ret, const char **why);
extern const char git_no_memory[]; /* one of the reasons */

/*
 * Why a file is protected: it makes git or an agent run code, or holds settings of an agent
 * or of cordon; static text or NULL.  Skips the first `skip` bytes, the root's.  `dirs` may
 * be NULL.
 */
const char *protected_path(
    struct str real, size_t skip, const struct git_dirs *dirs, struct str home);

struct root_request {
	struct look_list flags;   /* --root */
	struct look_list request; /* "roots" of a request */
	struct str variable;      /* WORKTREE_SANDBOX_PATH; .p == NULL: not set */
	struct str cwd;           /* absolute */
	struct look_list
	    projects;    /* the workspace folders, instead of cwd; .n == 0: none */
	struct str home; /* .p == NULL: unknown */
	bool untrusted;  /* the project is known not to be trusted */
	bool missing_ok; /* check, explain: accept a missing root by its name */
};

struct root_answer {
	struct str *roots; /* real where they exist */
	size_t n;
	bool explicit_root; /* named, not implied by the directory */
	bool git;           /* `dirs` is filled: the repository of the first root */
	bool found;         /* `git`, or a repository without a worktree */
	struct git_dirs dirs;
	const char *warning; /* static text for a person, or NULL */
};

/* Find the roots.  CORDON_EINVAL, CORDON_ENOMEM, CORDON_EIO; *reterr has the reason, and
 * its position is the number of the root. */
int root_find(struct arena *a, const struct root_request *q, struct root_answer *ret,
    struct err *reterr);
