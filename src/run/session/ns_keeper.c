/*
 * The keeper of a session: one process outside, which keeps its namespaces by descriptors,
 * and the first process inside.  The kernel ends the one with the other.
 *
 * The first process kills what killed reapers leave.  Every run has its reaper, a subreaper
 * whose parent is outside: so no process inside becomes a child of the first one unless its
 * reaper has died.
 */
#define _GNU_SOURCE
#include "run/run_internal.h"
#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define GO 1
#define LOOK_MS 5000
/* The interval while something runs: its supervisor and its reaper may be killed
 * together. */
#define BUSY_MS 1000

struct holding {
	const struct plan *plan;
	struct arena *a;
	const char *path; /* of its file */
	int file;         /* the same, locked by the process that waits for us */
	struct str key, writable;
	uint64_t idle_ms;
	pid_t first;
	int pidfd, control, root;
};

/* ---- the first process inside */

static _Noreturn void
reap_for_ever(void)
{
	sigset_t all;
	siginfo_t info;

	reaper_hide_argv();
	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	(void)close(0);
	(void)close(1);
	(void)close(2);
	(void)sigfillset(&all);
	/* We start nothing.  A child that we have was left by a killed reaper: nobody
	 * supervises it any more. */
	for (;;) {
		join_end_children(true);
		(void)sigwaitinfo(&all, &info);
	}
}

static _Noreturn void
first_inside(const struct holding *h, int control)
{
	struct plan plan = *h->plan;
	struct entering e = { .plan = &plan, .part = ENTER_SESSION, .control = control };
	char go = 0;
	sigset_t all;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) || read(control, &go, 1) != 1 ||
	    go != GO)
		_exit(125);
	/* Before the user map is written, geteuid(2) returns the overflow user. */
	e.root = geteuid() == 0;
	/* Limits are those of each run, except for the session's own /tmp. */
	plan.limits = (struct plan_limits){ .tmp = plan.limits.tmp };
	e.sources = arena_array(h->a, plan.mounts_n + 1, sizeof *e.sources);
	if (!e.sources)
		_exit(125);
	enter_apply(&e);
	(void)close(ENTER_CONTROL);
	reap_for_ever();
}

/* ---- the process outside */

/* Keep the namespaces under their descriptor numbers. */
static bool
keep_namespaces(struct holding *h)
{
	static const char names[][12] = { [NS_USER] = "ns/user",
		[NS_MNT] = "ns/mnt",
		[NS_IPC] = "ns/ipc",
		[NS_UTS] = "ns/uts",
		[NS_CGROUP] = "ns/cgroup",
		[NS_NET] = "ns/net",
		[NS_PID] = "ns/pid" };

	for (int i = 0; i < NS_COUNT; i++) {
		char path[64];
		cleanup_fd int fd = open(
		    proc_path(path, sizeof path, h->first, names[i]), O_RDONLY | O_CLOEXEC);

		if (fd < 0 || dup3(fd, SESSION_FD_FIRST + i, O_CLOEXEC) < 0)
			return false;
	}
	return true;
}

/* Move a descriptor below the numbers of the namespaces. */
static bool
move_down(int *fd, int number)
{
	if (*fd == number)
		return true;
	if (dup3(*fd, number, O_CLOEXEC) < 0)
		return false;
	(void)close(*fd);
	*fd = number;
	return true;
}

static void
leave_terminal(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	(void)setsid();
	for (int i = 0; i < 3 && null >= 0; i++)
		(void)dup2(null, i);
	(void)chdir("/");
}

/* True if only the first process is there. */
static bool
is_empty(const struct holding *h)
{
	int fd = openat(h->root, "proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;
	size_t n = 0;

	while (d && (e = readdir(d)))
		n += e->d_name[0] >= '1' && e->d_name[0] <= '9';
	if (d)
		(void)closedir(d);
	return n <= 1;
}

/* Time since somebody joined last. */
static uint64_t
idle_ms(const struct holding *h)
{
	struct timespec now;
	struct stat st;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	if (stat(h->path, &st))
		return UINT64_MAX; /* its file is gone: so is the session */
	if (now.tv_sec < st.st_mtim.tv_sec)
		return 0;
	return (uint64_t)(now.tv_sec - st.st_mtim.tv_sec) * 1000;
}

/* Remove the session's file if it is still ours, and not while somebody joins. */
static bool
remove_file(const struct holding *h, bool wait)
{
	cleanup_fd int fd = open(h->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0)
		return true;
	if (flock(fd, LOCK_EX | (wait ? 0 : LOCK_NB)))
		return false;
	/* Another keeper may have taken the name meanwhile. */
	return !session_is_held(fd, getpid()) || unlink(h->path) == 0;
}

/* Returns while the first process exists and nobody has asked us to end. */
static bool
goes_on(const struct holding *h, int signals, int wait)
{
	struct pollfd fds[] = { { h->pidfd, POLLIN, 0 }, { signals, POLLIN, 0 } };
	struct signalfd_siginfo info;

	if (poll(fds, 2, wait) <= 0)
		return true;
	return !fds[0].revents && read(signals, &info, sizeof info) == sizeof info &&
	       info.ssi_signo == SESSION_END_ORPHANS;
}

static _Noreturn void
hold(const struct holding *h, int signals)
{
	uint64_t busy = clock_ms();
	const int look = h->idle_ms < LOOK_MS ? (int)h->idle_ms : LOOK_MS;
	int wait = look;

	while (goes_on(h, signals, wait)) {
		uint64_t now = clock_ms(), came = idle_ms(h);
		const bool empty = is_empty(h);

		wait = empty || look < BUSY_MS ? look : BUSY_MS;
		if (!empty) {
			(void)kill(h->first, SESSION_END_ORPHANS);
			busy = now;
		}
		if (came == UINT64_MAX ||
		    (empty && came >= h->idle_ms && now - busy >= h->idle_ms &&
			remove_file(h, false)))
			break;
	}
	(void)kill(h->first, SIGKILL);
	(void)waitpid(h->first, NULL, __WALL);
	(void)remove_file(h, true);
	_exit(0);
}

static pid_t
clone_first(struct holding *h, int *pair)
{
	unsigned long flags = enter_namespaces(h->plan) | KERNEL_CLONE_PIDFD | SIGCHLD;
	pid_t pid = (pid_t)syscall(SYS_clone, flags, 0, &h->pidfd, 0, 0);

	if (pid == 0) {
		(void)close(pair[0]);
		first_inside(h, pair[1]);
	}
	return pid;
}

/* Make the first process; on failure *ret says why. */
static bool
make_first(struct holding *h, struct enter_report *ret)
{
	struct kernel_cap_header header = { KERNEL_CAP_VERSION_3, 0 };
	struct kernel_cap_data none[2] = { 0 };
	char go = GO, path[64];
	int pair[2], fd, notes;

	*ret = (struct enter_report){ .kind = ENTER_FAILED, .step = -1, .error = EPERM };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return false;
	h->control = pair[0];
	h->first = clone_first(h, pair);
	(void)close(pair[1]);
	if (h->first < 0)
		return false;
	h->root = open(proc_path(path, sizeof path, h->first, "root"), O_PATH | O_CLOEXEC);
	if (h->root < 0 || !keep_namespaces(h) || !move_down(&h->root, SESSION_FD_ROOT) ||
	    (notes = memfd_create("sockets", MFD_CLOEXEC)) < 0 ||
	    !move_down(&notes, SESSION_FD_SOCKETS) || enter_map_users(h->first) ||
	    syscall(SYS_capset, &header, none) || write(h->control, &go, 1) != 1)
		return false;
	return enter_receive(h->control, ret, &fd) && ret->kind == ENTER_READY;
}

static _Noreturn void
outside(struct holding *h, int tell)
{
	struct enter_report report = { .kind = ENTER_FAILED, .step = -1, .error = EMFILE };
	sigset_t all;
	int signals;

	leave_terminal();
	(void)sigfillset(&all);
	(void)sigdelset(&all, SIGSEGV);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	/* A pidfd reports the end of a child. */
	(void)sigdelset(&all, SIGCHLD);
	(void)sigdelset(&all, SIGHUP);
	signals = signalfd(-1, &all, SFD_CLOEXEC);
	/* Move them out of each other's way first. */
	tell = fcntl(tell, F_DUPFD_CLOEXEC, SESSION_FD_SOCKETS + 1);
	signals = fcntl(signals, F_DUPFD_CLOEXEC, SESSION_FD_SOCKETS + 1);
	h->file = fcntl(h->file, F_DUPFD_CLOEXEC, SESSION_FD_SOCKETS + 1);
	if (!move_down(&tell, 3) || !move_down(&signals, 4) || !move_down(&h->file, 5) ||
	    sys_close_range(6, ~0U) || !make_first(h, &report)) {
		(void)enter_send(tell, &report, -1);
		_exit(125);
	}
	/* Written here: the process that asked for the session may be gone meanwhile. */
	if (!session_write(h->file, getpid(), h->key, h->writable))
		_exit(125);
	(void)close(h->file);
	report.status = (int32_t)getpid();
	(void)enter_send(tell, &report, -1);
	(void)close(tell);
	hold(h, signals);
}

pid_t
ns_keeper_start(struct supervisor *s, const struct session *x, const char *path,
    struct str key, struct enter_report *ret)
{
	struct plan plan = *s->br.plan;
	struct holding h = { .plan = &plan,
		.a = s->br.a,
		.path = path,
		.file = x->file,
		.key = key,
		.writable = x->writable,
		.idle_ms =
		    s->q->session->idle_ms ? s->q->session->idle_ms : SESSION_IDLE_MS };
	int pair[2], fd;
	pid_t pid;

	/* A network namespace of its own, whichever run comes first: a run with the host's
	 * network leaves it. */
	plan.network = false;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return 0;
	/* Double fork, so init reaps the keeper. */
	pid = fork();
	if (pid == 0) {
		pid = fork();
		if (pid)
			_exit(pid < 0);
		(void)close(pair[0]);
		outside(&h, pair[1]);
	}
	(void)close(pair[1]);
	if (pid > 0)
		(void)waitpid(pid, NULL, 0);
	*ret = (struct enter_report){ .kind = ENTER_FAILED, .step = -1, .error = EPERM };
	if (!enter_receive(pair[0], ret, &fd))
		*ret = (struct enter_report){
			.kind = ENTER_FAILED, .step = -1, .error = EPERM
		};
	(void)close(pair[0]);
	return ret->kind == ENTER_READY ? (pid_t)ret->status : 0;
}
