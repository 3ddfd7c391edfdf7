/*
 * connect(2) to internet addresses, while there is a list of hosts or the network is off.
 *
 * The address was read once.  The caller's socket is fetched, and its network namespace
 * decides.  A connect to an address inside is made on that very socket.  For a host of the
 * list a new socket of the host's network is connected, and replaces the caller's.
 */
#define _GNU_SOURCE
#include "broker/call.h"
#include "broker/report/report.h"
#include "broker/socket/socket.h"
#include "confine/enter.h"
#include "proxy/net.h"
#include <netinet/in.h>
#include <netinet/tcp.h>

#define PROTOCOL_MPTCP 262

struct connecting {
	struct call *c;
	const struct net_socket_address *to;
	struct address address;
	uint16_t port;
	int fd; /* the caller's socket */
	int domain, type, protocol;
	bool inside; /* in the command's network namespace */
	bool waits;  /* blocking */
	bool watched;
};

static int
socket_number(int fd, int name)
{
	int value = -1;
	socklen_t n = sizeof value;

	return getsockopt(fd, SOL_SOCKET, name, &value, &n) ? -1 : value;
}

/* True for a socket in the command's network namespace.  With a list of hosts the command
 * may hold others, and in a session a run with network access can pass one on, which is in
 * ours. */
static bool
is_of_inside(const struct broker *br, int fd)
{
	cleanup_fd int own = -1;
	uint64_t its = 0, ours = 0;

	if (!net_cookie(fd, &its))
		return !br->net.table && !br->in_session;
	if (br->net.table)
		return its == br->net.cookie;
	own = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return own >= 0 && net_cookie(own, &ours) && its != ours;
}

bool
net_has_outside(const struct broker *br)
{
	return !br->plan->network && (br->net.table || br->in_session);
}

bool
net_is_of_outside(const struct broker *br, int fd)
{
	int family = socket_number(fd, SO_DOMAIN);

	return net_has_outside(br) && (family == AF_INET || family == AF_INET6) &&
	       !is_of_inside(br, fd);
}

static bool
look_at_socket(struct connecting *k)
{
	int flags = fcntl(k->fd, F_GETFL);

	k->domain = socket_number(k->fd, SO_DOMAIN);
	k->type = socket_number(k->fd, SO_TYPE);
	k->protocol = socket_number(k->fd, SO_PROTOCOL);
	k->waits = !(flags & O_NONBLOCK);
	k->inside = is_of_inside(k->c->br, k->fd);
	return flags >= 0 && k->domain == k->to->u.any.sa_family;
}

/* ---- on the caller's own socket */

static void
connect_own(const struct connecting *k, const struct net_socket_address *to)
{
	if (call_is_valid(k->c))
		call_answer(k->c, connect(k->fd, &to->u.any, to->n) ? errno : 0);
}

static void
perform_own(const struct connecting *k, const struct net_socket_address *to)
{
	int error = 0;

	/* Only a blocking stream socket can block us. */
	if (k->type != SOCK_STREAM || !k->waits) {
		connect_own(k, to);
		return;
	}
	if (call_in_worker(k->c, &error)) {
		connect_own(k, to);
		_exit(0);
	}
	if (error)
		call_answer(k->c, error);
}

/* Remember the program that connects to the proxy.  Bind its socket first, so that its port
 * is known. */
static void
remember_client(const struct connecting *k)
{
	struct net *net = &k->c->br->net;
	struct sockaddr_in own = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct net_socket_address name = { .n = sizeof name.u };
	size_t slot = net->clients_n % NET_CLIENTS;
	struct address a;
	struct str program;

	if (k->domain == AF_INET)
		(void)bind(k->fd, (const struct sockaddr *)&own, sizeof own);
	if (getsockname(k->fd, &name.u.any, &name.n) ||
	    !net_from(&name.u.any, name.n, &a, &net->clients[slot].port))
		return;
	program = child_program((pid_t)k->c->n.pid, net->clients[slot].program,
	    sizeof net->clients[slot].program - 1);
	memmove(net->clients[slot].program, program.p, program.n);
	net->clients[slot].program[program.n] = '\0';
	net->clients_n++;
}

/* ---- on a socket of ours */

/* Options that a caller may have set before it connects. */
static const struct {
	int level, name;
} wishes[] = {
	{ SOL_SOCKET, SO_KEEPALIVE },
	{ SOL_SOCKET, SO_OOBINLINE },
	{ SOL_SOCKET, SO_LINGER },
	{ SOL_SOCKET, SO_RCVTIMEO },
	{ SOL_SOCKET, SO_SNDTIMEO },
	{ SOL_SOCKET, SO_RCVLOWAT },
	{ IPPROTO_TCP, TCP_NODELAY },
	{ IPPROTO_TCP, TCP_CORK },
	{ IPPROTO_TCP, TCP_KEEPIDLE },
	{ IPPROTO_TCP, TCP_KEEPINTVL },
	{ IPPROTO_TCP, TCP_KEEPCNT },
	{ IPPROTO_TCP, TCP_SYNCNT },
	{ IPPROTO_TCP, TCP_USER_TIMEOUT },
	{ IPPROTO_IP, IP_TOS },
	{ IPPROTO_IPV6, IPV6_TCLASS },
};

static void
copy_wishes(int from, int to)
{
	for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
		char value[32];
		socklen_t n = sizeof value;

		if (getsockopt(from, wishes[i].level, wishes[i].name, value, &n) == 0)
			(void)setsockopt(to, wishes[i].level, wishes[i].name, value, n);
	}
	(void)fcntl(to, F_SETFL, fcntl(from, F_GETFL));
}

/* Replace the caller's socket, under the same number, and answer. */
static void
hand_over(const struct connecting *k, int fd, int error)
{
	int number = (int)k->c->n.data.args[0];

	if (error && error != EINPROGRESS) {
		call_answer(k->c, error);
		return;
	}
	if (k->watched)
		net_watch_again(k->c, k->fd, fd, number);
	call_answer(k->c, call_replace_fd(k->c, fd, number) ? error : ECONNABORTED);
}

static void
dial(const struct connecting *k, const struct net_target *t)
{
	struct net_socket_address to = net_to(&t->address, t->port, k->domain);
	cleanup_fd int fd = socket(k->domain, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);

	if (fd < 0) {
		call_answer(k->c, errno);
		return;
	}
	copy_wishes(k->fd, fd);
	if (!call_is_valid(k->c))
		return;
	hand_over(k, fd, connect(fd, &to.u.any, to.n) ? errno : 0);
}

static void
dial_for(struct connecting *k, const struct net_target *t)
{
	int error = 0;

	/* An IPv4 socket cannot reach an IPv6 address; a made address never asks for
	 * that. */
	if (k->domain == AF_INET && t->address.six) {
		call_answer(k->c, ENETUNREACH);
		return;
	}
	/* The socket was replaced before: connect it again. */
	if (!k->inside) {
		struct net_socket_address to = net_to(&t->address, t->port, k->domain);

		perform_own(k, &to);
		return;
	}
	k->watched =
	    !k->waits && net_is_watched((pid_t)k->c->n.pid, (int)k->c->n.data.args[0]);
	if (!k->waits && !k->watched) {
		dial(k, t);
		return;
	}
	if (call_in_worker(k->c, &error)) {
		dial(k, t);
		_exit(0);
	}
	if (error)
		call_answer(k->c, error);
}

/* ---- deciding */

/* The target's name for a report. */
static struct str
name_of(struct arena *a, const struct net_target *t)
{
	struct buf b;

	buf_init(&b, a);
	net_target_put(&b, t);
	return buf_str(&b);
}

static void
reach(const struct connecting *k, const struct net_target *t)
{
	char memory[512], program[64];
	struct arena a;

	arena_init(&a, memory, sizeof memory);
	reached_add(k->c->br, child_program((pid_t)k->c->n.pid, program, sizeof program),
	    name_of(&a, t));
}

static void
refuse(const struct connecting *k, const struct net_target *t, enum net_why why)
{
	char memory[512];
	struct arena a;

	arena_init(&a, memory, sizeof memory);
	violation_add(
	    k->c->br, (pid_t)k->c->n.pid, RUN_CONNECT, name_of(&a, t), net_why_text(why));
	call_answer(k->c, why == NET_OFF ? ENETUNREACH : EACCES);
}

static bool
is_tcp(const struct connecting *k)
{
	return k->type == SOCK_STREAM &&
	       (k->protocol == IPPROTO_TCP || k->protocol == PROTOCOL_MPTCP);
}

static void
judge(struct connecting *k)
{
	struct broker *br = k->c->br;
	const struct host_list *l = &br->plan->hosts;
	struct net_target t = {
		.address = k->address, .has_address = true, .port = k->port
	};
	enum net_why why;

	if (!br->net.table) {
		refuse(k, &t, NET_OFF);
		return;
	}
	t = net_target_of(br->net.table, &k->address, k->port);
	why = k->port ? net_judge(l, &t) : NET_FINE;
	if (why == NET_FINE && k->port && net_is_own(l, &t))
		why = NET_OWN;
	if (why != NET_FINE) {
		refuse(k, &t, why);
	} else if (is_tcp(k) && k->port) {
		reach(k, &t);
		dial_for(k, &t);
	} else if (t.name.n && k->inside) {
		/* Libraries sort addresses by connecting sockets that send nothing. */
		perform_own(k, k->to);
	} else {
		refuse(k, &t, NET_NO_TCP);
	}
}

void
net_connect(struct call *c, const struct net_socket_address *to)
{
	cleanup_fd int fd = call_socket(c);
	struct connecting k = { .c = c, .to = to, .fd = fd };

	if (fd < 0) {
		call_answer(c, -fd);
		return;
	}
	if (!net_from(&to->u.any, to->n, &k.address, &k.port) || !look_at_socket(&k)) {
		call_answer(c, EINVAL);
		return;
	}
	if (!net_is_inside(&k.address)) {
		judge(&k);
		return;
	}
	/* On a socket of the host's network this would be the host's loopback. */
	if (!k.inside) {
		const struct net_target t = {
			.address = k.address, .has_address = true, .port = k.port
		};

		refuse(&k, &t, NET_OWN);
		return;
	}
	if (c->br->net.table && k.port == ENTER_PROXY_PORT && k.type == SOCK_STREAM)
		remember_client(&k);
	perform_own(&k, to);
}

/* ---- other calls */

/* sendto(2) with an address.  The kernel routes only loopback; report the attempt. */
void
perform_send(struct call *c)
{
	const uint64_t *a = c->n.data.args;
	struct net_socket_address to = { .n = (socklen_t)a[5] };
	struct net_target t = { .has_address = true };
	struct connecting k = { .c = c };

	if (to.n > sizeof to.u || to.n < sizeof to.u.any.sa_family ||
	    !child_read((pid_t)c->n.pid, a[4], &to.u, to.n)) {
		call_continue(c);
		return;
	}
	/* Every Unix socket inside has its peer. */
	if (to.u.any.sa_family == AF_UNIX) {
		call_answer(c, EISCONN);
		return;
	}
	if (!c->br->plan->listed || !net_from(&to.u.any, to.n, &t.address, &t.port) ||
	    net_is_inside(&t.address)) {
		call_continue(c);
		return;
	}
	if (c->br->net.table)
		t = net_target_of(c->br->net.table, &t.address, t.port);
	refuse(&k, &t, NET_NO_TCP);
}

/* A socket of the host's network must not accept connections. */
void
perform_listen(struct call *c)
{
	cleanup_fd int fd = call_socket(c);
	uint64_t cookie = 0;

	if (fd < 0) {
		call_answer(c, -fd);
		return;
	}
	if (socket_number(fd, SO_DOMAIN) != AF_UNIX &&
	    (!net_cookie(fd, &cookie) || cookie != c->br->net.cookie)) {
		call_answer(c, EACCES);
		return;
	}
	if (call_is_valid(c))
		call_answer(c, listen(fd, (int)c->n.data.args[1]) ? errno : 0);
}
