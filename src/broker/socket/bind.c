/*
 * bind(2).  The path of a Unix socket is a new name.  Below the writable paths it is judged
 * like any other and bound here, on the caller's own socket: Landlock gives the command no
 * right to create one there.  The address is read once.
 *
 * The socket keeps the text that it was bound by (getsockname(2) reports it, and programs
 * unlink that path), so the caller's text is used if it has no symlinks, in the caller's
 * mount namespace.  A worker binds: it can change its directory and restrict itself, by
 * Landlock, to the directory that was judged.
 */
#define _GNU_SOURCE
#include "broker/report/report.h"
#include "broker/socket/socket.h"
#include "confine/enter.h"
#include "confine/landlock.h"
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#define ADDRESS_MAX 128

struct binding {
	struct call *c;
	union {
		struct sockaddr any;
		struct sockaddr_un local;
		char buf[ADDRESS_MAX];
	} to;
	socklen_t n;
	char text[sizeof(struct sockaddr_un)];
	struct target at;
	int base; /* the directory that `text` is relative to */
	mode_t umask;
};

/* Enter the caller's mount namespace, without the capabilities that its user namespace
 * gives. */
static int
enter_view(const struct binding *b)
{
	cleanup_fd int pidfd = -1;

	if (!b->c->br->plan->bare && !b->at.agreed) {
		pidfd = (int)syscall(SYS_pidfd_open, child_process((pid_t)b->c->n.pid), 0);
		if (pidfd < 0 ||
		    setns(pidfd, (int)(KERNEL_CLONE_NEWUSER | KERNEL_CLONE_NEWNS)) ||
		    !privilege_clear())
			return errno;
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return errno;
	return -landlock_keep_below(b->at.parent, KERNEL_LANDLOCK_MAKE_SOCK);
}

static int
bind_here(struct binding *b, int fd)
{
	int error = enter_view(b);

	if (!error && fchdir(b->base))
		error = errno;
	if (error)
		return error;
	(void)umask(b->umask);
	if (bind(fd, &b->to.any, b->n))
		return errno;
	/* If a directory on the way was moved meanwhile, the socket lies elsewhere,
	 * unjudged. */
	return socket_note(b->c->br, b->at.parent, b->at.name) ? 0 : EACCES;
}

static _Noreturn void
bind_and_end(struct binding *b)
{
	cleanup_fd int fd = call_socket(b->c);

	if (fd < 0)
		call_answer(b->c, -fd);
	else if (call_is_valid(b->c))
		call_answer(b->c, bind_here(b, fd));
	_exit(0);
}

static void
set_address(struct binding *b, const char *text)
{
	size_t n = strlen(text);

	b->n = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n +
			   (n < sizeof b->to.local.sun_path));
	memset(b->to.local.sun_path, 0, sizeof b->to.local.sun_path);
	memcpy(b->to.local.sun_path, text, n);
}

/* True if the caller's text leads to the judged path without symlinks. */
static bool
is_straight(struct binding *b)
{
	struct broker *br = b->c->br;
	pid_t pid = (pid_t)b->c->n.pid;
	struct str path = target_path(&b->at), text = str_from_c(b->text);
	char buf[LIMIT_PATH];
	size_t n;

	if (b->text[0] == '/')
		return str_eq(path, text);
	n = task_base(br, pid, AT_FDCWD, buf, sizeof buf);
	if (n == 0 || path.n != n + 1 + text.n || path.p[n] != '/' ||
	    !str_eq(str_cut(path, 0, n), str_of(buf, n)) ||
	    !str_eq(str_skip(path, n + 1), text))
		return false;
	b->base = target_base(br, pid, AT_FDCWD);
	return b->base >= 0;
}

static void
bind_in_worker(struct binding *b)
{
	int error;

	b->umask = task_umask(b->c->br, (pid_t)b->c->n.pid);
	if (!is_straight(b)) {
		if (strlen(b->at.name) > sizeof b->to.local.sun_path) {
			call_answer(b->c, ENAMETOOLONG);
			return;
		}
		set_address(b, b->at.name);
	}
	if (b->base < 0)
		b->base = fcntl(b->at.parent, F_DUPFD_CLOEXEC, 0);
	if (call_in_worker(b->c, &error))
		bind_and_end(b);
	if (error)
		call_answer(b->c, error);
	else if (b->c->br->policy->learn)
		learned_add(b->c->br, RUN_CREATE, target_path(&b->at));
}

static void
bind_path(struct binding *b)
{
	struct call *c = b->c;
	struct broker *br = c->br;
	pid_t pid = (pid_t)c->n.pid;
	size_t n = b->n - offsetof(struct sockaddr_un, sun_path);
	const char *why;
	int error;

	memcpy(b->text, b->to.local.sun_path, n);
	error = target_find(br, pid, AT_FDCWD, b->text, 0, &b->at);
	if (!error && (b->at.parent < 0 || b->at.exists))
		error = EADDRINUSE;
	else if (!error && b->at.slash)
		error = ENOENT;
	if (error) {
		call_answer(c, error);
		return;
	}
	target_agree(br, &b->at, false);
	if (!b->at.agreed &&
	    (br->plan->readonly || !plan_is_writable(br->plan, target_path(&b->at)))) {
		/* The text may mean something else by then: mounts and Landlock allow
		 * sockets only in the private directories. */
		broker_note_refusal(c, &b->at, RUN_CREATE);
		call_continue(c);
		return;
	}
	why = guarded_why(br, &b->at, RUN_CREATE);
	if (why) {
		violation_add(br, pid, RUN_CREATE, target_path(&b->at), why);
		call_answer(c, EACCES);
	} else if (!sockets_have_room(br)) {
		call_answer(c, ENOBUFS);
	} else {
		bind_in_worker(b);
	}
}

/* Abstract names and other families.  The network namespace and Landlock bound what the
 * address could become.  But if the command has sockets of the host's network, they must
 * stay unbound: then bind the very socket that was checked. */
static void
bind_other(struct binding *b)
{
	cleanup_fd int fd = -1;

	if (!net_has_outside(b->c->br)) {
		call_continue(b->c);
		return;
	}
	fd = call_socket(b->c);
	if (fd < 0)
		call_answer(b->c, -fd);
	else if (net_is_of_outside(b->c->br, fd))
		call_answer(b->c, EACCES);
	else if (call_is_valid(b->c))
		call_answer(b->c, bind(fd, &b->to.any, b->n) ? errno : 0);
}

void
perform_bind(struct call *c)
{
	struct binding b = { .c = c, .at = TARGET_NONE, .base = -1 };
	const uint64_t *a = c->n.data.args;
	const size_t least = offsetof(struct sockaddr_un, sun_path);

	b.n = (socklen_t)a[2];
	if (b.n > sizeof b.to || b.n < sizeof b.to.any.sa_family)
		call_answer(c, EINVAL);
	else if (!child_read((pid_t)c->n.pid, a[1], &b.to, b.n))
		call_answer(c, EFAULT);
	else if (b.to.any.sa_family != AF_UNIX || b.n <= least ||
		 b.to.local.sun_path[0] == '\0')
		bind_other(&b);
	else if (b.n > sizeof b.to.local)
		call_answer(c, EINVAL);
	else
		bind_path(&b);
	fd_close(&b.base);
	target_close(&b.at);
}
