/*
 * The helper: it answers DNS queries; clients of the proxy, and queries that wait for a
 * name server, get processes of their own.
 *
 * A name that is on the list is resolved outside; every address that it may lead to gets a
 * made one.  Any other name gets a made address without a real one: so a connect to it is
 * reported with its name, and the name itself has left the machine nowhere.
 */
#define _GNU_SOURCE
#include "os/clock.h"
#include "os/fd.h"
#include "os/sys.h"
#include "proxy/net.h"
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define NAMES_MAX 1024
#define WAITING_MAX 128
#define CHILDREN_MAX 128
#define TTL_INSIDE 30
#define TTL_LEAST 30
#define FAILED_MS 2000
/* A resolver process that died has not answered by then. */
#define RESOLVE_MS 20000

enum known_state {
	KNOWN_PENDING,
	KNOWN_READY,
};

struct known {
	char name[HOSTS_NAME_MAX];
	uint8_t name_n;
	uint8_t state;
	uint8_t status;
	uint8_t n;
	uint64_t until;
	uint32_t entries[2 * DNS_ANSWERS_MAX];
};

struct waiting {
	bool used;
	struct sockaddr_in from;
	size_t known;
	size_t n;
	uint8_t query[DNS_MESSAGE_MAX];
};

struct told {
	size_t known;
	struct resolved answer;
};

struct serving {
	struct net_helper *h;
	struct known known[NAMES_MAX];
	size_t known_n;
	struct waiting waiting[WAITING_MAX];
	int results[2];
	int children;
};

/* ---- the table */

static bool
same_entry(const struct net_entry *e, struct str name, const struct address *real)
{
	return str_eq(str_of(e->name, e->name_n), name) && e->has_real == (real != NULL) &&
	       (!real || address_same(&e->real, real));
}

/* Find or add the entry for this name and address; -1: the table is full. */
static int64_t
entry_for(struct net_table *t, struct str name, const struct address *real, bool barred)
{
	uint32_t n = atomic_load_explicit(&t->n, memory_order_relaxed);
	struct net_entry *e = &t->v[n];

	for (uint32_t i = 0; i < n; i++)
		if (same_entry(&t->v[i], name, real) && t->v[i].barred == barred)
			return i;
	if (n == NET_ENTRIES)
		return -1;
	memcpy(e->name, name.p, name.n);
	e->name_n = (uint8_t)name.n;
	e->has_real = real != NULL;
	e->barred = barred;
	if (real)
		e->real = *real;
	atomic_store_explicit(&t->n, n + 1, memory_order_release);
	return n;
}

static struct str
known_name(const struct known *k)
{
	return str_of(k->name, k->name_n);
}

static void
add_entry(struct serving *s, struct known *k, const struct address *real, bool barred)
{
	int64_t entry = entry_for(s->h->table, known_name(k), real, barred);

	if (entry >= 0 && k->n < sizeof k->entries / sizeof *k->entries)
		k->entries[k->n++] = (uint32_t)entry;
	else
		k->status = DNS_FAILED;
}

/* Allowed on some port; a connect is judged with its own. */
static bool
may_lead(const struct host_list *l, const struct address *a)
{
	enum address_kind kind = address_kind(a);

	return kind == ADDRESS_PUBLIC || (kind == ADDRESS_PRIVATE && hosts_lists(l, a, 0));
}

static void
finish_known(struct serving *s, struct known *k, const struct resolved *r)
{
	uint32_t ttl = r->ttl < TTL_LEAST ? TTL_LEAST : r->ttl;

	k->state = KNOWN_READY;
	k->n = 0;
	k->status = (uint8_t)r->status;
	k->until =
	    clock_ms() + (r->status == DNS_FAILED ? FAILED_MS : ttl * (uint64_t)1000);
	if (r->status != DNS_OK)
		return;
	for (size_t i = 0; i < r->n; i++)
		if (may_lead(s->h->hosts, &r->v[i]))
			add_entry(s, k, &r->v[i], false);
	if (r->n && k->n == 0)
		add_entry(s, k, NULL, true);
}

/* ---- answers */

static void
send_answer(struct serving *s, const struct sockaddr_in *to, struct str query,
    const struct dns_question *q, enum dns_status status, const struct address *v, size_t n)
{
	uint8_t buf[DNS_MESSAGE_MAX];
	size_t length = dns_put_answer(buf, query, q, status, v, n, TTL_INSIDE);

	if (length)
		(void)sendto(s->h->names, buf, length, MSG_DONTWAIT | MSG_NOSIGNAL,
		    (const struct sockaddr *)to, sizeof *to);
}

static void
answer_known(struct serving *s, const struct sockaddr_in *to, struct str query,
    const struct dns_question *q, const struct known *k)
{
	struct address v[2 * DNS_ANSWERS_MAX];
	bool six = q->type == DNS_AAAA;
	size_t n = 0;

	for (size_t i = 0; i < k->n; i++) {
		const struct net_entry *e = &s->h->table->v[k->entries[i]];

		if (e->has_real ? e->real.six == six : !six)
			v[n++] = net_made(k->entries[i], six);
	}
	if (q->type != DNS_A && q->type != DNS_AAAA)
		n = 0;
	send_answer(s, to, query, q, (enum dns_status)k->status, v, n);
}

static void
answer_waiting(struct serving *s, size_t known)
{
	for (size_t i = 0; i < WAITING_MAX; i++) {
		struct waiting *w = &s->waiting[i];
		struct str query = str_of((const char *)w->query, w->n);
		struct dns_question q;

		if (!w->used || w->known != known)
			continue;
		w->used = false;
		if (dns_read_query(query, &q))
			answer_known(s, &w->from, query, &q, &s->known[known]);
	}
}

/* ---- processes */

/* Like fork(2); -1: there are enough processes. */
static pid_t
make_child(struct serving *s)
{
	pid_t parent = getpid(), pid = s->children < CHILDREN_MAX ? fork() : -1;

	s->children += pid > 0;
	if (pid == 0 && (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) || getppid() != parent))
		_exit(0);
	return pid;
}

static void
begin_resolving(struct serving *s, size_t known)
{
	struct known *k = &s->known[known];
	struct told told = { .known = known };
	pid_t pid = make_child(s);

	if (pid == 0) {
		net_resolve(&s->h->resolver, known_name(k), &told.answer);
		(void)send(s->results[1], &told, sizeof told, MSG_NOSIGNAL);
		_exit(0);
	}
	if (pid > 0) {
		k->state = KNOWN_PENDING;
		k->until = clock_ms() + RESOLVE_MS;
		return;
	}
	/* Nobody works on it: answer a failure at once, and let the next query try
	 * again. */
	k->state = KNOWN_READY;
	k->status = DNS_FAILED;
	k->n = 0;
}

static void
on_resolved(struct serving *s)
{
	struct told told;

	if (recv(s->results[0], &told, sizeof told, MSG_DONTWAIT) != (ssize_t)sizeof told ||
	    told.known >= s->known_n)
		return;
	finish_known(s, &s->known[told.known], &told.answer);
	answer_waiting(s, told.known);
}

/* ---- queries */

static void
keep_waiting(
    struct serving *s, const struct sockaddr_in *from, struct str query, size_t known)
{
	struct waiting *w = s->waiting;

	while (w < s->waiting + WAITING_MAX && w->used)
		w++;
	/* If the table is full the query is lost; the client will repeat it. */
	if (w == s->waiting + WAITING_MAX)
		return;
	*w = (struct waiting){ .used = true, .from = *from, .known = known, .n = query.n };
	memcpy(w->query, query.p, query.n);
}

/* Find or add what is known of a name; NULL: the table is full. */
static struct known *
find_known(struct serving *s, struct str name)
{
	struct known *k;

	for (size_t i = 0; i < s->known_n; i++)
		if (str_eq(known_name(&s->known[i]), name))
			return &s->known[i];
	if (s->known_n == NAMES_MAX)
		return NULL;
	k = &s->known[s->known_n++];
	memset(k, 0, sizeof *k);
	memcpy(k->name, name.p, name.n);
	k->name_n = (uint8_t)name.n;
	k->state = KNOWN_READY;
	return k;
}

static void
answer_name(struct serving *s, const struct sockaddr_in *from, struct str query,
    const struct dns_question *q, struct str name)
{
	struct known *k = find_known(s, name);

	if (!k) {
		send_answer(s, from, query, q, DNS_FAILED, NULL, 0);
		return;
	}
	if (!hosts_know(s->h->hosts, name)) {
		if (k->n == 0)
			add_entry(s, k, NULL, false);
		answer_known(s, from, query, q, k);
		return;
	}
	if (k->until <= clock_ms())
		begin_resolving(s, (size_t)(k - s->known));
	if (k->state == KNOWN_PENDING)
		keep_waiting(s, from, query, (size_t)(k - s->known));
	else
		answer_known(s, from, query, q, k);
}

static void
on_question(struct serving *s)
{
	static const struct address local[] = { { .b = { 127, 0, 0, 1 } },
		{ .b = { [15] = 1 }, .six = true } };
	uint8_t buf[DNS_MESSAGE_MAX];
	struct sockaddr_in from;
	socklen_t from_n = sizeof from;
	ssize_t got = recvfrom(
	    s->h->names, buf, sizeof buf, MSG_DONTWAIT, (struct sockaddr *)&from, &from_n);
	struct str query = str_of((const char *)buf, got > 0 ? (size_t)got : 0), name;
	struct dns_question q;
	char text[HOSTS_NAME_MAX];

	if (from_n != sizeof from || !dns_read_query(query, &q))
		return;
	name = str_of(text, hosts_name(str_of(q.text, q.text_n), text));
	if (q.opcode != 0 || q.class != 1)
		send_answer(s, &from, query, &q, DNS_NOT_KNOWN, NULL, 0);
	else if (str_is(name, "localhost") || str_ends(name, STR(".localhost")))
		send_answer(s, &from, query, &q, DNS_OK, &local[q.type == DNS_AAAA],
		    q.type == DNS_A || q.type == DNS_AAAA);
	/* A single label, or a query for an address: ask nobody outside. */
	else if (name.n == 0 || str_ends(name, STR(".arpa")) ||
		 (str_find(name, '.') == name.n && !hosts_know(s->h->hosts, name)))
		send_answer(s, &from, query, &q, DNS_NO_NAME, NULL, 0);
	else
		answer_name(s, &from, query, &q, name);
}

static void
on_client(struct serving *s)
{
	struct sockaddr_in from = { 0 };
	socklen_t n = sizeof from;
	cleanup_fd int fd =
	    accept4(s->h->proxy, (struct sockaddr *)&from, &n, SOCK_CLOEXEC);

	if (fd >= 0 && make_child(s) == 0)
		net_proxy(s->h, fd, ntohs(from.sin_port));
}

static void
bury(struct serving *s)
{
	while (s->children > 0 && waitpid(-1, NULL, WNOHANG) > 0)
		s->children--;
}

_Noreturn void
net_serve(struct net_helper *h)
{
	struct serving *s = arena_zalloc(h->a, sizeof *s);

	if (!s)
		_exit(1);
	s->h = h;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, s->results))
		_exit(1);
	for (;;) {
		bool full = s->children >= CHILDREN_MAX;
		struct pollfd fds[] = {
			{ h->names, POLLIN, 0 },
			{ s->results[0], POLLIN, 0 },
			{ full ? -1 : h->proxy, POLLIN, 0 },
		};

		(void)poll(fds, sizeof fds / sizeof *fds, s->children ? 100 : -1);
		if (fds[1].revents)
			on_resolved(s);
		if (fds[0].revents)
			on_question(s);
		if (fds[2].revents)
			on_client(s);
		bury(s);
	}
}
