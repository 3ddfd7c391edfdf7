#define _GNU_SOURCE
#include "confine/filter/filter_tree.h"
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#ifndef O_TMPFILE
#define O_TMPFILE (020000000 | O_DIRECTORY)
#endif

#define FASTOPEN 0x20000000U /* MSG_FASTOPEN */
#define IOPRIO_WHO_PGRP 2

/* Checks of a call's arguments.  Each body ends with an answer. */
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

/* If any of `bits` is set in argument `arg`: `answer`; otherwise allow. */
static void
with_bits(struct filter *f, unsigned arg, uint32_t bits, uint32_t answer)
{
	load(f, ARG(arg));
	put(f, ANYBIT, 0, 1, bits);
	give(f, answer);
	give(f, ALLOW);
}

/* Opens that write, or that could create a file. */
#define OPEN_BITS (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY))

/* Reads are judged, too: send all opens but those whose descriptor gives no content. */
static void
reads(struct filter *f, unsigned arg)
{
	load(f, ARG(arg));
	put(f, ANYBIT, 1, 0, OPEN_BITS);
	put(f, ANYBIT, 1, 0, O_PATH | O_DIRECTORY);
	give(f, NOTIFY);
	give(f, ALLOW);
}

/*
 * ioctl(2): no typing into a terminal (TIOCSTI, TIOCLINUX).  The supervisor sets a
 * terminal's size unless it is the user's.  On mounts of the host (`held`) also refuse what
 * an owner can change through any descriptor: flags, projects, versions, keys, verity,
 * subvolumes.  Of these families, allow only requests that read, or that need a writable
 * descriptor.
 */
static void
ioctls(struct filter *f, bool held, bool listen)
{
	static const uint32_t typing[] = { 0x5412 /* TIOCSTI */, 0x541c /* TIOCLINUX */ };
	static const uint32_t left[] = {
		0x80086601, /* FS_IOC_GETFLAGS */
		0x80046601, /* the same for 32 bits */
		0x801c581f, /* FS_IOC_FSGETXATTR */
		0x80087601, /* FS_IOC_GETVERSION */
		0xc020660b, /* FS_IOC_FIEMAP */
		0xc0046686, /* FS_IOC_MEASURE_VERITY */
		0x40049409, /* FICLONE */
		0x4020940d, /* FICLONERANGE */
		0xc0189436, /* FIDEDUPERANGE */
	};
	/* ext and most others; XFS; versions; FAT; btrfs; F2FS. */
	static const uint32_t families[] = { 'f' << 8, 'X' << 8, 'v' << 8, 'r' << 8, 0x9400,
		0xf500 };
	const unsigned typing_n = sizeof typing / sizeof *typing;
	const unsigned left_n = held ? sizeof left / sizeof *left : 0;
	const unsigned families_n = held ? sizeof families / sizeof *families : 0;
	/* Offsets from the comparison after the first one: allow, then refuse, then
	 * send. */
	const unsigned allow = typing_n + left_n + held + families_n;
	unsigned at = 0;

	load(f, ARG(1));
	put(f, EQUAL, (uint8_t)(allow + 2), 0, 0x5414 /* TIOCSWINSZ */);
	for (unsigned i = 0; i < typing_n; i++, at++)
		put(f, EQUAL, (uint8_t)(allow - at), 0, typing[i]);
	for (unsigned i = 0; i < left_n; i++, at++)
		put(f, EQUAL, (uint8_t)(allow - at - 1), 0, left[i]);
	if (held) {
		put(f, AND, 0, 0, 0xff00);
		at++;
	}
	for (unsigned i = 0; i < families_n; i++, at++)
		put(f, EQUAL, (uint8_t)(allow - at), 0, families[i]);
	give(f, ALLOW);
	give(f, REFUSE(EPERM));
	give(f, listen ? NOTIFY : REFUSE(EPERM));
}

/* A process or group by its ID, argument `arg`: the caller's own (0), or another. */
static void
own_or_other(struct filter *f, unsigned arg, uint32_t own, uint32_t other)
{
	load(f, ARG(arg));
	put(f, EQUAL, 0, 1, 0);
	give(f, own);
	give(f, other);
}

/* For the caller itself only: a group or a user includes other processes. */
static void
priority(struct filter *f)
{
	load(f, ARG(0));
	put(f, EQUAL, 1, 0, PRIO_PROCESS);
	give(f, REFUSE(EPERM));
	own_or_other(f, 1, ALLOW, REFUSE(EPERM));
}

/* The caller's own group (0); `kind` is the value of argument 0 for a group. */
static void
own_group(struct filter *f, uint32_t kind)
{
	load(f, ARG(0));
	put(f, EQUAL, 1, 0, kind);
	give(f, ALLOW);
	own_or_other(f, 1, REFUSE(EPERM), ALLOW);
}

/* Socket types with a peer; datagram sockets get `datagram`. */
static void
peers(struct filter *f, uint32_t datagram)
{
	load(f, ARG(1));
	put(f, AND, 0, 0, 0xf);
	put(f, EQUAL, 3, 0, SOCK_STREAM);
	put(f, EQUAL, 2, 0, SOCK_SEQPACKET);
	put(f, EQUAL, 2, 0, SOCK_DGRAM);
	give(f, REFUSE(EAFNOSUPPORT));
	give(f, ALLOW);
	give(f, datagram);
}

/* No network namespace: refuse all internet sockets. */
static void
local_sockets(struct filter *f)
{
	load(f, ARG(0));
	put(f, EQUAL, 0, 5, AF_UNIX); /* if they are refused */
	peers(f, REFUSE(EAFNOSUPPORT));
}

/* Fewer families than the kernel has: the others are old code that few have reviewed, or
 * lead out of any network namespace.  A Unix datagram socket can send to any path without
 * connect(2), so there is none. */
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

/* With a list of hosts the command holds sockets of the host's network, each with one
 * connection.  Data that opens a connection (MSG_FASTOPEN) would bypass the supervisor. */
static void
sends(struct filter *f, bool opens)
{
	load(f, ARG(3));
	put(f, ANYBIT, 6, 0, opens ? 0 : FASTOPEN);
	load(f, ARG(4));
	put(f, EQUAL, 0, 2, 0);
	load(f, ARG(4) + 4);
	put(f, EQUAL, 1, 0, 0);
	give(f, NOTIFY);
	give(f, ALLOW);
	give(f, REFUSE(EOPNOTSUPP));
}

/*
 * Refuse options that reroute data: through other hosts before the one that was judged
 * (source routes, routing headers), or out of another interface.  All other socket options
 * are free.
 */
static void
ways_of(struct filter *f, uint32_t level, const uint8_t *names, size_t n)
{
	load(f, ARG(1));
	put(f, EQUAL, 0, (uint8_t)(n + 3), level);
	load(f, ARG(2));
	for (size_t i = 0; i < n; i++)
		put(f, EQUAL, (uint8_t)(n - i), 0, names[i]);
	give(f, ALLOW);
	give(f, REFUSE(EPERM));
}

static void
ways(struct filter *f)
{
	/* SO_BINDTODEVICE, SO_BINDTOIFINDEX */
	static const uint8_t any[] = { 25, 62 };
	/* IP_OPTIONS, IP_UNICAST_IF */
	static const uint8_t four[] = { 4, 50 };
	/* IPV6_2292PKTOPTIONS, NEXTHOP, PKTINFO, HOPOPTS, RTHDRDSTOPTS, RTHDR, DSTOPTS,
	 * UNICAST_IF */
	static const uint8_t six[] = { 6, 9, 50, 54, 55, 57, 59, 76 };

	ways_of(f, SOL_SOCKET, any, sizeof any);
	ways_of(f, IPPROTO_IP, four, sizeof four);
	ways_of(f, IPPROTO_IPV6, six, sizeof six);
	give(f, ALLOW);
}

/* prlimit(2) for the caller itself, or to read: the reapers of other runs of the session
 * have the same user. */
static void
limits(struct filter *f)
{
	load(f, ARG(0));
	put(f, EQUAL, 4, 0, 0);
	load(f, ARG(2));
	put(f, EQUAL, 0, 3, 0);
	load(f, ARG(2) + 4);
	put(f, EQUAL, 0, 1, 0);
	give(f, ALLOW);
	give(f, REFUSE(EPERM));
}

/* personality(2): only the default, 32-bit uname, no address randomisation (debuggers), and
 * the query. */
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

/* To a group that is neither the caller's own nor the file's. */
static void
owners(struct filter *f, uint32_t own)
{
	load(f, ARG(2));
	put(f, EQUAL, 2, 0, 0xffffffff);
	put(f, EQUAL, 1, 0, own);
	give(f, NOTIFY);
	give(f, ALLOW);
}

/* futimens (NULL path): allowed; a read-only mount still refuses it. */
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

/*
 * A lease or a delegation blocks everybody who opens the file: readers on the host, the
 * journal, the supervisor.  Giving one back is free.  F_NOTIFY blocks nobody, and tells no
 * more than inotify(7).
 */
static void
leases(struct filter *f)
{
	load(f, ARG(1));
	put(f, EQUAL, 2, 0, 1024); /* F_SETLEASE */
	put(f, EQUAL, 4, 0, 1040); /* F_SETDELEG */
	give(f, ALLOW);
	load(f, ARG(2));
	put(f, EQUAL, 0, 1, F_UNLCK);
	give(f, ALLOW);
	give(f, REFUSE(EACCES));
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
	case FILTER_READAT:
		reads(f, 2);
		return;
	case FILTER_READ:
		reads(f, 1);
		return;
	case FILTER_FCHMOD:
		with_bits(f, 1, S_ISUID | S_ISGID, REFUSE(EPERM));
		return;
	case FILTER_FCHOWN:
		owners(f, o->group);
		return;
	case FILTER_IOCTL:
		ioctls(f, o->bare || o->attributes, o->listen);
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
		sends(f, false);
		return;
	case FILTER_SENDTO_ANY:
		sends(f, true);
		return;
	case FILTER_SENDMSG:
		with_bits(f, 2, FASTOPEN, REFUSE(EOPNOTSUPP));
		return;
	case FILTER_SENDMMSG:
		with_bits(f, 3, FASTOPEN, REFUSE(EOPNOTSUPP));
		return;
	case FILTER_SETSOCKOPT:
		ways(f);
		return;
	case FILTER_PRLIMIT:
		limits(f);
		return;
	case FILTER_SOCKETPAIR:
		peers(f, o->listen ? NOTIFY : REFUSE(EAFNOSUPPORT));
		return;
	case FILTER_PERSONALITY:
		personality(f);
		return;
	case FILTER_UTIMENSAT:
		times(f);
		return;
	case FILTER_OTHERS_0:
		own_or_other(f, 0, ALLOW, REFUSE(EPERM));
		return;
	case FILTER_PRIORITY:
		priority(f);
		return;
	case FILTER_PRIORITY_GROUP:
		own_group(f, PRIO_PGRP);
		return;
	case FILTER_IOPRIO_GROUP:
		own_group(f, IOPRIO_WHO_PGRP);
		return;
	case FILTER_KILL:
		own_or_other(f, 0, NOTIFY, ALLOW);
		return;
	case FILTER_KILL_NONE:
		own_or_other(f, 0, REFUSE(EPERM), ALLOW);
		return;
	case FILTER_FCNTL:
		leases(f);
		return;
	case FILTER_ALLOW:
	case FILTER_ACTIONS:
		break;
	}
	give(f, ALLOW);
}
