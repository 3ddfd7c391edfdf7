/* Codex: PreToolUse and PermissionRequest.  One key too many, and the tool runs. */
#include "agents/call.h"

static const struct tool_entry tools[] = {
	{ "Bash", KIND_SHELL },
	{ "apply_patch", KIND_PATCH },
	{ "write_stdin", KIND_BAD },
	{ "spawn_agent", KIND_NONE },
	{ "update_plan", KIND_NONE },
	{ "view_image", KIND_READ },
	{ "", KIND_END },
};

/* A permission for the command alone, and not, for instance, for the network as well. */
static bool
is_wide(const struct json *input)
{
	for (const struct json *m = input ? input->first : NULL; m; m = m->next)
		if (!str_is(m->key, "command"))
			return true;
	return false;
}

bool
is_codex(const struct json *top)
{
	return has_key(top, "turn_id");
}

void
read_codex(struct reading *r)
{
	struct host_call *c = r->call;
	const struct json *input = json_get(r->top, STR("tool_input"));
	struct str mode = get_text(r, r->top, "permission_mode");

	c->event_name = need_text(r, r->top, "hook_event_name");
	c->session = get_text(r, r->top, "session_id");
	c->generation = get_text(r, r->top, "turn_id");
	c->model = get_text(r, r->top, "model");
	c->cwd = get_text(r, r->top, "cwd");
	c->event = str_is(c->event_name, "PreToolUse")          ? EVENT_TOOL
		   : str_is(c->event_name, "PermissionRequest") ? EVENT_PERMISSION
								: EVENT_OTHER;
	if (c->event == EVENT_OTHER)
		return;
	c->tool = need_text(r, r->top, "tool_name");
	c->call = get_text(r, r->top, "tool_use_id");
	c->input = input;
	c->can_rewrite = c->event == EVENT_TOOL && input;
	c->can_ask = c->event == EVENT_PERMISSION;
	c->wide = c->can_ask && is_wide(input);
	if (r->wrong || take_mcp(r, c->tool, "mcp__", "__"))
		return;
	take_tool(r, tools, input);
	/* Its own approval may follow, unless it was told never to ask. */
	c->asks_later = c->event == EVENT_TOOL && c->kind == CALL_SHELL && mode.p &&
			str_is(mode, "default");
}

void
write_codex(struct buf *out, const struct host_call *call, const struct host_answer *answer)
{
	bool deny = answer->verdict == VERDICT_DENY;

	if (call->event == EVENT_PERMISSION) {
		struct host_answer careful = *answer;

		careful.aloud = answer->aloud && !call->wide;
		put_permission(out, &careful, false);
		return;
	}
	/* An allow is only valid together with another input. */
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

struct host_bytes
refuse_codex(void)
{
	return refuse_by_status();
}
