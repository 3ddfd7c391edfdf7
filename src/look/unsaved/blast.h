/*
 * look/unsaved/blast.h: count what a destructive command would delete.
 *
 * Shown to a person who is asked: how many files and bytes, and which of them exist nowhere
 * else.  Decides nothing; marks counts that stopped early.
 */
#pragma once
#include "base/buf.h"
#include "look/look.h"

/* Entries of one tree that are counted; above, "at least" is printed. */
#define BLAST_MAX 100000
/* Maximum number of paths and repositories. */
#define BLAST_ROWS 16

struct blast_row {
	struct str path;
	bool overwritten; /* not deleted */
	bool repository;  /* the row is about a git worktree that a git command changes */
	bool git_inside;  /* contains a git directory: commits would be lost */
	bool at_least;    /* counting stopped early */
	uint64_t files, bytes;
	uint64_t untracked, changed; /* files that no commit has in this state */
	bool versioned;              /* `untracked` and `changed` were counted */
	uint64_t stashes;
	struct str *unpushed; /* branches whose commit no remote branch has */
	size_t unpushed_n;
	bool refs_more; /* some branches or stashes were skipped */
};

struct blast {
	struct blast_row rows[BLAST_ROWS];
	size_t n;
	bool more;    /* further rows were dropped */
	bool unknown; /* a path to be deleted is unknown */
};

/* `e` has facts from look() with the options `o`.  CORDON_ENOMEM. */
int blast_look(struct arena *a, const struct effects *e, const struct look_opts *o,
    struct blast *ret, struct err *reterr);
/* Print lines for a person, escaped; nothing if no work would be lost. */
void blast_put(struct buf *out, const struct blast *b);

/*
 * gitrefs.c: list branches whose commit no remote branch has; *ret_more: some were skipped.
 */
int refs_unpushed(
    struct arena *a, struct str commondir, struct str **ret, size_t *ret_n, bool *ret_more);
/* Count the stashes in their reflog. */
uint64_t refs_stashes(struct arena *a, struct str commondir, bool *ret_more);
