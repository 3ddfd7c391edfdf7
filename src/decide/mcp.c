/* Judge an MCP tool: rules for server:tool, the administrator's list, the protection. */
#include "decide/judge.h"

static enum match
matches(const struct matching *m, const struct rule *r, const void *subject)
{
	const struct field *name = subject;
	const struct policy *p = m->in->policy;
	enum match best = MATCH_NO;

	for (size_t i = 0; i < r->objects.n; i++)
		best =
		    match_max(best, pattern_word(p, patterns_at(p, r->objects, i), *name));
	return match_min(best, match_conditions(m, r));
}

static bool
is_listed(const struct deciding *d, struct field name)
{
	const struct pattern *x;

	for (size_t i = 0; (x = policy_entry_pattern(d->in->policy, LIST_MCP_ALLOW, i));
	     i++)
		if (pattern_word(d->in->policy, x, name) == MATCH_CERTAIN)
			return true;
	return false;
}

static struct finding
judge_tool(struct deciding *d, struct field tool, const struct best_rules *b)
{
	struct str name = tool.text;

	if (b->deny.any)
		return (struct finding){ VERDICT_DENY, GATE_DENY, true,
			rule_reason(d, &b->deny.rule, name), &b->deny.rule };
	if (b->possible_ask.any && !b->open.any)
		return (struct finding){ VERDICT_ASK, GATE_ASK, false,
			rule_reason(d, &b->possible_ask.rule, name),
			&b->possible_ask.rule };
	if (b->open.any)
		return (struct finding){ b->open.rule.verdict,
			b->open.rule.verdict == VERDICT_ALLOW ? GATE_ALLOW : GATE_ASK,
			false, rule_reason(d, &b->open.rule, name), &b->open.rule };
	if (is_listed(d, tool))
		return (struct finding){ VERDICT_ALLOW, GATE_ALLOW, false,
			SAY(d, name, STR(" is on the administrator's list")), NULL };
	if (d->set->protect & PROTECT_MCP)
		return (struct finding){ VERDICT_ASK, GATE_PROTECT, false,
			SAY(d, name, STR(" is an MCP tool that no rule names")), NULL };
	if (d->set->by_default < VERDICT_CONFINE && judge_mode(d) != MODE_RUN_EVERYTHING)
		return (struct finding){ d->set->by_default, GATE_SANDBOX, false,
			SAY(d, name, STR(" is not on any list")), NULL };
	return (struct finding){ VERDICT_ALLOW, GATE_ALLOW, false,
		SAY(d, name, STR(": MCP tools are not protected")), NULL };
}

static void
tool_gates(struct deciding *d, struct judged *j)
{
	if (!d->set->autorun)
		judge_gate(d, j, VERDICT_ASK, GATE_AUTORUN,
		    STR("auto-run is switched off by the administrator"));
	if (judge_mode(d) == MODE_ASK_EVERY_TIME)
		judge_gate(d, j, VERDICT_ASK, GATE_MODE,
		    STR("this mode asks before every tool call"));
}

void
decide_mcp(struct arena *a, const struct decide_input *in, struct str server,
    struct str tool, struct decision *ret)
{
	struct path_hint hint = { 0 };
	struct deciding d = { .a = a,
		.in = in,
		.set = policy_settings(in->policy),
		.m = { in, in->effects, &hint } };
	struct judged *j = arena_zalloc(a, sizeof *j);
	struct field name = { .kind = FIELD_STR, .text = SAY(&d, server, STR(":"), tool) };
	struct best_rules b;
	struct finding f;

	d.steps_end = &d.steps;
	*ret = (struct decision){ .verdict = VERDICT_DENY,
		.gate = GATE_PARSE,
		.reason = STR("judging the tool call needs more memory than allowed") };
	if (!j)
		return;
	b = best_for_effect(&d, RULE_MCP, matches, &name);
	f = judge_tool(&d, name, &b);
	j->verdict = VERDICT_ALLOW;
	judge_tighten(&d, j, f);
	if (f.verdict == VERDICT_ALLOW) {
		j->gate = f.gate;
		j->reason = f.reason;
		j->rule = rule_ref(f.rule);
	}
	tool_gates(&d, j);
	if (d.full)
		return;
	*ret = (struct decision){ .verdict = j->verdict,
		.hard = j->hard,
		.gate = j->gate,
		.reason = j->reason,
		.judged = j,
		.steps = d.steps,
		.fix = STR("") };
	if (ret->verdict == VERDICT_ASK && !in->interactive) {
		ret->verdict = VERDICT_DENY;
		ret->reason = SAY(&d, j->reason,
		    STR(" (needs approval, but this session is not interactive)"));
	}
	if (ret->verdict != VERDICT_ALLOW)
		ret->fix =
		    j->hard
			? STR("blocked by a deny rule; edit that rule to change this")
			: SAY(&d,
			      STR("to allow it, add this line to your rules:  allow mcp "),
			      name.text);
}
