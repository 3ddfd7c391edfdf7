#include "hosts/hosts.h"
#include "hosts/call.h"

static const char names[HOSTS][12] = {
	[HOST_CLAUDE] = "claude",
	[HOST_CURSOR] = "cursor",
	[HOST_CODEX] = "codex",
	[HOST_GEMINI] = "gemini",
	[HOST_COPILOT] = "copilot",
	[HOST_PI] = "pi",
	[HOST_OPENCODE] = "opencode",
	[HOST_WINDSURF] = "windsurf",
	[HOST_CLINE] = "cline",
	[HOST_AUTO] = "auto",
};

bool
host_by_name(struct str name, enum host *ret)
{
	for (int i = 0; i < HOSTS; i++)
		if (str_is(name, names[i])) {
			*ret = (enum host)i;
			return true;
		}
	return false;
}

const char *
host_name(enum host host)
{
	return names[host];
}

/* ---- who calls */

static bool
has(const struct json *v, const char *key)
{
	return json_get(v, str_from_c(key)) != NULL;
}

static bool
is_event(const struct json *v, const char *name)
{
	const struct json *m = json_get(v, STR("hook_event_name"));

	return m && m->kind == JSON_STRING && str_is(m->text, name);
}

/* Copilot in Claude Code's spelling: with a time of day, without ids of calls. */
static bool
is_copilot_pascal(const struct json *v)
{
	const struct json *time = json_get(v, STR("timestamp"));

	return time && time->kind == JSON_STRING && has(v, "hook_event_name") &&
	       !has(v, "tool_use_id") && !has(v, "permission_mode") && !has(v, "turn_id") &&
	       !is_event(v, "BeforeTool");
}

/* Payloads of agents that cordon has no bytes for. */
static bool
is_foreign(const struct json *v)
{
	return has(v, "toolCall") || is_event(v, "pre_tool_call") || has(v, "jsonrpc");
}

static bool
detect(const struct json *v, enum host *ret)
{
	enum host host = HOST_CLAUDE;

	if (is_foreign(v))
		return false;
	if (has(v, "cursor_version"))
		host = HOST_CURSOR;
	else if (has(v, "agent_action_name"))
		host = HOST_WINDSURF;
	else if (has(v, "clineVersion"))
		host = HOST_CLINE;
	else if (has(v, "toolName") && has(v, "toolArgs"))
		host = HOST_COPILOT;
	else if (has(v, "toolName") && has(v, "input"))
		host = HOST_PI;
	else if (has(v, "tool") && has(v, "args"))
		host = HOST_OPENCODE;
	else if (is_event(v, "BeforeTool"))
		host = HOST_GEMINI;
	else if (has(v, "turn_id"))
		host = HOST_CODEX;
	else if (is_copilot_pascal(v))
		host = HOST_COPILOT;
	else if (!has(v, "hook_event_name") || !has(v, "session_id"))
		return false;
	*ret = host;
	return true;
}

/* What was installed for Claude Code is also called by others that read its settings. */
static bool
find_caller(const struct json *v, enum host *host)
{
	if (*host == HOST_AUTO)
		return detect(v, host);
	if (*host == HOST_CLAUDE && is_copilot_pascal(v))
		*host = HOST_COPILOT;
	else if (*host == HOST_CLAUDE && has(v, "cursor_version") &&
		 !is_event(v, "PreToolUse") && !is_event(v, "PermissionRequest"))
		*host = HOST_CURSOR;
	return true;
}

/* ---- in */

static void
read_as(struct reading *r, enum host host)
{
	switch (host) {
	case HOST_CLAUDE:
		read_claude(r);
		return;
	case HOST_CURSOR:
		read_cursor(r);
		return;
	case HOST_CODEX:
		read_codex(r);
		return;
	case HOST_GEMINI:
		read_gemini(r);
		return;
	case HOST_COPILOT:
		read_copilot(r);
		return;
	case HOST_PI:
		read_pi(r);
		return;
	case HOST_OPENCODE:
		read_opencode(r);
		return;
	case HOST_WINDSURF:
		read_windsurf(r);
		return;
	case HOST_CLINE:
		read_cline(r);
		return;
	case HOST_AUTO:
	case HOSTS:
		break;
	}
	(void)wrong(r, "nobody knows whose it is");
}

int
host_read(struct arena *a, enum host host, bool asks, struct str text,
    struct host_call *ret, struct err *reterr)
{
	struct reading r = { .a = a, .text = text, .call = ret, .asks = asks };
	struct str cwd;
	int err;

	*ret = (struct host_call){ .host = host, .event = EVENT_TOOL };
	if (str_starts(text, STR("\xef\xbb\xbf")))
		r.text = str_skip(text, 3);
	err = json_read(a, r.text, NULL, &r.top, reterr);
	if (err)
		return err;
	if (r.top->kind != JSON_OBJECT)
		return err_at(reterr, CORDON_EINVAL, 0, "the input is no object");
	if (!find_caller(r.top, &ret->host))
		return err_at(reterr, CORDON_EINVAL, 0, "no known agent sends this");
	ret->input_text = r.text;
	read_as(&r, ret->host);
	cwd = ret->cwd;
	if (cwd.p && (cwd.n == 0 || cwd.p[0] != '/'))
		(void)wrong(&r, "its directory is no absolute path");
	if (r.wrong)
		return err_at(reterr, CORDON_EINVAL, 0, r.wrong);
	return 0;
}

/* ---- out */

host_writer *
writer_of(enum host host)
{
	switch (host) {
	case HOST_CLAUDE:
		return write_claude;
	case HOST_CURSOR:
		return write_cursor;
	case HOST_CODEX:
		return write_codex;
	case HOST_GEMINI:
		return write_gemini;
	case HOST_COPILOT:
		return write_copilot;
	case HOST_PI:
		return write_pi;
	case HOST_OPENCODE:
		return write_opencode;
	case HOST_CLINE:
		return write_cline;
	case HOST_WINDSURF:
	case HOST_AUTO:
	case HOSTS:
		break;
	}
	return write_windsurf;
}

void
put_member(struct buf *out, const char *key, struct str text)
{
	json_put_key(out, key);
	json_put_str(out, text);
}

static const struct host_change *
change_of(const struct host_change *changes, size_t n, const struct json *member)
{
	for (size_t i = 0; i < n; i++)
		if (changes[i].member == member)
			return &changes[i];
	return NULL;
}

void
host_put_input(struct buf *b, const struct host_call *call,
    const struct host_change *changes, size_t n, bool only_changed)
{
	buf_putc(b, '{');
	for (const struct json *m = call->input->first; m; m = m->next) {
		const struct host_change *change = change_of(changes, n, m);

		if (!change && only_changed)
			continue;
		json_put_sep(b);
		json_put_str(b, m->key);
		buf_putc(b, ':');
		if (change)
			json_put_str(b, change->value);
		else
			buf_put(b, json_source(call->input_text, m));
	}
	buf_putc(b, '}');
}

void
put_permission(struct buf *out, const struct host_answer *answer, bool with_input)
{
	bool denied = answer->verdict == VERDICT_DENY;

	/* Without a word the host goes on and asks. */
	if (answer->verdict == VERDICT_ASK || (!denied && !answer->aloud) ||
	    (!denied && answer->input.p && !with_input))
		return;
	buf_puts(out, "{\"hookSpecificOutput\":{\"hookEventName\":\"PermissionRequest\","
		      "\"decision\":{");
	put_member(out, "behavior", denied ? STR("deny") : STR("allow"));
	if (denied)
		put_member(out, "message", answer->reason);
	else if (answer->input.p) {
		json_put_key(out, "updatedInput");
		buf_put(out, answer->input);
	}
	buf_puts(out, "}}}");
}
