/*
 * run/review/review.h: what a run has written into its overlays, and how it is applied.
 *
 * MUST
 * 1. Follow no symlink: the command created what is in an overlay, and what lies outside
 *    may have changed meanwhile.
 * 2. Change nothing that somebody else has changed since the run began: leave such a file
 *    as it is, and say so.
 * 3. Put a file in place whole, or not at all.
 */
#pragma once
#include "run/run.h"

enum review_kind {
	REVIEW_ADDED,
	REVIEW_CHANGED,
	REVIEW_REMOVED,
};

struct review_change {
	enum review_kind kind;
	size_t mount;      /* index in the plan */
	struct str name;   /* relative to the mount */
	uint32_t mode;     /* type and mode after the change; 0: removed */
	uint32_t was;      /* type and mode before; 0: it did not exist */
	struct str target; /* the content of a symlink */
	bool linked;       /* a file with several names: each becomes a copy */
	const char *left;  /* why it was not applied; static text */
};

#define REVIEW_LINKS ((size_t)1024)

struct review {
	struct arena *a;
	const struct plan *plan;
	int upper;
	struct timespec began;
	struct review_change *v;
	size_t n, cap;
	const char *failed; /* static text: why the changes cannot be determined */
	/* Inodes with several names, of which applying removed one. */
	struct {
		uint64_t dev, ino;
	} unlinked[REVIEW_LINKS];
	size_t unlinked_n;
	bool unlinked_more; /* more did not fit */
};

/* Find all changes, directories before their entries.  False: `failed` says why. */
bool review_find(struct review *r);
/* Apply them one by one.  Returns how many were left. */
size_t review_apply(struct review *r);
/* The text before and after a change, "" for anything but a regular file; .p == NULL: it
 * has more than `most` bytes, or cannot be read. */
void review_texts(struct review *r, const struct review_change *c, size_t most,
    struct str *ret_before, struct str *ret_after);

/* ---- the parts, for this room */

/* Open the upper layer of mount `i`; -1: nothing was written. */
int review_upper(const struct review *r, size_t i);
/* Open the lower directory, if it is still the one of the plan; -1 with errno. */
int review_lower(const struct review *r, size_t i);
/* Open `name` below `dir` without following symlinks; "" is `dir` itself. */
int review_open(int dir, struct str name, int flags);
