/* Windsurf's Cascade: exit status 2, and the reason on standard error. */
#include "agents/agent.h"

const struct agent_profile windsurf_profile = {
	.title = "Windsurf",
	.refuses = AGENT_DENY_STATUS,
	.files = {
		[SCOPE_USER] = { FORM_JSON, 0, "", ".codeium/windsurf/hooks.json" },
		[SCOPE_PROJECT] = { FORM_JSON, 0, "", ".windsurf/hooks.json" },
		[SCOPE_MANAGED] = { FORM_JSON, 0, "", "etc/windsurf/hooks.json" },
	},
	.events = "pre_run_command\0pre_mcp_tool_use\0pre_read_code\0pre_write_code\0",
	.entry = "{\"command\":%,\"show_output\":true}",
	.line_key = "command",
	.user_shell = true,
	.fails = FAILS_OPEN,
	.fails_text = "runs the tool: only exit status 2 stops it",
	.program = "windsurf",
	.dir = "/.codeium/windsurf",
	.sample = "{\"agent_action_name\":\"pre_run_command\","
		  "\"trajectory_id\":\"cordon-doctor\",\"execution_id\":\"1\","
		  "\"timestamp\":\"2026-01-01T00:00:00Z\","
		  "\"tool_info\":{\"command_line\":%,\"cwd\":@}}",
};

static const struct tool_entry tools[] = {
	{ "pre_run_command", KIND_SHELL },
	{ "pre_read_code", KIND_READ },
	{ "pre_write_code", KIND_EDIT },
	{ "", KIND_END },
};

bool
windsurf_sends(const struct json *top)
{
	return payload_has(top, "agent_action_name");
}

void
windsurf_read(struct payload *r)
{
	struct agent_call *c = r->call;
	const struct json *info = json_get(r->top, STR("tool_info"));

	c->event_name = payload_need(r, r->top, "agent_action_name");
	c->tool = c->event_name;
	c->session = payload_text(r, r->top, "trajectory_id");
	c->call = payload_text(r, r->top, "execution_id");
	c->model = payload_text(r, r->top, "model_name");
	c->cwd = payload_text(r, info, "cwd");
	c->command_key = "command_line";
	if (r->wrong)
		return;
	if (str_is(c->tool, "pre_mcp_tool_use"))
		payload_mcp(r, payload_need(r, info, "mcp_server_name"),
		    payload_need(r, info, "mcp_tool_name"));
	else if (str_among(c->tool, "pre_run_command\0pre_read_code\0pre_write_code\0"))
		payload_tool(r, tools, info);
	else
		c->event = EVENT_OTHER;
}

/* Windsurf ignores standard output. */
void
windsurf_write(
    struct buf *out, const struct agent_call *call, const struct agent_answer *answer)
{
	(void)out;
	(void)call;
	(void)answer;
}
