/* launch/read_hint.h: a refused read inside a run → the rule that would allow it. */
#pragma once
#include "gate/judge.h"
#include "run/run.h"

/*
 * For refused reads that a rule asks about: print one line with the rule that lets this
 * command read them, but only if judging again with that rule confirms it.
 */
void launch_hint_put(struct arena *a, const struct process *cli,
    const struct judge_request *q, const struct judge_answer *answer,
    const struct run_result *result, struct buf *out);
