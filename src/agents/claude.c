/* Claude Code: PreToolUse, PermissionRequest and ConfigChange. */
#include "agents/call.h"

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

/* Settings that count from now on, unless the hook says no.  A source that is not known may
 * be any; skills have no hooks that could be taken away. */
static void
take_settings(struct reading *r)
{
	struct host_call *c = r->call;
	struct str source = get_text(r, r->top, "source");

	c->event = EVENT_SETTINGS;
	c->settings = get_text(r, r->top, "file_path");
	c->tool = source;
	c->kind = source.p && str_is(source, "skills") ? CALL_NONE : CALL_SETTINGS;
	if (c->settings.p && (c->settings.n == 0 || c->settings.p[0] != '/'))
		(void)wrong(r, "the file of the settings is no absolute path");
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
	else if (str_is(c->event_name, "ConfigChange")) {
		take_settings(r);
		return;
	} else
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
write_claude(
    struct buf *out, const struct host_call *call, const struct host_answer *answer)
{
	if (call->event == EVENT_PERMISSION)
		put_permission(out, answer, true);
	else if (call->event == EVENT_SETTINGS) {
		if (answer->verdict == VERDICT_ALLOW)
			return;
		buf_puts(out, "{\"decision\":\"block\"");
		json_put_member(out, "reason", answer->reason);
		buf_putc(out, '}');
	} else
		write_tool(out, answer);
}

struct host_bytes
refuse_claude(void)
{
	return refuse_by_status();
}
