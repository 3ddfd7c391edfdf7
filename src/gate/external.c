#include "gate/external.h"
#include "base/json/json.h"
#include "base/show.h"

/* Time reserved for writing the answer before the agent gives up. */
#define MARGIN_MS 200

#define BLOCKED STR("Command execution was blocked by a hook")

/* ---- the input */

static void
put_text(struct buf *b, const char *key, struct str text, struct str otherwise)
{
	json_put_member(b, key, text.p ? text : otherwise);
}

static void
put_fields(struct buf *b, const struct external_call *c, const char *event, bool sandbox)
{
	buf_putc(b, '{');
	put_text(b, "conversation_id", c->session, STR(""));
	put_text(b, "generation_id", c->generation, STR(""));
	put_text(b, "model", c->model, STR(""));
	put_text(b, "command", c->command, STR("UNKNOWN"));
	put_text(b, "cwd", c->cwd, STR(""));
	json_put_key(b, "sandbox");
	json_put_bool(b, sandbox);
	put_text(b, "hook_event_name", str_from_c(event), STR(""));
}

/* Parse `10 ~/bin/program`: return the path with ~, @home or @project expanded, and the
 * timeout. */
static const char *
read_entry(struct arena *a, struct str entry, const struct pattern_base *base,
    const struct external_call *c, unsigned *ret_ms)
{
	size_t blank = str_find(entry, ' ');
	struct str path = str_skip(entry, blank + 1), first = { NULL, 0 };
	uint64_t seconds = 0;

	(void)str_number(str_cut(entry, 0, blank), UINT32_MAX / 1000, &seconds);
	*ret_ms = (unsigned)seconds * 1000;
	if (c->left_ms && *ret_ms + MARGIN_MS > c->left_ms)
		*ret_ms = c->left_ms > MARGIN_MS ? c->left_ms - MARGIN_MS : 0;
	if (str_starts(path, STR("~/")) || str_starts(path, STR("@home/")))
		first = base->home;
	else if (str_starts(path, STR("@project/")))
		first = base->roots_n ? base->roots[0] : first;
	else if (path.n && path.p[0] == '/')
		return STORE_NAME(a, path);
	return first.p ? STORE_NAME(a, first, str_skip(path, str_find(path, '/'))) : NULL;
}

/* ---- the output */

/* Read the `permission` member; malformed output is a deny. */
static enum verdict
read_permission(struct arena *a, struct str text)
{
	const struct json *v = NULL, *m;

	if (json_read(a, text, NULL, &v, NULL) || v->kind != JSON_OBJECT)
		return VERDICT_DENY;
	m = json_get(v, STR("permission"));
	if (!m || m->kind == JSON_NULL)
		return VERDICT_ALLOW;
	if (m->kind != JSON_STRING)
		return VERDICT_DENY;
	if (str_is(m->text, "allow"))
		return VERDICT_ALLOW;
	return str_is(m->text, "ask") ? VERDICT_ASK : VERDICT_DENY;
}

static enum verdict
ask_one(struct arena *a, const struct process *cli, const struct external_call *c,
    struct str entry, const struct judge_answer *answer, struct str *ret_reason)
{
	unsigned ms = 0;
	const char *program = read_entry(a, entry, &answer->in.base, c, &ms), *why;
	struct str text, out = { NULL, 0 };
	enum verdict verdict;
	struct buf b;

	buf_init(&b, a);
	put_fields(
	    &b, c, "beforeShellExecution", answer->decision.verdict == VERDICT_CONFINE);
	buf_puts(&b, "}\n");
	text = buf_str(&b);
	*ret_reason = BLOCKED;
	if (b.full || !program)
		return VERDICT_DENY;
	why = external_run(a, cli, c, program, ms, text, &out);
	verdict = why ? VERDICT_DENY : read_permission(a, out);
	if (verdict == VERDICT_ASK)
		*ret_reason = STR("a hook asks for approval");
	return verdict;
}

void
external_before(struct arena *a, const struct process *cli, const struct external_call *c,
    struct judge_answer *answer)
{
	struct decide_input *in = &answer->in;
	struct str entry, reason = { NULL, 0 };

	for (size_t i = 0; (entry = policy_entry(in->policy, LIST_BEFORE_HOOK, i)).p; i++) {
		enum verdict said;

		if (answer->decision.hard || in->hook == VERDICT_DENY)
			return;
		said = ask_one(a, cli, c, entry, answer, &reason);
		if (said >= in->hook)
			continue;
		in->hook = said;
		in->hook_reason = reason;
		decide(a, in, &answer->decision);
	}
}

bool
external_after(struct arena *a, const struct process *cli, const struct external_call *c,
    const struct judge_answer *answer, int status, uint64_t wall_ms)
{
	struct str entry;
	bool fine = true;

	for (size_t i = 0; (entry = policy_entry(answer->in.policy, LIST_AFTER_HOOK, i)).p;
	     i++) {
		unsigned ms = 0;
		const char *program = read_entry(a, entry, &answer->in.base, c, &ms);
		struct str out;
		struct buf b;

		buf_init(&b, a);
		put_fields(&b, c, "afterShellExecution",
		    answer->decision.verdict == VERDICT_CONFINE);
		json_put_key(&b, "exit_code");
		json_put_int(&b, status);
		json_put_key(&b, "duration");
		json_put_int(&b, (int64_t)wall_ms);
		buf_puts(&b, "}\n");
		if (b.full || !program ||
		    external_run(a, cli, c, program, ms, buf_str(&b), &out))
			fine = false;
	}
	return fine;
}
