/* Receive the calls that the filter sent, hand them to their handlers, answer them. */
#define _GNU_SOURCE
#include "broker/git/tracked.h"
#include "broker/socket/socket.h"
#include <signal.h>
#include <sys/prctl.h>

/* The kernel accepts at most a page for openat2's argument. */
#define HOW_MAX 4096

/* A signal may interrupt the kernel's lock on the listener. */
static long
tell(const struct call *c, unsigned long request, void *what)
{
	long r;

	do
		r = sys_ioctl(c->br->listener, request, what);
	while (r < 0 && errno == EINTR);
	return r;
}

bool
call_is_unenforced(const struct call *c)
{
	return c->br->truncate_unenforced && c->truncates;
}

static void
respond(const struct call *c, int error, uint32_t flags)
{
	struct kernel_notif_resp r = { .id = c->n.id, .error = -error, .flags = flags };

	/* Fails only if the caller has died. */
	(void)tell(c, KERNEL_NOTIF_SEND, &r);
}

void
call_continue_to(const struct call *c, int error)
{
	if (call_is_unenforced(c))
		respond(c, error, 0);
	else
		respond(c, 0, KERNEL_NOTIF_CONTINUE);
}

void
call_continue(const struct call *c)
{
	call_continue_to(c, EACCES);
}

void
call_fail(const struct call *c, int error)
{
	if (error == TARGET_OTHER_PROCESS)
		error = EACCES;
	if (error == ENOENT || error == ENOTDIR)
		call_answer(c, error);
	else
		call_continue_to(c, error);
}

void
call_answer(const struct call *c, int error)
{
	respond(c, error == TARGET_OTHER_PROCESS ? EACCES : error, 0);
}

bool
call_is_valid(const struct call *c)
{
	uint64_t id = c->n.id;

	if (tell(c, KERNEL_NOTIF_ID_VALID, &id) == 0)
		return true;
	/* The caller is still alive: answer EIO so that it neither blocks nor assumes
	 * success. */
	if (errno != ENOENT)
		call_answer(c, EIO);
	return false;
}

void
call_return_fd(const struct call *c, int fd, bool cloexec)
{
	struct kernel_notif_addfd add = { .id = c->n.id,
		.flags = KERNEL_ADDFD_SEND,
		.srcfd = (uint32_t)fd,
		.newfd_flags = cloexec ? O_CLOEXEC : 0 };

	if (tell(c, KERNEL_NOTIF_ADDFD, &add) < 0 && errno != ENOENT)
		call_answer(c, errno);
}

int
call_add_fd(const struct call *c, int fd, bool cloexec)
{
	struct kernel_notif_addfd add = {
		.id = c->n.id, .srcfd = (uint32_t)fd, .newfd_flags = cloexec ? O_CLOEXEC : 0
	};

	return (int)tell(c, KERNEL_NOTIF_ADDFD, &add);
}

bool
call_replace_fd(const struct call *c, int fd, int number)
{
	struct kernel_notif_addfd add = { .id = c->n.id,
		.flags = KERNEL_ADDFD_SETFD,
		.srcfd = (uint32_t)fd,
		.newfd = (uint32_t)number,
		.newfd_flags = child_fd_flags((pid_t)c->n.pid, number) & O_CLOEXEC };

	return tell(c, KERNEL_NOTIF_ADDFD, &add) >= 0;
}

int
call_socket(const struct call *c)
{
	cleanup_fd int pidfd =
	    (int)syscall(SYS_pidfd_open, child_process((pid_t)c->n.pid), 0);
	int fd = (int)syscall(SYS_pidfd_getfd, pidfd, (int)c->n.data.args[0], 0);

	return fd < 0 ? -errno : fd;
}

bool
call_in_worker(const struct call *c, int *ret_error)
{
	struct broker *br = c->br;
	pid_t parent = getpid(), pid = -1;

	*ret_error = EAGAIN;
	if (br->workers_n < WORKERS_MAX)
		pid = fork();
	if (pid == 0) {
		sigset_t none;

		/* The reaper waits for the end of this socket: only the supervisor may hold
		 * it. */
		fd_close(br->close_in_worker);
		if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) || getppid() != parent)
			_exit(0);
		(void)sigemptyset(&none);
		(void)sigprocmask(SIG_SETMASK, &none, NULL);
		task_in_worker(br);
		return true;
	}
	if (pid > 0) {
		br->workers[br->workers_n++] = pid;
		*ret_error = 0;
	}
	return false;
}

/* Read the argument as the kernel does.  Returns 0 or a positive errno. */
static int
read_how(const struct call *c, struct kernel_open_how *ret)
{
	const uint64_t *a = c->n.data.args;
	char buf[HOW_MAX];

	if (a[3] < sizeof *ret)
		return EINVAL;
	if (a[3] > sizeof buf)
		return E2BIG;
	if (!child_read((pid_t)c->n.pid, a[2], buf, a[3]))
		return EFAULT;
	memcpy(ret, buf, sizeof *ret);
	for (size_t i = sizeof *ret; i < a[3]; i++)
		if (buf[i])
			return E2BIG;
	if (ret->flags >> 32 || ret->mode & ~UINT64_C(07777) ||
	    (ret->mode && !(ret->flags & (O_CREAT | O_TMPFILE))))
		return EINVAL;
	return 0;
}

static void
open_call(struct call *c)
{
	const uint64_t *a = c->n.data.args;
	struct kernel_open_how how = { 0 };
	int dir = AT_FDCWD, error = 0;
	uint64_t path = a[0];

	switch (c->n.data.nr) {
#ifdef SYS_open
	case SYS_open:
		how.flags = a[1] & 0xffffffff;
		how.mode = (mode_t)a[2];
		break;
	case SYS_creat:
		how.flags = O_CREAT | O_WRONLY | O_TRUNC;
		how.mode = (mode_t)a[1];
		break;
#endif
	case SYS_openat2:
		error = read_how(c, &how);
		dir = (int)a[0];
		path = a[1];
		break;
	default:
		how.flags = a[2] & 0xffffffff;
		how.mode = (mode_t)a[3];
		dir = (int)a[0];
		path = a[1];
	}
	/* A setuid or setgid file would also run as its owner or group outside. */
	how.mode &= ~(uint64_t)(S_ISUID | S_ISGID);
	/* With write access the open itself is checked; only O_RDONLY|O_TRUNC needs
	 * this. */
	c->truncates = (how.flags & O_TRUNC) && (how.flags & O_ACCMODE) != O_WRONLY &&
		       (how.flags & O_ACCMODE) != O_RDWR;
	if (error)
		call_answer(c, error);
	else
		perform_open(c, dir, path, &how);
}

/* Files are created with the caller's umask: forget what is known of it. */
static void
umask_call(struct call *c)
{
	task_changes_umask(c->br, (pid_t)c->n.pid);
	call_continue(c);
}

/* A call that the filter never sends: no answer can be right. */
static void
none(const struct call *c)
{
	call_answer(c, EPERM);
}

static void
dispatch(struct call *c)
{
	switch (c->n.data.nr) {
#define FREE(name)
#define CALL(name, rule, handler)                                                          \
	case SYS_##name:                                                                   \
		handler(c);                                                                \
		return;
#include "confine/filter/calls.list"
#undef FREE
#undef CALL
	default:
		call_answer(c, ENOSYS);
	}
}

void
broker_next_call(struct broker *br)
{
	struct call c = { .br = br };

	memset(&c.n, 0, sizeof c.n);
	if (sys_ioctl(br->listener, KERNEL_NOTIF_RECV, &c.n))
		return;
	br->call = c.n.id;
	if (br->tracked)
		tracked_settle(br);
	c.truncates = c.n.data.nr == SYS_truncate;
	if (br->umask_changes == (pid_t)c.n.pid)
		br->umask_changes = 0;
	dispatch(&c);
}
