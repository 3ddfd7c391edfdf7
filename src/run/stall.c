/*
 * A thread that ends the tree when the supervisor does not.
 *
 * The supervisor acts on files and memory of the command, and a call may sleep in the
 * kernel for as long as somebody else wants: a lease, a file system in user space, a lock
 * of another task.  This thread touches neither.  When a signal for the run or its
 * deadline is not taken up in time it kills the tree, which releases what the tree holds;
 * if the supervisor still sleeps it ends the process.
 */
#define _GNU_SOURCE
#include "broker/supervisor.h"
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

/* How long one turn of the loop may take when the run is to end, and how often that is
 * looked at; then how long it has for the rest. */
#define TURN_MS 400
#define LOOK_MS 50
#define LAST_MS 2000

struct stall {
	pthread_t thread;
	struct supervisor *s;
	int signals, stop;
	uint64_t deadline_ms; /* 0: none */
};

/* Wait for `ms`, or without a bound (-1); false when the supervisor is done. */
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

/* In the loop there is something to do: an even number says that it waits for that. */
static bool
is_busy(const struct stall *x)
{
	return x->s->turn % 2 || is_pending(x) || (x->s->deadline_ms && is_late(x));
}

/* Busy with the same turn all the time; false when the supervisor is done, too. */
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
	if (s->plan->bare) {
		(void)shutdown(s->control, SHUT_RDWR);
		return;
	}
	(void)syscall(SYS_pidfd_send_signal, s->pidfd, SIGKILL, NULL, 0);
	if (s->joined)
		(void)syscall(
		    SYS_pidfd_send_signal, s->session.keeper, SESSION_END_ORPHANS, NULL, 0);
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
	/* From here on the run is to end. */
	while (wait_for(x, -1, LOOK_MS)) {
		if (!sleeps_for(x, TURN_MS))
			continue;
		end_tree(x->s);
		if (sleeps_for(x, LAST_MS))
			_exit(is_late(x) ? 124 : 143);
	}
	return NULL;
}

bool
stall_begin(struct supervisor *s)
{
	struct stall *x = arena_array(s->a, 1, sizeof *x);
	sigset_t ends;

	if (!x)
		return false;
	(void)sigemptyset(&ends);
	(void)sigaddset(&ends, SIGTERM);
	(void)sigaddset(&ends, SIGINT);
	(void)sigaddset(&ends, SIGHUP);
	(void)sigaddset(&ends, SIGQUIT);
	*x = (struct stall){ .s = s,
		.signals = signalfd(-1, &ends, SFD_CLOEXEC),
		.stop = eventfd(0, EFD_CLOEXEC),
		.deadline_ms = s->deadline_ms };
	if (x->signals >= 0 && x->stop >= 0 &&
	    pthread_create(&x->thread, NULL, watch, x) == 0) {
		s->stall = x;
		return true;
	}
	fd_close(&x->signals);
	fd_close(&x->stop);
	return false;
}

void
stall_end(struct supervisor *s)
{
	struct stall *x = s->stall;

	if (!x)
		return;
	s->stall = NULL;
	if (eventfd_write(x->stop, 1) == 0)
		(void)pthread_join(x->thread, NULL);
	fd_close(&x->signals);
	fd_close(&x->stop);
}
