/*
 * Execs in progress: seized, stored with what was judged, at most one for each process.
 *
 * PTRACE_SEIZE takes a lock that an exec of any thread of the process holds until its
 * siblings are dead and its interpreter is open.  For an exec that we know of, we do not
 * call ptrace(2): the next exec of the process is answered afterwards.  An exec that we do
 * not know of (a debugger inside traces it) gets SEIZE_MS; then we kill its process, which
 * releases the lock.
 */
#define _GNU_SOURCE
#include "broker/exec/exec_gate.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>

#define SEIZE_MS 200
/* EXITKILL: if we die before an exec was verified, the task must not run. */
#define SEIZE_OPTIONS (PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL)

/* ---- execs that were allowed */

struct watched_exec *
exec_watch_find(struct broker *br, pid_t tid)
{
	for (size_t i = 0; i < br->execs_n; i++)
		if (br->execs[i].tid == tid)
			return &br->execs[i];
	return NULL;
}

static bool
is_under_way(const struct broker *br, pid_t process)
{
	for (size_t i = 0; i < br->execs_n; i++)
		if (br->execs[i].process == process)
			return true;
	return br->execs_n == EXECS_MAX;
}

static bool
drop(struct broker *br, pid_t tid)
{
	struct watched_exec *w = exec_watch_find(br, tid);

	if (!w)
		return false;
	(void)munmap((void *)(uintptr_t)w->argv.p, w->argv.n + 1);
	*w = br->execs[--br->execs_n];
	return true;
}

bool
exec_watch_add(struct broker *br, pid_t tid, pid_t process, const struct exec_argv *argv,
    const struct stat *st)
{
	void *copy;

	if (!br->execs)
		br->execs = arena_array(br->a, EXECS_MAX, sizeof *br->execs);
	if (!br->execs || br->execs_n == EXECS_MAX)
		return false;
	copy = mmap(NULL, argv->bytes.n + 1, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (copy == MAP_FAILED)
		return false;
	if (argv->bytes.n)
		memcpy(copy, argv->bytes.p, argv->bytes.n);
	br->execs[br->execs_n++] = (struct watched_exec){ tid, process,
		str_of(copy, argv->bytes.n), st->st_dev, st->st_ino };
	return true;
}

/* ---- execs that were deferred */

pid_t
exec_process(pid_t tid)
{
	/* pidfd_open(2) is cheap, and fails for a thread that is not the leader of its
	 * process. */
	cleanup_fd int pidfd = (int)syscall(SYS_pidfd_open, tid, 0);

	return pidfd >= 0 ? tid : child_process(tid);
}

bool
exec_defer(const struct call *c, pid_t process)
{
	struct broker *br = c->br;

	/* A task that makes a call has ended its last exec: we missed that stop, or its PID
	 * was reused. */
	(void)drop(br, (pid_t)c->n.pid);
	if (!is_under_way(br, process))
		return false;
	if (!br->deferred)
		br->deferred = arena_array(br->a, DEFERRED_MAX, sizeof *br->deferred);
	if (!br->deferred || br->deferred_n == DEFERRED_MAX)
		call_answer(c, EAGAIN);
	else
		br->deferred[br->deferred_n++] = (struct deferred_exec){ c->n, process };
	return true;
}

/* The exec may have killed its siblings; a call without a caller needs no answer. */
static void
let_next(struct broker *br)
{
	for (size_t i = 0; i < br->deferred_n;) {
		struct call c = { .br = br, .n = br->deferred[i].n };

		if (is_under_way(br, br->deferred[i].process)) {
			i++;
			continue;
		}
		br->deferred[i] = br->deferred[--br->deferred_n];
		br->call = c.n.id;
		if (call_is_valid(&c))
			perform_exec(&c);
		i = 0;
	}
}

void
exec_watch_remove(struct broker *br, pid_t tid)
{
	if (drop(br, tid) && br->deferred_n)
		let_next(br);
}

/* ---- seizing */

/* Signal handler: runs while ptrace(2) waits.  The kernel restarts the call afterwards. */
static void
on_late(int number, siginfo_t *info, void *context)
{
	const struct broker *br = info->si_value.sival_ptr;
	int error = errno;

	(void)number;
	(void)context;
	if (br->seizing)
		(void)kill(br->seizing, SIGKILL);
	errno = error;
}

static bool
make_timer(struct broker *br)
{
	struct sigaction act = { .sa_sigaction = on_late, .sa_flags = SA_SIGINFO };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = SIGRTMIN,
		.sigev_value.sival_ptr = br };
	sigset_t late;

	if (br->has_seize_timer)
		return true;
	(void)sigfillset(&act.sa_mask);
	(void)sigemptyset(&late);
	(void)sigaddset(&late, SIGRTMIN);
	br->has_seize_timer =
	    sigaction(SIGRTMIN, &act, NULL) == 0 &&
	    timer_create(CLOCK_MONOTONIC, &event, &br->seize_timer) == 0 &&
	    sigprocmask(SIG_UNBLOCK, &late, NULL) == 0;
	return br->has_seize_timer;
}

static void
set_timer(const struct broker *br, long ms)
{
	const struct timespec t = { 0, ms * 1000000 };

	/* Repeat the kill: a fork may have missed the first one. */
	(void)timer_settime(br->seize_timer, 0, &(struct itimerspec){ t, t }, NULL);
}

bool
exec_seize(struct broker *br, pid_t tid, pid_t process)
{
	bool seized;
	int error;

	if (!make_timer(br)) {
		errno = EAGAIN;
		return false;
	}
	br->seizing = process;
	set_timer(br, SEIZE_MS);
	seized = ptrace(PTRACE_SEIZE, tid, NULL, (void *)(uintptr_t)SEIZE_OPTIONS) == 0;
	error = errno;
	br->seizing = 0;
	set_timer(br, 0);
	errno = error;
	/* Interrupt the task: if the exec fails, there is no other stop at which it could
	 * be released. */
	return seized && ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) == 0;
}
