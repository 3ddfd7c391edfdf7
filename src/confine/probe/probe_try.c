/* The trials: each in a process that ends with it, so that nothing stays. */
#define _GNU_SOURCE
#include "confine/enter_internal.h"
#include "confine/probe/probe.h"
#include "os/fd.h"
#include "os/sys.h"
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void
tell(struct probe *p, enum probe_what what, int error)
{
	p->v[what] = (struct probe_item){ error ? PROBE_FAILS : PROBE_WORKS, error, 0 };
}

static int
result(long r)
{
	return r < 0 ? errno : 0;
}

/* ---- namespaces; all of these inside one process */

/* Like mount.c: everything read-only, a tree copied and put back, a tmpfs on top. */
static int
try_mounts(void)
{
	int copy = mount_copy("/", 0), r;

	if (copy < 0)
		return -copy;
	(void)close(copy);
	if (sys_mount_setattr(AT_FDCWD, "/", KERNEL_AT_RECURSIVE,
		KERNEL_MOUNT_RDONLY | KERNEL_MOUNT_NOSUID, MS_PRIVATE))
		return errno;
	copy = mount_copy("/tmp", KERNEL_MOUNT_NOSUID);
	if (copy < 0)
		return -copy;
	if ((r = mount_place(&copy, "/tmp")))
		return -r;
	return -mount_tmpfs("/tmp", 0, "mode=1777,size=1m");
}

/* Uses the tmpfs of the last trial. */
static int
try_overlay(void)
{
	if (mkdir("/tmp/lower", 0755) || mkdir("/tmp/upper", 0755) ||
	    mkdir("/tmp/work", 0755) || mkdir("/tmp/merged", 0755))
		return errno;
	if (review_try("/tmp/upper"))
		return errno;
	return result(mount("overlay", "/tmp/merged", "overlay", 0,
	    "lowerdir=/tmp/lower,upperdir=/tmp/upper,workdir=/tmp/work,userxattr"));
}

static int
try_loopback(void)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	cleanup_fd int fd = -1;

	if (unshare(CLONE_NEWNET))
		return errno;
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return fd < 0 ? errno : result(ioctl(fd, SIOCSIFFLAGS, &lo));
}

static int
try_pid(void)
{
	pid_t child;
	int status;

	if (unshare(CLONE_NEWPID))
		return errno;
	child = fork();
	if (child < 0)
		return errno;
	if (child == 0)
		_exit(result(mount(
		    "proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL)));
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return ECHILD;
	return WEXITSTATUS(status);
}

static _Noreturn void
inside(struct probe *p, int control)
{
	char go;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (read(control, &go, 1) != 1)
		_exit(1);
	tell(p, PROBE_USER, 0);
	tell(p, PROBE_MOUNT, unshare(CLONE_NEWNS) ? errno : try_mounts());
	tell(p, PROBE_OVERLAY, p->v[PROBE_MOUNT].error ? EPERM : try_overlay());
	tell(p, PROBE_NET, try_loopback());
	tell(p, PROBE_IPC,
	    result(unshare(CLONE_NEWIPC | CLONE_NEWUTS | (int)KERNEL_CLONE_NEWCGROUP)));
	tell(p, PROBE_PID, try_pid());
	_exit(0);
}

void
probe_try_namespaces(struct probe *p)
{
	int ends[2], error;
	pid_t child;

	for (enum probe_what w = PROBE_USER; w <= PROBE_IPC; w++)
		tell(p, w, EPERM);
	tell(p, PROBE_OVERLAY, EPERM);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return;
	child = (pid_t)syscall(SYS_clone, KERNEL_CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
	if (child == 0) {
		(void)close(ends[0]);
		inside(p, ends[1]);
	}
	error = child < 0 ? errno : -enter_map_users(child);
	(void)close(ends[1]);
	if (error)
		tell(p, PROBE_USER, error);
	else if (write(ends[0], "", 1) != 1)
		tell(p, PROBE_USER, errno);
	(void)close(ends[0]);
	if (child > 0)
		(void)waitpid(child, NULL, 0);
}

/* ---- the filter: a call that no program makes goes to the listener */

static long
install(unsigned long flags)
{
	static const struct kernel_bpf code[] = {
		{ 0x20, 0, 0, offsetof(struct kernel_seccomp_data, nr) },
		{ 0x15, 0, 1, SYS_acct },
		{ 0x06, 0, 0, KERNEL_SECCOMP_RET_NOTIF },
		{ 0x06, 0, 0, KERNEL_SECCOMP_RET_ALLOW },
	};
	struct kernel_bpf_program program = { sizeof code / sizeof *code, code };

	return syscall(SYS_seccomp, KERNEL_SECCOMP_SET_MODE_FILTER, flags, &program);
}

/* The child's call is answered with a descriptor. */
static int
hand_over(int listener)
{
	struct kernel_notif call;
	struct kernel_notif_addfd add = { .flags = KERNEL_ADDFD_SEND };
	struct kernel_notif_resp no = { .error = -ENOSYS };
	int error = 0;

	memset(&call, 0, sizeof call);
	if (sys_ioctl(listener, KERNEL_NOTIF_RECV, &call))
		return errno;
	add.id = no.id = call.id;
	add.srcfd = (uint32_t)listener;
	if (sys_ioctl(listener, KERNEL_NOTIF_ADDFD, &add) < 0) {
		error = errno;
		(void)sys_ioctl(listener, KERNEL_NOTIF_SEND, &no);
	}
	return error;
}

static int
try_hand_over(int listener)
{
	pid_t child = fork();
	int status, error;

	if (child < 0)
		return errno;
	if (child == 0) {
		long fd;

		(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		fd = syscall(SYS_acct, NULL);
		_exit(fd >= 0 && fcntl((int)fd, F_GETFD) >= 0 ? 0 : 1);
	}
	error = hand_over(listener);
	if (error)
		(void)kill(child, SIGKILL);
	if (waitpid(child, &status, 0) != child || (!error && status))
		return error ? error : EIO;
	return error;
}

static _Noreturn void
filtered(struct probe *p)
{
	int listener;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) {
		tell(p, PROBE_SECCOMP, errno);
		_exit(1);
	}
	listener = (int)install(KERNEL_SECCOMP_NEW_LISTENER);
	tell(p, PROBE_NOTIFY, result(listener));
	tell(p, PROBE_SECCOMP, listener < 0 ? result(install(0)) : 0);
	if (listener < 0)
		_exit(0);
	tell(p, PROBE_HAND_OVER, try_hand_over(listener));
	tell(p, PROBE_SYNC,
	    result(sys_ioctl(listener, KERNEL_NOTIF_SET_FLAGS,
		(const void *)KERNEL_NOTIF_SYNC_WAKE_UP)));
	_exit(0);
}

void
probe_try_filter(struct probe *p)
{
	pid_t child;

	for (enum probe_what w = PROBE_SECCOMP; w <= PROBE_SYNC; w++)
		tell(p, w, EPERM);
	child = fork();
	if (child == 0)
		filtered(p);
	if (child > 0)
		(void)waitpid(child, NULL, 0);
}

/* ---- tracing */

void
probe_try_trace(struct probe *p)
{
	pid_t child;

	tell(p, PROBE_TRACE, EPERM);
	child = fork();
	if (child == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		for (;;)
			(void)pause();
	}
	if (child < 0)
		return;
	tell(p, PROBE_TRACE,
	    result(
		ptrace(PTRACE_SEIZE, child, NULL, (void *)(uintptr_t)PTRACE_O_TRACEEXEC)));
	(void)kill(child, SIGKILL);
	(void)waitpid(child, NULL, __WALL);
}
