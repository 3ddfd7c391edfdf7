/* Claude Code: PreToolUse and PermissionRequest. */
#include "hosts/call.h"

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
	/* `command` is the name of a command of the host's own. */
	{ "SlashCommand", KIND_NONE },
	{ "Skill", KIND_NONE },
	{ "", KIND_END },
};

/* Modes in which an ask reaches a person.  In the others it may be answered by a rule, a
 * model or nobody. */
static bool
asks_a_person(struct str mode)
{
	return !mode.p || str_among(mode, "default\0plan\0acceptEdits\0");
}

bool
is_claude(const struct json *top)
{
	return has_key(top, "hook_event_name") && has_key(top, "session_id");
}

void
read_claude(struct reading *r)
{
	struct host_call *c = r->call;
	const struct json *input = json_get(r->top, STR("tool_input"));
	struct str mode = get_text(r, r->top, "permission_mode");
	bool cursor = json_get(r->top, STR("cursor_version")) != NULL;

	c->event_name = need_text(r, r->top, "hook_event_name");
	c->session = get_text(r, r->top, "session_id");
	c->cwd = get_text(r, r->top, "cwd");
	c->event = EVENT_OTHER;
	if (str_is(c->event_name, "PreToolUse"))
		c->event = EVENT_TOOL;
	else if (str_is(c->event_name, "PermissionRequest"))
		c->event = EVENT_PERMISSION;
	else
		return;
	c->tool = need_text(r, r->top, "tool_name");
	c->call = get_text(r, r->top, "tool_use_id");
	c->input = input;
	/* Cursor, calling what was installed for Claude Code: whether it takes another
	 * input from this shape is not known, and so it is not relied on. */
	c->can_rewrite = !cursor && input;
	c->planning = mode.p && str_is(mode, "plan");
	c->can_ask = !cursor && asks_a_person(mode);
	if (!r->wrong && !take_mcp(r, c->tool, "mcp__", "__"))
		take_tool(r, tools, input);
}

static void
write_tool(struct buf *out, const struct host_answer *answer)
{
	bool ask = answer->verdict == VERDICT_ASK, deny = answer->verdict == VERDICT_DENY;
	bool decides = ask || deny || answer->aloud;

	if (!decides && !answer->input.p)
		return;
	buf_puts(out, "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\"");
	if (decides) {
		put_member(out, "permissionDecision",
		    deny  ? STR("deny")
		    : ask ? STR("ask")
			  : STR("allow"));
		put_member(out, "permissionDecisionReason", answer->reason);
	}
	if (answer->input.p && !deny) {
		json_put_key(out, "updatedInput");
		buf_put(out, answer->input);
	}
	buf_puts(out, "}}");
}

void
write_claude(
    struct buf *out, const struct host_call *call, const struct host_answer *answer)
{
	if (call->event == EVENT_PERMISSION)
		put_permission(out, answer, true);
	else
		write_tool(out, answer);
}

struct host_bytes
refuse_claude(void)
{
	return refuse_by_status();
}
