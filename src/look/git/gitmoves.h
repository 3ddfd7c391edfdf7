/*
 * look/git/gitmoves.h: predict which protected files a git command changes, and to what.
 *
 * MUST
 * 1. Call a change known only if a commit from before the run has exactly that file under
 *    exactly that name (gitobj.h defines "old").
 * 2. Read only; run nothing.
 *
 * The list is made from git's argv before git changes anything.  It may be incomplete: the
 * caller must refuse writes that are not in it.
 */
#pragma once
#include "look/git/gitrepo.h"

#define GIT_MOVES_MAX 512

struct git_move {
	struct str path;    /* in the worktree */
	struct git_file to; /* mode 0: it is deleted */
	bool known;
};

struct git_moves {
	struct git_move v[GIT_MOVES_MAX];
	size_t n;
	bool more; /* there are further changes that are unknown */
};

struct git_moves_query {
	const struct str *argv;
	size_t argc;
	int worktree; /* an open directory */
	bool (*is_guarded)(void *context, struct str path);
	/* Callback: true if the file may become that although no commit has it. */
	bool (*is_kept)(void *context, struct str path, const struct git_file *to);
	void *context;
};

void git_moves_find(
    struct git_repo *r, const struct git_moves_query *q, struct git_moves *ret);
