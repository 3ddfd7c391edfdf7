/* GitHub Copilot CLI: preToolUse, in both spellings of its keys. */
#include "agents/call.h"

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

/* The arguments: an object, or the text of one; of apply_patch also the patch itself. */
static const struct json *
read_input(struct reading *r, const struct json *args)
{
	const struct json *v = NULL;

	if (!args || args->kind != JSON_STRING)
		return args;
	if (str_is(r->call->tool, "apply_patch") &&
	    str_starts(args->text, STR("*** Begin Patch"))) {
		take_patch(r, args->text);
		return NULL;
	}
	if (args->text.n == 0)
		return NULL;
	if (json_read(r->a, args->text, NULL, &v, NULL) || v->kind != JSON_OBJECT) {
		(void)wrong(r, "toolArgs is no object, and not the text of one");
		return NULL;
	}
	r->call->input_text = args->text;
	return v;
}

static void
take_names(struct reading *r)
{
	struct host_call *c = r->call;

	c->camel = json_get(r->top, STR("toolName")) != NULL;
	c->session = get_text(r, r->top, c->camel ? "sessionId" : "session_id");
	c->event_name = get_text(r, r->top, "hook_event_name");
	c->cwd = get_text(r, r->top, "cwd");
	c->tool = get_text(r, r->top, c->camel ? "toolName" : "tool_name");
	c->call = get_text(r, r->top, c->camel ? "toolCallId" : "tool_call_id");
}

bool
is_copilot_pascal(const struct json *top)
{
	const struct json *time = json_get(top, STR("timestamp"));

	return time && time->kind == JSON_STRING && has_key(top, "hook_event_name") &&
	       !has_key(top, "tool_use_id") && !has_key(top, "permission_mode") &&
	       !has_key(top, "turn_id") && !is_event(top, "BeforeTool");
}

bool
is_copilot(const struct json *top)
{
	return (has_key(top, "toolName") && has_key(top, "toolArgs")) ||
	       is_copilot_pascal(top);
}

void
read_copilot(struct reading *r)
{
	struct host_call *c = r->call;
	const struct json *input;

	take_names(r);
	if (c->event_name.p && !str_is(c->event_name, "PreToolUse") &&
	    !str_is(c->event_name, "preToolUse")) {
		c->event = EVENT_OTHER;
		return;
	}
	if (!c->tool.p)
		(void)wrong(r, "the name of the tool is missing");
	if (r->wrong)
		return;
	input =
	    read_input(r, json_get(r->top, c->camel ? STR("toolArgs") : STR("tool_input")));
	c->input = input;
	c->can_rewrite = input != NULL;
	c->can_ask = true;
	if (r->wrong || c->touches)
		return;
	take_tool(r, tools, input);
	/* Tools of servers are called server-tool. */
	if (c->kind == CALL_NONE && take_mcp(r, c->tool, "", "-"))
		return;
}

void
write_copilot(
    struct buf *out, const struct host_call *call, const struct host_answer *answer)
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
	/* In the other spelling it may look for the answer where Claude Code does. */
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

/* A status other than 0 is an error there, which some versions pass over. */
struct host_bytes
refuse_copilot(void)
{
	return (
	    struct host_bytes){ STR("{\"permissionDecision\":\"deny\","
				    "\"permissionDecisionReason\":\"" NO_DECISION "\"}\n"),
		STR(""), 0 };
}
