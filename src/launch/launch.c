/* A run: find its directories, decide, then start or refuse it. */
#define _GNU_SOURCE /* O_CLOEXEC and friends in every library */
#include "base/show.h"
#include "launch/launch_internal.h"
#include "launch/launch_session.h"
#include "run/session/prejoin.h"
#include "run/session/prenamespace.h"
#include <unistd.h>

/* ---- directories */

/* A session keeps the roots it began with. */
static int
pin_roots(struct launch *l, struct root_request *roots)
{
	struct look_list began;
	struct err e = { 0 };

	if (!launch_session_roots(
		&l->a, l->cli, &l->place, l->run.prejoin, &l->roots, &began))
		return 0;
	roots->flags = began;
	if (root_find(&l->a, roots, &l->roots, &e))
		return launch_complain(
			   "refused: the session's root was removed:", began.v[0], e.why),
		       EXIT_REFUSED;
	if (began.n > OPT_VALUES)
		return launch_complain(
			   "refused: the session has too many roots", began.v[0], NULL),
		       EXIT_REFUSED;
	/* Decide with the same roots. */
	for (size_t i = 0; i < began.n; i++)
		l->place.roots.v[i] = began.v[i];
	l->place.roots.n = began.n;
	return 0;
}

static int
find_places(struct launch *l)
{
	struct judge_request q;
	struct root_request roots = { 0 };
	struct err e = { 0 };
	int status = place_take(l->cli, &l->a, &l->place, &q);

	if (status)
		return status;
	l->cwd = plan_real(&l->a, q.cwd);
	if (!l->cwd.p)
		return launch_complain(
			   "refused: cannot work in", q.cwd, "it does not exist"),
		       EXIT_REFUSED;
	roots = (struct root_request){ .flags = q.root_flags,
		.variable = q.root_variable,
		.cwd = l->cwd,
		.projects = q.projects,
		.untrusted = q.untrusted,
		.home = q.home };
	l->place.home = q.home;
	if (root_find(&l->a, &roots, &l->roots, &e))
		return launch_complain("refused: no root", (struct str){ NULL, 0 }, e.why),
		       EXIT_REFUSED;
	return pin_roots(l, &roots);
}

/* Print why the command is refused, and the hint. */
static int
refused(struct launch *l)
{
	struct buf b;

	buf_init(&b, &l->a);
	buf_puts(&b, "cordon run: refused (");
	buf_puts(&b, verdict_name(l->verdict));
	buf_puts(&b, "): ");
	show_put(&b, l->reason, 0);
	if (l->fix.n) {
		buf_puts(&b, "\n  hint: ");
		show_put(&b, l->fix, 0);
	}
	buf_putc(&b, '\n');
	(void)write_all(STDERR_FILENO, buf_str(&b));
	return EXIT_REFUSED;
}

/* Create namespaces while we judge and plan; in a session, join them. */
static void
begin_early(struct launch *l)
{
	struct session_ref place;

	if (l->dry_run)
		return;
	if (!launch_session_place(&l->a, l->cli, &l->place, &place))
		l->run.prenamespace = prenamespace_begin(&l->a, str_is(l->o.network, "on"));
	else if (!l->review && !str_is(l->o.network, "on") && !l->limits.output)
		l->run.prejoin = prejoin_begin(
		    &l->a, &place, !str_is(l->o.gating, "off"), &l->limits, l->words);
}

int
launch_run(struct launch *l, launch_decide *decider)
{
	int status = run_take_limits(l);

	begin_early(l);
	if (status || (status = find_places(l)) || (status = run_take_flags(l)) ||
	    (status = decider(l)))
		return status;
	if (l->verdict != VERDICT_ALLOW && l->verdict != VERDICT_CONFINE)
		return refused(l);
	return launch_start(l);
}
