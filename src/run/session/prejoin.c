/*
 * Start the helper, give it the session, take the process that it has left.
 *
 * The helper enters the namespaces and clones the first process there with CLONE_PARENT, so
 * it is our child.  It shares our descriptors.  It has a copy of our memory, made early
 * when there is little to copy, which the first process then shares.
 *
 * The helper starts before the session's file was read, because it takes a while until it
 * runs; we send it the session when we know it.
 */
#define _GNU_SOURCE
#include "run/session/prejoin.h"
#include "run/run_internal.h"
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define LOOK_MS 20

static void
close_all(struct prejoin *x)
{
	int *const all[] = { &x->pair[0], &x->pair[1], &x->told[0], &x->told[1],
		&x->made.pidfd, &x->made.root, &x->session.keeper_fd };

	session_close(&x->session);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		fd_close(all[i]);
}

/* Read the session's file while the helper starts. */
static bool
send_session(struct prejoin *x)
{
	char buf[sizeof(struct prejoin_session) + PREJOIN_TEXT];
	struct session *s = &x->session;
	struct prejoin_session p;

	if (!session_read(x->a, s) || s->text.n > PREJOIN_TEXT ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, x->pair))
		return false;
	prejoin_guess(x);
	p = (struct prejoin_session){ s->keeper, s->file, s->keeper_fd,
		{ x->pair[0], x->pair[1] } };
	memcpy(buf, &p, sizeof p);
	memcpy(buf + sizeof p, s->text.p, s->text.n);
	return send(x->told[0], buf, sizeof p + s->text.n, MSG_NOSIGNAL) ==
	       (ssize_t)(sizeof p + s->text.n);
}

static void
end_helper(struct prejoin *x)
{
	if (x->helper <= 0)
		return;
	(void)kill(x->helper, SIGKILL);
	(void)waitpid(x->helper, NULL, __WALL);
}

struct prejoin *
prejoin_begin(struct arena *a, const struct session_ref *p, bool gate,
    const struct plan_limits *limits, struct str argv)
{
	struct prejoin *x = ARENA_NEW(a, struct prejoin);

	if (!x || !session_lock(p, &x->session))
		return NULL;
	x->made.pidfd = x->made.root = -1;
	x->pair[0] = x->pair[1] = x->told[0] = x->told[1] = -1;
	x->a = a;
	x->self = getpid();
	x->argv = argv;
	x->guess.gate = gate;
	x->guess.limits = *limits;
	x->helper = -1;
	cpu_spread_find(&x->spread);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, x->told) == 0)
		x->helper = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
	if (x->helper == 0)
		prejoin_help(x);
	if (x->helper > 0) {
		/* Before it gets the session: then it resets its own CPU affinity. */
		cpu_spread_away(&x->spread, x->helper);
		if (send_session(x))
			return x;
	}
	close_all(x);
	end_helper(x);
	return NULL;
}

size_t
prejoin_roots(struct arena *a, const struct prejoin *x, struct str **ret)
{
	return session_key_roots(a, x->session.text, ret);
}

/* True if a message has come, or none will. */
static bool
is_told(struct prejoin *x)
{
	struct pollfd told = { x->told[0], POLLIN, 0 };

	while (poll(&told, 1, LOOK_MS) <= 0)
		if (waitpid(x->helper, NULL, WNOHANG | __WALL) == x->helper) {
			x->helper = 0;
			return poll(&told, 1, 0) > 0;
		}
	return true;
}

/* The helper reports on a socket of its own, because the first process may be faster; it
 * has copies of what it needs by then. */
bool
prejoin_receive(struct prejoin *x)
{
	struct prejoin_made made;
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
prejoin_end(struct prejoin *x)
{
	if (!x || x->pair[0] < 0)
		return;
	if (x->pair[1] >= 0)
		(void)prejoin_receive(x);
	/* The process that waits for argv sees end of file. */
	close_all(x);
	end_helper(x);
	if (x->made.first > 0) {
		(void)kill(x->made.first, SIGKILL);
		(void)waitpid(x->made.first, NULL, __WALL);
	}
}
