/*
 * Execs under way: seized, kept with what was judged, and at most one for each process.
 *
 * PTRACE_SEIZE takes a lock that an exec of any thread of the process holds until its
 * siblings are dead and its interpreter is open.  An exec that we know of is waited for
 * without a call: the next one of the process gets its answer afterwards.  One that we do
 * not know of (a debugger inside traces it) is given SEIZE_MS; then its process is killed,
 * which releases the lock.
 */
#define _GNU_SOURCE
#include "broker/exec/gate.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>

#define SEIZE_MS 200
/* A task that we die with before its exec was verified must not go on: EXITKILL. */
#define SEIZE_OPTIONS (PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL)

/* ---- execs that were allowed */

struct watched_exec *
watch_find(struct supervisor *s, pid_t tid)
{
	for (size_t i = 0; i < s->execs_n; i++)
		if (s->execs[i].tid == tid)
			return &s->execs[i];
	return NULL;
}

static bool
is_under_way(const struct supervisor *s, pid_t process)
{
	for (size_t i = 0; i < s->execs_n; i++)
		if (s->execs[i].process == process)
			return true;
	return s->execs_n == EXECS_MAX;
}

static bool
drop(struct supervisor *s, pid_t tid)
{
	struct watched_exec *w = watch_find(s, tid);

	if (!w)
		return false;
	(void)munmap((void *)(uintptr_t)w->words.p, w->words.n + 1);
	*w = s->execs[--s->execs_n];
	return true;
}

bool
watch_add(struct supervisor *s, pid_t tid, pid_t process, const struct exec_words *words,
    const struct stat *st)
{
	void *copy;

	if (!s->execs)
		s->execs = arena_array(s->a, EXECS_MAX, sizeof *s->execs);
	if (!s->execs || s->execs_n == EXECS_MAX)
		return false;
	copy = mmap(NULL, words->bytes.n + 1, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (copy == MAP_FAILED)
		return false;
	if (words->bytes.n)
		memcpy(copy, words->bytes.p, words->bytes.n);
	s->execs[s->execs_n++] = (struct watched_exec){ tid, process,
		str_of(copy, words->bytes.n), st->st_dev, st->st_ino };
	return true;
}

/* ---- execs that wait for them */

pid_t
watch_process(pid_t tid)
{
	/* Cheap, and it fails for a thread that is not its process's first. */
	cleanup_fd int pidfd = (int)syscall(SYS_pidfd_open, tid, 0);

	return pidfd >= 0 ? tid : child_process(tid);
}

bool
watch_hold(const struct call *c, pid_t process)
{
	struct supervisor *s = c->s;

	/* A task that calls has ended its last exec: that stop was missed, or its number
	 * is another's. */
	(void)drop(s, (pid_t)c->n.pid);
	if (!is_under_way(s, process))
		return false;
	if (!s->held)
		s->held = arena_array(s->a, HELD_MAX, sizeof *s->held);
	if (!s->held || s->held_n == HELD_MAX)
		call_answer(c, EAGAIN);
	else
		s->held[s->held_n++] = (struct held_exec){ c->n, process };
	return true;
}

/* The exec may have killed its siblings; a call without a caller needs no answer. */
static void
let_next(struct supervisor *s)
{
	for (size_t i = 0; i < s->held_n;) {
		struct call c = { .s = s, .n = s->held[i].n };

		if (is_under_way(s, s->held[i].process)) {
			i++;
			continue;
		}
		s->held[i] = s->held[--s->held_n];
		s->call = c.n.id;
		if (call_is_valid(&c))
			gate_exec(&c);
		i = 0;
	}
}

void
watch_forget(struct supervisor *s, pid_t tid)
{
	if (drop(s, tid) && s->held_n)
		let_next(s);
}

/* ---- seizing */

/* Runs while ptrace(2) waits; the call begins again afterwards, and ends. */
static void
on_late(int number, siginfo_t *info, void *context)
{
	const struct supervisor *s = info->si_value.sival_ptr;
	int error = errno;

	(void)number;
	(void)context;
	if (s->seizing)
		(void)kill(s->seizing, SIGKILL);
	errno = error;
}

static bool
make_timer(struct supervisor *s)
{
	struct sigaction act = { .sa_sigaction = on_late, .sa_flags = SA_SIGINFO };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = SIGRTMIN,
		.sigev_value.sival_ptr = s };
	sigset_t late;

	if (s->has_seize_timer)
		return true;
	(void)sigfillset(&act.sa_mask);
	(void)sigemptyset(&late);
	(void)sigaddset(&late, SIGRTMIN);
	s->has_seize_timer = sigaction(SIGRTMIN, &act, NULL) == 0 &&
			     timer_create(CLOCK_MONOTONIC, &event, &s->seize_timer) == 0 &&
			     sigprocmask(SIG_UNBLOCK, &late, NULL) == 0;
	return s->has_seize_timer;
}

static void
set_timer(const struct supervisor *s, long ms)
{
	const struct timespec t = { 0, ms * 1000000 };

	/* Again and again: a fork may have missed the first kill. */
	(void)timer_settime(s->seize_timer, 0, &(struct itimerspec){ t, t }, NULL);
}

bool
watch_seize(struct supervisor *s, pid_t tid, pid_t process)
{
	bool seized;
	int error;

	if (!make_timer(s)) {
		errno = EAGAIN;
		return false;
	}
	s->seizing = process;
	set_timer(s, SEIZE_MS);
	seized = ptrace(PTRACE_SEIZE, tid, NULL, (void *)(uintptr_t)SEIZE_OPTIONS) == 0;
	error = errno;
	s->seizing = 0;
	set_timer(s, 0);
	errno = error;
	/* If the exec fails there is no other stop at which it could be let go. */
	return seized && ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) == 0;
}
