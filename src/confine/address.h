/*
 * confine/address.h: addresses of hosts, and which of them a name may lead to.
 *
 * MUST
 * 1. Read an address in its one spelling only; octal, hexadecimal and short forms are none.
 * 2. Judge an address inside another (mapped, NAT64, 6to4) by the one inside.
 * 3. Call nothing public that is not known to be.
 */
#pragma once
#include "base/buf.h"
#include "base/str.h"
#include <stdint.h>

struct address {
	uint8_t b[16]; /* the first four where `six` is false */
	bool six;
};

enum address_kind {
	ADDRESS_NEVER,   /* this machine, its links, metadata services, groups */
	ADDRESS_PRIVATE, /* of some network that is not everybody's */
	ADDRESS_PUBLIC,
};

/* "192.0.2.1", "2001:db8::1"; no brackets, no zone.  A mapped one comes out as what it
 * maps. */
bool address_read(struct str text, struct address *ret);
/* A resolver could take it for an address: its last label is a number, or it has a colon.
 */
bool address_is_like(struct str name);
enum address_kind address_kind(const struct address *a);
/* The address of four bytes that a longer one leads to by way of others (NAT64, 6to4);
 * false: it has none. */
bool address_inner(const struct address *a, struct address *ret);
bool address_same(const struct address *x, const struct address *y);
/* ::ffff:a.b.c.d becomes a.b.c.d. */
void address_unmap(struct address *a);
/* With brackets around the longer kind. */
void address_put(struct buf *out, const struct address *a);
