/*
 * confine/hosts.h: the list of hosts that a command may reach.
 *
 * MUST
 * 1. What a rule denies is refused, whatever else the list says.
 * 2. A name alone never opens an address of a private network; only the address itself,
 *    named in the list, does.  Nothing opens this machine or its links.
 * 3. One name has one spelling here: lower case, no final dot.
 */
#pragma once
#include "base/arena.h"
#include "base/host.h"
#include "confine/address.h"

struct host_rule {
	struct str name; /* as sandbox_host_normal() has it, without its port */
	uint16_t port;   /* 0: any */
	bool literal;
	struct address address; /* when it is one */
};

/* "example.org:443", "[2606::1]:443", or without a port where none is meant yet: a rule
 * refuses it. */
typedef bool host_denied(void *context, struct str host);

struct host_list {
	const struct host_rule *allow;
	size_t allow_n;
	host_denied *denied; /* NULL: no rule speaks of hosts */
	void *context;
};

#define HOSTS_NAME_MAX HOST_NAME_BYTES

/* Entries of a policy; *ret_bad is the one that is no host.  CORDON_EINVAL, CORDON_ENOMEM.
 */
int hosts_read(struct arena *a, const struct str *v, size_t n, const struct host_rule **ret,
    struct str *ret_bad);

/* The spelling of `text` in `room` of HOSTS_NAME_MAX bytes; its length, or 0 when it is no
 * name: also where it looks like an address. */
size_t hosts_name(struct str text, char *room);

/* On some port.  `name` is from hosts_name(). */
bool hosts_know(const struct host_list *l, struct str name);
bool hosts_allow_name(const struct host_list *l, struct str name, uint16_t port);
/* An address that was named as such. */
bool hosts_allow_address(const struct host_list *l, const struct address *a, uint16_t port);
/* An address that a name, which is allowed, leads to. */
bool hosts_may_lead(const struct host_list *l, const struct address *a, uint16_t port);
/* The list has the address itself; port 0: on some port. */
bool hosts_lists(const struct host_list *l, const struct address *a, uint16_t port);
