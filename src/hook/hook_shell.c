#define _GNU_SOURCE /* readlink, in every library */
#include "base/limits.h"
#include "base/show.h"
#include "cli/cli.h"
#include "gate/external.h"
#include "gate/outcome.h"
#include "hook/hook.h"
#include "hook/hook_deadline.h"
#include "launch/files/agreed_paths.h"
#include <unistd.h>

/* A command, from the agent's request to the command it may run. */
struct shell {
	struct hook *h;
	struct str text;  /* the command itself, without our frame */
	bool wrapped;     /* the command came in our own frame (cordon run ...) */
	bool headless;    /* no person can be asked */
	struct str grant; /* token name that the frame carries; .p == NULL: none */
	struct judge_answer answer;
	const struct agreed *agreed; /* paths that a yes opens; NULL: none */
};

/* ---- the frame */

static struct str
own_path(struct arena *a)
{
	struct str gone = STR(" (deleted)");
	char *mem = arena_alloc(a, LIMIT_PATH);
	ssize_t n = mem ? readlink("/proc/self/exe", mem, LIMIT_PATH) : -1;
	struct str path = { mem, n > 0 ? (size_t)n : 0 };

	/* The file was replaced while running: the same name leads to the new one. */
	if (str_ends(path, gone))
		path.n -= gone.n;
	return n > 0 && path.n < LIMIT_PATH ? path : (struct str){ NULL, 0 };
}

/* Looked up lazily: only rewritten commands need our own path. */
static bool
find_program(struct hook *h)
{
	if (!h->frame.program.p)
		h->frame.program = own_path(&h->a);
	return h->frame.program.p != NULL;
}

static bool
unwrap(struct shell *s)
{
	struct hook *h = s->h;
	struct wrap w;

	s->text = h->call.command;
	if (!wrap_read(&h->a, h->call.command, &w) || !find_program(h) ||
	    !wrap_same(&w, &h->frame))
		return false;
	s->text = w.command;
	s->grant = w.grant;
	s->wrapped = true;
	return true;
}

/* Return the command in a `cordon run` frame; .p == NULL: it cannot be quoted or is too
 * long. */
static struct str
wrap(struct shell *s, struct str grant)
{
	struct wrap w;
	struct str text;
	struct buf b;

	if (!find_program(s->h))
		return (struct str){ NULL, 0 };
	w = s->h->frame;
	w.grant = grant;
	w.command = s->text;
	buf_init(&b, &s->h->a);
	if (!wrap_put(&b, &w) || (s->h->shell.p && !wrap_shell(s->h->shell)))
		return (struct str){ NULL, 0 };
	text = buf_str(&b);
	return text.n > LIMIT_COMMAND ? (struct str){ NULL, 0 } : text;
}

static const struct json *
command_member(const struct agent_call *call)
{
	return json_get(call->input, str_from_c(call->command_key));
}

static void
cannot_wrap(struct hook *h, struct agent_answer *ret)
{
	if (h->shell.p && !wrap_shell(h->shell))
		hook_deny(h, STR("cordon cannot quote commands for this shell"),
		    STR("tell the user: the agent must run commands with bash"), ret);
	else
		hook_deny(h, STR("the command is too long for `cordon run`"),
		    STR("put it into a script"), ret);
}

/* Rewrite the command that the agent runs.  On false, the answer is a denial. */
static bool
rewrite(struct shell *s, struct str grant, struct agent_answer *ret)
{
	struct hook *h = s->h;
	struct agent_change change = { command_member(&h->call), wrap(s, grant) };

	if (!change.value.p || !change.member) {
		cannot_wrap(h, ret);
		return false;
	}
	hook_change(h, &change, 1, ret);
	return ret->input.p != NULL;
}

/* ---- commands that call cordon */

/* Find a call of cordon that does more than read; unwrap() already removed our own
 * frame. */
static const struct command *
calls_cordon(const struct effects *e)
{
	for (const struct command *c = e->commands; c; c = c->next)
		if ((str_is(c->program, "cordon") || str_is(c->program, "cordond")) &&
		    c->class != CLASS_READ)
			return c;
	return NULL;
}

static void
refuse_cordon(struct judge_answer *answer)
{
	struct decision *d = &answer->decision;

	if (!answer->in.effects || !calls_cordon(answer->in.effects) ||
	    d->verdict == VERDICT_DENY)
		return;
	outcome_deny(d,
	    &(struct denial){ .gate = GATE_DENY,
		.hard = true,
		.reason = STR("agents may not call cordon"),
		.fix = STR("run the command without cordon: the hook adds the sandbox") });
}

/* Run the hook programs that rules name; they may tighten the decision. */
static void
ask_others(struct shell *s)
{
	const struct agent_call *call = &s->h->call;
	struct external_call c = { .command = s->text,
		.cwd = s->h->base.cwd,
		.session = call->session,
		.generation = call->generation,
		.model = call->model,
		.watch = hook_set_child };

	if (!policy_entry(s->answer.in.policy, LIST_BEFORE_HOOK, 0).p ||
	    (s->answer.in.effects && calls_cordon(s->answer.in.effects)))
		return;
	c.left_ms = hook_time_left();
	external_before(&s->h->a, s->h->cli, &c, &s->answer);
}

/* ---- answers */

static void
say(struct shell *s, const char *head, struct str extra, struct agent_answer *ret)
{
	const struct decision *d = &s->answer.decision;
	struct buf b;

	buf_init(&b, &s->h->a);
	buf_puts(&b, head);
	show_put(&b, d->reason, 0);
	if (d->verdict == VERDICT_DENY && !d->hard && s->headless)
		buf_puts(&b, " (hint: " HOOK_TELL_USER ")");
	else if (d->verdict == VERDICT_CONFINE && !extra.n)
		buf_puts(&b, ": it runs inside the sandbox");
	else if (d->verdict != VERDICT_ALLOW && d->fix.n && !extra.n) {
		buf_puts(&b, " (hint: ");
		show_put(&b, d->fix, 0);
		buf_puts(&b, ")");
	}
	/* Print the command verbatim; escaping would change what is run. */
	buf_put(&b, extra);
	agreed_put(&b, s->agreed);
	ret->reason = b.full ? STR("cordon: refused") : buf_str(&b);
}

/* The command may run, but only in the sandbox, and this agent does not let us replace it:
 * name the command that runs it there. */
static void
tell_command(struct shell *s, enum outcome outcome, struct agent_answer *ret)
{
	struct str text = wrap(s, (struct str){ NULL, 0 });
	struct buf b;

	*ret = (struct agent_answer){ .verdict = outcome_verdict(outcome) };
	if (!text.p) {
		cannot_wrap(s->h, ret);
		return;
	}
	buf_init(&b, &s->h->a);
	buf_puts(&b, "; it may run inside the sandbox: call exactly this instead: ");
	buf_put(&b, text);
	if (b.full)
		b.n = 0;
	say(s, "cordon: ", buf_str(&b), ret);
}

static void
leave_grant(struct shell *s, struct str name)
{
	struct hook *h = s->h;
	struct approval_terms terms = { .command = s->text,
		.cwd = h->base.cwd,
		.width = s->agreed ? s->agreed->said : STR(""),
		.session = h->agent,
		.policy = h->loader.digest,
		.now = s->answer.in.now };

	/* Without a token `cordon run` asks again or refuses. */
	if (name.p)
		(void)approval_leave(&h->a, h->cli, h->base.home, name, &terms);
}

static struct str
new_grant(struct hook *h)
{
	if (!approval_name(h->agent, h->grant))
		return (struct str){ NULL, 0 };
	return str_of(h->grant, sizeof h->grant);
}

static void
ask(struct shell *s, enum outcome outcome, struct agent_answer *ret)
{
	const struct agent_call *call = &s->h->call;
	struct str grant = s->grant;

	s->agreed = agreed_find(&s->h->a, &s->answer);
	if (outcome == OUTCOME_ASK_LATER) {
		/* The command carries the token's name; the event that asks leaves the
		 * token. */
		(void)rewrite(s, new_grant(s->h), ret);
		return;
	}
	say(s, "cordon asks: ", STR(""), ret);
	if (call->can_rewrite && call->event == EVENT_TOOL) {
		grant = new_grant(s->h);
		if (!rewrite(s, grant, ret))
			return;
	}
	leave_grant(s, grant);
}

static unsigned
facts_of(struct shell *s)
{
	unsigned facts = hook_facts(s->h, &s->answer);

	if (s->wrapped)
		facts |= DOOR_FRAMED;
	/* Another shell may give the same text another meaning. */
	if (s->h->shell.p && !str_is(str_base(s->h->shell), "bash"))
		facts |= DOOR_OTHER_SHELL;
	return facts;
}

static void
answer(struct shell *s, struct agent_answer *ret)
{
	const struct decision *d = &s->answer.decision;
	unsigned facts = facts_of(s);
	enum outcome outcome = outcome_find(d->verdict, facts);

	say(s, "cordon: ", STR(""), ret);
	ret->verdict = outcome_verdict(outcome);
	switch (outcome) {
	case OUTCOME_DENY:
		return;
	case OUTCOME_PASS:
	case OUTCOME_CONFINE:
		ret->aloud = !(facts & WAS_PAUSED) &&
			     policy_settings(s->answer.in.policy)->answer_explicit &&
			     (d->verdict == VERDICT_ALLOW || !s->h->call.planning);
		if (outcome == OUTCOME_CONFINE)
			(void)rewrite(s, (struct str){ NULL, 0 }, ret);
		return;
	case OUTCOME_ASK:
	case OUTCOME_ASK_LATER:
		ask(s, outcome, ret);
		return;
	case OUTCOME_TELL:
	case OUTCOME_TELL_OR_ASK:
		tell_command(s, outcome, ret);
	}
}

void
hook_shell(struct hook *h, struct agent_answer *ret)
{
	struct shell s = { .h = h };
	struct judge_request q = h->base;

	(void)unwrap(&s);
	q.text = s.text;
	s.headless = !h->call.can_ask && !h->call.asks_later;
	q.headless = s.headless;
	if (hook_judge(h, &q, s.text, &s.answer, ret))
		return;
	ask_others(&s);
	refuse_cordon(&s.answer);
	if (hook_record(h, s.text, &s.answer, ret) == 0)
		answer(&s, ret);
}
