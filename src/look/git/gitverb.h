/*
 * look/git/gitverb.h: parse the argv of git commands that change files of the worktree.
 *
 * Unknown arguments are skipped: callers must not rely on this parser to refuse anything.
 */
#pragma once
#include "base/str.h"

#define GIT_REVS 64

enum git_verb {
	VERB_OTHER,  /* does not write tracked files, or unknown ones */
	VERB_TARGET, /* files become those of a revision: checkout, switch, reset, restore
		      */
	VERB_MERGE,
	VERB_PICK,
	VERB_REVERT,
	VERB_STASH, /* pop, apply, branch */
	VERB_REBASE,
};

struct git_words {
	enum git_verb verb;
	struct str revs[GIT_REVS]; /* operands that may be revisions */
	size_t revs_n;
	struct str onto; /* rebase */
	bool force;      /* local changes are lost */
	bool resumes;    /* --continue, --skip, --abort */
	bool elsewhere;  /* --prefix: the revision's files get other names */
	bool paths;      /* only the named paths change */
	const struct str *specs;
	size_t specs_n;
};

/* Parse the argv of a git process. */
void git_words(const struct str *v, size_t n, struct git_words *ret);
