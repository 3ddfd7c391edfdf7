/*
 * Decide whether a command may run.
 *
 * MUST
 * 1. Judge exactly what will run: the text for bash, or argv, quoted.
 * 2. Start nothing whose decision is not recorded, unless the policy says `journal
 *    optional`.
 */
#include "base/quote.h"
#include "gate/ask/approval_token.h"
#include "gate/outcome.h"
#include "launch/files/agreed_paths.h"
#include "launch/files/own_dirs.h"
#include "launch/launch_internal.h"

/* ---- the request */

/* True for words that bash does not take for a command name at the start of a line. */
static bool
is_no_name(struct str word)
{
	return str_find(word, '=') < word.n ||
	       str_among(word,
		   "if\0then\0else\0elif\0fi\0case\0esac\0for\0select\0while\0until\0"
		   "do\0done\0in\0function\0time\0coproc\0{\0}\0!\0[[\0]]\0");
}

/* Quote argv as one line that bash reads as the same words. */
static bool
quote_argv(struct arena *a, char *const *argv, struct str *ret)
{
	struct buf b;

	buf_init(&b, a);
	for (size_t i = 0; argv[i]; i++) {
		if (i)
			buf_putc(&b, ' ');
		if (i == 0 && is_no_name(str_from_c(argv[0])))
			(void)quote_put_always(&b, QUOTE_BASH, str_from_c(argv[0]), NULL);
		else
			(void)quote_put(&b, QUOTE_BASH, str_from_c(argv[i]), NULL);
	}
	*ret = buf_str(&b);
	return !b.full;
}

/* Split AGENT:ID. */
static struct str
agent_host(struct str agent)
{
	return agent.p ? str_cut(agent, 0, str_find(agent, ':')) : STR("cli");
}

static struct str
agent_id(struct str agent)
{
	return str_skip(agent, str_find(agent, ':') + 1);
}

static int
ask_judge(struct launch *l)
{
	struct judge_request *q = &l->request;
	int status = place_take(l->cli, &l->a, &l->place, q);

	if (status)
		return status;
	l->text = l->string;
	if (!l->string.p && !quote_argv(&l->a, l->run.argv, &l->text))
		return internal_error("no memory", 0);
	q->text = l->text;
	q->cwd = l->cwd;
	if (!q->session.p)
		q->session = place_agent_session(&l->a, l->cli, q->home, l->place.agent);
	q->must_exist = true;
	q->roots = &l->roots;
	/* With an approval token a person was already asked; --learn reports everything at
	 * the end. */
	q->headless =
	    !l->grant.p && !l->learn && !ask_is_possible(l->cli, l->flags.ask_seconds > 0);
	q->no_sandbox = l->flags.policy.type == SANDBOX_INSECURE_NONE;
	l->who = (struct keep_who){ .host = agent_host(l->place.agent),
		.session = l->place.agent.p ? agent_id(l->place.agent) : l->place.session,
		.tool = STR("bash"),
		.cwd = l->cwd };
	status = gate_judge(&l->a, &l->loader, q, &l->answer);
	if (!status)
		return 0;
	/* Broken rules allow nothing. */
	(void)load_complain(&l->loader, status);
	if (!l->dry_run)
		(void)keep_refusal(
		    &l->keep, &l->who, l->text, buf_str(&l->loader.message), NULL);
	return status == EXIT_INTERNAL ? EXIT_NOT_STARTED : EXIT_REFUSED;
}

/* ---- a person's answer */

static struct str
outcome_of(struct arena *a, const struct agreed *agreed)
{
	struct buf b;

	buf_init(&b, a);
	buf_puts(&b, "accepted once, in the agent's dialog");
	buf_puts(&b, agreed->said.n ? " +" : "");
	buf_put(&b, agreed->said);
	return b.full ? STR("accepted once") : buf_str(&b);
}

/* True if a person said yes to exactly this command in the agent's own dialog. */
static bool
was_granted(struct launch *l)
{
	const struct agreed *agreed = l->grant.p ? agreed_find(&l->a, &l->answer) : NULL;
	struct approval_terms terms = { .command = l->text,
		.cwd = l->cwd,
		.session = l->place.agent,
		.policy = l->loader.digest,
		.now = l->answer.in.now };
	int err;

	if (!agreed)
		return false;
	terms.width = agreed->said;
	if (!approval_take(&l->a, l->cli, l->place.home, l->grant, &terms))
		return false;
	err = keep_answer(&l->keep, &l->who, l->number, l->text, VERDICT_CONFINE,
	    outcome_of(&l->a, agreed), l->answer.decision.reason);
	if (err && policy_settings(l->answer.in.policy)->journal_required)
		return false;
	l->agreed = agreed;
	return true;
}

/* Ask a person; *ret_facts gets the answer. */
static int
approve(struct launch *l, unsigned *ret_facts)
{
	struct ask ask = { .cli = l->cli,
		.a = &l->a,
		.l = &l->loader,
		.request = &l->request,
		.answer = &l->answer,
		.keep = &l->keep,
		.who = &l->who,
		.about = l->number,
		.seconds = l->flags.ask_seconds,
		.wait = l->flags.ask_seconds > 0 };
	int status = ask_person(&ask, &l->given);

	if (status)
		return status == EXIT_POLICY ? EXIT_REFUSED : EXIT_NOT_STARTED;
	*ret_facts = l->given.accepted ? SAID_YES : SAID_NO;
	if (!l->given.accepted) {
		l->reason = l->given.reason;
		l->fix = (struct str){ NULL, 0 };
	}
	return 0;
}

/* ---- the decision */

static bool
may_run(enum verdict verdict)
{
	return verdict == VERDICT_ALLOW || verdict == VERDICT_CONFINE;
}

/* Judge, run the hook programs, record the result. */
static int
decide_and_record(struct launch *l)
{
	int status = ask_judge(l);

	if (status)
		return status;
	if (!l->dry_run) {
		l->call = (struct external_call){
			.command = l->text, .cwd = l->who.cwd, .session = l->who.session
		};
		external_before(&l->a, l->cli, &l->call, &l->answer);
		/* On failure the decision becomes a denial. */
		(void)keep_decision(
		    &l->keep, &l->who, &l->loader, l->text, &l->answer, &l->number);
	}
	if (l->keep.why.n && may_run(l->answer.decision.verdict))
		keep_complain(&l->keep);
	return 0;
}

int
launch_judge(struct launch *l)
{
	const struct decision *d = &l->answer.decision;
	unsigned facts = 0;
	int status;

	l->judged = true;
	l->keep.cli = l->cli;
	l->live.dir = -1;
	if (!loader_init(&l->loader, l->cli))
		return internal_error("no memory", 0);
	status = decide_and_record(l);
	if (status)
		return status;
	l->reason = d->reason;
	l->fix = d->fix;
	if (d->verdict == VERDICT_ASK && (l->learn || (!l->dry_run && was_granted(l))))
		facts = SAID_YES;
	else if (d->verdict == VERDICT_ASK && !l->dry_run)
		status = approve(l, &facts);
	if (status)
		return status;
	l->verdict = outcome_run(d->verdict, facts);
	if (!may_run(l->verdict))
		return 0;
	if (!exec_judge_init(&l->gate, &l->answer, l->answer.in.base.home) ||
	    !own_dirs_find(&l->a, l->cli, l->answer.in.base.home, &l->plan))
		return internal_error("no memory", 0);
	if (d->verdict == VERDICT_ASK && !l->learn)
		l->gate.approved = d->judged;
	return launch_find_sandbox(l);
}
