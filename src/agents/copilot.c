/* GitHub Copilot CLI: preToolUse, with either set of key names. */
#include "agents/agent.h"

const struct agent_profile copilot_profile = {
	.title = "GitHub Copilot CLI",
	.refusal = "{\"permissionDecision\":\"deny\","
		   "\"permissionDecisionReason\":\"" NO_DECISION "\"}\n",
	.files = {
		[SCOPE_USER] = { FORM_JSON, 8, "COPILOT_HOME", ".copilot/hooks/cordon.json" },
		[SCOPE_PROJECT] = { FORM_JSON, 0, "", ".github/hooks/cordon.json" },
	},
	.events = "preToolUse\0",
	.entry = "{\"type\":\"command\",\"bash\":%,\"timeoutSec\":#,"
		 "\"failClosed\":true}",
	.line_key = "bash",
	.stops_key = "failClosed",
	.has_version = true,
	.own_file = true,
	.off = {
		{ SWITCH_TRUE, IN_SETTINGS, "disableAllHooks", "" },
	},
	.fails = FAILS_UNSURE,
	.fails_text = "stops in the versions that were tested (failClosed); its manual "
"says otherwise",
	.program = "copilot",
	.dir = "/.copilot",
	.sample = "{\"sessionId\":\"cordon-doctor\",\"timestamp\":1,\"cwd\":@,"
		  "\"toolName\":\"bash\",\"toolArgs\":{\"command\":%}}",
	.refused = "\"permissionDecision\":\"deny\"",
};

static const struct tool_entry tools[] = {
	{ "bash", KIND_SHELL },
	{ "powershell", KIND_BAD },
	{ "write_bash", KIND_BAD },
	{ "write_powershell", KIND_BAD },
	{ "read_bash", KIND_NONE },
	{ "stop_bash", KIND_NONE },
	{ "list_bash", KIND_NONE },
	{ "create", KIND_WRITE },
	{ "edit", KIND_EDIT },
	{ "str_replace_editor", KIND_EDIT },
	{ "view", KIND_READ },
	{ "apply_patch", KIND_PATCH },
	{ "glob", KIND_GLOB },
	{ "grep", KIND_GREP },
	{ "rg", KIND_GREP },
	{ "", KIND_END },
};

/* The arguments are an object or its text; those of apply_patch may be the patch itself. */
static const struct json *
read_input(struct payload *r, const struct json *args)
{
	const struct json *v = NULL;

	if (!args || args->kind != JSON_STRING)
		return args;
	if (str_is(r->call->tool, "apply_patch") &&
	    str_starts(args->text, STR("*** Begin Patch"))) {
		payload_patch(r, args->text);
		return NULL;
	}
	if (args->text.n == 0)
		return NULL;
	if (json_read(r->a, args->text, NULL, &v, NULL) || v->kind != JSON_OBJECT) {
		(void)payload_wrong(r, "toolArgs is neither an object nor the text of one");
		return NULL;
	}
	r->call->input_text = args->text;
	return v;
}

static void
take_names(struct payload *r)
{
	struct agent_call *c = r->call;

	c->camel = json_get(r->top, STR("toolName")) != NULL;
	c->session = payload_text(r, r->top, c->camel ? "sessionId" : "session_id");
	c->event_name = payload_text(r, r->top, "hook_event_name");
	c->cwd = payload_text(r, r->top, "cwd");
	c->tool = payload_text(r, r->top, c->camel ? "toolName" : "tool_name");
	c->call = payload_text(r, r->top, c->camel ? "toolCallId" : "tool_call_id");
}

bool
copilot_is_pascal(const struct json *top)
{
	const struct json *time = json_get(top, STR("timestamp"));

	return time && time->kind == JSON_STRING && payload_has(top, "hook_event_name") &&
	       !payload_has(top, "tool_use_id") && !payload_has(top, "permission_mode") &&
	       !payload_has(top, "turn_id") && !payload_is_event(top, "BeforeTool");
}

bool
copilot_sends(const struct json *top)
{
	return (payload_has(top, "toolName") && payload_has(top, "toolArgs")) ||
	       copilot_is_pascal(top);
}

void
copilot_read(struct payload *r)
{
	struct agent_call *c = r->call;
	const struct json *input;

	take_names(r);
	if (c->event_name.p && !str_is(c->event_name, "PreToolUse") &&
	    !str_is(c->event_name, "preToolUse")) {
		c->event = EVENT_OTHER;
		return;
	}
	if (!c->tool.p)
		(void)payload_wrong(r, "tool name missing");
	if (r->wrong)
		return;
	input =
	    read_input(r, json_get(r->top, c->camel ? STR("toolArgs") : STR("tool_input")));
	c->input = input;
	c->can_rewrite = input != NULL;
	c->can_ask = true;
	if (r->wrong || c->touches)
		return;
	payload_tool(r, tools, input);
	/* MCP tools are named server-tool. */
	if (c->kind == CALL_NONE && payload_split_mcp(r, c->tool, "", "-"))
		return;
}

void
copilot_write(
    struct buf *out, const struct agent_call *call, const struct agent_answer *answer)
{
	bool ask = answer->verdict == VERDICT_ASK, deny = answer->verdict == VERDICT_DENY;
	bool decides = ask || deny || answer->aloud;
	struct str word = deny ? STR("deny") : ask ? STR("ask") : STR("allow");

	if (call->event == EVENT_OTHER || (!decides && !answer->input.p))
		return;
	buf_puts(out, "{");
	if (decides)
		json_put_member(out, "permissionDecision", word);
	if (ask || deny)
		json_put_member(out, "permissionDecisionReason", answer->reason);
	if (answer->input.p && !deny) {
		json_put_key(out, "modifiedArgs");
		buf_put(out, answer->input);
	}
	/* With Claude Code's key names, Copilot may read the answer where Claude Code
	 * does. */
	if (!call->camel) {
		json_put_key(out, "hookSpecificOutput");
		buf_puts(out, "{\"hookEventName\":\"PreToolUse\"");
		if (decides)
			json_put_member(out, "permissionDecision", word);
		if (ask || deny)
			json_put_member(out, "permissionDecisionReason", answer->reason);
		if (answer->input.p && !deny) {
			json_put_key(out, "updatedInput");
			buf_put(out, answer->input);
		}
		buf_puts(out, "}");
	}
	buf_puts(out, "}");
}
