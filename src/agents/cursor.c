/* Cursor: preToolUse, and the events that follow it for commands, MCP tools and reads. */
#include "agents/agent.h"

const struct agent_profile cursor_profile = {
	.title = "Cursor",
	.variable = "CURSOR_PROJECT_DIR",
	.refuses = AGENT_FAULT_BOTH,
	.refusal = "{\"permission\":\"deny\",\"user_message\":\"" NO_DECISION
		   "\",\"agent_message\":\"" NO_DECISION "\"}\n",
	.files = {
		[SCOPE_USER] = { FORM_JSON, 0, "", ".cursor/hooks.json" },
		[SCOPE_PROJECT] = { FORM_JSON, 0, "", ".cursor/hooks.json" },
		[SCOPE_MANAGED] = { FORM_JSON, 0, "", "etc/cursor/hooks.json" },
	},
	.events = "preToolUse\0beforeShellExecution\0beforeMCPExecution\0beforeReadFile\0",
	.entry = "{\"command\":%,\"timeout\":#,\"failClosed\":true}",
	.line_key = "command",
	.stops_key = "failClosed",
	.has_version = true,
	.user_shell = true,
	.fails = FAILS_CLOSED,
	.fails_text = "stops (failClosed)",
	.program = "cursor-agent",
	.dir = "/.cursor",
	.sample = "{\"conversation_id\":\"cordon-doctor\",\"generation_id\":\"1\","
		  "\"model\":\"none\",\"hook_event_name\":\"beforeShellExecution\","
		  "\"cursor_version\":\"0\",\"workspace_roots\":[@],"
		  "\"user_email\":null,\"transcript_path\":null,\"command\":%,"
		  "\"cwd\":@,\"sandbox\":false}",
	.refused = "\"permission\":\"deny\"",
};

static const struct tool_entry tools[] = {
	{ "Shell", KIND_SHELL },
	{ "Read", KIND_READ },
	{ "Write", KIND_WRITE },
	{ "Edit", KIND_EDIT },
	{ "StrReplace", KIND_EDIT },
	{ "EditNotebook", KIND_EDIT },
	{ "Delete", KIND_DELETE },
	{ "Grep", KIND_GREP },
	{ "Glob", KIND_GLOB },
	{ "LS", KIND_LIST },
	{ "ApplyPatch", KIND_PATCH },
	{ "Task", KIND_NONE },
	{ "", KIND_END },
};

static void
read_tool(struct payload *r)
{
	struct agent_call *c = r->call;
	const struct json *input = json_get(r->top, STR("tool_input"));

	c->tool = payload_need(r, r->top, "tool_name");
	c->call = payload_text(r, r->top, "tool_use_id");
	c->input = input;
	c->can_rewrite = input != NULL;
	/* preToolUse accepts `ask` but does not ask; for a command the next event does. */
	if (str_starts(c->tool, STR("MCP:")))
		return; /* beforeMCPExecution also names the server */
	if (r->wrong)
		return;
	payload_tool(r, tools, input);
	if (c->kind == CALL_SHELL) {
		payload_directory(r, input, "working_directory");
		c->asks_later = true;
	}
}

static void
read_shell(struct payload *r)
{
	r->call->event = EVENT_SHELL;
	r->call->kind = CALL_SHELL;
	r->call->tool = STR("Shell");
	r->call->command = payload_need(r, r->top, "command");
	r->call->can_ask = true;
}

static void
read_mcp(struct payload *r)
{
	r->call->event = EVENT_MCP;
	r->call->tool = payload_need(r, r->top, "tool_name");
	r->call->can_ask = true;
	if (!r->wrong)
		payload_mcp(r, payload_need(r, r->top, "mcp_server_name"), r->call->tool);
}

static void
read_file(struct payload *r)
{
	const struct json *list = json_get(r->top, STR("attachments"));

	r->call->event = EVENT_READ;
	r->call->tool = STR("Read");
	payload_touch(r, "read", payload_need(r, r->top, "file_path"), NULL);
	for (const struct json *m = list ? list->first : NULL; m && !r->wrong; m = m->next)
		if (str_is(payload_text(r, m, "type"), "file"))
			payload_touch(r, "read", payload_need(r, m, "file_path"), NULL);
}

bool
cursor_sends(const struct json *top)
{
	return payload_has(top, "cursor_version");
}

void
cursor_read(struct payload *r)
{
	struct agent_call *c = r->call;

	c->event_name = payload_need(r, r->top, "hook_event_name");
	c->session = payload_text(r, r->top, "conversation_id");
	c->generation = payload_text(r, r->top, "generation_id");
	c->model = payload_text(r, r->top, "model");
	c->cwd = payload_text(r, r->top, "cwd");
	payload_projects(r, json_get(r->top, STR("workspace_roots")));
	if (c->cwd.p && c->cwd.n == 0)
		c->cwd.p = NULL;
	if (!c->cwd.p && c->projects_n)
		c->cwd = c->projects[0];
	if (str_is(c->event_name, "preToolUse"))
		read_tool(r);
	else if (str_is(c->event_name, "beforeShellExecution"))
		read_shell(r);
	else if (str_is(c->event_name, "beforeMCPExecution"))
		read_mcp(r);
	else if (str_is(c->event_name, "beforeReadFile") ||
		 str_is(c->event_name, "beforeTabFileRead"))
		read_file(r);
	else
		c->event = EVENT_OTHER;
}

void
cursor_write(
    struct buf *out, const struct agent_call *call, const struct agent_answer *answer)
{
	bool allow = answer->verdict == VERDICT_ALLOW;

	if (call->event == EVENT_OTHER) {
		buf_puts(out, "{}");
		return;
	}
	/* Always answer: a failClosed entry without output might count as failed. */
	buf_puts(out, "{");
	json_put_member(out, "permission",
	    allow                            ? STR("allow")
	    : answer->verdict == VERDICT_ASK ? STR("ask")
					     : STR("deny"));
	if (!allow)
		json_put_member(out, "user_message", answer->reason);
	if (!allow && call->event != EVENT_READ)
		json_put_member(out, "agent_message", answer->reason);
	if (allow && answer->input.p) {
		json_put_key(out, "updated_input");
		buf_put(out, answer->input);
	}
	buf_puts(out, "}");
}
