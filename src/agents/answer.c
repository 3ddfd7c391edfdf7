/* The answer's bytes: the host's own, and those for when something went wrong. */
#include "agents/call.h"

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

bool
host_write(struct arena *a, const struct host_call *call, const struct host_answer *answer,
    struct host_bytes *ret)
{
	struct host_bytes to = { .err = STR("") };
	struct buf out;

	if (answer->fault)
		return host_fault(a, call, answer->reason, ret);
	if (answer->verdict == VERDICT_DENY && host_has(call->host, HOST_DENY_STATUS)) {
		if (!put_reason(a, answer->reason, &to.err))
			return false;
		to.status = HOST_STATUS;
	}
	buf_init(&out, a);
	host_put(&out, call, answer);
	if (out.n)
		buf_putc(&out, '\n');
	if (out.full)
		return false;
	to.out = buf_str(&out);
	*ret = to;
	return true;
}

bool
host_fault(struct arena *a, const struct host_call *call, struct str reason,
    struct host_bytes *ret)
{
	const struct host_answer deny = { .verdict = VERDICT_DENY, .reason = reason };
	struct host_call any = *call;
	struct host_bytes to = { .out = STR("") };

	if (host_has(call->host, HOST_FAULT_STATUS)) {
		to.status = HOST_STATUS;
		if (!put_reason(a, reason, &to.err))
			return false;
		*ret = to;
		return true;
	}
	/* Of Copilot's spellings the one that `install` writes; of Cursor's events any. */
	any.camel = true;
	any.event = EVENT_TOOL;
	if (!host_write(a, &any, &deny, &to))
		return false;
	if (host_has(call->host, HOST_FAULT_BOTH))
		to.status = HOST_STATUS;
	*ret = to;
	return true;
}
