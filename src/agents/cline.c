/* Cline: an executable file named PreToolUse. */
#include "agents/agent.h"

const struct agent_profile cline_profile = {
	.title = "Cline",
	.refusal = "{\"cancel\":true,\"errorMessage\":\"" NO_DECISION "\"}\n",
	.files = {
		[SCOPE_USER] = { FORM_SCRIPT, 0, "", "Documents/Cline/Hooks/PreToolUse" },
		[SCOPE_PROJECT] = { FORM_SCRIPT, 0, "", ".clinerules/hooks/PreToolUse" },
	},
	.events = "PreToolUse\0",
	.user_shell = true,
	.fails = FAILS_UNSURE,
	.fails_text = "behaves in a way that has not been tested",
	.program = "cline",
	.dir = "/Documents/Cline",
	.sample = "{\"clineVersion\":\"0\",\"hookName\":\"PreToolUse\","
		  "\"timestamp\":\"1\",\"taskId\":\"cordon-doctor\","
		  "\"workspaceRoots\":[@],\"userId\":\"u\","
		  "\"preToolUse\":{\"toolName\":\"execute_command\","
		  "\"parameters\":{\"command\":%,\"requires_approval\":\"false\"}}}",
	.refused = "\"cancel\":true",
};

static const struct tool_entry tools[] = {
	{ "execute_command", KIND_SHELL },
	{ "read_file", KIND_READ },
	{ "write_to_file", KIND_WRITE },
	{ "new_rule", KIND_WRITE },
	{ "replace_in_file", KIND_EDIT },
	{ "apply_patch", KIND_PATCH },
	{ "list_files", KIND_LIST },
	{ "search_files", KIND_GREP },
	{ "list_code_definition_names", KIND_LIST },
	{ "", KIND_END },
};

bool
cline_sends(const struct json *top)
{
	return payload_has(top, "clineVersion");
}

void
cline_read(struct payload *r)
{
	struct agent_call *c = r->call;
	const struct json *use = json_get(r->top, STR("preToolUse")),
			  *input = json_get(use, STR("parameters"));

	c->event_name = payload_text(r, r->top, "hookName");
	c->session = payload_text(r, r->top, "taskId");
	payload_projects(r, json_get(r->top, STR("workspaceRoots")));
	if (c->projects_n)
		c->cwd = c->projects[0];
	if (!use && c->event_name.p && !str_is(c->event_name, "PreToolUse")) {
		c->event = EVENT_OTHER;
		return;
	}
	c->tool = payload_need(r, use, "toolName");
	if (r->wrong)
		return;
	if (str_is(c->tool, "use_mcp_tool") || str_is(c->tool, "access_mcp_resource"))
		payload_mcp(r, payload_need(r, input, "server_name"),
		    str_is(c->tool, "use_mcp_tool") ? payload_need(r, input, "tool_name")
						    : STR("resource"));
	else
		payload_tool(r, tools, input);
}

void
cline_write(
    struct buf *out, const struct agent_call *call, const struct agent_answer *answer)
{
	(void)call;
	if (answer->verdict == VERDICT_ALLOW) {
		buf_puts(out, "{\"cancel\":false}");
		return;
	}
	buf_puts(out, "{\"cancel\":true");
	json_put_member(out, "errorMessage", answer->reason);
	buf_puts(out, "}");
}
