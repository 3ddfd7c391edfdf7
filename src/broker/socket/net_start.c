/* The helper process for a list of hosts: its start, its reports, its end. */
#define _GNU_SOURCE
#include "broker/call.h"
#include "broker/report/report.h"
#include "broker/socket/net.h"
#include "proxy/net.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define KERNEL_SO_NETNS_COOKIE 71
#define HELPER_BYTES ((size_t)8 << 20)
/* The first descriptor number of the helper; all others are closed. */
#define HELPER_FD 10

bool
net_cookie(int fd, uint64_t *ret)
{
	socklen_t n = sizeof *ret;

	return getsockopt(fd, SOL_SOCKET, KERNEL_SO_NETNS_COOKIE, ret, &n) == 0;
}

/* ---- in the helper */

/* The helper parses data from the command and from name servers: take away all files. */
static void
close_files(void)
{
	struct kernel_landlock_ruleset all = { .handled_fs =
						   (KERNEL_LANDLOCK_MAKE_SYM << 1) - 1 };
	cleanup_fd int fd = (int)syscall(SYS_landlock_create_ruleset, &all,
	    offsetof(struct kernel_landlock_ruleset, handled_net), 0);

	if (fd >= 0)
		(void)syscall(SYS_landlock_restrict_self, fd, 0);
}

static bool
keep_descriptors(struct net_helper *h)
{
	int *const kept[] = { &h->names, &h->proxy, &h->reports };
	const int n = sizeof kept / sizeof *kept;

	/* Move them out of the way first. */
	for (int i = 0; i < n; i++)
		if ((*kept[i] = fcntl(*kept[i], F_DUPFD_CLOEXEC, HELPER_FD + n)) < 0)
			return false;
	for (int i = 0; i < n; i++) {
		if (dup3(*kept[i], HELPER_FD + i, O_CLOEXEC) < 0)
			return false;
		*kept[i] = HELPER_FD + i;
	}
	return sys_close_range(0, HELPER_FD - 1) == 0 &&
	       sys_close_range((unsigned)(HELPER_FD + n), ~0U) == 0;
}

static _Noreturn void
be_helper(struct broker *br, pid_t parent, int reports)
{
	struct net_helper h = { .hosts = &br->plan->hosts,
		.table = br->net.table,
		.names = br->net.sockets[0],
		.proxy = br->net.sockets[1],
		.reports = reports };
	void *memory = mmap(
	    NULL, HELPER_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct arena a;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) || getppid() != parent ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || !keep_descriptors(&h) ||
	    memory == MAP_FAILED)
		_exit(1);
	arena_init(&a, memory, HELPER_BYTES);
	h.a = &a;
	resolver_read(&a, br->plan->listed_six, &h.resolver);
	close_files();
	net_serve(&h);
}

/* ---- in the supervisor */

const char *
net_start(struct broker *br)
{
	struct net *net = &br->net;
	pid_t parent = getpid();
	int pair[2];

	if (!net_cookie(net->sockets[0], &net->cookie))
		return "a list of hosts needs Linux 5.14 or newer (SO_NETNS_COOKIE)";
	net->table = mmap(NULL, sizeof *net->table, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (net->table == MAP_FAILED) {
		net->table = NULL;
		return "no memory";
	}
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return "no socket pair";
	net->helper = fork();
	if (net->helper == 0)
		be_helper(br, parent, pair[1]);
	(void)close(pair[1]);
	net->reports = pair[0];
	/* When the helper dies its sockets close, and nobody answers. */
	fd_close(&net->sockets[0]);
	fd_close(&net->sockets[1]);
	return net->helper > 0 ? NULL : "the helper cannot be started";
}

static struct str
client_program(const struct net *net, uint16_t port)
{
	size_t n = net->clients_n < NET_CLIENTS ? net->clients_n : NET_CLIENTS;

	for (size_t i = 0; i < n; i++)
		if (net->clients[i].port == port)
			return str_from_c(net->clients[i].program);
	return STR("?");
}

static bool
take_message(struct broker *br)
{
	struct net_message m;
	ssize_t n = recv(br->net.reports, &m, sizeof m, MSG_DONTWAIT);

	if (n == 0 || (n < 0 && errno != EAGAIN))
		fd_close(&br->net.reports);
	if (n != (ssize_t)sizeof m || m.n > sizeof m.target)
		return false;
	if (m.why == NET_FINE)
		reached_add(br, client_program(&br->net, m.client), str_of(m.target, m.n));
	else
		violation_add_by(br, client_program(&br->net, m.client), RUN_CONNECT,
		    str_of(m.target, m.n), net_why_text((enum net_why)m.why));
	return true;
}

void
net_read_reports(struct broker *br)
{
	while (br->net.reports >= 0 && take_message(br))
		;
}

void
net_end(struct broker *br)
{
	struct net *net = &br->net;

	net_read_reports(br);
	if (net->helper > 0) {
		(void)kill(net->helper, SIGKILL);
		(void)waitpid(net->helper, NULL, 0);
	}
	net->helper = 0;
	fd_close(&net->reports);
	fd_close(&net->sockets[0]);
	fd_close(&net->sockets[1]);
	if (net->table)
		(void)munmap(net->table, sizeof *net->table);
	net->table = NULL;
}
