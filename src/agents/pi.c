/* pi: tool_call, through the extension in adapters/pi. */
#include "agents/agent.h"

const struct agent_profile pi_profile = {
	.title = "pi",
	.refusal = "{\"block\":true,\"reason\":\"" NO_DECISION "\"}\n",
	.files = {
		[SCOPE_USER] = { FORM_WHOLE, 9, "PI_CODING_AGENT_DIR", ".pi/agent/extensions/cordon.ts" },
		[SCOPE_PROJECT] = { FORM_WHOLE, 0, "", ".pi/extensions/cordon.ts" },
	},
	.events = "tool_call\0",
	.no_shell = true,
	.fails = FAILS_CLOSED,
	.fails_text = "stops: the adapter blocks on any failure",
	.program = "pi",
	.dir = "/.pi",
	.sample = "{\"type\":\"tool_call\",\"toolName\":\"bash\","
		  "\"toolCallId\":\"cordon-doctor\",\"input\":{\"command\":%},"
		  "\"cwd\":@,\"sessionId\":\"cordon-doctor\",\"hasUI\":false}",
	.refused = "\"block\":true",
};

static const struct tool_entry tools[] = {
	{ "bash", KIND_SHELL },
	{ "user_bash", KIND_SHELL },
	{ "read", KIND_READ },
	{ "write", KIND_WRITE },
	{ "edit", KIND_EDIT },
	{ "grep", KIND_GREP },
	{ "find", KIND_GLOB },
	{ "ls", KIND_LIST },
	{ "", KIND_END },
};

static bool
get_bool(struct payload *r, const char *key, bool otherwise)
{
	const struct json *m = json_get(r->top, str_from_c(key));

	if (!m || m->kind == JSON_NULL)
		return otherwise;
	if (m->kind != JSON_BOOL)
		(void)payload_wrong(r, "a member that must be true or false is not");
	return m->truth;
}

bool
pi_sends(const struct json *top)
{
	return payload_has(top, "toolName") && payload_has(top, "input");
}

void
pi_read(struct payload *r)
{
	struct agent_call *c = r->call;
	const struct json *input = json_get(r->top, STR("input"));
	struct str mode = payload_text(r, r->top, "mode");

	c->event_name = STR("tool_call");
	c->tool = payload_need(r, r->top, "toolName");
	c->call = payload_text(r, r->top, "toolCallId");
	c->session = payload_text(r, r->top, "sessionId");
	c->cwd = payload_text(r, r->top, "cwd");
	c->input = input;
	c->can_ask = get_bool(r, "hasUI", false);
	c->untrusted = !get_bool(r, "projectTrusted", true);
	/* Only interactive modes get rewritten paths; enforcement does not depend on the
	 * mode. */
	c->plain = mode.p && !str_among(mode, "tui\0rpc\0interactive\0");
	c->can_rewrite = input != NULL;
	if (!r->wrong)
		payload_tool(r, tools, input);
}

void
pi_write(struct buf *out, const struct agent_call *call, const struct agent_answer *answer)
{
	bool ask = answer->verdict == VERDICT_ASK;

	(void)call;
	buf_puts(out, "{");
	/* Print an ask as a block with an `ask` member: an old extension that ignores
	 * `ask` blocks. */
	if (answer->verdict != VERDICT_ALLOW) {
		buf_puts(out, "\"block\":true");
		json_put_member(out, "reason", answer->reason);
	}
	if (ask) {
		json_put_key(out, "ask");
		buf_puts(out, "{");
		json_put_member(out, "message", answer->reason);
	}
	if (answer->changes.p && answer->verdict != VERDICT_DENY) {
		json_put_key(out, "input");
		buf_put(out, answer->changes);
	}
	buf_puts(out, ask ? "}}" : "}");
}
