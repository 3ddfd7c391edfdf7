/* opencode: tool.execute.before, through the plugin in adapters/opencode. */
#include "agents/agent.h"

const struct agent_profile opencode_profile = {
	.title = "opencode",
	.refusal = "{\"deny\":\"" NO_DECISION "\"}\n",
	.files = {
		[SCOPE_USER] = { FORM_WHOLE, 7, "XDG_CONFIG_HOME", ".config/opencode/plugins/cordon.ts" },
		[SCOPE_PROJECT] = { FORM_WHOLE, 0, "", ".opencode/plugins/cordon.ts" },
	},
	.events = "tool.execute.before\0",
	.user_shell = true,
	.no_shell = true,
	.fails = FAILS_CLOSED,
	.fails_text = "stops: the adapter blocks on any failure",
	.program = "opencode",
	.dir = "/.config/opencode",
	.sample = "{\"tool\":\"bash\",\"args\":{\"command\":%},\"directory\":@,"
		  "\"sessionID\":\"cordon-doctor\",\"callID\":\"1\"}",
	.refused = "\"deny\":",
};

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
	/* names like an MCP tool's, but built in */
	{ "plan_exit", KIND_NONE },
	{ "plan_enter", KIND_NONE },
	{ "", KIND_END },
};

bool
opencode_sends(const struct json *top)
{
	return payload_has(top, "tool") && payload_has(top, "args");
}

void
opencode_read(struct payload *r)
{
	struct agent_call *c = r->call;
	const struct json *input = json_get(r->top, STR("args"));

	c->event_name = STR("tool.execute.before");
	c->tool = payload_need(r, r->top, "tool");
	c->session = payload_text(r, r->top, "sessionID");
	c->call = payload_text(r, r->top, "callID");
	c->cwd = payload_text(r, r->top, "directory");
	c->input = input;
	c->can_rewrite = input != NULL;
	if (r->wrong)
		return;
	payload_tool(r, tools, input);
	if (c->kind == CALL_SHELL)
		payload_directory(r, input, "workdir");
	/* MCP tools are named server_tool. */
	else if (c->kind == CALL_NONE && !str_starts(c->tool, STR("plan_")))
		(void)payload_split_mcp(r, c->tool, "", "_");
}

void
opencode_write(
    struct buf *out, const struct agent_call *call, const struct agent_answer *answer)
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
