/* The answer's bytes: the host's own, and those for when something went wrong. */
#include "hosts/call.h"

/* Hosts for which a denial is also an exit status, with the reason on standard error. */
static bool
denies_by_status(enum host host)
{
	return host == HOST_CLAUDE || host == HOST_WINDSURF || host == HOST_AUTO;
}

/* Hosts that take any event's refusal by the status alone. */
static bool
faults_by_status(enum host host)
{
	return denies_by_status(host) || host == HOST_CODEX || host == HOST_GEMINI;
}

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
	if (answer->verdict == VERDICT_DENY && denies_by_status(call->host)) {
		if (!put_reason(a, answer->reason, &to.err))
			return false;
		to.status = 2;
	}
	buf_init(&out, a);
	writer_of(call->host)(&out, call, answer);
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

	if (faults_by_status(call->host)) {
		to.status = 2;
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
	if (call->host == HOST_CURSOR)
		to.status = 2;
	*ret = to;
	return true;
}

#define NO_DECISION "cordon: refused: it failed or ran out of time before it could decide"

struct host_bytes
host_refusal(enum host host)
{
	switch (host) {
	case HOST_CURSOR:
		return (struct host_bytes){
			STR("{\"permission\":\"deny\",\"user_message\":\"" NO_DECISION
			    "\",\"agent_message\":\"" NO_DECISION "\"}\n"),
			STR(""), 2
		};
	case HOST_COPILOT:
		/* A status other than 0 is an error there, which some versions pass over.
		 */
		return (struct host_bytes){
			STR("{\"permissionDecision\":\"deny\","
			    "\"permissionDecisionReason\":\"" NO_DECISION "\"}\n"),
			STR(""), 0
		};
	case HOST_PI:
		return (struct host_bytes){
			STR("{\"block\":true,\"reason\":\"" NO_DECISION "\"}\n"), STR(""), 0
		};
	case HOST_OPENCODE:
		return (struct host_bytes){ STR("{\"deny\":\"" NO_DECISION "\"}\n"),
			STR(""), 0 };
	case HOST_CLINE:
		return (struct host_bytes){
			STR("{\"cancel\":true,\"errorMessage\":\"" NO_DECISION "\"}\n"),
			STR(""), 0
		};
	case HOST_CLAUDE:
	case HOST_CODEX:
	case HOST_GEMINI:
	case HOST_WINDSURF:
	case HOST_AUTO:
	case HOSTS:
		break;
	}
	return (struct host_bytes){ STR(""), STR(NO_DECISION "\n"), 2 };
}
