/*
 * proxy/net_resolve.h: names to addresses, by the host's own files and name servers.
 *
 * The C library's resolver has shared state, opens files at each call and, in the version
 * that we link, does not use TCP for long answers.  This one reads the files once, then
 * needs no file any more.
 */
#pragma once
#include "base/arena.h"
#include "proxy/net_dns.h"

#define RESOLVE_SERVERS_MAX 3

struct resolver {
	struct address servers[RESOLVE_SERVERS_MAX];
	size_t servers_n;
	struct str hosts; /* the content of /etc/hosts */
	bool six;         /* the host reaches IPv6 addresses */
};

/* Read /etc/resolv.conf and /etc/hosts. */
void resolver_read(struct arena *a, bool six, struct resolver *ret);
/* Parse their text. */
void resolver_read_servers(struct str text, struct resolver *r);
size_t resolver_find_host(struct str hosts, struct str name, struct address *v, size_t max);

struct resolved {
	enum dns_status status;
	uint32_t ttl;
	struct address v[2 * DNS_ANSWERS_MAX];
	size_t n;
};

/* Resolve a name; waits for the answer, some seconds at most. */
void net_resolve(const struct resolver *r, struct str name, struct resolved *ret);
