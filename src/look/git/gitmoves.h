/*
 * look/git/gitmoves.h: which guarded files a git command would change, and to what.
 *
 * MUST
 * 1. Call a change known only if a commit from before holds exactly that file under
 *    exactly that name (gitobj.h has what "from before" means).
 * 2. Read only; run nothing.
 *
 * The list is made before git has changed anything.  It says what git is going to do as
 * far as its argv says that; what is missing in it must be refused where it is written.
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
