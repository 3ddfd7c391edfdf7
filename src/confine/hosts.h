/*
 * confine/hosts.h: the list of hosts that a command may reach.
 *
 * MUST
 * 1. Refuse what a rule denies, whatever else the list says.
 * 2. Never open an address of a private network because of a name; only the address itself,
 *    named in the list, opens it.  Nothing opens this machine or its links.
 * 3. Use one spelling of a name: lower case, no final dot.
 */
#pragma once
#include "base/arena.h"
#include "base/host.h"
#include "confine/address.h"

struct host_rule {
	struct str name; /* normalised by sandbox_host_normal(), without its port */
	uint16_t port;   /* 0: any */
	bool literal;
	struct address address; /* if it is one */
};

/* True if a rule denies "example.org:443", "[2606::1]:443", or a host without a port when
 * none is known yet. */
typedef bool host_denied(void *context, struct str host);

struct host_list {
	const struct host_rule *allow;
	size_t allow_n;
	host_denied *denied; /* NULL: no rule is about hosts */
	void *context;
};

#define HOSTS_NAME_MAX HOST_NAME_BYTES

/* Parse the entries of a policy; *ret_bad is an entry that is no host.  CORDON_EINVAL,
 * CORDON_ENOMEM. */
int hosts_read(struct arena *a, const struct str *v, size_t n, const struct host_rule **ret,
    struct str *ret_bad);

/* Normalise a name into `buf` of HOSTS_NAME_MAX bytes.  Returns its length, or 0 if it is
 * no name or looks like an address. */
size_t hosts_name(struct str text, char *buf);

/* True if the name is allowed on some port.  `name` is from hosts_name(). */
bool hosts_know(const struct host_list *l, struct str name);
bool hosts_allow_name(const struct host_list *l, struct str name, uint16_t port);
/* True if an address that was given as such is allowed. */
bool hosts_allow_address(const struct host_list *l, const struct address *a, uint16_t port);
/* True if an address that an allowed name leads to is allowed. */
bool hosts_may_lead(const struct host_list *l, const struct address *a, uint16_t port);
/* True if the list has the address itself; port 0: on some port. */
bool hosts_lists(const struct host_list *l, const struct address *a, uint16_t port);
