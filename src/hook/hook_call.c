/* Steps shared by all kinds of calls: judge, record, deny, rewrite. */
#include "base/show.h"
#include "gate/ask/pause.h"
#include "gate/outcome.h"
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

/* Take the journal's memory from the same arena: saves a page fault and two system
 * calls. */
static void
ready_keep(struct hook *h)
{
	void *mem = h->keep.a.mem ? NULL : arena_alloc(&h->a, HOOK_KEEP);

	if (mem)
		arena_init(&h->keep.a, mem, HOOK_KEEP);
}

/* If out of memory, use a fixed text as the reason. */
void
hook_deny(struct hook *h, struct str reason, struct str fix, struct agent_answer *ret)
{
	struct buf b;

	/* Keep the first line: the others show the position in the rules file. */
	reason = str_cut(reason, 0, str_find(reason, '\n'));
	buf_init(&b, &h->a);
	buf_puts(&b, "cordon: ");
	show_put(&b, reason, 0);
	if (fix.n) {
		buf_puts(&b, " (hint: ");
		show_put(&b, fix, 0);
		buf_puts(&b, ")");
	}
	*ret = (struct agent_answer){ .verdict = VERDICT_DENY,
		.reason = b.full ? STR("cordon: refused") : buf_str(&b) };
}

/* The journal is optional only if a rules file above the built-in rules says so. */
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
	int err = gate_judge(&h->a, &h->loader, q, answer);

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
		hook_deny(h, h->keep.why,
		    STR("free disk space or repair the journal: `cordon log verify`"), ret);
	ret->fault = err != 0;
	return err;
}

unsigned
hook_facts(struct hook *h, const struct judge_answer *answer)
{
	const struct decision *d = &answer->decision;
	unsigned facts = 0;
	struct pause pause;

	if (h->call.can_ask)
		facts |= DOOR_ASKS;
	if (h->call.asks_later)
		facts |= DOOR_ASKS_LATER;
	if (h->call.can_rewrite)
		facts |= DOOR_REPLACES;
	/* Read the pause file only if a pause could change the outcome. */
	if ((d->verdict == VERDICT_ASK || d->verdict == VERDICT_CONFINE) &&
	    pause_active(h->cli, h->base.home, answer->in.now, &pause) &&
	    pause_lifts(d, policy_settings(answer->in.policy)))
		facts |= WAS_PAUSED;
	return facts;
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
