/*
 * run/review/review.h: what a run has written into its overlays, and how it comes to count.
 *
 * MUST
 * 1. Follow no link: what lies in an overlay was made by the command, and what lies
 *    outside may have changed meanwhile.
 * 2. Change nothing that somebody else has changed since the run began: such a file is
 *    left as it is, and said.
 * 3. Put a file into its place whole, or not at all.
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
	size_t mount;      /* of the plan */
	struct str name;   /* relative to it */
	uint32_t mode;     /* type and mode of what it would become; 0: nothing */
	uint32_t was;      /* the same of what it was; 0: nothing */
	struct str target; /* where it would lead, if it would be a link */
	bool linked;       /* a file that the run gave several names: each becomes a copy */
	const char *left;  /* why it was not applied; static text */
};

#define REVIEW_LINKS ((size_t)1024)

struct review {
	struct arena *a;
	const struct plan *plan;
	int upper;
	struct timespec began;
	struct review_change *v;
	size_t n, room;
	const char *failed; /* static text: it cannot be told */
	/* Files with more names, one of which was taken away while applying. */
	struct {
		uint64_t dev, ino;
	} unlinked[REVIEW_LINKS];
	size_t unlinked_n;
	bool unlinked_more; /* others found no room */
};

/* All changes, directories before what is in them.  False: `failed` says why. */
bool review_find(struct review *r);
/* Makes them count, one by one; the number that were left. */
size_t review_apply(struct review *r);
/* The two texts of a change, "" for what is no file; .p == NULL: it has more than `most`
 * bytes, or cannot be read. */
void review_texts(struct review *r, const struct review_change *c, size_t most,
    struct str *ret_before, struct str *ret_after);

/* ---- the parts, for this room */

/* The directory of what was written below mount `i`; -1: nothing was. */
int review_upper(const struct review *r, size_t i);
/* The directory itself, the one that the plan has seen; -1 with errno. */
int review_lower(const struct review *r, size_t i);
/* `name` below `dir`, through no link; "" is `dir` itself. */
int review_open(int dir, struct str name, int flags);
