/* opencode: tool.execute.before, through the plugin in adapters/opencode. */
#include "agents/call.h"

static const struct tool_entry tools[] = {
	{ "bash", KIND_SHELL },
	{ "read", KIND_READ },
	{ "write", KIND_WRITE },
	{ "edit", KIND_EDIT },
	{ "multiedit", KIND_EDIT },
	{ "patch", KIND_PATCH },
	{ "apply_patch", KIND_PATCH },
	{ "list", KIND_LIST },
	{ "glob", KIND_GLOB },
	{ "grep", KIND_GREP },
	/* With names like those of a server's tool, but of its own. */
	{ "plan_exit", KIND_NONE },
	{ "plan_enter", KIND_NONE },
	{ "", KIND_END },
};

bool
is_opencode(const struct json *top)
{
	return has_key(top, "tool") && has_key(top, "args");
}

void
read_opencode(struct reading *r)
{
	struct host_call *c = r->call;
	const struct json *input = json_get(r->top, STR("args"));

	c->event_name = STR("tool.execute.before");
	c->tool = need_text(r, r->top, "tool");
	c->session = get_text(r, r->top, "sessionID");
	c->call = get_text(r, r->top, "callID");
	c->cwd = get_text(r, r->top, "directory");
	c->input = input;
	c->can_rewrite = input != NULL;
	if (r->wrong)
		return;
	take_tool(r, tools, input);
	if (c->kind == CALL_SHELL)
		take_directory(r, input, "workdir");
	/* Tools of servers are called server_tool. */
	else if (c->kind == CALL_NONE && !str_starts(c->tool, STR("plan_")))
		(void)take_mcp(r, c->tool, "", "_");
}

void
write_opencode(
    struct buf *out, const struct host_call *call, const struct host_answer *answer)
{
	(void)call;
	buf_puts(out, "{");
	if (answer->verdict != VERDICT_ALLOW)
		json_put_member(out, "deny", answer->reason);
	else if (answer->input.p) {
		json_put_key(out, "args");
		buf_put(out, answer->input);
	}
	buf_puts(out, "}");
}

struct host_bytes
refuse_opencode(void)
{
	return (struct host_bytes){ STR("{\"deny\":\"" NO_DECISION "\"}\n"), STR(""), 0 };
}
