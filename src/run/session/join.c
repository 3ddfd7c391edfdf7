/*
 * A run that joins a session: one process enters it, starts the command and reaps its tree.
 * It does not have the command's own restrictions, so the command can neither signal nor
 * inspect it.
 */
#define _GNU_SOURCE
#include "run/run_internal.h"
#include "run/session/prejoin.h"
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#define CLONE_PARENT_FLAG 0x00008000UL
#define ROUNDS 10000
/* A round kills one generation, or some hundreds of processes: what still runs after so
 * many forks too fast to be caught one by one. */
#define CAUGHT 200
/* Children may exit faster than we reap them, and fork meanwhile; reap at most this many
 * per pass. */
#define REAPED_AT_ONCE 256
/* Pause between two looks at children that were killed and have not ended. */
#define PAUSE_NS 2000000
/* Grace period for the first process of a session to kill what a killed reaper has left. */
#define ORPHANS_MS 300

/* ---- entering, in the supervisor */

/*
 * An intermediate vfork child enters the namespaces, then clones with CLONE_PARENT, so the
 * new process is our child.  The intermediate shares our memory, so nothing is copied for
 * it; the new process has a copy.
 */
pid_t
join_clone(struct session *x, int *ret_pidfd)
{
	volatile pid_t pid = -1;
	volatile int error = EPERM;
	/* NOLINTBEGIN(clang-analyzer-unix.Vfork): what it writes there is meant for us. */
	pid_t middle = vfork();

	if (middle == 0) {
		for (int i = 0; i < NS_COUNT; i++)
			if (x->ns[i] >= 0 && syscall(SYS_setns, x->ns[i], 0)) {
				error = errno;
				_exit(1);
			}
		pid = (pid_t)syscall(SYS_clone, CLONE_PARENT_FLAG | SIGCHLD, 0, 0, 0, 0);
		if (pid == 0)
			return 0;
		error = errno;
		_exit(0);
	}
	/* NOLINTEND(clang-analyzer-unix.Vfork) */
	if (middle > 0)
		(void)waitpid(middle, NULL, 0);
	*ret_pidfd = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	if (*ret_pidfd < 0 && pid > 0) {
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, NULL, __WALL);
		pid = -1;
	}
	errno = error;
	return pid;
}

/* ---- inside */

/* In a session also kill its process group, at once: a chain of forks cannot outrun that.
 * A group that was not made inside has no ID here. */
static void
kill_one(pid_t pid, bool session)
{
	pid_t group = session ? getpgid(pid) : 0;

	(void)kill(pid, SIGKILL);
	if (group > 0)
		(void)kill(-group, SIGKILL);
}

/* Kill all children that the kernel lists.  Returns how many, or -1 if it lists none. */
static int
kill_children(bool session)
{
	char text[4096];
	cleanup_fd int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, text, sizeof text) : -1;
	pid_t pid = 0;
	int n = 0;

	for (ssize_t i = 0; i < got; i++) {
		if (text[i] >= '0' && text[i] <= '9') {
			pid = pid * 10 + (pid_t)(text[i] - '0');
		} else if (pid) {
			kill_one(pid, session);
			pid = 0;
			n++;
		}
	}
	return got < 0 ? -1 : n;
}

/* Reap everything that has exited.  Returns how many; *ret_more: there are others. */
static unsigned
reap_all(bool *ret_more)
{
	unsigned n = 0;
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG | __WALL)) > 0)
		n++;
	*ret_more = !(pid < 0 && errno == ECHILD);
	return n;
}

void
join_end_children(bool session)
{
	const struct timespec pause = { 0, PAUSE_NS };
	unsigned round = 0;
	bool more;
	sigset_t child;

	(void)sigemptyset(&child);
	(void)sigaddset(&child, SIGCHLD);
	(void)reap_all(&more);
	while (more && (session || round < ROUNDS)) {
		int n = kill_children(session);

		/* The kernel does not list children, or they fork faster than we look: kill
		 * everything in the session at once, because nobody forks during that.
		 * Without a session it would be everybody. */
		if (session && (n < 0 || round >= CAUGHT))
			(void)kill(-1, SIGKILL);
		/* Reap what we killed: zombies still appear in the list and would crowd out
		 * live ones. */
		if (reap_all(&more))
			round += round < INT_MAX;
		else if (more)
			(void)sigtimedwait(&child, NULL, &pause);
	}
}

static _Noreturn void
end_all(const char *tmp)
{
	join_end_children(tmp == NULL);
	if (tmp)
		bare_remove(tmp);
	_exit(0);
}

static bool
has_children(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

/* The command has ended and others of its run continue: the supervisor exits, and a copy of
 * it keeps the other end of our socket.  The kernel kills us when that is closed, even if
 * we are stopped; until now it did so when our parent died. */
static void
outlive_parent(void)
{
	if (fcntl(ENTER_CONTROL, F_SETSIG, SIGKILL) ||
	    fcntl(ENTER_CONTROL, F_SETOWN, (int)getpid()) ||
	    fcntl(ENTER_CONTROL, F_SETFL, O_RDWR | O_ASYNC) ||
	    prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0))
		_exit(125);
}

static void
tell_end(int status, uint32_t processes, bool session)
{
	struct enter_report report = { .kind = ENTER_ENDED,
		.status = status,
		.processes = processes,
		.left = has_children() };
	struct rusage used;

	if (session && report.left)
		outlive_parent();
	if (getrusage(RUSAGE_CHILDREN, &used) == 0) {
		report.cpu_us =
		    (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 +
		    (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
		report.max_rss = (uint64_t)used.ru_maxrss * 1024;
	}
	(void)enter_send(ENTER_CONTROL, &report, -1);
}

/* Report that nothing was started: the supervisor can retry. */
static _Noreturn void
tell_lost(pid_t child)
{
	const struct enter_report report = { .kind = ENTER_LOST };

	(void)waitpid(child, NULL, __WALL);
	(void)enter_send(ENTER_CONTROL, &report, -1);
	_exit(0);
}

/* Reap, and report the command's end.  True: there may be more. */
static bool
reap_some(pid_t *child, uint32_t before, const char *tmp)
{
	/* Without a PID namespace nobody else counts the processes; this counts what was
	 * reaped. */
	static uint32_t reaped;
	int status;
	pid_t pid = 1;

	for (int i = 0; i < REAPED_AT_ONCE && pid > 0; i++) {
		pid = waitpid(-1, &status, WNOHANG);
		reaped += pid > 0;
		if (pid == *child && pid > 0) {
			tell_end(
			    status, tmp ? reaped : reaper_count() - before, tmp == NULL);
			*child = 0;
			if (tmp)
				end_all(tmp);
		}
	}
	if (pid < 0 && errno == ECHILD)
		end_all(tmp);
	return pid > 0;
}

static void
take_signal(int signals, pid_t child)
{
	struct signalfd_siginfo info;

	if (read(signals, &info, sizeof info) != (ssize_t)sizeof info)
		return;
	if (child && info.ssi_signo != SIGCHLD && info.ssi_code != SI_KERNEL)
		reaper_forward(child, (int)info.ssi_signo);
}

_Noreturn void
join_reap(struct entering *e, char *const *argv, char *const *envp, const char *tmp)
{
	/* A process that waits for argv has hidden ours already. */
	const bool hidden = argv == NULL;
	uint32_t before;
	struct pollfd fds[] = { { -1, POLLIN, 0 }, { ENTER_CONTROL, POLLIN, 0 } };
	sigset_t all;
	pid_t child;

	/* In a session the kernel kills us with the supervisor, and the first process kills
	 * our children.  Without namespaces nobody else would: continue when we are
	 * stopped, and notice the closed socket. */
	if ((tmp && prctl(PR_SET_PDEATHSIG, SIGCONT, 0, 0, 0)) ||
	    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
		_exit(125);
	(void)sigfillset(&all);
	/* vfork(2): until its exec the command shares our memory, so nothing is copied. */
	/* NOLINTBEGIN(clang-analyzer-unix.Vfork): this end of `e` is not used again. */
	child = vfork();
	if (child == 0) {
		/* When we are killed the command dies as a child of the session's first
		 * process, which its SIGCHLD wakes. */
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		e->part = ENTER_COMMAND;
		enter_apply(e);
		if (!argv)
			prejoin_wait(e, &argv, &envp);
		reaper_exec(ENTER_CONTROL, argv, envp);
	}
	/* NOLINTEND(clang-analyzer-unix.Vfork) */
	if (child < 0)
		_exit(125);
	if (e->a && !e->has_argv)
		tell_lost(child);
	if (!hidden)
		reaper_hide_argv();
	/* The value of reaper_count() before the command. */
	before = (uint32_t)child - 2;
	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	(void)close(0);
	(void)close(1);
	(void)close(2);
	fds[0].fd = signalfd(-1, &all, SFD_CLOEXEC);
	for (;;) {
		bool more = reap_some(&child, before, tmp);

		(void)poll(fds, 2, more ? 0 : -1);
		if (fds[1].revents)
			end_all(tmp);
		if (fds[0].revents)
			take_signal(fds[0].fd, child);
	}
}

/* ---- in the supervisor */

static void
ask_holder(const struct supervisor *s)
{
	(void)syscall(
	    SYS_pidfd_send_signal, s->session.keeper_fd, SESSION_END_ORPHANS, NULL, 0);
}

void
join_end_orphans(struct supervisor *s)
{
	const uint64_t until = clock_ms() + ORPHANS_MS;

	ask_holder(s);
	/* The listener hangs up when no task has its filter any more. */
	while (s->br.listener >= 0 && clock_ms() < until &&
	       poll(&(struct pollfd){ s->br.listener, 0, 0 }, 1, ORPHANS_MS) < 0)
		;
}

/* ---- in the supervisor, when the command has ended and others have not */

static void
close_others(const struct supervisor *s)
{
	const int keep[] = { s->pidfd, s->control, s->br.listener, s->signals, s->br.root,
		s->session.keeper_fd };
	unsigned from = 3;

	for (;;) {
		unsigned next = ~0U;

		for (size_t i = 0; i < sizeof keep / sizeof *keep; i++)
			if (keep[i] >= (int)from && (unsigned)keep[i] < next)
				next = (unsigned)keep[i];
		if (next > from)
			(void)sys_close_range(from, next == ~0U ? next : next - 1);
		if (next == ~0U)
			return;
		from = next + 1;
	}
}

void
join_leave(struct supervisor *s)
{
	uint64_t until = clock_ms() + 1000;
	int null;

	/* Wait for execs that are being verified: only their tracer can finish that. */
	while (s->br.execs_n && clock_ms() < until)
		(void)supervisor_turn(s, 20);
	if (fork() != 0)
		return;
	task_end(&s->br);
	(void)setsid();
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int i = 0; i < 3 && null >= 0; i++)
		(void)dup2(null, i);
	close_others(s);
	s->deadline_ms = s->kill_ms = 0;
	s->br.workers_n = 0;
	/* The keeper checks more often from now on, because we may be killed. */
	ask_holder(s);
	while (!supervisor_turn(s, -1))
		;
	/* The reaper may have been killed. */
	join_end_orphans(s);
	_exit(0);
}
