/* One run: its place is found, it is decided, and it is started or refused. */
#define _GNU_SOURCE /* O_CLOEXEC and friends in every library */
#include "base/show.h"
#include "launch/run_session.h"
#include "launch/running.h"
#include "run/session/ahead.h"
#include "run/session/early.h"
#include <unistd.h>

/* ---- places */

/* A session stays where it began. */
static int
pin_roots(struct running *r, struct root_request *roots)
{
	struct look_list began;
	struct err e = { 0 };

	if (!run_session_roots(&r->a, r->cli, &r->place, r->ahead, &r->roots, &began))
		return 0;
	roots->flags = began;
	if (root_find(&r->a, roots, &r->roots, &e))
		return run_complain(
			   "refused: the session's root is gone", began.v[0], e.why),
		       EXIT_REFUSED;
	if (began.n > OPT_VALUES)
		return run_complain(
			   "refused: the session has too many roots", began.v[0], NULL),
		       EXIT_REFUSED;
	/* The decision is about the same ones. */
	for (size_t i = 0; i < began.n; i++)
		r->place.roots.v[i] = began.v[i];
	r->place.roots.n = began.n;
	return 0;
}

static int
find_places(struct running *r)
{
	struct judge_request q;
	struct root_request roots = { 0 };
	struct err e = { 0 };
	int status = place_take(r->cli, &r->a, &r->place, &q);

	if (status)
		return status;
	r->cwd = plan_real(&r->a, q.cwd);
	if (!r->cwd.p)
		return run_complain("refused: cannot work in", q.cwd, "it does not exist"),
		       EXIT_REFUSED;
	roots = (struct root_request){ .flags = q.root_flags,
		.variable = q.root_variable,
		.cwd = r->cwd,
		.projects = q.projects,
		.untrusted = q.untrusted,
		.home = q.home };
	r->place.home = q.home;
	if (root_find(&r->a, &roots, &r->roots, &e))
		return run_complain("refused: no root", (struct str){ NULL, 0 }, e.why),
		       EXIT_REFUSED;
	return pin_roots(r, &roots);
}

/* Why not, and what to do. */
static int
refused(struct running *r, const struct run_answer *answer)
{
	struct buf b;

	buf_init(&b, &r->a);
	buf_puts(&b, "cordon run: refused (");
	buf_puts(&b, verdict_name(answer->verdict));
	buf_puts(&b, "): ");
	show_put(&b, answer->reason, 0);
	if (answer->fix.n) {
		buf_puts(&b, "\n  what to do: ");
		show_put(&b, answer->fix, 0);
	}
	buf_putc(&b, '\n');
	(void)write_all(STDERR_FILENO, buf_str(&b));
	return EXIT_REFUSED;
}

/* Made while we judge and plan, or, in a session, joined. */
static void
begin_early(struct running *r)
{
	struct session_place place;

	if (r->dry_run)
		return;
	if (!run_session_place(&r->a, r->cli, &r->place, &place))
		r->early = early_begin(&r->a, str_is(r->network, "on"));
	else if (!r->review && !str_is(r->network, "on") && !r->limits.output)
		r->ahead = ahead_begin(
		    &r->a, &place, !str_is(r->gating, "off"), &r->limits, r->words);
}

int
launch(struct running *r, char *const *argv, run_decide *decider, void *context)
{
	struct run_question q = { r->string, argv, &r->place, &r->flags, &r->roots, r->cwd,
		r->grant, r->dry_run };
	struct run_answer answer = { 0 };
	int status = run_take_limits(r);

	begin_early(r);
	if (status || (status = find_places(r)) || (status = run_take_flags(r)))
		return status;
	q.cwd = r->cwd;
	status = decider(context, &r->a, &q, &answer);
	if (status)
		return status;
	if (answer.verdict != VERDICT_ALLOW && answer.verdict != VERDICT_CONFINE)
		return refused(r, &answer);
	return run_start(r, &answer, argv);
}
