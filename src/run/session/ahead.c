/*
 * See ahead.h.  A helper enters the namespaces and leaves the first process there, a
 * brother of itself.  It has our descriptors, so that its own are ours; our memory it has
 * as a copy, made when there is little of it, which the first process then shares.
 *
 * It is started before the place has been looked at, for it takes a while until it runs;
 * which place it is we tell it when we know.
 */
#define _GNU_SOURCE
#include "run/session/ahead.h"
#include "run/run_internal.h"
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define LOOK_MS 20

static void
close_all(struct run_ahead *x)
{
	int *const all[] = { &x->pair[0], &x->pair[1], &x->told[0], &x->told[1],
		&x->made.pidfd, &x->made.root, &x->session.keeper };

	session_close(&x->session);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		fd_close(all[i]);
}

/* The place is looked at while the helper is on its way. */
static bool
tell_place(struct run_ahead *x)
{
	char room[sizeof(struct ahead_place) + AHEAD_TEXT];
	struct session *s = &x->session;
	struct ahead_place p;

	if (!session_read(x->a, s) || s->text.n > AHEAD_TEXT ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, x->pair))
		return false;
	ahead_guess(x);
	p = (struct ahead_place){ s->holder, s->file, s->keeper,
		{ x->pair[0], x->pair[1] } };
	memcpy(room, &p, sizeof p);
	memcpy(room + sizeof p, s->text.p, s->text.n);
	return send(x->told[0], room, sizeof p + s->text.n, MSG_NOSIGNAL) ==
	       (ssize_t)(sizeof p + s->text.n);
}

static void
end_helper(struct run_ahead *x)
{
	if (x->helper <= 0)
		return;
	(void)kill(x->helper, SIGKILL);
	(void)waitpid(x->helper, NULL, __WALL);
}

struct run_ahead *
ahead_begin(struct arena *a, const struct session_place *p, bool gate,
    const struct plan_limits *limits, struct str words)
{
	struct run_ahead *x = ARENA_NEW(a, struct run_ahead);

	if (!x || !session_lock(p, &x->session))
		return NULL;
	x->made.pidfd = x->made.root = -1;
	x->pair[0] = x->pair[1] = x->told[0] = x->told[1] = -1;
	x->a = a;
	x->self = getpid();
	x->words = words;
	x->guess.gate = gate;
	x->guess.limits = *limits;
	x->helper = -1;
	aside_look(&x->aside);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, x->told) == 0)
		x->helper = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
	if (x->helper == 0)
		ahead_help(x);
	if (x->helper > 0) {
		/* Before it is told: it frees itself when it was. */
		aside_put(&x->aside, x->helper);
		if (tell_place(x))
			return x;
	}
	close_all(x);
	end_helper(x);
	return NULL;
}

size_t
ahead_roots(struct arena *a, const struct run_ahead *x, struct str **ret)
{
	return session_key_roots(a, x->session.text, ret);
}

/* Something came, or nothing will. */
static bool
is_told(struct run_ahead *x)
{
	struct pollfd told = { x->told[0], POLLIN, 0 };

	while (poll(&told, 1, LOOK_MS) <= 0)
		if (waitpid(x->helper, NULL, WNOHANG | __WALL) == x->helper) {
			x->helper = 0;
			return poll(&told, 1, 0) > 0;
		}
	return true;
}

/* The first process has copies of what it needs when the helper has told of it, by a way of
 * its own: the other may be faster. */
bool
ahead_receive(struct run_ahead *x)
{
	struct ahead_made made;
	bool told =
	    is_told(x) && recv(x->told[0], &made, sizeof made, 0) == (ssize_t)sizeof made;

	fd_close(&x->told[0]);
	fd_close(&x->told[1]);
	fd_close(&x->pair[1]);
	if (!told) {
		fd_close(&x->session.file);
		return false;
	}
	x->made = made;
	x->session.file = -1;
	return made.first > 0;
}

void
ahead_end(struct run_ahead *x)
{
	if (!x || x->pair[0] < 0)
		return;
	if (x->pair[1] >= 0)
		(void)ahead_receive(x);
	/* Who waits for words sees that none will come. */
	close_all(x);
	end_helper(x);
	if (x->made.first > 0) {
		(void)kill(x->made.first, SIGKILL);
		(void)waitpid(x->made.first, NULL, __WALL);
	}
}
