/* A command without a sandbox: only its time and its output are limited. */
#define _GNU_SOURCE
#include "run/run_internal.h"
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#define GRACE_MS 1000
#define ROUNDS 50

/* Kill the children that were left to us; their children are left to us in turn. */
static void
end_children(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		char text[4096];
		cleanup_fd int fd =
		    open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
		ssize_t n = fd >= 0 ? read(fd, text, sizeof text) : -1;
		pid_t pid = 0;

		if (n <= 0)
			return;
		for (ssize_t i = 0; i < n; i++) {
			if (text[i] >= '0' && text[i] <= '9') {
				pid = pid * 10 + (pid_t)(text[i] - '0');
			} else if (pid) {
				(void)kill(pid, SIGKILL);
				(void)waitpid(pid, NULL, 0);
				pid = 0;
			}
		}
	}
}

static _Noreturn void
plain_command(struct supervisor *s, const sigset_t *old)
{
	const struct run_request *q = s->q;

	if (!output_take(s))
		_exit(125);
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
	(void)sigprocmask(SIG_SETMASK, old, NULL);
	(void)execvpe(q->argv[0], q->argv, q->envp);
	_exit(125);
}

static void
tell_end(struct supervisor *s, int status, const struct rusage *used)
{
	struct run_result *r = s->result;

	r->cpu_ms = (uint64_t)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) * 1000 +
		    (uint64_t)(used->ru_utime.tv_usec + used->ru_stime.tv_usec) / 1000;
	r->max_rss = (uint64_t)used->ru_maxrss * 1024;
	r->wall_ms = clock_ms() - s->began_ms;
	r->processes = 1;
	if (r->limits_hit & RUN_LIMIT_WALL) {
		r->end = RUN_TIMED_OUT;
		end_children();
		return;
	}
	r->end = WIFSIGNALED(status) ? RUN_SIGNALLED : RUN_EXITED;
	r->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

/* Forward signals that were sent to us alone. */
static void
pass_signals(struct supervisor *s)
{
	struct signalfd_siginfo info;

	while (read(s->signals, &info, sizeof info) == (ssize_t)sizeof info) {
		if (info.ssi_signo == SIGTSTP)
			(void)raise(SIGSTOP);
		else if (info.ssi_signo != SIGCHLD && info.ssi_code != SI_KERNEL)
			(void)kill(s->br.init, (int)info.ssi_signo);
	}
}

static void
wait_plain(struct supervisor *s, uint64_t wall_ms)
{
	uint64_t deadline = wall_ms ? s->began_ms + wall_ms : 0;

	for (;;) {
		struct pollfd fd = { s->signals, POLLIN, 0 };
		uint64_t now = clock_ms();
		struct rusage used;
		int status;

		if (wait4(s->br.init, &status, WNOHANG, &used) == s->br.init) {
			tell_end(s, status, &used);
			return;
		}
		if (deadline && now >= deadline) {
			(void)kill(s->br.init,
			    s->result->limits_hit & RUN_LIMIT_WALL ? SIGKILL : SIGTERM);
			s->result->limits_hit |= RUN_LIMIT_WALL;
			deadline = now + GRACE_MS;
		}
		(void)poll(&fd, 1, deadline ? (int)(deadline - now) : -1);
		pass_signals(s);
	}
}

void
run_plain(struct arena *a, const struct run_request *q, const struct plan_limits *limits,
    struct run_result *ret)
{
	struct supervisor s = {
		.br = { .a = a }, .q = q, .result = ret, .began_ms = clock_ms()
	};
	sigset_t wanted, old;

	*ret = (struct run_result){
		.end = RUN_NOT_STARTED, .why = STR("no process"), .upper = -1
	};
	(void)sigemptyset(&wanted);
	for (int number = 1; number < SIGSYS; number++)
		if (number != SIGSEGV && number != SIGBUS && number != SIGABRT &&
		    number != SIGILL && number != SIGFPE)
			(void)sigaddset(&wanted, number);
	(void)signal(SIGCHLD, SIG_DFL);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	if (sigprocmask(SIG_SETMASK, &wanted, &old) ||
	    (s.signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK)) < 0)
		return;
	if (!output_begin(&s, limits->output))
		return;
	s.br.init = fork();
	if (s.br.init == 0)
		plain_command(&s, &old);
	output_started(&s);
	if (s.br.init > 0)
		wait_plain(&s, limits->wall_ms);
	output_end(&s);
	fd_close(&s.signals);
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
}
