/*
 * proxy/net.h: a list of hosts, made to hold.
 *
 * The command has a network of its own with loopback only.  Three things open it:
 *
 * - A helper of ours answers names on that loopback.  What it hands out are addresses of
 * its own making, each of which stands for one name and one real address of it.
 * - The supervisor makes the connects.  To a made address it dials the real one outside and
 *   puts that socket in the place of the caller's; to any other address it does nothing.
 * - The helper is also a proxy (HTTP and SOCKS), for programs that hand over names.
 *
 * MUST
 * 1. Dial only what the list allows, judged on the name that the command asked for, the
 *    port, and the very address that is dialled.
 * 2. Ask no name server outside for a name that is not on the list: names carry text.
 * 3. Let no socket of the host's network be used for anything but its one connection.
 */
#pragma once
#include "confine/hosts.h"
#include "proxy/net_resolve.h"
#include <stdatomic.h>
#include <sys/socket.h>

/* ---- the made addresses: one table, written by the helper, read by the supervisor */

#define NET_ENTRIES 4096

struct net_entry {
	char name[HOSTS_NAME_MAX];
	uint8_t name_n;
	bool has_real;
	bool barred; /* it has addresses, but none that a name may lead to */
	struct address real;
};

struct net_table {
	_Atomic uint32_t n; /* what lies below does not change any more */
	struct net_entry v[NET_ENTRIES];
};

/* The made address of an entry; `six` chooses its kind. */
struct address net_made(uint32_t entry, bool six);
/* NULL when it is none that was handed out. */
const struct net_entry *net_find(const struct net_table *t, const struct address *a);
/* One of the command's own: loopback, and what its interface has. */
bool net_is_inside(const struct address *a);

/* ---- judging and dialling; both sides use these */

enum net_why {
	NET_FINE,
	NET_NOT_LISTED,
	NET_BARRED,
	NET_OWN,
	NET_NO_TCP,
	NET_OFF,
	NET_BAD_NAME,
	NET_OTHER_NAME, /* behind a tunnel to a name that is on the list */
	NET_WHYS,
};

/* For a person. */
const char *net_why_text(enum net_why why);

/* What one asked for: a name, or an address as such. */
struct net_target {
	struct str name; /* .n == 0: the address itself is meant */
	struct address address;
	bool has_address;
	bool barred;
	uint16_t port;
};

/* The target behind an address that was named: the entry's, if it is a made one. */
struct net_target net_target_of(
    const struct net_table *t, const struct address *a, uint16_t port);
enum net_why net_judge(const struct host_list *l, const struct net_target *t);
/* The address is one of this machine's own, and the list does not have it as such. */
bool net_is_own(const struct host_list *l, const struct net_target *t);
void net_target_put(struct buf *out, const struct net_target *t);

struct net_socket_address {
	union {
		struct sockaddr any;
		struct sockaddr_storage storage;
	} u;
	socklen_t n;
};

/* For a socket of `family`: AF_INET6 takes both kinds. */
struct net_socket_address net_to(const struct address *a, uint16_t port, int family);
/* False when it is none of the internet. */
bool net_from(const struct sockaddr *any, socklen_t n, struct address *ret, uint16_t *port);

/* ---- the helper */

/* What it tells the supervisor: a refusal, or with NET_FINE which host was let be reached.
 */
struct net_message {
	uint16_t client; /* the port that the client has on loopback */
	uint16_t why;
	uint16_t n;
	char target[HOSTS_NAME_MAX + 16];
};

struct net_helper {
	struct arena *a;
	const struct host_list *hosts;
	struct net_table *table;
	struct resolver resolver;
	int names, proxy; /* sockets inside */
	int reports;      /* to the supervisor */
};

/* Until it is killed. */
_Noreturn void net_serve(struct net_helper *h);
/* In a process of its own: one client. */
_Noreturn void net_proxy(const struct net_helper *h, int client, uint16_t port);
/* Copies until both sides have ended; `body` bounds what goes out, NULL: everything.  With
 * `check` nothing goes out before the name that TLS asks for was judged; false ends it. */
struct net_body;
struct net_check {
	bool (*judge)(void *context, struct str name);
	void *context;
};
void net_pump(int inside, int outside, struct net_body *body, const struct net_check *check,
    struct str first);
