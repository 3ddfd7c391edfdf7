/* Made addresses, and what may be connected to. */
#define _GNU_SOURCE
#include "os/fd.h"
#include "proxy/net.h"
#include <errno.h>
#include <netinet/in.h>

/* 198.18.0.0/15 is for benchmarks: no host has such an address, and no list opens it. */
#define MADE_4 ((uint32_t)198 << 24 | (uint32_t)18 << 16)
#define MADE_FIRST 0x100
/* A private prefix of our own; the last four bytes are the index of the entry. */
static const uint8_t made_6[12] = { 0xfd, 0x63, 0x6f, 0x72, 0x64, 0x6f, 0x6e, 0 };

struct address
net_made(uint32_t entry, bool six)
{
	uint32_t number = entry + MADE_FIRST;
	struct address a = { .six = six };
	uint8_t *p = a.b;

	if (six) {
		memcpy(p, made_6, sizeof made_6);
		p += sizeof made_6;
	} else {
		number |= MADE_4;
	}
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(number >> (24 - 8 * i));
	return a;
}

/* The index of a made address, or -1. */
static int64_t
made_number(const struct address *a)
{
	const uint8_t *p = a->six ? a->b + sizeof made_6 : a->b;
	uint32_t number =
	    (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];

	if (a->six)
		return memcmp(a->b, made_6, sizeof made_6) == 0 ? (int64_t)number : -1;
	return (number & 0xfffe0000) == MADE_4 ? (int64_t)(number & 0x1ffff) : -1;
}

const struct net_entry *
net_find(const struct net_table *t, const struct address *a)
{
	int64_t number = made_number(a);

	if (number < MADE_FIRST || number - MADE_FIRST >= (int64_t)atomic_load_explicit(
							      &t->n, memory_order_acquire))
		return NULL;
	return &t->v[number - MADE_FIRST];
}

bool
net_is_inside(const struct address *a)
{
	static const struct address any6 = { .six = true },
				    loopback6 = { .six = true, .b = { [15] = 1 } };
	int64_t number = made_number(a);

	if (a->six && (address_same(a, &any6) || address_same(a, &loopback6)))
		return true;
	if (!a->six && (a->b[0] == 127 || memcmp(a->b, "\0\0\0\0", 4) == 0))
		return true;
	return number >= 0 && number < MADE_FIRST;
}

struct net_target
net_target_of(const struct net_table *t, const struct address *a, uint16_t port)
{
	const struct net_entry *e = net_find(t, a);

	if (!e)
		return (
		    struct net_target){ .address = *a, .has_address = true, .port = port };
	return (struct net_target){ .name = str_of(e->name, e->name_n),
		.address = e->real,
		.has_address = e->has_real,
		.barred = e->barred,
		.port = port };
}

enum net_why
net_judge(const struct host_list *l, const struct net_target *t)
{
	if (t->name.n == 0) {
		if (t->has_address && hosts_allow_address(l, &t->address, t->port))
			return NET_FINE;
		return address_kind(&t->address) == ADDRESS_NEVER ? NET_OWN
								  : NET_NOT_LISTED;
	}
	if (!hosts_allow_name(l, t->name, t->port))
		return NET_NOT_LISTED;
	if (!t->has_address)
		return t->barred ? NET_BARRED : NET_NOT_LISTED;
	return hosts_may_lead(l, &t->address, t->port) ? NET_FINE : NET_BARRED;
}

/* Only a local address can be bound. */
bool
net_is_own(const struct host_list *l, const struct net_target *t)
{
	int family = t->address.six ? AF_INET6 : AF_INET;
	struct net_socket_address to = net_to(&t->address, 0, family);
	cleanup_fd int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (hosts_lists(l, &t->address, t->port))
		return false;
	/* If anything else fails, it may be a local address. */
	return fd < 0 || bind(fd, &to.u.any, to.n) == 0 || errno != EADDRNOTAVAIL;
}

const char *
net_why_text(enum net_why why)
{
	static const char texts[NET_WHYS][84] = {
		[NET_FINE] = "it cannot be reached",
		[NET_NOT_LISTED] = "it is not on the list of hosts",
		[NET_BARRED] = "its name leads to an address that is not public",
		[NET_OWN] = "addresses of this machine and its links are closed",
		[NET_NO_TCP] = "with a list of hosts only TCP is carried",
		[NET_OFF] = "the network is off",
		[NET_BAD_NAME] = "this is no name of a host",
		[NET_OTHER_NAME] = "the server behind the tunnel is not on the list",
	};

	return texts[why < NET_WHYS ? why : NET_BAD_NAME];
}

void
net_target_put(struct buf *out, const struct net_target *t)
{
	if (t->name.n)
		buf_put(out, t->name);
	else
		address_put(out, &t->address);
	buf_putc(out, ':');
	buf_putu(out, t->port);
}

struct net_socket_address
net_to(const struct address *a, uint16_t port, int family)
{
	struct net_socket_address ret = { 0 };
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(port) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(port) };

	if (family == AF_INET) {
		memcpy(&in.sin_addr, a->b, 4);
		memcpy(&ret.u, &in, sizeof in);
		ret.n = sizeof in;
		return ret;
	}
	if (a->six) {
		memcpy(&in6.sin6_addr, a->b, 16);
	} else {
		in6.sin6_addr.s6_addr[10] = in6.sin6_addr.s6_addr[11] = 0xff;
		memcpy(in6.sin6_addr.s6_addr + 12, a->b, 4);
	}
	memcpy(&ret.u, &in6, sizeof in6);
	ret.n = sizeof in6;
	return ret;
}

bool
net_from(const struct sockaddr *any, socklen_t n, struct address *ret, uint16_t *port)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	*ret = (struct address){ 0 };
	if (any->sa_family == AF_INET && n >= sizeof in) {
		memcpy(&in, any, sizeof in);
		memcpy(ret->b, &in.sin_addr, 4);
		*port = ntohs(in.sin_port);
		return true;
	}
	/* Older programs pass a sockaddr_in6 without the scope ID. */
	if (any->sa_family != AF_INET6 || n < offsetof(struct sockaddr_in6, sin6_scope_id))
		return false;
	memset(&in6, 0, sizeof in6);
	memcpy(&in6, any, n < sizeof in6 ? n : sizeof in6);
	memcpy(ret->b, &in6.sin6_addr, 16);
	ret->six = true;
	address_unmap(ret);
	*port = ntohs(in6.sin6_port);
	return true;
}
