/* Windsurf's Cascade: an exit status, and the reason on standard error. */
#include "agents/call.h"

static const struct tool_entry tools[] = {
	{ "pre_run_command", KIND_SHELL },
	{ "pre_read_code", KIND_READ },
	{ "pre_write_code", KIND_EDIT },
	{ "", KIND_END },
};

bool
is_windsurf(const struct json *top)
{
	return has_key(top, "agent_action_name");
}

void
read_windsurf(struct reading *r)
{
	struct host_call *c = r->call;
	const struct json *info = json_get(r->top, STR("tool_info"));

	c->event_name = need_text(r, r->top, "agent_action_name");
	c->tool = c->event_name;
	c->session = get_text(r, r->top, "trajectory_id");
	c->call = get_text(r, r->top, "execution_id");
	c->model = get_text(r, r->top, "model_name");
	c->cwd = get_text(r, info, "cwd");
	c->command_key = "command_line";
	if (r->wrong)
		return;
	if (str_is(c->tool, "pre_mcp_tool_use"))
		add_mcp(r, need_text(r, info, "mcp_server_name"),
		    need_text(r, info, "mcp_tool_name"));
	else if (str_among(c->tool, "pre_run_command\0pre_read_code\0pre_write_code\0"))
		take_tool(r, tools, info);
	else
		c->event = EVENT_OTHER;
}

/* Its standard output is not read. */
void
write_windsurf(
    struct buf *out, const struct host_call *call, const struct host_answer *answer)
{
	(void)out;
	(void)call;
	(void)answer;
}

struct host_bytes
refuse_windsurf(void)
{
	return refuse_by_status();
}
