/*
 * launch/files/run_agreed.h: a yes in an agent's own dialog → what its sandbox lets it
 * change besides.
 *
 * MUST
 * 1. Open only what commands name that were asked about themselves, each name for itself:
 *    never the directory that it comes into or goes from.
 * 2. Open a whole directory only where no other command of the text could use it, and none
 *    that holds the home or what begins with a dot.
 * 3. Say all of it in the question and in the record of the answer; open nothing else.
 */
#pragma once
#include "confine/plan/plan.h"
#include "gate/judge.h"

/* So many can be said in one question; what is beyond them is not given, and said. */
#define AGREED_MAX ((size_t)8)
/* Directories on the way to each that are not there yet. */
#define AGREED_WAY ((size_t)8)

struct agreed {
	struct plan_name names[AGREED_MAX * (1 + AGREED_WAY)];
	size_t names_n;
	struct str paths[AGREED_MAX]; /* what is there: files, and directories with all */
	size_t paths_n;
	struct str said;   /* all of it, for a person; may be empty */
	struct str closed; /* what was asked about and is not opened, too */
};

/* NULL without memory. */
const struct agreed *run_agreed(struct arena *a, const struct judge_answer *answer);
/* For whoever is asked: what a yes opens, and what it does not; takes NULL. */
void agreed_put(struct buf *b, const struct agreed *agreed);

/* The administrator's rules say it, or lock it. */
bool run_admin_says(const struct policy *p, const char *setting);
