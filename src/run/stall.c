/*
 * A thread that kills the tree when the supervisor is stuck.
 *
 * The supervisor acts on files and memory of the command, and a call may sleep in the
 * kernel for as long as somebody else wants: a lease, a FUSE file system, a lock of another
 * task.  This thread touches neither.  When a signal for the run, or its deadline, is not
 * handled in time it kills the tree, which releases what the tree holds; if the supervisor
 * still sleeps it exits the process.
 */
#define _GNU_SOURCE
#include "run/run_internal.h"
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

/* How long one turn of the loop may take when the run must end, and how often to check;
 * then how long the loop has for the rest. */
#define TURN_MS 400
#define LOOK_MS 50
#define LAST_MS 2000
/* Of the thread; AddressSanitizer's handlers run on it, too. */
#define STACK ((size_t)64 << 10)

struct stall {
	pthread_t thread;
	struct supervisor *s;
	int signals, stop;
	uint64_t deadline_ms; /* 0: none */
};

/* Wait `ms`, or without a limit (-1).  False when the supervisor is done. */
static bool
wait_for(const struct stall *x, int signals, int ms)
{
	struct pollfd fds[] = { { x->stop, POLLIN, 0 }, { signals, POLLIN, 0 } };

	(void)poll(fds, 2, ms);
	return fds[0].revents == 0;
}

static bool
is_pending(const struct stall *x)
{
	return poll(&(struct pollfd){ x->signals, POLLIN, 0 }, 1, 0) > 0;
}

static bool
is_late(const struct stall *x)
{
	return x->deadline_ms && clock_ms() >= x->deadline_ms;
}

/* True if the loop has something to do; an even turn means that it waits, 0 that it has not
 * begun. */
static bool
is_busy(const struct stall *x)
{
	return x->s->turn &&
	       (x->s->turn % 2 || is_pending(x) || (x->s->deadline_ms && is_late(x)));
}

/* True if the loop is busy with the same turn all the time; false also when the supervisor
 * is done. */
static bool
sleeps_for(const struct stall *x, int ms)
{
	const unsigned turn = x->s->turn;

	for (; ms > 0; ms -= LOOK_MS)
		if (!is_busy(x) || !wait_for(x, -1, LOOK_MS) || x->s->turn != turn)
			return false;
	return true;
}

static void
end_tree(const struct supervisor *s)
{
	if (s->br.plan->bare) {
		(void)shutdown(s->control, SHUT_RDWR);
		return;
	}
	(void)syscall(SYS_pidfd_send_signal, s->pidfd, SIGKILL, NULL, 0);
	if (s->br.in_session)
		(void)syscall(SYS_pidfd_send_signal, s->session.keeper_fd,
		    SESSION_END_ORPHANS, NULL, 0);
}

static int
until_deadline(const struct stall *x)
{
	uint64_t now = clock_ms();

	if (!x->deadline_ms)
		return -1;
	if (now >= x->deadline_ms)
		return 0;
	return x->deadline_ms - now > 1000000 ? 1000000 : (int)(x->deadline_ms - now);
}

static void *
watch(void *arg)
{
	const struct stall *x = arg;
	sigset_t all;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, NULL);
	while (!is_pending(x) && !is_late(x))
		if (!wait_for(x, x->signals, until_deadline(x)))
			return NULL;
	/* From here on the run must end. */
	while (wait_for(x, -1, LOOK_MS)) {
		if (!sleeps_for(x, TURN_MS))
			continue;
		end_tree(x->s);
		if (sleeps_for(x, LAST_MS))
			_exit(is_late(x) ? 124 : 143);
	}
	return NULL;
}

/* On memory of the run's own: a mapping would be unmapped at the end, which interrupts the
 * other processors. */
static bool
start_thread(struct stall *x, char *stack)
{
	pthread_attr_t how;
	bool ok = pthread_attr_init(&how) == 0;

	ok = ok && pthread_attr_setstack(&how, stack, STACK) == 0 &&
	     pthread_create(&x->thread, &how, watch, x) == 0;
	(void)pthread_attr_destroy(&how);
	return ok;
}

bool
stall_begin(struct supervisor *s)
{
	const uint64_t wall = s->br.plan->limits.wall_ms;
	struct stall *x;
	char *stack;
	sigset_t ends;

	if (s->stall)
		return true;
	x = arena_array(s->br.a, 1, sizeof *x);
	stack = arena_alloc(s->br.a, STACK);
	if (!x || !stack)
		return false;
	(void)sigemptyset(&ends);
	(void)sigaddset(&ends, SIGTERM);
	(void)sigaddset(&ends, SIGINT);
	(void)sigaddset(&ends, SIGHUP);
	(void)sigaddset(&ends, SIGQUIT);
	*x = (struct stall){ .s = s,
		.signals = signalfd(-1, &ends, SFD_CLOEXEC),
		.stop = eventfd(0, EFD_CLOEXEC),
		.deadline_ms = wall ? s->began_ms + wall : 0 };
	if (x->signals >= 0 && x->stop >= 0 && start_thread(x, stack)) {
		s->stall = x;
		return true;
	}
	fd_close(&x->signals);
	fd_close(&x->stop);
	return false;
}

void
stall_stop(struct supervisor *s)
{
	if (s->stall)
		(void)eventfd_write(s->stall->stop, 1);
}

void
stall_end(struct supervisor *s)
{
	struct stall *x = s->stall;

	if (!x)
		return;
	if (eventfd_write(x->stop, 1) == 0)
		(void)pthread_join(x->thread, NULL);
	s->stall = NULL;
	fd_close(&x->signals);
	fd_close(&x->stop);
}
