#define _GNU_SOURCE
#include "confine/filter_tree.h"
#include <sys/socket.h>
#include <sys/stat.h>
#ifndef O_TMPFILE
#define O_TMPFILE (020000000 | O_DIRECTORY)
#endif

#define FASTOPEN 0x20000000U /* MSG_FASTOPEN */

/* What is asked of a call's arguments.  Each body ends in an answer. */
static void
give(struct filter *f, uint32_t answer)
{
	filter_put(f, RETURN, 0, 0, answer);
}

static void
load(struct filter *f, size_t at)
{
	filter_put(f, LOAD, 0, 0, (uint32_t)at);
}

static void
put(struct filter *f, uint16_t code, uint8_t jt, uint8_t jf, uint32_t k)
{
	filter_put(f, code, jt, jf, k);
}

/* With any of `bits` in argument `arg`: `answer`; without them it is allowed. */
static void
with_bits(struct filter *f, unsigned arg, uint32_t bits, uint32_t answer)
{
	load(f, ARG(arg));
	put(f, ANYBIT, 0, 1, bits);
	give(f, answer);
	give(f, ALLOW);
}

/* Opens that write, or that could make a file. */
#define OPEN_BITS (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY))

/* Typing into a terminal, and its Linux console relative.  Without mounts of our own also
 * flags of files, which an owner changes by any descriptor. */
static void
ioctls(struct filter *f, bool bare)
{
	static const uint32_t refused[] = {
		0x5412,     /* TIOCSTI */
		0x541c,     /* TIOCLINUX */
		0x40086602, /* FS_IOC_SETFLAGS */
		0x40046602, /* the same for 32 bits */
		0x401c5820, /* FS_IOC_FSSETXATTR */
	};
	const unsigned n = bare ? 5 : 2;

	load(f, ARG(1));
	for (unsigned i = 0; i < n; i++)
		put(f, EQUAL, (uint8_t)(n - i), 0, refused[i]);
	give(f, ALLOW);
	give(f, REFUSE(EPERM));
}

/* About another process than the caller: its number is argument `arg`. */
static void
about_others(struct filter *f, unsigned arg)
{
	load(f, ARG(arg));
	put(f, EQUAL, 1, 0, 0);
	give(f, REFUSE(EPERM));
	give(f, ALLOW);
}

/* No network namespace: there is no socket of the internet at all. */
static void
local_sockets(struct filter *f)
{
	load(f, ARG(0));
	put(f, EQUAL, 0, 5, AF_UNIX);
	load(f, ARG(1));
	put(f, AND, 0, 0, 0xf);
	put(f, EQUAL, 1, 0, SOCK_STREAM);
	put(f, EQUAL, 0, 1, SOCK_SEQPACKET);
	give(f, ALLOW);
	give(f, REFUSE(EAFNOSUPPORT));
}

/* Fewer families than the kernel has: the others are old code that few have looked at, or
 * lead out of any network namespace.  A datagram socket of the Unix family can send to any
 * path without a connect, so there is none. */
static void
sockets(struct filter *f)
{
	load(f, ARG(0));
	put(f, EQUAL, 3, 0, AF_UNIX);
	put(f, EQUAL, 8, 0, AF_INET);
	put(f, EQUAL, 7, 0, AF_INET6);
	put(f, EQUAL, 4, 7, 16); /* AF_NETLINK */
	load(f, ARG(1));
	put(f, AND, 0, 0, 0xf);
	put(f, EQUAL, 3, 0, SOCK_STREAM);
	put(f, EQUAL, 2, 3, SOCK_SEQPACKET);
	load(f, ARG(2));
	put(f, EQUAL, 0, 1, 0); /* NETLINK_ROUTE */
	give(f, ALLOW);
	give(f, REFUSE(EAFNOSUPPORT));
}

/* With a list of hosts the command holds sockets of the host's network, each with its one
 * connection.  Data that opens a connection would go past the supervisor, wherever it says.
 */
static void
sends(struct filter *f)
{
	load(f, ARG(3));
	put(f, ANYBIT, 6, 0, FASTOPEN);
	load(f, ARG(4));
	put(f, EQUAL, 0, 2, 0);
	load(f, ARG(4) + 4);
	put(f, EQUAL, 1, 0, 0);
	give(f, NOTIFY);
	give(f, ALLOW);
	give(f, REFUSE(EOPNOTSUPP));
}

static void
socket_pairs(struct filter *f)
{
	load(f, ARG(1));
	put(f, AND, 0, 0, 0xf);
	put(f, EQUAL, 1, 0, SOCK_STREAM);
	put(f, EQUAL, 0, 1, SOCK_SEQPACKET);
	give(f, ALLOW);
	give(f, REFUSE(EAFNOSUPPORT));
}

/* Only ways to run that change nothing about protection: as usual, as 32 bits by name,
 * without random addresses (debuggers), and the question what it is. */
static void
personality(struct filter *f)
{
	load(f, ARG(0));
	put(f, EQUAL, 4, 0, 0);
	put(f, EQUAL, 3, 0, 0xffffffff);
	put(f, EQUAL, 2, 0, 0x0008);
	put(f, EQUAL, 1, 0, 0x40000);
	give(f, REFUSE(EPERM));
	give(f, ALLOW);
}

/* Times of an open file (no path at all): who could open it so may set them, and the mount
 * says no where nothing is to be changed. */
static void
times(struct filter *f)
{
	load(f, ARG(1));
	put(f, EQUAL, 0, 2, 0);
	load(f, ARG(1) + 4);
	put(f, EQUAL, 1, 0, 0);
	give(f, NOTIFY);
	give(f, ALLOW);
}

void
filter_body(struct filter *f, enum filter_action action, const struct filter_opts *o)
{
	switch (action) {
	case FILTER_NOTIFY:
		give(f, NOTIFY);
		return;
	case FILTER_EPERM:
		give(f, REFUSE(EPERM));
		return;
	case FILTER_ENOSYS:
		give(f, REFUSE(ENOSYS));
		return;
	case FILTER_OPENAT:
		with_bits(f, 2, OPEN_BITS, NOTIFY);
		return;
	case FILTER_OPEN:
		with_bits(f, 1, OPEN_BITS, NOTIFY);
		return;
	case FILTER_FCHMOD:
		with_bits(f, 1, S_ISUID, REFUSE(EPERM));
		return;
	case FILTER_IOCTL:
		ioctls(f, o->bare);
		return;
	case FILTER_CLONE:
		with_bits(f, 0, (uint32_t)KERNEL_CLONE_NEW_ALL, REFUSE(EPERM));
		return;
	case FILTER_SOCKET:
		if (o->bare && !o->network)
			local_sockets(f);
		else
			sockets(f);
		return;
	case FILTER_SENDTO:
		sends(f);
		return;
	case FILTER_SENDMSG:
		with_bits(f, 2, FASTOPEN, REFUSE(EOPNOTSUPP));
		return;
	case FILTER_SENDMMSG:
		with_bits(f, 3, FASTOPEN, REFUSE(EOPNOTSUPP));
		return;
	case FILTER_SOCKETPAIR:
		socket_pairs(f);
		return;
	case FILTER_PERSONALITY:
		personality(f);
		return;
	case FILTER_UTIMENSAT:
		times(f);
		return;
	case FILTER_OTHERS_0:
		about_others(f, 0);
		return;
	case FILTER_OTHERS_1:
		about_others(f, 1);
		return;
	case FILTER_ALLOW:
	case FILTER_ACTIONS:
		break;
	}
	give(f, ALLOW);
}
