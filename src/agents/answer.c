/* Build the answer's bytes, for decisions and for errors. */
#include "agents/agent.h"

static bool
put_reason(struct arena *a, struct str reason, struct str *ret)
{
	struct buf b;

	buf_init(&b, a);
	buf_put(&b, reason);
	buf_putc(&b, '\n');
	*ret = buf_str(&b);
	return !b.full;
}

static bool
has(enum agent agent, enum agent_refuses how)
{
	return (agent_profile(agent)->refuses & how) == (unsigned)how;
}

bool
agent_write(struct arena *a, const struct agent_call *call,
    const struct agent_answer *answer, struct agent_bytes *ret)
{
	struct agent_bytes to = { .err = STR("") };
	struct buf out;

	if (answer->fault)
		return agent_fault(a, call, answer->reason, ret);
	if (answer->verdict == VERDICT_DENY && has(call->agent, AGENT_DENY_STATUS)) {
		if (!put_reason(a, answer->reason, &to.err))
			return false;
		to.status = AGENT_STATUS;
	}
	buf_init(&out, a);
	agent_put(&out, call, answer);
	if (out.n)
		buf_putc(&out, '\n');
	if (out.full)
		return false;
	to.out = buf_str(&out);
	*ret = to;
	return true;
}

bool
agent_fault(struct arena *a, const struct agent_call *call, struct str reason,
    struct agent_bytes *ret)
{
	const struct agent_answer deny = { .verdict = VERDICT_DENY, .reason = reason };
	struct agent_call any = *call;
	struct agent_bytes to = { .out = STR("") };

	if (has(call->agent, AGENT_FAULT_STATUS)) {
		to.status = AGENT_STATUS;
		if (!put_reason(a, reason, &to.err))
			return false;
		*ret = to;
		return true;
	}
	/* Copilot: the key names that `install` registers.  Cursor: any event that
	 * decides. */
	any.camel = true;
	any.event = EVENT_TOOL;
	if (!agent_write(a, &any, &deny, &to))
		return false;
	if (has(call->agent, AGENT_FAULT_BOTH))
		to.status = AGENT_STATUS;
	*ret = to;
	return true;
}
