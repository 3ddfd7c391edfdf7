/* launch/run_review.h: a person looks at what a run has written. */
#pragma once
#include "launch/launch.h"

enum review_answer {
	REVIEW_ASK, /* on the terminal; without one nothing is applied */
	REVIEW_APPLY,
	REVIEW_DROP,
};

/* Shows the changes on stderr and applies or drops them.  0, or EXIT_NOT_STARTED when some
 * that were to count do not. */
int run_review(struct launch *l, const struct plan *plan, const struct run_result *result);
