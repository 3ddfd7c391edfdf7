/*
 * proxy/net.h: enforce a list of hosts.
 *
 * The command has a network namespace with loopback only.  Three things open it:
 * - A helper process answers DNS queries on that loopback.  It hands out made addresses;
 *   each stands for one name and one of its real addresses.
 * - The supervisor performs the connects.  For a made address it connects a new socket to
 *   the real one outside and replaces the caller's socket; any other address it refuses.
 * - The helper is also a proxy (HTTP and SOCKS), for programs that pass names.
 *
 * MUST
 * 1. Connect only to what the list allows, judged by the name that the command asked for,
 *    the port, and the very address that is used.
 * 2. Ask no name server outside for a name that is not on the list: names carry data.
 * 3. Let no socket of the host's network be used for anything but its one connection.
 */
#pragma once
#include "confine/hosts.h"
#include "proxy/net_resolve.h"
#include <stdatomic.h>
#include <sys/socket.h>

/* ---- made addresses: one table, written by the helper, read by the supervisor */

#define NET_ENTRIES 4096

struct net_entry {
	char name[HOSTS_NAME_MAX];
	uint8_t name_n;
	bool has_real;
	bool barred; /* it has addresses, but none that a name may lead to */
	struct address real;
};

struct net_table {
	_Atomic uint32_t n; /* entries below this index do not change any more */
	struct net_entry v[NET_ENTRIES];
};

/* The made address of an entry; `six`: IPv6. */
struct address net_made(uint32_t entry, bool six);
/* The entry of a made address; NULL: it was not handed out. */
const struct net_entry *net_find(const struct net_table *t, const struct address *a);
/* True for an address of the command's own network: loopback, and its interface. */
bool net_is_inside(const struct address *a);

/* ---- judging and connecting; both sides use these */

enum net_why {
	NET_FINE,
	NET_NOT_LISTED,
	NET_BARRED,
	NET_OWN,
	NET_NO_TCP,
	NET_OFF,
	NET_BAD_NAME,
	NET_OTHER_NAME, /* inside a tunnel to a name that is on the list */
	NET_WHYS,
};

/* The reason as text for a person. */
const char *net_why_text(enum net_why why);

/* The target that a client asked for: a name, or an address as such. */
struct net_target {
	struct str name; /* .n == 0: the address itself */
	struct address address;
	bool has_address;
	bool barred;
	uint16_t port;
};

/* The target of an address: the entry's name and real address, if it is a made one. */
struct net_target net_target_of(
    const struct net_table *t, const struct address *a, uint16_t port);
enum net_why net_judge(const struct host_list *l, const struct net_target *t);
/* True if the address is one of this machine's own, and the list does not have it as
 * such. */
bool net_is_own(const struct host_list *l, const struct net_target *t);
void net_target_put(struct buf *out, const struct net_target *t);

struct net_socket_address {
	union {
		struct sockaddr any;
		struct sockaddr_storage storage;
	} u;
	socklen_t n;
};

/* Make a socket address for `family`; AF_INET6 takes both kinds. */
struct net_socket_address net_to(const struct address *a, uint16_t port, int family);
/* Parse a socket address.  False if it is not an internet address. */
bool net_from(const struct sockaddr *any, socklen_t n, struct address *ret, uint16_t *port);

/* ---- the helper */

/* A report of the helper: a refusal, or with NET_FINE a host that was reached. */
struct net_message {
	uint16_t client; /* the client's port on loopback */
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

/* Serve until it is killed. */
_Noreturn void net_serve(struct net_helper *h);
/* Serve one client, in a process of its own. */
_Noreturn void net_proxy(const struct net_helper *h, int client, uint16_t port);
/* Copy until both sides have ended; `body` limits what goes out, NULL: everything.  With
 * `check` nothing goes out before the server name of the TLS hello was judged; false ends
 * the connection. */
struct net_body;
struct net_check {
	bool (*judge)(void *context, struct str name);
	void *context;
};
void net_pump(int inside, int outside, struct net_body *body, const struct net_check *check,
    struct str first);
