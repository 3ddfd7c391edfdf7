#include "base/path.h"
#include "base/show.h"
#include "gate/ask/pause.h"
#include "hook/hook.h"

struct keep_who
hook_who(const struct hook *h)
{
	return (struct keep_who){ .host = str_from_c(agent_name(h->call.agent)),
		.event = h->call.event_name,
		.session = h->call.session,
		.call = h->call.call,
		.tool = h->call.tool,
		.cwd = h->base.cwd };
}

/* One piece of memory for all is one page less to be touched, and two calls. */
static void
ready_keep(struct hook *h)
{
	void *mem = h->keep.a.mem ? NULL : arena_alloc(&h->a, HOOK_KEEP);

	if (mem)
		arena_init(&h->keep.a, mem, HOOK_KEEP);
}

/* Without memory the reason is missing, and the refusal's own text takes its place. */
void
hook_deny(struct hook *h, struct str reason, struct str fix, struct agent_answer *ret)
{
	struct buf b;

	/* What follows in a message shows the place in the file, which nobody sees here. */
	reason = str_cut(reason, 0, str_find(reason, '\n'));
	buf_init(&b, &h->a);
	buf_puts(&b, "cordon: ");
	show_put(&b, reason, 0);
	if (fix.n) {
		buf_puts(&b, " (");
		show_put(&b, fix, 0);
		buf_puts(&b, ")");
	}
	*ret = (struct agent_answer){ .verdict = VERDICT_DENY,
		.reason = b.full ? STR("cordon: refused") : buf_str(&b) };
}

/* The journal is optional only where somebody above the shipped rules says so. */
static bool
must_record(const struct policy *p)
{
	struct policy_origin from;

	return policy_settings(p)->journal_required ||
	       !policy_origin(p, "journal", &from) || from.layer == LAYER_BUILTIN;
}

int
hook_judge(struct hook *h, const struct judge_request *q, struct str command,
    struct judge_answer *answer, struct agent_answer *ret)
{
	struct keep_who who = hook_who(h);
	int err = judge(&h->a, &h->loader, q, answer);

	if (err) {
		struct str why = buf_str(&h->loader.message);

		(void)keep_refusal(&h->keep, &who, command, why, NULL);
		hook_deny(h, why, STR(""), ret);
		ret->fault = true;
		return err;
	}
	return 0;
}

int
hook_record(struct hook *h, struct str command, struct judge_answer *answer,
    struct agent_answer *ret)
{
	struct keep_who who = hook_who(h);
	uint64_t number;
	int err;

	ready_keep(h);
	err = keep_decision(&h->keep, &who, &h->loader, command, answer, &number);

	if (!err && number == 0 && must_record(answer->in.policy))
		err = CORDON_EIO;
	if (err)
		hook_deny(
		    h, h->keep.why, STR("make room, or mend the journal's directory"), ret);
	ret->fault = err != 0;
	return err;
}

bool
hook_paused(struct hook *h, const struct judge_answer *answer)
{
	struct pause pause;

	return (answer->decision.verdict == VERDICT_ASK ||
		   answer->decision.verdict == VERDICT_CONFINE) &&
	       pause_active(h->cli, h->base.home, answer->in.now, &pause) &&
	       pause_lifts(&answer->decision, policy_settings(answer->in.policy));
}

/* ---- tools that touch files, and those of servers */

/* The strictest of several answers to one call. */
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

	bool nobody = d->verdict == VERDICT_DENY && !d->hard && !h->call.can_ask &&
		      d->gate != GATE_CONTAIN;

	hook_deny(h, d->reason,
	    nobody                        ? STR(HOOK_TELL_USER)
	    : d->verdict == VERDICT_ALLOW ? STR("")
					  : d->fix,
	    ret);
	if (hook_paused(h, answer)) {
		ret->verdict = VERDICT_ALLOW;
		return;
	}
	/* Nothing can hold a tool of the host's: what is to be held is asked. */
	ret->verdict = d->verdict == VERDICT_CONFINE ? VERDICT_ASK : d->verdict;
	if (ret->verdict == VERDICT_ASK && !h->call.can_ask)
		ret->verdict = VERDICT_DENY;
	/* Without a rule that names it, the host's own question about an edit stays. */
	ret->aloud = set->answer_explicit && d->gate == GATE_ALLOW;
}

/* Hosts resolve relative names by their own directory; pi by the root, as cordon does. */
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
hook_change(
    struct hook *h, const struct agent_change *changes, size_t n, struct agent_answer *ret)
{
	struct buf all, some;

	buf_init(&all, &h->a);
	agent_put_input(&all, &h->call, changes, n, false);
	buf_init(&some, &h->a);
	agent_put_input(&some, &h->call, changes, n, true);
	if (all.full || some.full) {
		hook_deny(h, STR("no memory for the answer"), STR(""), ret);
		return;
	}
	ret->input = buf_str(&all);
	ret->changes = buf_str(&some);
}

static void
answer_files(struct hook *h, struct agent_answer *ret)
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

/* A name that can be read in several ways is judged in all of them. */
static void
answer_mcp(struct hook *h, struct agent_answer *ret)
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

void
hook_answer(struct hook *h, struct agent_answer *ret)
{
	struct keep_who who = hook_who(h);

	*ret = (struct agent_answer){ .verdict = VERDICT_ALLOW };
	if (h->call.event == EVENT_OTHER)
		return;
	switch (h->call.kind) {
	case CALL_NONE:
		return;
	case CALL_SHELL:
		hook_shell(h, ret);
		return;
	case CALL_FILES:
		answer_files(h, ret);
		return;
	case CALL_MCP:
		answer_mcp(h, ret);
		return;
	case CALL_SETTINGS:
		hook_settings(h, ret);
		return;
	case CALL_BAD:
		break;
	}
	(void)keep_refusal(&h->keep, &who, h->call.tool, str_from_c(h->call.why), NULL);
	hook_deny(
	    h, str_from_c(h->call.why), STR("use the tool for bash commands instead"), ret);
}
