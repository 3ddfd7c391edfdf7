/* cli/run_approve.h: `cordon run` must ask somebody. */
#pragma once
#include "cli/keep.h"

/*
 * The decision in *answer is an ask, recorded as `about`.  VERDICT_CONFINE when a person
 * agreed and that is in the journal; else VERDICT_ASK, and *reason may say more.
 */
enum verdict run_approve(struct keep *keep, const struct keep_who *who, uint64_t about,
    struct str command, const struct judge_answer *answer, struct str *reason);
