/* Claude Code: PreToolUse, PermissionRequest and ConfigChange. */
#include "agents/agent.h"

const struct agent_profile claude_profile = {
	.title = "Claude Code",
	.variable = "CLAUDE_PROJECT_DIR",
	.refuses = AGENT_DENY_STATUS,
	.files = {
		[SCOPE_USER] = { FORM_JSON, 7, "CLAUDE_CONFIG_DIR", ".claude/settings.json" },
		[SCOPE_PROJECT] = { FORM_JSON, 0, "", ".claude/settings.json" },
		[SCOPE_MANAGED] = { FORM_JSON, 0, "", "etc/claude-code/managed-settings.json" },
	},
	.events = "PreToolUse\0ConfigChange\0",
	.entry = "{\"type\":\"command\",\"command\":$,\"args\":&,\"timeout\":#,"
		 "\"onFailure\":\"block\"}",
	.line_key = "command",
	.matcher = "*",
	.stops_key = "onFailure",
	.off = {
		{ SWITCH_TRUE, IN_SETTINGS, "disableAllHooks", "" },
		{ SWITCH_TRUE, IN_PROJECT, "disableAllHooks", ".claude/settings.local.json" },
		{ SWITCH_TRUE, IN_MANAGED, "allowManagedHooksOnly", "" },
	},
	.user_shell = true,
	.no_shell = true,
	.fails = FAILS_UNSURE,
	.fails_text = "stops from version 2.1.295 on (onFailure), and runs the tool in "
"older versions",
	.stops_since = "2.1.295",
	.program = "claude",
	.dir = "/.claude",
	.sample = "{\"session_id\":\"cordon-doctor\","
		  "\"transcript_path\":\"/dev/null\",\"cwd\":@,"
		  "\"permission_mode\":\"default\","
		  "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\","
		  "\"tool_input\":{\"command\":%},\"tool_use_id\":\"cordon-doctor\"}",
};

static const struct tool_entry tools[] = {
	{ "Bash", KIND_SHELL },
	{ "Monitor", KIND_SHELL },
	{ "PowerShell", KIND_BAD },
	{ "Read", KIND_READ },
	{ "NotebookRead", KIND_READ },
	{ "Write", KIND_WRITE },
	{ "Edit", KIND_EDIT },
	{ "MultiEdit", KIND_EDIT },
	{ "NotebookEdit", KIND_EDIT },
	{ "Glob", KIND_GLOB },
	{ "Grep", KIND_GREP },
	{ "LS", KIND_LIST },
	/* `command` names one of the agent's own slash commands */
	{ "SlashCommand", KIND_NONE },
	{ "Skill", KIND_NONE },
	{ "", KIND_END },
};

/* Permission modes in which an ask reaches a person.  In other modes a rule or a model
 * may answer it. */
static bool
asks_a_person(struct str mode)
{
	return !mode.p || str_among(mode, "default\0plan\0acceptEdits\0");
}

bool
claude_sends(const struct json *top)
{
	return payload_has(top, "hook_event_name") && payload_has(top, "session_id");
}

/* New settings take effect unless the hook refuses.  An unknown source may be any file;
 * skills contain no hooks. */
static void
take_settings(struct payload *r)
{
	struct agent_call *c = r->call;
	struct str source = payload_text(r, r->top, "source");

	c->event = EVENT_SETTINGS;
	c->settings = payload_text(r, r->top, "file_path");
	c->tool = source;
	c->kind = source.p && str_is(source, "skills") ? CALL_NONE : CALL_SETTINGS;
	if (c->settings.p && (c->settings.n == 0 || c->settings.p[0] != '/'))
		(void)payload_wrong(r, "the path of the settings file is not absolute");
}

void
claude_read(struct payload *r)
{
	struct agent_call *c = r->call;
	const struct json *input = json_get(r->top, STR("tool_input"));
	struct str mode = payload_text(r, r->top, "permission_mode");
	bool cursor = json_get(r->top, STR("cursor_version")) != NULL;

	c->event_name = payload_need(r, r->top, "hook_event_name");
	c->session = payload_text(r, r->top, "session_id");
	c->cwd = payload_text(r, r->top, "cwd");
	c->event = EVENT_OTHER;
	if (str_is(c->event_name, "PreToolUse"))
		c->event = EVENT_TOOL;
	else if (str_is(c->event_name, "PermissionRequest"))
		c->event = EVENT_PERMISSION;
	else if (str_is(c->event_name, "ConfigChange")) {
		take_settings(r);
		return;
	} else
		return;
	c->tool = payload_need(r, r->top, "tool_name");
	c->call = payload_text(r, r->top, "tool_use_id");
	c->input = input;
	/* Cursor calling Claude Code's hook: not documented whether it accepts
	 * updatedInput here, so do not rely on it. */
	c->can_rewrite = !cursor && input;
	c->planning = mode.p && str_is(mode, "plan");
	c->can_ask = !cursor && asks_a_person(mode);
	if (!r->wrong && !payload_split_mcp(r, c->tool, "mcp__", "__"))
		payload_tool(r, tools, input);
}

static void
write_tool(struct buf *out, const struct agent_answer *answer)
{
	bool ask = answer->verdict == VERDICT_ASK, deny = answer->verdict == VERDICT_DENY;
	bool decides = ask || deny || answer->aloud;

	if (!decides && !answer->input.p)
		return;
	buf_puts(out, "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\"");
	if (decides) {
		json_put_member(out, "permissionDecision",
		    deny  ? STR("deny")
		    : ask ? STR("ask")
			  : STR("allow"));
		json_put_member(out, "permissionDecisionReason", answer->reason);
	}
	if (answer->input.p && !deny) {
		json_put_key(out, "updatedInput");
		buf_put(out, answer->input);
	}
	buf_puts(out, "}}");
}

void
claude_write(
    struct buf *out, const struct agent_call *call, const struct agent_answer *answer)
{
	if (call->event == EVENT_PERMISSION)
		agent_put_permission(out, answer, true);
	else if (call->event == EVENT_SETTINGS) {
		if (answer->verdict == VERDICT_ALLOW)
			return;
		buf_puts(out, "{\"decision\":\"block\"");
		json_put_member(out, "reason", answer->reason);
		buf_putc(out, '}');
	} else
		write_tool(out, answer);
}
