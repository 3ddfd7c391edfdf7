/*
 * look/unsaved/blast.h: what a destructive command would take with it, by a look alone.
 *
 * For a person who is asked: how many files and bytes, and which of them nothing else
 * holds.  It decides nothing, and says so where it stopped counting.
 */
#pragma once
#include "base/buf.h"
#include "look/look.h"

/* Entries of one tree that are counted; more is "at least". */
#define BLAST_MAX 100000
/* Paths and repositories that are looked at. */
#define BLAST_ROWS 16

struct blast_row {
	struct str path;
	bool overwritten; /* not deleted */
	bool repository;  /* the row is about a git worktree that a git command changes */
	bool git_inside;  /* it holds a repository's own directory: commits would go */
	bool at_least;    /* there is more than was counted */
	uint64_t files, bytes;
	uint64_t untracked, changed; /* files that no commit holds as they are */
	bool versioned;              /* those two were counted */
	uint64_t stashes;
	struct str *unpushed; /* branches at a commit that no remote branch is at */
	size_t unpushed_n;
	bool refs_more; /* not all branches and stashes were looked at */
};

struct blast {
	struct blast_row rows[BLAST_ROWS];
	size_t n;
	bool more;    /* rows that found no room */
	bool unknown; /* something is deleted whose path is not known */
};

/* `e` has been looked at (look()); `o` is what that was done with.  CORDON_ENOMEM. */
int blast_look(struct arena *a, const struct effects *e, const struct look_opts *o,
    struct blast *ret, struct err *reterr);
/* Some lines for a person, escaped; nothing where nothing would be lost. */
void blast_put(struct buf *out, const struct blast *b);

/* gitrefs.c: branches of the repository whose commit no remote branch points to; *ret_more
 * becomes true where not all could be looked at. */
int refs_unpushed(
    struct arena *a, struct str commondir, struct str **ret, size_t *ret_n, bool *ret_more);
/* How many stashes there are, by their log. */
uint64_t refs_stashes(struct arena *a, struct str commondir, bool *ret_more);
