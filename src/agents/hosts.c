#include "agents/hosts.h"
#include "agents/call.h"

struct host_row {
	char name[12];
	char variable[20];
	unsigned char bits;
};

static const struct host_row rows[HOSTS] = {
#define HOST(NAME, name, bits, variable) [HOST_##NAME] = { #name, variable, bits },
#include "agents/hosts.list"
#undef HOST
	[HOST_AUTO] = { "auto", "", HOST_DENY_STATUS },
};

bool
host_by_name(struct str name, enum host *ret)
{
	for (int i = 0; i < HOSTS; i++)
		if (str_is(name, rows[i].name)) {
			*ret = (enum host)i;
			return true;
		}
	return false;
}

const char *
host_name(enum host host)
{
	return rows[host].name;
}

#define HOST(NAME, name, bits, variable) #name ", "
static const char expected[] = "the host is one of "
#include "agents/hosts.list"
			       "auto, not";
static const char missing[] = "which host? "
#include "agents/hosts.list"
			      "auto";
#undef HOST

const char *
host_expected(bool named)
{
	return named ? expected : missing;
}

const char *
host_variable(enum host host)
{
	return rows[host].variable;
}

bool
host_has(enum host host, enum host_bits bits)
{
	return (rows[host].bits & bits) == (unsigned)bits;
}

/* ---- who calls */

bool
has_key(const struct json *top, const char *key)
{
	return json_get(top, str_from_c(key)) != NULL;
}

bool
is_event(const struct json *top, const char *name)
{
	const struct json *m = json_get(top, STR("hook_event_name"));

	return m && m->kind == JSON_STRING && str_is(m->text, name);
}

/* Payloads of agents that cordon has no bytes for. */
static bool
is_foreign(const struct json *v)
{
	return has_key(v, "toolCall") || is_event(v, "pre_tool_call") ||
	       has_key(v, "jsonrpc");
}

static bool
detect(const struct json *v, enum host *ret)
{
	if (is_foreign(v))
		return false;
#define HOST(NAME, name, bits, variable)                                                   \
	if (is_##name(v)) {                                                                \
		*ret = HOST_##NAME;                                                        \
		return true;                                                               \
	}
#include "agents/hosts.list"
#undef HOST
	return false;
}

/* What was installed for Claude Code is also called by others that read its settings. */
static bool
find_caller(const struct json *v, enum host *host)
{
	if (*host == HOST_AUTO)
		return detect(v, host);
	if (*host == HOST_CLAUDE && is_copilot_pascal(v))
		*host = HOST_COPILOT;
	else if (*host == HOST_CLAUDE && has_key(v, "cursor_version") &&
		 !is_event(v, "PreToolUse") && !is_event(v, "PermissionRequest"))
		*host = HOST_CURSOR;
	return true;
}

/* ---- in */

static void
read_as(struct reading *r, enum host host)
{
	switch (host) {
#define HOST(NAME, name, bits, variable)                                                   \
	case HOST_##NAME:                                                                  \
		read_##name(r);                                                            \
		return;
#include "agents/hosts.list"
#undef HOST
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

void
host_put(struct buf *out, const struct host_call *call, const struct host_answer *answer)
{
	switch (call->host) {
#define HOST(NAME, name, bits, variable)                                                   \
	case HOST_##NAME:                                                                  \
		write_##name(out, call, answer);                                           \
		return;
#include "agents/hosts.list"
#undef HOST
	case HOST_AUTO:
	case HOSTS:
		break;
	}
}

struct host_bytes
host_refusal(enum host host)
{
	switch (host) {
#define HOST(NAME, name, bits, variable)                                                   \
	case HOST_##NAME:                                                                  \
		return refuse_##name();
#include "agents/hosts.list"
#undef HOST
	case HOST_AUTO:
	case HOSTS:
		break;
	}
	return refuse_by_status();
}

struct host_bytes
refuse_by_status(void)
{
	return (struct host_bytes){ STR(""), STR(NO_DECISION "\n"), HOST_STATUS };
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
	json_put_member(out, "behavior", denied ? STR("deny") : STR("allow"));
	if (denied)
		json_put_member(out, "message", answer->reason);
	else if (answer->input.p) {
		json_put_key(out, "updatedInput");
		buf_put(out, answer->input);
	}
	buf_puts(out, "}}}");
}
