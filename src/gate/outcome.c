#include "gate/outcome.h"

#define BIT(verdict) (1u << (verdict))
#define ANY                                                                                \
	(BIT(VERDICT_DENY) | BIT(VERDICT_ASK) | BIT(VERDICT_CONFINE) | BIT(VERDICT_ALLOW))
#define MAY_RUN (BIT(VERDICT_CONFINE) | BIT(VERDICT_ALLOW))

struct outcome_row {
	unsigned verdicts;    /* set of BIT() */
	unsigned facts, none; /* all of `facts` must hold, none of `none` */
	enum outcome outcome;
};

/* The truth table: see outcome.h. */
static const struct outcome_row rows[] = {
	{ ANY, WAS_UNRECORDED, 0, OUTCOME_DENY },
	{ BIT(VERDICT_DENY) | BIT(VERDICT_ASK), SAID_AGREED, 0, OUTCOME_CONFINE },
	{ BIT(VERDICT_DENY), 0, 0, OUTCOME_DENY },
	{ BIT(VERDICT_ASK) | BIT(VERDICT_CONFINE), WAS_PAUSED, 0, OUTCOME_PASS },
	{ BIT(VERDICT_ASK), SAID_NO, 0, OUTCOME_DENY },
	{ BIT(VERDICT_ASK), SAID_YES | DOOR_TOOL, 0, OUTCOME_PASS },
	{ BIT(VERDICT_ASK), SAID_YES, 0, OUTCOME_CONFINE },
	{ BIT(VERDICT_ASK), DOOR_ASKS_LATER, DOOR_TOOL, OUTCOME_ASK_LATER },
	{ BIT(VERDICT_ASK), DOOR_ASKS, 0, OUTCOME_ASK },
	{ BIT(VERDICT_ASK), 0, 0, OUTCOME_DENY },
	{ BIT(VERDICT_CONFINE), DOOR_TOOL | DOOR_ASKS, 0, OUTCOME_ASK },
	{ BIT(VERDICT_CONFINE), DOOR_TOOL, 0, OUTCOME_DENY },
	{ MAY_RUN, DOOR_FRAMED, 0, OUTCOME_PASS },
	{ BIT(VERDICT_ALLOW), 0, DOOR_OTHER_SHELL, OUTCOME_PASS },
	{ MAY_RUN, DOOR_REPLACES, 0, OUTCOME_CONFINE },
	{ MAY_RUN, DOOR_ASKS, 0, OUTCOME_TELL_OR_ASK },
	{ MAY_RUN, 0, 0, OUTCOME_TELL },
};

enum outcome
outcome_find(enum verdict verdict, unsigned facts)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if ((rows[i].verdicts & BIT(verdict)) &&
		    (facts & rows[i].facts) == rows[i].facts && !(facts & rows[i].none))
			return rows[i].outcome;
	return OUTCOME_DENY;
}

enum verdict
outcome_verdict(enum outcome outcome)
{
	switch (outcome) {
	case OUTCOME_PASS:
	case OUTCOME_CONFINE:
	case OUTCOME_ASK_LATER:
		return VERDICT_ALLOW;
	case OUTCOME_ASK:
	case OUTCOME_TELL_OR_ASK:
		return VERDICT_ASK;
	case OUTCOME_DENY:
	case OUTCOME_TELL:
		break;
	}
	return VERDICT_DENY;
}

enum verdict
outcome_run(enum verdict verdict, unsigned facts)
{
	enum outcome o = outcome_find(verdict, facts | DOOR_REPLACES);

	if (o == OUTCOME_PASS)
		return VERDICT_ALLOW;
	if (o == OUTCOME_CONFINE)
		return VERDICT_CONFINE;
	return verdict < VERDICT_CONFINE ? verdict : VERDICT_DENY;
}

void
outcome_deny(struct decision *d, const struct denial *why)
{
	d->verdict = VERDICT_DENY;
	d->hard |= why->hard;
	d->gate = why->gate;
	d->reason = why->reason;
	d->fix = why->fix;
	for (struct judged *j = d->judged; j; j = j->next) {
		j->verdict = VERDICT_DENY;
		j->hard |= why->hard;
		j->gate = why->gate;
		j->reason = why->reason;
	}
}
