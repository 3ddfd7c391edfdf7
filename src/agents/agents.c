#include "agents/agents.h"
#include "agents/agent.h"

static const char names[AGENTS + 1][12] = {
#define AGENT(NAME, name) [AGENT_##NAME] = #name,
#include "agents/agents.list"
#undef AGENT
	[AGENT_AUTO] = "auto",
};

static const struct agent_profile any_profile = { .refuses = AGENT_DENY_STATUS };

bool
agent_by_name(struct str name, enum agent *ret)
{
	for (int i = 0; i <= AGENTS; i++)
		if (str_is(name, names[i])) {
			*ret = (enum agent)i;
			return true;
		}
	return false;
}

const char *
agent_name(enum agent agent)
{
	return names[agent];
}

#define AGENT(NAME, name) #name ", "
static const char expected[] = "the agent is one of "
#include "agents/agents.list"
			       "auto, not";
static const char expected_one[] = "the agent is one of "
#include "agents/agents.list"
				   "not";
static const char missing[] = "which agent? "
#include "agents/agents.list"
			      "auto";
#undef AGENT

const char *
agent_expected(bool named, bool with_auto)
{
	return !named ? missing : with_auto ? expected : expected_one;
}

const struct agent_profile *
agent_profile(enum agent agent)
{
	switch (agent) {
#define AGENT(NAME, name)                                                                  \
	case AGENT_##NAME:                                                                 \
		return &name##_profile;
#include "agents/agents.list"
#undef AGENT
	case AGENTS:
		break;
	}
	return &any_profile;
}

/* ---- which agent sends a payload */

bool
payload_has(const struct json *top, const char *key)
{
	return json_get(top, str_from_c(key)) != NULL;
}

bool
payload_is_event(const struct json *top, const char *name)
{
	const struct json *m = json_get(top, STR("hook_event_name"));

	return m && m->kind == JSON_STRING && str_is(m->text, name);
}

/* Payloads of agents that cordon cannot answer. */
static bool
is_foreign(const struct json *v)
{
	return payload_has(v, "toolCall") || payload_is_event(v, "pre_tool_call") ||
	       payload_has(v, "jsonrpc");
}

static bool
detect(const struct json *v, enum agent *ret)
{
	if (is_foreign(v))
		return false;
#define AGENT(NAME, name)                                                                  \
	if (name##_sends(v)) {                                                             \
		*ret = AGENT_##NAME;                                                       \
		return true;                                                               \
	}
#include "agents/agents.list"
#undef AGENT
	return false;
}

/* Cursor and Copilot read Claude Code's settings and call the hook that is registered
 * there. */
static bool
find_caller(const struct json *v, enum agent *agent)
{
	if (*agent == AGENT_AUTO)
		return detect(v, agent);
	if (*agent == AGENT_CLAUDE && copilot_is_pascal(v))
		*agent = AGENT_COPILOT;
	else if (*agent == AGENT_CLAUDE && payload_has(v, "cursor_version") &&
		 !payload_is_event(v, "PreToolUse") &&
		 !payload_is_event(v, "PermissionRequest"))
		*agent = AGENT_CURSOR;
	return true;
}

/* ---- in */

static void
read_as(struct payload *r, enum agent agent)
{
	switch (agent) {
#define AGENT(NAME, name)                                                                  \
	case AGENT_##NAME:                                                                 \
		name##_read(r);                                                            \
		return;
#include "agents/agents.list"
#undef AGENT
	case AGENTS:
		break;
	}
	(void)payload_wrong(r, "unknown agent");
}

int
agent_read(struct arena *a, enum agent agent, bool asks, struct str text,
    struct agent_call *ret, struct err *reterr)
{
	struct payload r = { .a = a, .text = text, .call = ret, .asks = asks };
	struct str cwd;
	int err;

	*ret = (struct agent_call){ .agent = agent, .event = EVENT_TOOL };
	if (str_starts(text, STR("\xef\xbb\xbf")))
		r.text = str_skip(text, 3);
	err = json_read(a, r.text, NULL, &r.top, reterr);
	if (err)
		return err;
	if (r.top->kind != JSON_OBJECT)
		return err_at(reterr, CORDON_EINVAL, 0, "the input is not a JSON object");
	if (!find_caller(r.top, &ret->agent))
		return err_at(reterr, CORDON_EINVAL, 0, "the input is from no known agent");
	ret->input_text = r.text;
	read_as(&r, ret->agent);
	cwd = ret->cwd;
	if (cwd.p && (cwd.n == 0 || cwd.p[0] != '/'))
		(void)payload_wrong(&r, "the working directory is not an absolute path");
	if (r.wrong)
		return err_at(reterr, CORDON_EINVAL, 0, r.wrong);
	return 0;
}

/* ---- out */

void
agent_put(struct buf *out, const struct agent_call *call, const struct agent_answer *answer)
{
	switch (call->agent) {
#define AGENT(NAME, name)                                                                  \
	case AGENT_##NAME:                                                                 \
		name##_write(out, call, answer);                                           \
		return;
#include "agents/agents.list"
#undef AGENT
	case AGENTS:
		break;
	}
}

struct agent_bytes
agent_refusal(enum agent agent)
{
	const struct agent_profile *p = agent_profile(agent);

	if (!p->refusal[0])
		return (struct agent_bytes){ STR(""), STR(NO_DECISION "\n"), AGENT_STATUS };
	return (struct agent_bytes){ str_from_c(p->refusal), STR(""),
		p->refuses & AGENT_FAULT_BOTH ? AGENT_STATUS : 0 };
}

static const struct agent_change *
change_of(const struct agent_change *changes, size_t n, const struct json *member)
{
	for (size_t i = 0; i < n; i++)
		if (changes[i].member == member)
			return &changes[i];
	return NULL;
}

void
agent_put_input(struct buf *b, const struct agent_call *call,
    const struct agent_change *changes, size_t n, bool only_changed)
{
	buf_putc(b, '{');
	for (const struct json *m = call->input->first; m; m = m->next) {
		const struct agent_change *change = change_of(changes, n, m);

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
agent_put_permission(struct buf *out, const struct agent_answer *answer, bool with_input)
{
	bool denied = answer->verdict == VERDICT_DENY;

	/* No output: the agent continues and asks. */
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
