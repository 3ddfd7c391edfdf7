/* The agent's own tools: files and MCP servers. */
#include "base/path.h"
#include "gate/outcome.h"
#include "hook/hook.h"

/* The strictest of several decisions about one call. */
struct strictest {
	bool any;
	struct judge_answer answer;
};

static void
tighten(struct strictest *s, const struct judge_answer *answer)
{
	if (!s->any || answer->decision.verdict < s->answer.decision.verdict)
		s->answer = *answer;
	s->any = true;
}

static void
tell(struct hook *h, const struct judge_answer *answer, struct agent_answer *ret)
{
	const struct decision *d = &answer->decision;
	const struct policy_settings *set = policy_settings(answer->in.policy);
	unsigned facts = hook_facts(h, answer) | DOOR_TOOL;
	bool unasked = d->verdict == VERDICT_DENY && !d->hard && !h->call.can_ask &&
		       d->gate != GATE_CONTAIN;

	hook_deny(h, d->reason,
	    unasked                       ? STR(HOOK_TELL_USER)
	    : d->verdict == VERDICT_ALLOW ? STR("")
					  : d->fix,
	    ret);
	ret->verdict = outcome_verdict(outcome_find(d->verdict, facts));
	/* Without a rule that names the tool, leave the agent's own question about the
	 * edit. */
	ret->aloud = !(facts & WAS_PAUSED) && set->answer_explicit && d->gate == GATE_ALLOW;
}

/* Agents resolve relative names against their own directory; pi, like cordon, against the
 * root. */
static struct str
absolute(struct hook *h, const struct agent_touch *t)
{
	struct str path = t->path;

	if (path.n && path.p[0] != '/' && path.p[0] != '~' && path.p[0] != '$' &&
	    h->call.agent != AGENT_PI)
		(void)path_normal(&h->a, h->base.cwd, path, &path, NULL);
	return path;
}

void
hook_files(struct hook *h, struct agent_answer *ret)
{
	struct agent_change changes[AGENT_TOUCHES];
	struct strictest all = { 0 };
	size_t n = 0;

	for (const struct agent_touch *t = h->call.touches; t; t = t->next) {
		struct judge_request q = h->base;
		struct judge_answer answer;

		q.tool = t->tool;
		q.path = absolute(h, t);
		q.headless = !h->call.can_ask;
		if (hook_judge(h, &q, q.path, &answer, ret) ||
		    hook_record(h, q.path, &answer, ret))
			return;
		tighten(&all, &answer);
		if (t->member && answer.path.n && !str_eq(answer.path, t->path))
			changes[n++] = (struct agent_change){ t->member, answer.path };
	}
	tell(h, &all.answer, ret);
	if (n && h->call.can_rewrite && !h->call.plain && ret->verdict != VERDICT_DENY)
		hook_change(h, changes, n, ret);
}

/* Judge an ambiguous tool name in every reading. */
void
hook_mcp(struct hook *h, struct agent_answer *ret)
{
	struct strictest all = { 0 };

	for (const struct agent_mcp *m = h->call.servers; m; m = m->next) {
		struct judge_request q = h->base;
		struct judge_answer answer;

		q.tool = STR("mcp");
		q.server = m->server;
		q.name = m->tool;
		q.headless = !h->call.can_ask;
		if (hook_judge(h, &q, h->call.tool, &answer, ret))
			return;
		tighten(&all, &answer);
	}
	if (hook_record(h, h->call.tool, &all.answer, ret) == 0)
		tell(h, &all.answer, ret);
}
