/* Copy bytes between a client inside and a host outside. */
#define _GNU_SOURCE
#include "proxy/net.h"
#include "proxy/net_hello.h"
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#define PUMP_BYTES ((size_t)65536)

/* One direction: what was read and is not written yet. */
struct stream {
	int from, to;
	struct net_body *body;         /* NULL: everything is copied */
	const struct net_check *check; /* until the first bytes were judged; then NULL */
	size_t held;                   /* bytes of them, in `buf` */
	size_t at, n;
	bool ended; /* end of file */
	bool shut;
	char buf[PUMP_BYTES];
};

/* Returns false if the other side is gone. */
static bool
flush(struct stream *s)
{
	while (s->at < s->n) {
		ssize_t n =
		    send(s->to, s->buf + s->at, s->n - s->at, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return true;
		if (n <= 0)
			return false;
		s->at += (size_t)n;
	}
	if (s->ended && !s->shut) {
		/* A request with a length ends by that, not by end of file. */
		s->shut = true;
		if (!s->body)
			(void)shutdown(s->to, SHUT_WR);
	}
	return true;
}

static void
limit(struct stream *s)
{
	if (!s->body)
		return;
	s->n = body_take(s->body, str_of(s->buf, s->n));
	s->ended |= body_is_done(s->body);
}

/* Forward what was held back if it says nothing forbidden; false ends the connection. */
static bool
look(struct stream *s)
{
	static char buf[HELLO_MAX]; /* too large for the stack; one thread */
	struct str name;

	switch (hello_read(str_of(s->buf, s->held), buf, &name)) {
	case REQUEST_MORE:
		/* An incomplete hello is none. */
		return !s->ended || s->held == 0;
	case REQUEST_WHOLE:
		if (name.n && !s->check->judge(s->check->context, name))
			return false;
		s->n = s->held;
		s->check = NULL;
		return true;
	case REQUEST_BAD:
		break;
	}
	return false;
}

static bool
fill(struct stream *s)
{
	size_t from = s->check ? s->held : 0;
	ssize_t n = recv(s->from, s->buf + from, sizeof s->buf - from, MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (n < 0)
		return false;
	s->at = 0;
	s->ended = n == 0;
	if (s->check) {
		s->n = 0;
		s->held += (size_t)n;
		return look(s);
	}
	s->n = (size_t)n;
	limit(s);
	return true;
}

/* Returns false on an error of either side. */
static bool
move(struct stream *s, short from, short to)
{
	if (s->at == s->n && !s->ended && (from & (POLLIN | POLLHUP | POLLERR)) && !fill(s))
		return false;
	if ((to & (POLLOUT | POLLERR | POLLHUP)) || s->at < s->n || s->ended)
		return flush(s);
	return true;
}

void
net_pump(int inside, int outside, struct net_body *body, const struct net_check *check,
    struct str first)
{
	struct stream out = { .from = inside, .to = outside, .body = body, .check = check };
	struct stream in = { .from = outside, .to = inside };

	if (first.n > sizeof out.buf)
		return;
	memcpy(out.buf, first.p, first.n);
	if (check) {
		out.held = first.n;
		if (!look(&out))
			return;
	} else {
		out.n = first.n;
		limit(&out);
	}
	/* With a body only the answer decides when it is over. */
	while (!in.shut || (!body && !out.shut)) {
		struct pollfd fds[] = {
			{ inside, 0, 0 },
			{ outside, 0, 0 },
		};

		/* Do not forward what cannot be a body, and do not wait for its end. */
		if (body && body->bad)
			return;
		if (out.at == out.n && !out.ended)
			fds[0].events |= POLLIN;
		if (out.at < out.n)
			fds[1].events |= POLLOUT;
		if (in.at == in.n && !in.ended)
			fds[1].events |= POLLIN;
		if (in.at < in.n)
			fds[0].events |= POLLOUT;
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return;
		if (!move(&out, fds[0].revents, fds[1].revents) ||
		    !move(&in, fds[1].revents, fds[0].revents))
			return;
		/* The client is gone: nobody reads the answer. */
		if ((fds[0].revents & POLLERR) || (fds[1].revents & POLLERR))
			return;
	}
}
