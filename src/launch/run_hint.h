/* launch/run_hint.h: a read that was refused inside → the rule that would allow it. */
#pragma once
#include "gate/judge.h"
#include "run/run.h"

/*
 * For reads that a rule only asks about: one line with the rule that lets this command read
 * them, if judging again with that rule really says so; else nothing.
 */
void run_hint_put(struct arena *a, const struct process *cli, const struct judge_request *q,
    const struct judge_answer *answer, const struct run_result *result, struct buf *out);
