#define _GNU_SOURCE
#include "broker/git/tracked.h"
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

static bool
prepare(struct supervisor *s, sigset_t *old)
{
	sigset_t all;

	(void)sigfillset(&all);
	/* A fault of our own must still end us. */
	(void)sigdelset(&all, SIGSEGV);
	(void)sigdelset(&all, SIGBUS);
	(void)sigdelset(&all, SIGABRT);
	(void)sigdelset(&all, SIGILL);
	(void)sigdelset(&all, SIGFPE);
	/* Ignored, children would vanish before they are waited for. */
	(void)signal(SIGCHLD, SIG_DFL);
	if (sigprocmask(SIG_SETMASK, &all, old))
		return false;
	s->signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	/* Not zeroed: of most of it no page is ever touched. */
	s->violations = arena_alloc(s->a, VIOLATIONS_MAX * sizeof *s->violations);
	s->planted = arena_alloc(s->a, PLANTED_MAX * sizeof *s->planted);
	s->own = arena_alloc(s->a, OWN_MAX * sizeof *s->own);
	s->vacated = arena_alloc(s->a, VACATED_MAX * sizeof *s->vacated);
	if (s->q->learn)
		s->learned = arena_alloc(s->a, VIOLATIONS_MAX * sizeof *s->learned);
	if (s->plan->listed)
		s->reached = arena_alloc(s->a, REACHED_MAX * sizeof *s->reached);
	return s->signals >= 0 && s->violations && s->planted && s->own && s->vacated &&
	       (s->learned || !s->q->learn);
}

static void
collect(struct supervisor *s)
{
	struct run_result *r = s->result;

	r->wall_ms = clock_ms() - s->began_ms;
	r->violations = s->violations;
	r->violations_n = s->violations_n;
	r->planted = s->planted;
	r->planted_n = s->planted_n;
	r->learned = s->learned;
	r->learned_n = s->learned_n;
	r->reached = s->reached;
	r->reached_n = s->reached_n;
}

static void
done(struct supervisor *s, const sigset_t *old)
{
	int *const all[] = { &s->pidfd, &s->control, &s->listener, &s->signals, &s->root,
		&s->session.keeper, &s->sockets, &s->tmp };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		fd_close(all[i]);
	tracked_end(s);
	task_end(s);
	cgroup_end(&s->group);
	(void)sigprocmask(SIG_SETMASK, old, NULL);
}

void
run(struct arena *a, const struct run_request *q, struct run_result *ret)
{
	struct supervisor s = { .a = a,
		.q = q,
		.plan = q->plan,
		.result = ret,
		.pidfd = -1,
		.control = -1,
		.listener = -1,
		.signals = -1,
		.root = -1,
		.tmp = -1,
		.sockets = -1,
		.own_fds = -1,
		.net = { .sockets = { -1, -1 }, .reports = -1 },
		.session = SESSION_NO_PLACE };
	sigset_t old;

	*ret = (struct run_result){
		.end = RUN_NOT_STARTED, .why = STR("no memory"), .upper = -1
	};
	memcpy(ret->fields, q->plan->fields, sizeof ret->fields);
	/* Not the coarse clock: what was written just before must not seem later. */
	if (q->plan->review)
		(void)clock_gettime(CLOCK_REALTIME, &ret->began);
	if (!prepare(&s, &old))
		return;
	s.outer = getpgrp();
	vacated_load(&s);
	terminal_save(&s);
	if (!place_find_outside(&s))
		ret->why = STR("the kernel does not say on which mount a standard stream "
			       "lies; to mend it: redirect it to a pipe (| cat)");
	else if (!output_begin(&s, q->plan->limits.output))
		ret->why = STR("no pipes for the output");
	else if (start(&s)) {
		supervise(&s);
		if (s.lost && start_again(&s))
			supervise(&s);
	}
	output_end(&s);
	watch_tmp(&s);
	terminal_restore(&s);
	sweep_repositories(&s);
	collect(&s);
	done(&s, &old);
}
