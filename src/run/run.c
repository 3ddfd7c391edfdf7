#define _GNU_SOURCE
#include "run/run_internal.h"
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
	/* If SIGCHLD were ignored, children would be reaped before we wait for them. */
	(void)signal(SIGCHLD, SIG_DFL);
	if (sigprocmask(SIG_SETMASK, &all, old))
		return false;
	s->signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->signals >= 0 && broker_begin(&s->br);
}

static void
collect(struct supervisor *s)
{
	struct run_result *r = s->result;

	r->wall_ms = clock_ms() - s->began_ms;
	r->violations = s->br.violations;
	r->violations_n = s->br.violations_n;
	r->dropped = s->br.dropped;
	r->dropped_n = s->br.dropped_n;
	r->learned = s->br.learned;
	r->learned_n = s->br.learned_n;
	r->reached = s->br.reached;
	r->reached_n = s->br.reached_n;
	r->traced_execs = s->br.traced_execs;
	r->dropped_lost = s->br.dropped_lost;
	r->violations_lost = s->br.violations_lost;
	r->reached_lost = s->br.reached_lost;
	r->learned_more = s->br.learned_more;
}

static void
done(struct supervisor *s, const sigset_t *old)
{
	int *const all[] = { &s->pidfd, &s->control, &s->signals, &s->session.keeper_fd,
		&s->tmp };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		fd_close(all[i]);
	broker_end(&s->br);
	cgroup_end(&s->group);
	(void)sigprocmask(SIG_SETMASK, old, NULL);
}

void
run_confined(struct arena *a, const struct run_request *q, struct run_result *ret)
{
	struct supervisor s = { .br = { .a = a,
				    .plan = q->plan,
				    .policy = &q->policy,
				    .vacated_file = q->vacated_file,
				    .wants_session = q->session != NULL,
				    .shared_pgrp = getpgrp(),
				    .close_in_worker = &s.control,
				    .listener = -1,
				    .root = -1,
				    .sockets = -1,
				    .own_fds = -1,
				    .net = { .sockets = { -1, -1 }, .reports = -1 } },
		.q = q,
		.result = ret,
		.pidfd = -1,
		.control = -1,
		.signals = -1,
		.tmp = -1,
		.session = SESSION_NOT_OPEN };
	sigset_t old;

	*ret = (struct run_result){
		.end = RUN_NOT_STARTED, .why = STR("no memory"), .upper = -1
	};
	memcpy(ret->fields, q->plan->fields, sizeof ret->fields);
	/* Not the coarse clock: a file written just before must not seem later. */
	if (q->plan->review)
		(void)clock_gettime(CLOCK_REALTIME, &ret->began);
	if (!prepare(&s, &old))
		return;
	vacated_load(&s.br);
	terminal_save(&s);
	if (!target_note_streams(&s.br))
		ret->why = STR("the kernel does not say on which mount a standard stream "
			       "lies; hint: redirect it to a pipe (| cat)");
	else if (!output_begin(&s, q->plan->limits.output))
		ret->why = STR("no pipes for the output");
	else if (supervisor_start(&s)) {
		supervisor_loop(&s);
		if (s.lost && supervisor_restart(&s))
			supervisor_loop(&s);
	}
	output_end(&s);
	watch_tmp(&s);
	terminal_restore(&s);
	dropped_sweep_repositories(&s.br);
	collect(&s);
	done(&s, &old);
}
