/* The supervisor's loop: calls, signals, limits, the end of the run. */
#define _GNU_SOURCE
#include "run/run_internal.h"
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

/* Between SIGTERM at the deadline and SIGKILL: everything has ended a second after the
 * deadline. */
#define GRACE_MS 500
/* The same after a SIGTERM to us; a second SIGTERM kills at once. */
#define TERM_MS 5000
/* Grace period for the reaper before we kill it. */
#define LAST_MS 100

void
supervisor_kill_tree(struct supervisor *s)
{
	/* In a session the reaper ends its tree when our end of the socket is closed. */
	if (s->br.in_session || s->br.plan->bare) {
		/* shutdown(2): a process that we forked may still have the socket open. */
		if (s->control < 0)
			return;
		(void)shutdown(s->control, SHUT_RDWR);
		fd_close(&s->control);
		s->kill_ms = clock_ms() + LAST_MS;
	} else {
		(void)kill(s->br.init, SIGKILL);
	}
}

/* SIGTERM, then SIGKILL. */
static void
on_deadline(struct supervisor *s, uint64_t now)
{
	if (s->deadline_ms && now >= s->deadline_ms) {
		s->deadline_ms = 0;
		s->result->limits_hit |= RUN_LIMIT_WALL;
		s->result->end = RUN_TIMED_OUT;
		(void)kill(s->br.init, SIGTERM);
		s->kill_ms = now + GRACE_MS;
	}
	if (s->kill_ms && now >= s->kill_ms) {
		s->kill_ms = 0;
		/* The reaper was told and has not ended: something hinders it. */
		if (s->control < 0)
			(void)kill(s->br.init, SIGKILL);
		else
			supervisor_kill_tree(s);
	}
}

static int
next_wait(const struct supervisor *s)
{
	uint64_t next = s->deadline_ms;
	uint64_t every = watch_every(s);
	uint64_t now, wait;

	if (s->kill_ms && (!next || s->kill_ms < next))
		next = s->kill_ms;
	if (!next)
		return every ? (int)every : -1;
	now = clock_ms();
	wait = next > now ? next - now : 0;
	if (every && wait > every)
		wait = every;
	return wait > 1000000 ? 1000000 : (int)wait;
}

static void
forget_worker(struct supervisor *s, pid_t pid)
{
	for (size_t i = 0; i < s->br.workers_n; i++)
		if (s->br.workers[i] == pid)
			s->br.workers[i--] = s->br.workers[--s->br.workers_n];
}

/* In a session the command can SIGSTOP the reaper, like any process of its user; continue
 * it at once. */
static bool
is_stopped(const struct supervisor *s, int code)
{
	siginfo_t info;

	if (code != CLD_STOPPED ||
	    waitid(P_PID, (id_t)s->br.init, &info, WSTOPPED | WNOHANG))
		return false;
	(void)kill(s->br.init, SIGCONT);
	return true;
}

/* Reap workers and handle tasks that stopped at an exec; the first process is reaped at the
 * end. */
static void
on_child(struct supervisor *s)
{
	for (;;) {
		siginfo_t info = { 0 };
		int status;
		pid_t pid;

		if (waitid(
			P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL) ||
		    info.si_pid == 0)
			return;
		if (info.si_pid == s->br.init && !is_stopped(s, info.si_code))
			return;
		if (info.si_pid == s->br.init)
			continue;
		pid = waitpid(info.si_pid, &status, WNOHANG | WUNTRACED | __WALL);
		if (pid <= 0)
			return;
		if (!WIFSTOPPED(status))
			forget_worker(s, pid);
		if (!WIFSTOPPED(status) && pid == s->br.net.helper)
			s->br.net.helper = 0;
		exec_stopped(&s->br, pid, status);
	}
}

/* The command has got the signal, too; if it does not end, the run is ended anyway. */
static void
on_term(struct supervisor *s)
{
	uint64_t until = clock_ms() + (s->termed ? 0 : TERM_MS);

	s->termed = true;
	if (s->control >= 0 && (!s->kill_ms || until < s->kill_ms))
		s->kill_ms = until;
}

static void
on_signal(struct supervisor *s)
{
	struct signalfd_siginfo info;

	while (read(s->signals, &info, sizeof info) == (ssize_t)sizeof info) {
		switch (info.ssi_signo) {
		case SIGCHLD:
			on_child(s);
			break;
		case SIGTSTP:
		case SIGTTIN:
		case SIGTTOU:
			/* The command has got it, too; our parent must see us stop. */
			(void)raise(SIGSTOP);
			break;
		case SIGCONT:
		case SIGWINCH:
			break;
		default:
			/* A signal of the terminal has reached the whole process group. */
			if (info.ssi_code != SI_KERNEL)
				(void)kill(s->br.init, (int)info.ssi_signo);
			if (info.ssi_signo == SIGTERM)
				on_term(s);
		}
	}
}

static void
on_report(struct supervisor *s)
{
	struct enter_report r;
	struct run_result *result = s->result;
	int fd;

	if (!enter_receive(s->control, &r, &fd)) {
		fd_close(&s->control);
		return;
	}
	fd_close(&fd);
	if (s->ended)
		return;
	if (r.kind == ENTER_FAILED) {
		(void)start_explain(s, &r);
		s->ended = true;
	} else if (r.kind == ENTER_LOST) {
		s->lost = s->ended = true;
	} else if (r.kind == ENTER_NOT_STARTED) {
		result->end = RUN_NOT_STARTED;
		result->why = str_from_c(strerror(r.error));
		s->ended = true;
	} else if (r.kind == ENTER_ENDED) {
		result->processes = r.processes;
		s->ended = true;
		s->left = s->br.in_session && r.left;
		result->cpu_ms = r.cpu_us / 1000;
		result->max_rss = r.max_rss;
		if (result->end == RUN_TIMED_OUT)
			return;
		result->end = WIFSIGNALED(r.status) ? RUN_SIGNALLED : RUN_EXITED;
		result->code =
		    WIFSIGNALED(r.status) ? WTERMSIG(r.status) : WEXITSTATUS(r.status);
	}
}

/* `gone`: the first process has ended. */
static void
at_end(struct supervisor *s, bool gone)
{
	struct run_result *result = s->result;
	struct rusage used;
	int status = 0;

	if (gone && wait4(s->br.init, &status, __WALL, &used) == s->br.init) {
		uint64_t us =
		    (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 +
		    (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);

		result->cpu_ms = us / 1000;
		result->max_rss = (uint64_t)used.ru_maxrss * 1024;
	}
	/* The reaper was killed, or failed. */
	if (s->br.in_session && status)
		join_end_orphans(s);
	if (s->group.path[0] && cgroup_was_oom(&s->group))
		result->limits_hit |= RUN_LIMIT_MEMORY;
	/* Read the reports that are still in the socket. */
	while (!s->ended && s->control >= 0 &&
	       poll(&(struct pollfd){ s->control, POLLIN, 0 }, 1, 0) > 0)
		on_report(s);
	if (!s->ended && result->end != RUN_TIMED_OUT) {
		/* The first process was killed: by us for a limit, or by somebody else. */
		result->end = RUN_SIGNALLED;
		result->code = SIGKILL;
	}
	for (size_t i = 0; i < s->br.workers_n; i++) {
		(void)kill(s->br.workers[i], SIGKILL);
		(void)waitpid(s->br.workers[i], NULL, 0);
	}
	net_end(&s->br);
	if (s->br.plan->bare)
		bare_end(s);
}

bool
supervisor_turn(struct supervisor *s, int wait)
{
	struct pollfd fds[] = {
		{ s->br.listener, POLLIN, 0 },
		{ s->pidfd, POLLIN, 0 },
		{ s->signals, POLLIN, 0 },
		{ s->control, POLLIN, 0 },
		{ s->br.net.reports, POLLIN, 0 },
	};

	s->busy = poll(fds, sizeof fds / sizeof *fds, wait < 0 ? next_wait(s) : wait) > 0;
	s->turn++;
	if (fds[0].revents & POLLIN)
		broker_next_call(&s->br);
	else if (fds[0].revents) {
		fd_close(&s->br.listener);
		stall_stop(s);
	}
	if (fds[2].revents)
		on_signal(s);
	if (fds[3].revents)
		on_report(s);
	if (fds[4].revents)
		net_read_reports(&s->br);
	if (s->deadline_ms || s->kill_ms)
		on_deadline(s, clock_ms());
	watch_tree(s);
	s->turn++;
	return fds[1].revents != 0;
}

/* In a session, what a command leaves running continues if the command has exited by
 * itself; not beyond its time, not when it was killed or we were asked to end. */
static bool
ends_with_command(const struct supervisor *s)
{
	return s->left && (s->result->end != RUN_EXITED || s->termed);
}

void
supervisor_loop(struct supervisor *s)
{
	struct run_result *result = s->result;
	bool gone;

	result->end = RUN_EXITED;
	if (s->br.plan->limits.wall_ms)
		s->deadline_ms = s->began_ms + s->br.plan->limits.wall_ms;
	if (s->br.listener >= 0)
		(void)sys_ioctl(s->br.listener, KERNEL_NOTIF_SET_FLAGS,
		    (const void *)KERNEL_NOTIF_SYNC_WAKE_UP);
	(void)stall_begin(s);
	/* In a session the reaper needs nothing of us once it has reported the end. */
	while (!(gone = supervisor_turn(s, -1)) && !(s->ended && s->br.in_session))
		;
	if (s->left)
		on_signal(s);
	if (!gone && ends_with_command(s)) {
		supervisor_kill_tree(s);
		while (!(gone = supervisor_turn(s, -1)))
			;
		s->left = false;
	}
	s->turn++;
	at_end(s, gone);
	stall_end(s);
	s->turn++;
	if (s->left && !gone)
		join_leave(s);
}
