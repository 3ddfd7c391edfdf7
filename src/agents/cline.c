/* Cline: the PreToolUse file. */
#include "agents/call.h"

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
is_cline(const struct json *top)
{
	return has_key(top, "clineVersion");
}

void
read_cline(struct reading *r)
{
	struct host_call *c = r->call;
	const struct json *use = json_get(r->top, STR("preToolUse")),
			  *input = json_get(use, STR("parameters"));

	c->event_name = get_text(r, r->top, "hookName");
	c->session = get_text(r, r->top, "taskId");
	take_projects(r, json_get(r->top, STR("workspaceRoots")));
	if (c->projects_n)
		c->cwd = c->projects[0];
	if (!use && c->event_name.p && !str_is(c->event_name, "PreToolUse")) {
		c->event = EVENT_OTHER;
		return;
	}
	c->tool = need_text(r, use, "toolName");
	if (r->wrong)
		return;
	if (str_is(c->tool, "use_mcp_tool") || str_is(c->tool, "access_mcp_resource"))
		add_mcp(r, need_text(r, input, "server_name"),
		    str_is(c->tool, "use_mcp_tool") ? need_text(r, input, "tool_name")
						    : STR("resource"));
	else
		take_tool(r, tools, input);
}

void
write_cline(struct buf *out, const struct host_call *call, const struct host_answer *answer)
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

struct host_bytes
refuse_cline(void)
{
	return (struct host_bytes){
		STR("{\"cancel\":true,\"errorMessage\":\"" NO_DECISION "\"}\n"), STR(""), 0
	};
}
