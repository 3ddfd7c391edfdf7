/* launch/run_review.h: show a person what a run wrote, and apply or drop it. */
#pragma once
#include "launch/launch.h"

enum review_answer {
	REVIEW_ASK, /* on the terminal; without one nothing is applied */
	REVIEW_APPLY,
	REVIEW_DROP,
};

/* Show the changes on stderr, then apply or drop them.  Return 0, or EXIT_NOT_STARTED if
 * some accepted changes could not be applied. */
int run_review(struct launch *l, const struct plan *plan, const struct run_result *result);
