/*
 * confine/address.h: addresses of hosts, and which of them a name may lead to.
 *
 * MUST
 * 1. Parse only the standard spelling of an address; octal, hexadecimal and short forms are
 *    refused.
 * 2. Judge an embedded address (mapped, NAT64, 6to4) by the inner one.
 * 3. Call nothing public that is not known to be.
 */
#pragma once
#include "base/buf.h"
#include "base/str.h"
#include <stdint.h>

struct address {
	uint8_t b[16]; /* the first four if `six` is false */
	bool six;
};

enum address_kind {
	ADDRESS_NEVER,   /* this machine, its links, metadata services, multicast */
	ADDRESS_PRIVATE, /* of a private network */
	ADDRESS_PUBLIC,
};

/* Parse "192.0.2.1" or "2001:db8::1", without brackets or zone.  A mapped address becomes
 * the IPv4 address. */
bool address_read(struct str text, struct address *ret);
/* True if a resolver could take the name for an address: its last label is a number, or it
 * has a colon. */
bool address_is_like(struct str name);
enum address_kind address_kind(const struct address *a);
/* The IPv4 address that an IPv6 address leads to (NAT64, 6to4); false: it has none. */
bool address_inner(const struct address *a, struct address *ret);
bool address_same(const struct address *x, const struct address *y);
/* ::ffff:a.b.c.d becomes a.b.c.d. */
void address_unmap(struct address *a);
/* Print it, with brackets around an IPv6 address. */
void address_put(struct buf *out, const struct address *a);
