/* Codex: PreToolUse and PermissionRequest.  An answer with one unknown key lets the tool
 * run. */
#include "agents/agent.h"

const struct agent_profile codex_profile = {
	.title = "Codex",
	.refuses = AGENT_FAULT_STATUS,
	.files = {
		[SCOPE_USER] = { FORM_JSON, 6, "CODEX_HOME", ".codex/hooks.json" },
		[SCOPE_PROJECT] = { FORM_JSON, 0, "", ".codex/hooks.json" },
		[SCOPE_MANAGED] = { FORM_TOML, 0, "", "etc/codex/requirements.toml" },
	},
	.events = "PreToolUse\0PermissionRequest\0",
	.entry = "{\"type\":\"command\",\"command\":%,\"timeout\":#}",
	.line_key = "command",
	.matcher = "*",
	.off = {
		{ SWITCH_FALSE, BESIDE_USER, "features.hooks", "config.toml" },
		{ SWITCH_TRUE, IN_MANAGED, "allow_managed_hooks_only", "" },
	},
	.user_shell = true,
	.needs_trust = true,
	.fails = FAILS_OPEN,
	.fails_text = "runs the tool; it has no setting to prevent that",
	.program = "codex",
	.dir = "/.codex",
	.sample = "{\"session_id\":\"cordon-doctor\",\"turn_id\":\"1\","
		  "\"transcript_path\":null,\"cwd\":@,"
		  "\"hook_event_name\":\"PreToolUse\",\"model\":\"none\","
		  "\"permission_mode\":\"default\",\"tool_name\":\"Bash\","
		  "\"tool_input\":{\"command\":%},\"tool_use_id\":\"cordon-doctor\"}",
	.refused = "\"permissionDecision\":\"deny\"",
};

static const struct tool_entry tools[] = {
	{ "Bash", KIND_SHELL },
	{ "apply_patch", KIND_PATCH },
	{ "write_stdin", KIND_BAD },
	{ "spawn_agent", KIND_NONE },
	{ "update_plan", KIND_NONE },
	{ "view_image", KIND_READ },
	{ "", KIND_END },
};

/* True if the permission covers more than the command, for instance the network. */
static bool
is_wide(const struct json *input)
{
	for (const struct json *m = input ? input->first : NULL; m; m = m->next)
		if (!str_is(m->key, "command"))
			return true;
	return false;
}

bool
codex_sends(const struct json *top)
{
	return payload_has(top, "turn_id");
}

void
codex_read(struct payload *r)
{
	struct agent_call *c = r->call;
	const struct json *input = json_get(r->top, STR("tool_input"));
	struct str mode = payload_text(r, r->top, "permission_mode");

	c->event_name = payload_need(r, r->top, "hook_event_name");
	c->session = payload_text(r, r->top, "session_id");
	c->generation = payload_text(r, r->top, "turn_id");
	c->model = payload_text(r, r->top, "model");
	c->cwd = payload_text(r, r->top, "cwd");
	c->event = str_is(c->event_name, "PreToolUse")          ? EVENT_TOOL
		   : str_is(c->event_name, "PermissionRequest") ? EVENT_PERMISSION
								: EVENT_OTHER;
	if (c->event == EVENT_OTHER)
		return;
	c->tool = payload_need(r, r->top, "tool_name");
	c->call = payload_text(r, r->top, "tool_use_id");
	c->input = input;
	c->can_rewrite = c->event == EVENT_TOOL && input;
	c->can_ask = c->event == EVENT_PERMISSION;
	c->wide = c->can_ask && is_wide(input);
	if (r->wrong || payload_split_mcp(r, c->tool, "mcp__", "__"))
		return;
	payload_tool(r, tools, input);
	/* Codex may ask for approval later, unless its mode is "never". */
	c->asks_later = c->event == EVENT_TOOL && c->kind == CALL_SHELL && mode.p &&
			str_is(mode, "default");
}

void
codex_write(
    struct buf *out, const struct agent_call *call, const struct agent_answer *answer)
{
	bool deny = answer->verdict == VERDICT_DENY;

	if (call->event == EVENT_PERMISSION) {
		struct agent_answer careful = *answer;

		careful.aloud = answer->aloud && !call->wide;
		agent_put_permission(out, &careful, false);
		return;
	}
	/* Codex accepts "allow" only together with updatedInput. */
	if (!deny && !answer->input.p)
		return;
	buf_puts(out, "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\"");
	json_put_member(out, "permissionDecision", deny ? STR("deny") : STR("allow"));
	if (deny)
		json_put_member(out, "permissionDecisionReason",
		    answer->reason.n ? answer->reason : STR("cordon: refused"));
	else {
		json_put_key(out, "updatedInput");
		buf_put(out, answer->input);
	}
	buf_puts(out, "}}");
}
