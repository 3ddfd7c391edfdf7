/*
 * connect(2).  Unix sockets reach services of the host by a path, whatever the mounts and
 * the network are; internet addresses are handled in net_connect.c.  The address is read
 * once, and a worker connects the caller's own socket.
 */
#define _GNU_SOURCE
#include "broker/report/report.h"
#include "broker/socket/socket.h"
#include <sys/socket.h>
#include <sys/un.h>

#define ADDRESS_MAX 128

struct connecting {
	struct call *c;
	union {
		struct sockaddr any;
		struct sockaddr_un local;
		char buf[ADDRESS_MAX];
	} to;
	socklen_t n;
};

static _Noreturn void
connect_and_end(struct connecting *k)
{
	cleanup_fd int fd = call_socket(k->c);
	int error = fd < 0 ? -fd : 0;

	/* A socket of the host's network without a peer could be bound and listen there. */
	if (!error && k->to.any.sa_family == AF_UNSPEC && net_is_of_outside(k->c->br, fd))
		error = EACCES;
	if (error || call_is_valid(k->c)) {
		if (!error && connect(fd, &k->to.any, k->n))
			error = errno;
		call_answer(k->c, error);
	}
	_exit(0);
}

static void
connect_in_worker(struct connecting *k)
{
	int error;

	if (call_in_worker(k->c, &error))
		connect_and_end(k);
	if (error)
		call_answer(k->c, error);
}

/* True for a private mount, where nobody outside can listen, and for a socket that a
 * command has bound: programs of the host can listen at a path that the host sees, also
 * since the run began. */
static bool
is_inside(struct broker *br, const struct target *p, int fd)
{
	static const struct str private[] = { STR_INIT("/tmp/"), STR_INIT("/var/tmp/"),
		STR_INIT("/dev/shm/") };
	struct str path = target_path(p);
	/* Without mounts nothing is private. */
	bool shared = br->plan->bare;

	/* A mount of the plan below /tmp is the host's. */
	for (size_t i = 0; i < br->plan->mounts_n && !shared; i++)
		shared = str_starts(path, str_from_c(br->plan->mounts[i].path));
	if (shared)
		return socket_is_own(br, fd);
	for (size_t i = 0; i < sizeof private / sizeof *private; i++)
		if (str_starts(path, private[i]))
			return true;
	return false;
}

static void
connect_local(struct connecting *k)
{
	struct broker *br = k->c->br;
	pid_t pid = (pid_t)k->c->n.pid;
	cleanup_target struct target p = TARGET_NONE;
	char text[sizeof k->to.local.sun_path + 1], link[FD_LINK_SIZE];
	size_t n = k->n - offsetof(struct sockaddr_un, sun_path);
	cleanup_fd int fd = -1;
	int error;

	memcpy(text, k->to.local.sun_path, n);
	text[n] = '\0';
	error = target_find(br, pid, AT_FDCWD, text, TARGET_FOLLOW, &p);
	if (!error && !p.exists)
		error = ENOENT;
	if (!error && p.parent < 0)
		error = EACCES;
	if (!error && (fd = openat(p.parent, p.name, O_PATH | O_NOFOLLOW | O_CLOEXEC)) < 0)
		error = errno;
	if (!error && !is_inside(br, &p, fd)) {
		violation_add(br, pid, RUN_CONNECT, target_path(&p),
		    "a service outside the sandbox listens there");
		error = EACCES;
	}
	if (error) {
		call_answer(k->c, error);
		return;
	}
	/* Connect to the very inode that was judged. */
	(void)fd_link(link, fd);
	k->n = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(link) + 1);
	memcpy(k->to.local.sun_path, link, strlen(link) + 1);
	connect_in_worker(k);
}

static void
connect_unix(struct connecting *k)
{
	/* A path, not an abstract name, which begins with a NUL. */
	if (k->n > offsetof(struct sockaddr_un, sun_path) &&
	    k->to.local.sun_path[0] != '\0' && k->n <= sizeof k->to.local)
		connect_local(k);
	else if (k->c->br->plan->network || k->c->br->plan->bare)
		/* Landlock restricts these for the command; the worker would not be
		 * restricted. */
		call_answer(k->c, ECONNREFUSED);
	else
		connect_in_worker(k);
}

static void
connect_internet(struct connecting *k)
{
	struct net_socket_address to = { .n = k->n };

	if (k->c->br->plan->network) {
		connect_in_worker(k);
		return;
	}
	memcpy(&to.u, &k->to, k->n);
	net_connect(k->c, &to);
}

void
perform_connect(struct call *c)
{
	struct connecting k = { .c = c };
	const uint64_t *a = c->n.data.args;

	k.n = (socklen_t)a[2];
	if (k.n > sizeof k.to || k.n < sizeof k.to.any.sa_family ||
	    !child_read((pid_t)c->n.pid, a[1], &k.to, k.n)) {
		call_answer(c, k.n > sizeof k.to ? EINVAL : EFAULT);
		return;
	}
	switch (k.to.any.sa_family) {
	case AF_INET:
	case AF_INET6:
		connect_internet(&k);
		break;
	case AF_UNIX:
		connect_unix(&k);
		break;
	default:
		connect_in_worker(&k);
	}
}
