#include "cli/run_approve.h"

/* There is no dialog that could be shown: an ask is refused. */
enum verdict
run_approve(struct keep *keep, const struct keep_who *who, uint64_t about,
    struct str command, const struct judge_answer *answer, struct str *reason)
{
	(void)keep_answer(keep, who, about, command, VERDICT_DENY, STR("nobody was asked"),
	    answer->decision.reason);
	(void)reason;
	return VERDICT_ASK;
}
