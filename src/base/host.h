/* base/host.h: the syntax of host[:port] in rules, sandbox policies and requests. */
#pragma once
#include "base/str.h"

#define HOST_NAME_BYTES 253 /* RFC 1035, without the final dot */

struct host_port {
	struct str name; /* an IPv6 address keeps its brackets */
	uint16_t port;   /* 0: none given */
};

/*
 * Split "host", "host:443", "[::1]" or "[::1]:443".  The name is not checked.  False, with
 * *ret unchanged: the text is empty, has a colon without a port from 1 to 65535, or is an
 * IPv6 address without brackets.
 */
bool host_split(struct str text, struct host_port *ret);

/* "[::1]": hexadecimal digits, dots and at least one colon, in brackets. */
bool host_is_bracketed(struct str name);

/* Labels of ASCII letters, digits, - and _, separated by single dots; no final dot. */
bool host_is_name(struct str name);

/* The name without one final dot. */
static inline struct str
host_without_dot(struct str name)
{
	return name.n > 1 && name.p[name.n - 1] == '.' ? str_cut(name, 0, name.n - 1)
						       : name;
}
