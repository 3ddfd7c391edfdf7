/* Gemini CLI: BeforeTool. */
#include "agents/agent.h"

const struct agent_profile gemini_profile = {
	.title = "Gemini CLI",
	.variable = "GEMINI_PROJECT_DIR",
	.refuses = AGENT_FAULT_STATUS,
	.files = {
		[SCOPE_USER] = { FORM_JSON, 0, "", ".gemini/settings.json" },
		[SCOPE_PROJECT] = { FORM_JSON, 0, "", ".gemini/settings.json" },
		[SCOPE_MANAGED] = { FORM_JSON, 0, "", "etc/gemini-cli/settings.json" },
	},
	.events = "BeforeTool\0",
	.entry = "{\"name\":\"cordon\",\"type\":\"command\",\"command\":%,"
		 "\"timeout\":#000}",
	.line_key = "command",
	.matcher = ".*",
	.off = {
		{ SWITCH_FALSE, IN_SETTINGS, "hooksConfig.enabled", "" },
		{ SWITCH_LISTS_CORDON, IN_SETTINGS, "hooksConfig.disabled", "" },
	},
	.fails = FAILS_OPEN,
	.fails_text = "runs the tool; it has no setting to prevent that",
	.program = "gemini",
	.dir = "/.gemini",
	.sample = "{\"session_id\":\"cordon-doctor\","
		  "\"transcript_path\":\"/dev/null\",\"cwd\":@,"
		  "\"hook_event_name\":\"BeforeTool\","
		  "\"timestamp\":\"2026-01-01T00:00:00.000Z\","
		  "\"tool_name\":\"run_shell_command\","
		  "\"tool_input\":{\"command\":%}}",
	.refused = "\"decision\":\"deny\"",
};

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
take_context(struct payload *r)
{
	const struct json *context = json_get(r->top, STR("mcp_context"));
	struct str server = payload_text(r, context, "server_name"),
		   tool = payload_text(r, context, "tool_name");

	if (!server.n || !tool.n)
		return false;
	payload_mcp(r, server, tool);
	return true;
}

bool
gemini_sends(const struct json *top)
{
	return payload_is_event(top, "BeforeTool");
}

void
gemini_read(struct payload *r)
{
	struct agent_call *c = r->call;
	const struct json *input = json_get(r->top, STR("tool_input"));

	c->event_name = payload_need(r, r->top, "hook_event_name");
	c->session = payload_text(r, r->top, "session_id");
	c->cwd = payload_text(r, r->top, "cwd");
	if (!str_is(c->event_name, "BeforeTool")) {
		c->event = EVENT_OTHER;
		return;
	}
	c->tool = payload_need(r, r->top, "tool_name");
	c->input = input;
	c->can_rewrite = input != NULL;
	/* Gemini's dialog also lifts denials of Gemini's own policy. */
	c->can_ask = r->asks;
	if (r->wrong || take_context(r) || payload_split_mcp(r, c->tool, "mcp_", "_"))
		return;
	payload_tool(r, tools, input);
	if (c->kind == CALL_SHELL) {
		payload_directory(r, input, "dir_path");
		payload_directory(r, input, "directory");
	}
}

void
gemini_write(
    struct buf *out, const struct agent_call *call, const struct agent_answer *answer)
{
	bool decides = answer->verdict != VERDICT_ALLOW;

	(void)call;
	if (!decides && !answer->input.p)
		return; /* Gemini would show any output as a message */
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
