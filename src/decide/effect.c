/* Effects: find their owner, apply rules to them, judge variables. */
#include "decide/judge.h"

struct judged *
decide_owner(struct judged *first, struct span at, struct str by)
{
	struct judged *best = NULL, *j;
	size_t looked = 0;

	for (j = first; j && looked < 1024; j = j->next, looked++) {
		if (!j->command ? !(j->at.start == at.start && j->at.end == at.end)
				: !span_within(at, j->at))
			continue;
		if (!best || (j->at.end - j->at.start) < (best->at.end - best->at.start) ||
		    (j->command && by.n && str_eq(j->command->program, by)))
			best = j;
	}
	return best;
}

struct judged *
judge_owner(struct deciding *d, struct span at, struct str by)
{
	struct judged *j = decide_owner(d->first, at, by);

	if (j)
		return j;
	j = arena_zalloc(d->a, sizeof *j);
	if (!j) {
		d->full = true;
		d->spare = (struct judged){ .verdict = VERDICT_DENY };
		return &d->spare;
	}
	j->at = at;
	j->verdict = VERDICT_ALLOW;
	*d->end = j;
	d->end = &j->next;
	return j;
}

bool
best_any(const struct best_rules *b)
{
	return b->deny.any || b->open.any || b->possible_ask.any;
}

void
judge_rules(
    struct deciding *d, struct judged *j, const struct best_rules *b, struct str what)
{
	if (b->deny.any && b->deny.match == MATCH_CERTAIN)
		judge_tighten(d, j,
		    (struct finding){ VERDICT_DENY, GATE_DENY, true,
			rule_reason(d, &b->deny.rule, what), &b->deny.rule });
	else if (b->deny.any)
		judge_tighten(d, j,
		    (struct finding){ judge_contained(d), GATE_DENY, false,
			SAY(d, what, STR(" may match a deny rule ("),
			    rule_position(d, &b->deny.rule), STR(")")),
			&b->deny.rule });
	if (b->open.any && b->open.rule.verdict == VERDICT_ASK)
		judge_tighten(d, j,
		    (struct finding){ VERDICT_ASK, GATE_ASK, false,
			rule_reason(d, &b->open.rule, what), &b->open.rule });
	else if (b->possible_ask.any &&
		 (!b->open.any || b->possible_ask.rule.layer >= b->open.rule.layer))
		judge_tighten(d, j,
		    (struct finding){ judge_contained(d), GATE_ASK, false,
			SAY(d, what, STR(" may match an ask rule ("),
			    rule_position(d, &b->possible_ask.rule), STR(")")),
			&b->possible_ask.rule });
}

/* ---- variables */

/* A variable set before a builtin that starts no program has no effect.  Some shells keep a
 * variable set before `:`, and PS4 is expanded by xtrace. */
static bool
has_no_use(const struct env_change *e, const struct command *c)
{
	return c && c->builtin && span_within(e->at, c->at) && !str_is(e->name, "PS4") &&
	       str_among(c->program, "echo\0printf\0true\0false\0pwd\0");
}

static enum match
matches(const struct matching *m, const struct rule *r, const void *subject)
{
	return match_env(m, r, subject);
}

static void
judge_variable(
    struct deciding *d, const struct env_change *e, struct judged *j, bool changes)
{
	struct best_rules b = best_for_effect(d, RULE_ENV, matches, e);
	struct str what = SAY(d, STR("the variable "), e->name);

	judge_rules(d, j, &b, what);
	if (!changes || (b.open.any && b.open.rule.verdict == VERDICT_ALLOW) ||
	    has_no_use(e, j->command))
		return;
	judge_gate(d, j,
	    e->runs && (d->set->protect & PROTECT_ENV) ? VERDICT_ASK : judge_contained(d),
	    GATE_PROTECT, SAY(d, what, STR(" changes what programs do")));
}

void
judge_environment(struct deciding *d)
{
	for (const struct env_change *e = d->in->effects->env; e && !d->full; e = e->next)
		judge_variable(d, e, judge_owner(d, e->at, STR("")), true);
	/* Other variables matter only if a rule names them. */
	for (struct judged *j = d->first; j && !d->full; j = j->next)
		for (const struct env_change *e = j->command ? j->command->assigns : NULL;
		     e; e = e->next)
			judge_variable(d, e, j, false);
}
