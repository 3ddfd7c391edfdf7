/* gate/outcome: the whole table, against rules that are written another way. */
#include "gate/outcome.h"
#include "unit/cm.h"

static const enum verdict verdicts[] = { VERDICT_DENY, VERDICT_ASK, VERDICT_CONFINE,
	VERDICT_ALLOW };

static enum outcome
want_ask(unsigned f)
{
	if (f & WAS_PAUSED)
		return OUTCOME_PASS;
	if (f & SAID_NO)
		return OUTCOME_DENY;
	if (f & SAID_YES)
		return f & DOOR_TOOL ? OUTCOME_PASS : OUTCOME_CONFINE;
	if ((f & DOOR_ASKS_LATER) && !(f & DOOR_TOOL))
		return OUTCOME_ASK_LATER;
	return f & DOOR_ASKS ? OUTCOME_ASK : OUTCOME_DENY;
}

/* A command that may run, but only in the sandbox. */
static enum outcome
want_inside(unsigned f)
{
	if (f & DOOR_FRAMED)
		return OUTCOME_PASS;
	if (f & DOOR_REPLACES)
		return OUTCOME_CONFINE;
	return f & DOOR_ASKS ? OUTCOME_TELL_OR_ASK : OUTCOME_TELL;
}

static enum outcome
want(enum verdict v, unsigned f)
{
	if (f & WAS_UNRECORDED)
		return OUTCOME_DENY;
	if ((f & SAID_AGREED) && v <= VERDICT_ASK)
		return OUTCOME_CONFINE;
	switch (v) {
	case VERDICT_DENY:
		return OUTCOME_DENY;
	case VERDICT_ASK:
		return want_ask(f);
	case VERDICT_CONFINE:
		if (f & WAS_PAUSED)
			return OUTCOME_PASS;
		if (f & DOOR_TOOL)
			return f & DOOR_ASKS ? OUTCOME_ASK : OUTCOME_DENY;
		return want_inside(f);
	case VERDICT_ALLOW:
		break;
	}
	return f & DOOR_OTHER_SHELL ? want_inside(f) : OUTCOME_PASS;
}

static void
whole_table(void **state)
{
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
		for (unsigned f = 0; f < OUTCOME_FACTS; f++, n++)
			assert_int_equal(
			    outcome_find(verdicts[i], f), want(verdicts[i], f));
	assert_int_equal(n, 4 * 2048);
}

/* What must hold, whatever the rows are. */
static void
never_looser(void **state)
{
	const unsigned consent = WAS_PAUSED | SAID_YES | SAID_AGREED;

	(void)state;
	for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
		for (unsigned f = 0; f < OUTCOME_FACTS; f++) {
			enum outcome o = outcome_find(verdicts[i], f);
			enum verdict told = outcome_verdict(o),
				     runs = outcome_run(verdicts[i], f);

			if (f & WAS_UNRECORDED) {
				assert_int_equal(told, VERDICT_DENY);
				assert_true(runs < VERDICT_CONFINE);
			}
			if (verdicts[i] == VERDICT_DENY && !(f & SAID_AGREED))
				assert_int_equal(told, VERDICT_DENY);
			if (verdicts[i] <= VERDICT_ASK && !(f & consent))
				assert_true(runs <= verdicts[i]);
			/* Outside the sandbox only by allow, a pause, a frame or a yes to a
			 * tool. */
			if (o == OUTCOME_PASS && verdicts[i] != VERDICT_ALLOW)
				assert_true((f & (WAS_PAUSED | DOOR_FRAMED)) ||
					    ((f & SAID_YES) && (f & DOOR_TOOL)));
		}
}

static void
unknown_is_denied(void **state)
{
	(void)state;
	assert_int_equal(outcome_find((enum verdict)9, DOOR_REPLACES), OUTCOME_DENY);
	assert_int_equal(outcome_verdict((enum outcome)99), VERDICT_DENY);
}

static void
deny_reaches_each_part(void **state)
{
	struct judged second = { .verdict = VERDICT_ALLOW },
		      first = { .verdict = VERDICT_ASK, .next = &second };
	struct decision d = { .verdict = VERDICT_ASK, .judged = &first };

	(void)state;
	outcome_deny(
	    &d, &(struct denial){ .gate = GATE_DENY, .hard = true, .reason = STR("r") });
	assert_int_equal(d.verdict, VERDICT_DENY);
	assert_true(d.hard && first.hard && second.hard);
	assert_int_equal(second.verdict, VERDICT_DENY);
	assert_int_equal(second.gate, GATE_DENY);
	assert_true(str_is(second.reason, "r"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_table),
		cmocka_unit_test(never_looser),
		cmocka_unit_test(unknown_is_denied),
		cmocka_unit_test(deny_reaches_each_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
