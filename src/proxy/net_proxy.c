/*
 * One client of the proxy, in a process of its own: HTTP (CONNECT, and plain requests with
 * an absolute URI) or SOCKS 5, told apart by the first byte.
 */
#define _GNU_SOURCE
#include "os/fd.h"
#include "os/sys.h"
#include "proxy/net.h"
#include "proxy/net_request.h"
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>

#define ASK_SECONDS 30
#define DIAL_MS 20000

struct client {
	const struct net_helper *h;
	int fd;
	uint16_t port;
	size_t n;
	char buf[REQUEST_HEAD_MAX];
};

struct outcome {
	int fd; /* -1: not connected */
	enum net_why why;
	enum dns_status status; /* if it was a name */
	bool named;             /* by its own name, or by an address that stands for one */
};

/* ---- reports */

static void
tell(const struct client *c, const struct net_target *t, enum net_why why)
{
	struct net_message m = { .client = c->port, .why = (uint16_t)why };
	char memory[512];
	struct arena a;
	struct buf b;

	arena_init(&a, memory, sizeof memory);
	buf_init(&b, &a);
	net_target_put(&b, t);
	if (b.n > sizeof m.target)
		return;
	memcpy(m.target, b.p, b.n);
	m.n = (uint16_t)b.n;
	(void)send(c->h->reports, &m, sizeof m, MSG_NOSIGNAL);
}

/* ---- connecting */

static int
dial(const struct address *a, uint16_t port)
{
	int family = a->six ? AF_INET6 : AF_INET, error = 0, one = 1;
	struct net_socket_address to = net_to(a, port, family);
	cleanup_fd int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct pollfd p = { fd, POLLOUT, 0 };
	socklen_t n = sizeof error;

	if (fd < 0)
		return -1;
	if (connect(fd, &to.u.any, to.n) && errno != EINPROGRESS)
		return -1;
	if (poll(&p, 1, DIAL_MS) != 1 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &n) ||
	    error)
		return -1;
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	return fd_steal(&fd);
}

/* Connect to a name: on the list, resolved here and now, and only to those addresses. */
static struct outcome
reach_name(const struct client *c, struct net_target *t)
{
	struct outcome o = { -1, NET_NOT_LISTED, DNS_OK, true };
	struct resolved r;
	bool barred = true;

	if (!hosts_allow_name(c->h->hosts, t->name, t->port))
		return o;
	net_resolve(&c->h->resolver, t->name, &r);
	o.why = NET_FINE;
	o.status = r.status;
	for (size_t i = 0; i < r.n && o.fd < 0; i++) {
		t->address = r.v[i];
		t->has_address = true;
		if (net_judge(c->h->hosts, t) != NET_FINE || net_is_own(c->h->hosts, t))
			continue;
		barred = false;
		o.fd = dial(&t->address, t->port);
	}
	if (r.n && barred)
		o.why = NET_BARRED;
	return o;
}

static struct outcome
reach(const struct client *c, const struct request_host *host)
{
	struct net_target t = { .name = str_of(host->name, host->name_n),
		.port = host->port };
	struct outcome o = { -1, NET_FINE, DNS_OK, false };

	if (host->name_n) {
		o = reach_name(c, &t);
	} else {
		t = net_target_of(c->h->table, &host->address, host->port);
		o.named = t.name.n > 0;
		o.why = net_judge(c->h->hosts, &t);
		if (o.why == NET_FINE && net_is_own(c->h->hosts, &t))
			o.why = NET_OWN;
		if (o.why == NET_FINE)
			o.fd = dial(&t.address, t.port);
	}
	tell(c, &t, o.why);
	return o;
}

/* ---- reading from the client */

static bool
say(const struct client *c, struct str text)
{
	return send(c->fd, text.p, text.n, MSG_NOSIGNAL) == (ssize_t)text.n;
}

/* Read more from the client; false at end of file, or if the buffer is full. */
static bool
hear(struct client *c)
{
	ssize_t n =
	    c->n < sizeof c->buf ? recv(c->fd, c->buf + c->n, sizeof c->buf - c->n, 0) : 0;

	if (n <= 0)
		return false;
	c->n += (size_t)n;
	return true;
}

static void
forget(struct client *c, size_t n)
{
	memmove(c->buf, c->buf + n, c->n - n);
	c->n -= n;
}

static struct str
heard(const struct client *c)
{
	return str_of(c->buf, c->n);
}

/* ---- HTTP */

static void
answer_http(const struct client *c, const char *status, const char *why)
{
	char memory[1024];
	struct arena a;
	struct buf b;

	arena_init(&a, memory, sizeof memory);
	buf_init(&b, &a);
	buf_puts(&b, "HTTP/1.1 ");
	buf_puts(&b, status);
	buf_puts(
	    &b, "\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: ");
	buf_putu(&b, strlen(why) + sizeof "cordon: " - 1 + 1);
	buf_puts(&b, "\r\n\r\ncordon: ");
	buf_puts(&b, why);
	buf_putc(&b, '\n');
	(void)say(c, buf_str(&b));
}

static void
answer_outcome(const struct client *c, const struct outcome *o)
{
	if (o->why != NET_FINE)
		answer_http(c, "403 Forbidden", net_why_text(o->why));
	else if (o->status == DNS_NO_NAME)
		answer_http(c, "502 Bad Gateway", "there is no host of this name");
	else if (o->status != DNS_OK)
		answer_http(c, "502 Bad Gateway", "no name server answered");
	else
		answer_http(c, "502 Bad Gateway", "the host cannot be reached");
}

static void
forward(struct client *c, struct http_request *q, int outside)
{
	char memory[REQUEST_HEAD_MAX + 1024];
	struct arena a;
	struct buf b;

	arena_init(&a, memory, sizeof memory);
	buf_init(&b, &a);
	http_put_head(&b, heard(c), q);
	if (b.full || send(outside, b.p, b.n, MSG_NOSIGNAL) != (ssize_t)b.n)
		return;
	forget(c, q->head_n);
	net_pump(c->fd, outside, &q->body, NULL, heard(c));
}

/* ---- the data in a tunnel, as far as it is in the clear */

struct tunnel {
	const struct client *c;
	uint16_t port;
};

/* A server that hosts many names would serve another one of them. */
static bool
may_ask_for(void *context, struct str text)
{
	const struct tunnel *u = context;
	char buf[HOSTS_NAME_MAX];
	size_t n = hosts_name(text, buf);
	struct net_target t = { .name = str_of(buf, n), .port = u->port };

	if (n && hosts_allow_name(u->c->h->hosts, t.name, t.port))
		return true;
	if (n)
		tell(u->c, &t, NET_OTHER_NAME);
	return false;
}

/* Behind an address that is on the list as such there is no name to judge. */
static void
serve_tunnel(struct client *c, uint16_t port, const struct outcome *o)
{
	struct tunnel u = { c, port };
	const struct net_check check = { may_ask_for, &u };

	net_pump(c->fd, o->fd, NULL, o->named ? &check : NULL, heard(c));
}

static void
serve_http(struct client *c)
{
	struct http_request q;
	enum request_state state;
	struct outcome o;

	while ((state = http_read(heard(c), &q)) == REQUEST_MORE)
		if (!hear(c))
			return;
	if (state == REQUEST_BAD) {
		answer_http(c, "400 Bad Request", q.why);
		return;
	}
	o = reach(c, &q.host);
	if (o.fd < 0) {
		answer_outcome(c, &o);
		return;
	}
	if (!q.tunnel) {
		forward(c, &q, o.fd);
		return;
	}
	if (!say(c, STR("HTTP/1.1 200 Connection established\r\n\r\n")))
		return;
	forget(c, q.head_n);
	serve_tunnel(c, q.host.port, &o);
}

/* ---- SOCKS */

static bool
answer_socks(const struct client *c, uint8_t code)
{
	const char answer[] = { 5, (char)code, 0, 1, 0, 0, 0, 0, 0, 0 };

	return say(c, str_of(answer, sizeof answer));
}

static uint8_t
socks_code(const struct outcome *o)
{
	if (o->why != NET_FINE)
		return 2;
	return o->status == DNS_OK ? 5 : 4;
}

static void
serve_socks(struct client *c)
{
	struct request_host host;
	enum request_state state;
	struct outcome o;
	uint8_t code;
	bool plain;
	size_t n;

	while ((state = socks_read_greeting(heard(c), &plain, &n)) == REQUEST_MORE)
		if (!hear(c))
			return;
	if (state == REQUEST_BAD)
		return;
	forget(c, n);
	if (!say(c, plain ? str_of("\5\0", 2) : STR("\5\xff")) || !plain)
		return;
	while ((state = socks_read(heard(c), &host, &code, &n)) == REQUEST_MORE)
		if (!hear(c))
			return;
	if (state == REQUEST_BAD) {
		(void)answer_socks(c, code);
		return;
	}
	o = reach(c, &host);
	if (!answer_socks(c, o.fd < 0 ? socks_code(&o) : 0) || o.fd < 0)
		return;
	forget(c, n);
	serve_tunnel(c, host.port, &o);
}

_Noreturn void
net_proxy(const struct net_helper *h, int fd, uint16_t port)
{
	struct client c = { .h = h, .fd = fd, .port = port };
	const struct timeval patience = { .tv_sec = ASK_SECONDS };

	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	if (hear(&c)) {
		if (c.buf[0] == 5)
			serve_socks(&c);
		else
			serve_http(&c);
	}
	_exit(0);
}
