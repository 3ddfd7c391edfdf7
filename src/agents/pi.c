/* pi: tool_call, through the extension in adapters/pi. */
#include "agents/call.h"

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
get_bool(struct reading *r, const char *key, bool otherwise)
{
	const struct json *m = json_get(r->top, str_from_c(key));

	if (!m || m->kind == JSON_NULL)
		return otherwise;
	if (m->kind != JSON_BOOL)
		(void)wrong(r, "a member that must be true or false is neither");
	return m->truth;
}

bool
is_pi(const struct json *top)
{
	return has_key(top, "toolName") && has_key(top, "input");
}

void
read_pi(struct reading *r)
{
	struct host_call *c = r->call;
	const struct json *input = json_get(r->top, STR("input"));
	struct str mode = get_text(r, r->top, "mode");

	c->event_name = STR("tool_call");
	c->tool = need_text(r, r->top, "toolName");
	c->call = get_text(r, r->top, "toolCallId");
	c->session = get_text(r, r->top, "sessionId");
	c->cwd = get_text(r, r->top, "cwd");
	c->input = input;
	c->can_ask = get_bool(r, "hasUI", false);
	c->untrusted = !get_bool(r, "projectTrusted", true);
	/* Only these modes have paths rewritten; enforcement is the same in all. */
	c->plain = mode.p && !str_among(mode, "tui\0rpc\0interactive\0");
	c->can_rewrite = input != NULL;
	if (!r->wrong)
		take_tool(r, tools, input);
}

void
write_pi(struct buf *out, const struct host_call *call, const struct host_answer *answer)
{
	bool ask = answer->verdict == VERDICT_ASK;

	(void)call;
	buf_puts(out, "{");
	/* An ask is a block that a person may lift: whoever does not know `ask` blocks. */
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

struct host_bytes
refuse_pi(void)
{
	return (struct host_bytes){
		STR("{\"block\":true,\"reason\":\"" NO_DECISION "\"}\n"), STR(""), 0
	};
}
