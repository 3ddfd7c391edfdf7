/* Gemini CLI: BeforeTool. */
#include "agents/call.h"

static const struct tool_entry tools[] = {
	{ "run_shell_command", KIND_SHELL },
	{ "ShellTool", KIND_SHELL },
	{ "read_file", KIND_READ },
	{ "read_many_files", KIND_GREP },
	{ "write_file", KIND_WRITE },
	{ "replace", KIND_EDIT },
	{ "list_directory", KIND_LIST },
	{ "glob", KIND_GLOB },
	{ "grep_search", KIND_GREP },
	{ "search_file_content", KIND_GREP },
	{ "", KIND_END },
};

static bool
take_context(struct reading *r)
{
	const struct json *context = json_get(r->top, STR("mcp_context"));
	struct str server = get_text(r, context, "server_name"),
		   tool = get_text(r, context, "tool_name");

	if (!server.n || !tool.n)
		return false;
	add_mcp(r, server, tool);
	return true;
}

bool
is_gemini(const struct json *top)
{
	return is_event(top, "BeforeTool");
}

void
read_gemini(struct reading *r)
{
	struct host_call *c = r->call;
	const struct json *input = json_get(r->top, STR("tool_input"));

	c->event_name = need_text(r, r->top, "hook_event_name");
	c->session = get_text(r, r->top, "session_id");
	c->cwd = get_text(r, r->top, "cwd");
	if (!str_is(c->event_name, "BeforeTool")) {
		c->event = EVENT_OTHER;
		return;
	}
	c->tool = need_text(r, r->top, "tool_name");
	c->input = input;
	c->can_rewrite = input != NULL;
	/* Its dialog also lifts a denial of its own policy. */
	c->can_ask = r->asks;
	if (r->wrong || take_context(r) || take_mcp(r, c->tool, "mcp_", "_"))
		return;
	take_tool(r, tools, input);
	if (c->kind == CALL_SHELL) {
		take_directory(r, input, "dir_path");
		take_directory(r, input, "directory");
	}
}

void
write_gemini(
    struct buf *out, const struct host_call *call, const struct host_answer *answer)
{
	bool decides = answer->verdict != VERDICT_ALLOW;

	(void)call;
	if (!decides && !answer->input.p)
		return; /* any word would be shown as a message */
	buf_puts(out, "{");
	if (decides) {
		json_put_member(out, "decision",
		    answer->verdict == VERDICT_ASK ? STR("ask") : STR("deny"));
		json_put_member(out, "reason", answer->reason);
	}
	if (answer->input.p && answer->verdict != VERDICT_DENY) {
		json_put_key(out, "hookSpecificOutput");
		buf_puts(out, "{\"tool_input\":");
		buf_put(out, answer->input);
		buf_puts(out, "}");
	}
	buf_puts(out, "}");
}

struct host_bytes
refuse_gemini(void)
{
	return refuse_by_status();
}
