#define _GNU_SOURCE
#include "proxy/net_resolve.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/sys.h"
#include "proxy/net.h"
#include <netinet/in.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define PORT 53
/* Timeout of one server, and how often all of them are asked. */
#define WAIT_MS 2000
#define ROUNDS 2
#define HOSTS_BYTES ((size_t)4 << 20)
#define CONFIG_BYTES ((size_t)64 << 10)
#define HOSTS_TTL 60

/* ---- the host's files */

static struct str
read_whole(struct arena *a, const char *path, size_t max)
{
	cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	char *p;
	size_t n = 0;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size < 0 ||
	    (size_t)st.st_size > max || !(p = arena_alloc(a, (size_t)st.st_size + 1)))
		return STR("");
	while (n < (size_t)st.st_size) {
		ssize_t got = read(fd, p + n, (size_t)st.st_size - n);

		if (got <= 0)
			break;
		n += (size_t)got;
	}
	return str_of(p, n);
}

static struct str
next_line(struct str *rest)
{
	size_t end = str_find(*rest, '\n');
	struct str line = str_cut(*rest, 0, end);
	size_t comment = str_find(line, '#');

	*rest = str_skip(*rest, end + 1);
	line.n = comment;
	comment = str_find(line, ';');
	line.n = comment;
	return line;
}

static struct str
next_word(struct str *line)
{
	struct str word;
	size_t n = 0;

	while (line->n && (line->p[0] == ' ' || line->p[0] == '\t' || line->p[0] == '\r'))
		*line = str_skip(*line, 1);
	while (n < line->n && line->p[n] != ' ' && line->p[n] != '\t' && line->p[n] != '\r')
		n++;
	word = str_cut(*line, 0, n);
	*line = str_skip(*line, n);
	return word;
}

void
resolver_read_servers(struct str text, struct resolver *r)
{
	r->servers_n = 0;
	while (text.n && r->servers_n < RESOLVE_SERVERS_MAX) {
		struct str line = next_line(&text);

		if (str_is(next_word(&line), "nameserver") &&
		    address_read(next_word(&line), &r->servers[r->servers_n]))
			r->servers_n++;
	}
	/* The default of every resolver. */
	if (r->servers_n == 0)
		r->servers[r->servers_n++] = (struct address){ .b = { 127, 0, 0, 1 } };
}

size_t
resolver_find_host(struct str hosts, struct str name, struct address *v, size_t max)
{
	char buf[HOSTS_NAME_MAX];
	size_t n = 0;

	while (hosts.n && n < max) {
		struct str line = next_line(&hosts), word;
		struct address a;

		if (!address_read(next_word(&line), &a))
			continue;
		while ((word = next_word(&line)).n)
			if (str_eq(str_of(buf, hosts_name(word, buf)), name)) {
				v[n++] = a;
				break;
			}
	}
	return n;
}

void
resolver_read(struct arena *a, bool six, struct resolver *ret)
{
	*ret = (struct resolver){ .six = six };
	resolver_read_servers(read_whole(a, "/etc/resolv.conf", CONFIG_BYTES), ret);
	ret->hosts = read_whole(a, "/etc/hosts", HOSTS_BYTES);
}

/* ---- asking */

struct asking {
	struct str name;
	uint16_t ids[2];
	enum dns_type types[2];
	struct dns_answer answers[2];
	bool done[2];
	size_t n;
};

static int
open_to(const struct address *server, int type)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(PORT) };
	struct sockaddr_in6 to6 = { .sin6_family = AF_INET6, .sin6_port = htons(PORT) };
	cleanup_fd int fd = socket(
	    server->six ? AF_INET6 : AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int r;

	memcpy(&to.sin_addr, server->b, 4);
	memcpy(&to6.sin6_addr, server->b, 16);
	if (fd < 0)
		return -1;
	r = server->six ? connect(fd, (const struct sockaddr *)&to6, sizeof to6)
			: connect(fd, (const struct sockaddr *)&to, sizeof to);
	return r && errno != EINPROGRESS ? -1 : fd_steal(&fd);
}

static bool
wait_for(int fd, short what, uint64_t until)
{
	uint64_t now = clock_ms();
	struct pollfd p = { fd, what, 0 };

	return now < until && poll(&p, 1, (int)(until - now)) == 1;
}

static bool
all_of(int fd, uint8_t *p, size_t n, bool out, uint64_t until)
{
	while (n) {
		ssize_t did;

		if (!wait_for(fd, out ? POLLOUT : POLLIN, until))
			return false;
		did = out ? send(fd, p, n, MSG_NOSIGNAL) : recv(fd, p, n, 0);
		if (did <= 0 && !(did < 0 && errno == EAGAIN))
			return false;
		if (did > 0) {
			p += did;
			n -= (size_t)did;
		}
	}
	return true;
}

/* Ask over TCP, for a long answer: each message is preceded by its length. */
static void
ask_again(const struct address *server, struct asking *q, size_t i, uint64_t until)
{
	uint8_t buf[65535];
	uint8_t head[2];
	cleanup_fd int fd = open_to(server, SOCK_STREAM);
	size_t n = dns_put_query(buf + 2, q->ids[i], q->name, q->types[i]);

	buf[0] = (uint8_t)(n >> 8);
	buf[1] = (uint8_t)n;
	if (fd < 0 || !all_of(fd, buf, n + 2, true, until) ||
	    !all_of(fd, head, sizeof head, false, until))
		return;
	n = (size_t)head[0] << 8 | head[1];
	if (!all_of(fd, buf, n, false, until))
		return;
	q->done[i] = dns_read_answer(str_of((const char *)buf, n), q->ids[i], q->name,
			 q->types[i], &q->answers[i]) &&
		     !q->answers[i].cut;
}

/* Take a message of the server: it may be the answer to one of the questions. */
static void
take_message(const struct address *server, struct asking *q, struct str m, uint64_t until)
{
	for (size_t i = 0; i < q->n; i++) {
		if (q->done[i] ||
		    !dns_read_answer(m, q->ids[i], q->name, q->types[i], &q->answers[i]))
			continue;
		if (q->answers[i].cut)
			ask_again(server, q, i, until);
		else
			q->done[i] = true;
		return;
	}
}

static bool
is_done(const struct asking *q)
{
	for (size_t i = 0; i < q->n; i++)
		if (!q->done[i])
			return false;
	return true;
}

/* True if the server answered every question with something other than a failure. */
static bool
ask(const struct address *server, struct asking *q)
{
	uint64_t until = clock_ms() + WAIT_MS;
	cleanup_fd int fd = open_to(server, SOCK_DGRAM);
	uint8_t buf[2048];

	if (fd < 0 || getrandom(q->ids, sizeof q->ids, 0) != (ssize_t)sizeof q->ids)
		return false;
	for (size_t i = 0; i < q->n; i++) {
		size_t n = dns_put_query(buf, q->ids[i], q->name, q->types[i]);

		q->done[i] = false;
		if (n == 0 || send(fd, buf, n, MSG_NOSIGNAL) != (ssize_t)n)
			return false;
	}
	while (!is_done(q) && wait_for(fd, POLLIN, until)) {
		ssize_t n = recv(fd, buf, sizeof buf, 0);

		if (n < 0 && errno != EAGAIN)
			return false;
		if (n > 0)
			take_message(
			    server, q, str_of((const char *)buf, (size_t)n), until);
	}
	for (size_t i = 0; i < q->n; i++)
		if (!q->done[i] ||
		    (q->answers[i].status != DNS_OK && q->answers[i].status != DNS_NO_NAME))
			return false;
	return true;
}

static void
take_answers(const struct asking *q, struct resolved *ret)
{
	ret->status = DNS_OK;
	ret->ttl = 3600;
	for (size_t i = 0; i < q->n; i++) {
		const struct dns_answer *x = &q->answers[i];

		for (size_t j = 0; j < x->n; j++)
			ret->v[ret->n++] = x->v[j];
		if (x->n && x->ttl < ret->ttl)
			ret->ttl = x->ttl;
	}
	if (ret->n == 0 && q->answers[0].status == DNS_NO_NAME)
		ret->status = DNS_NO_NAME;
}

void
net_resolve(const struct resolver *r, struct str name, struct resolved *ret)
{
	struct asking q = {
		.name = name, .types = { DNS_A, DNS_AAAA }, .n = r->six ? 2 : 1
	};

	*ret = (struct resolved){ .status = DNS_FAILED, .ttl = HOSTS_TTL };
	ret->n = resolver_find_host(r->hosts, name, ret->v, DNS_ANSWERS_MAX);
	if (ret->n) {
		ret->status = DNS_OK;
		return;
	}
	for (int round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < r->servers_n; i++)
			if (ask(&r->servers[i], &q)) {
				take_answers(&q, ret);
				return;
			}
}
