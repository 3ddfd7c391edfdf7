/*
 * proxy/net_resolve.h: names to addresses, by the host's own files and name servers.
 *
 * The C library's resolver would do it with state that is shared, files that are opened at
 * each call and, in the version that we are built with, without connections for long
 * answers.  This one is read once, then needs no file any more.
 */
#pragma once
#include "base/arena.h"
#include "proxy/net_dns.h"

#define RESOLVE_SERVERS_MAX 3

struct resolver {
	struct address servers[RESOLVE_SERVERS_MAX];
	size_t servers_n;
	struct str hosts; /* the text of the hosts file */
	bool six;         /* the host reaches addresses of that kind */
};

/* /etc/resolv.conf, /etc/hosts. */
void resolver_read(struct arena *a, bool six, struct resolver *ret);
/* The parts, on text. */
void resolver_read_servers(struct str text, struct resolver *r);
size_t resolver_find_host(struct str hosts, struct str name, struct address *v, size_t max);

struct resolved {
	enum dns_status status;
	uint32_t ttl;
	struct address v[2 * DNS_ANSWERS_MAX];
	size_t n;
};

/* Waits for its answer, some seconds at most. */
void net_resolve(const struct resolver *r, struct str name, struct resolved *ret);
