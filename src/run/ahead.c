/*
 * See ahead.h.  A helper enters the namespaces and leaves the first process there, a
 * brother of itself.  It has our descriptors, so that its own are ours; our memory it has
 * as a copy, made when there is little of it: with a shared one we would wait while it is
 * copied for the first process.
 */
#define _GNU_SOURCE
#include "run/ahead.h"
#include "run/supervisor.h"
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define CLONE_PARENT_FLAG 0x00008000UL
#define CLONE_FILES_FLAG 0x00000400UL
#define LOOK_MS 20
#define TMP STR("w/tmp\n")

/* ---- the first process */

/* What can be written there, but for /tmp. */
static struct str
lines(const struct run_ahead *x)
{
	struct str all = x->session.writable;

	return x->guess.tmp_write ? str_cut(all, 0, all.n - TMP.n) : all;
}

static bool
guess_mounts(struct run_ahead *x)
{
	struct str rest = lines(x);
	struct plan_mount *v = arena_array(x->a, rest.n / 2 + 1, sizeof *v);
	size_t n = 0;

	while (v && rest.n) {
		struct str path = str_cut(rest, 1, str_find(rest, '\n'));
		struct stat st;

		if (rest.p[0] == 'w') {
			v[n].kind = PLAN_WRITABLE;
			if (!(v[n].path = path_c(x->a, path)) || lstat(v[n].path, &st))
				return false;
			v[n++].directory = S_ISDIR(st.st_mode);
		}
		rest = str_skip(rest, path.n + 2);
	}
	x->guess.mounts = v;
	x->guess.mounts_n = n;
	return v != NULL;
}

static _Noreturn void
inside(struct run_ahead *x)
{
	struct entering e = { .plan = &x->guess,
		.part = ENTER_AHEAD,
		.control = x->pair[1],
		.root = geteuid() == 0,
		.a = x->a };

	(void)close(x->pair[0]);
	start_no_signals();
	(void)signal(SIGCHLD, SIG_DFL);
	if (!guess_mounts(x))
		_exit(125);
	/* As reap_hide_words(), which has to look for them. */
	memset((char *)(uintptr_t)x->words.p, 0, x->words.n);
	enter(&e);
	reap_joined(&e, NULL, NULL, NULL);
}

/* ---- the helper */

static int
open_kept(const struct run_ahead *x, int number, int how)
{
	char path[SESSION_PATH];

	session_kept_path(&x->session, number, path, sizeof path);
	return openat(AT_FDCWD, path, how | O_CLOEXEC);
}

static bool
enter_place(struct run_ahead *x)
{
	int ns[NS_COUNT];

	for (int i = 0; i < NS_COUNT; i++)
		if ((ns[i] = open_kept(x, SESSION_FD_FIRST + i, O_RDONLY)) < 0)
			return false;
	x->made.root = open_kept(x, SESSION_FD_ROOT, O_PATH);
	/* While it lives its number is nobody else's, and all of these are its. */
	if (x->made.root < 0 ||
	    syscall(SYS_pidfd_send_signal, x->session.keeper, 0, NULL, 0))
		return false;
	for (int i = 0; i < NS_COUNT; i++) {
		if (syscall(SYS_setns, ns[i], 0))
			return false;
		(void)close(ns[i]);
	}
	/* The holder looks when somebody came last. */
	(void)futimens(x->session.file, NULL);
	return true;
}

static _Noreturn void
help(struct run_ahead *x)
{
	struct ahead_made made;

	start_no_signals();
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != x->self || !enter_place(x))
		_exit(1);
	x->made.first = (pid_t)syscall(SYS_clone,
	    CLONE_PARENT_FLAG | KERNEL_CLONE_PIDFD | SIGCHLD, 0, &x->made.pidfd, 0, 0);
	if (x->made.first == 0)
		inside(x);
	/* It may take long until somebody has decided: others join meanwhile. */
	(void)close(x->session.file);
	made = x->made;
	if (write(x->told[1], &made, sizeof made) != (ssize_t)sizeof made)
		_exit(1);
	/* To end takes a while, too, and the first process needs the processor. */
	(void)poll(&(struct pollfd){ x->told[1], 0, 0 }, 1, -1);
	_exit(0);
}

/* ---- we */

static void
guess(struct run_ahead *x, bool gate, const struct plan_limits *limits)
{
	struct session *s = &x->session;
	size_t end = s->text.n;

	/* The key ends with an empty line. */
	for (size_t i = 0; i + 1 < s->text.n && end == s->text.n; i++)
		if (s->text.p[i] == '\n' && s->text.p[i + 1] == '\n')
			end = i + 2;
	s->writable = str_skip(s->text, end);
	x->guess.tmp_write = str_ends(s->writable, TMP);
	x->guess.readonly = lines(x).n == 0;
	x->guess.gate = gate;
	x->guess.limits = *limits;
}

static void
close_all(struct run_ahead *x)
{
	int *const all[] = { &x->pair[0], &x->pair[1], &x->told[0], &x->told[1],
		&x->made.pidfd, &x->made.root, &x->session.keeper };

	session_close(&x->session);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		confine_fd_close(all[i]);
}

struct run_ahead *
ahead_begin(struct arena *a, const struct session_place *p, bool gate,
    const struct plan_limits *limits, struct str words)
{
	struct run_ahead *x = ARENA_NEW(a, struct run_ahead);

	if (!x || !session_find(a, p, &x->session))
		return NULL;
	x->made.pidfd = x->made.root = -1;
	x->pair[0] = x->pair[1] = x->told[0] = x->told[1] = -1;
	x->a = a;
	x->self = getpid();
	x->words = words;
	guess(x, gate, limits);
	x->helper = -1;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, x->pair) == 0 &&
	    pipe2(x->told, O_CLOEXEC) == 0)
		x->helper =
		    (pid_t)syscall(SYS_clone, CLONE_FILES_FLAG | SIGCHLD, 0, 0, 0, 0);
	if (x->helper == 0)
		help(x);
	if (x->helper > 0)
		return x;
	close_all(x);
	return NULL;
}

size_t
ahead_roots(struct arena *a, const struct run_ahead *x, struct str **ret)
{
	return session_key_roots(a, x->session.text, ret);
}

/* Something came, or nothing will. */
static bool
is_told(struct run_ahead *x)
{
	struct pollfd told = { x->told[0], POLLIN, 0 };

	while (poll(&told, 1, LOOK_MS) <= 0)
		if (waitpid(x->helper, NULL, WNOHANG | __WALL) == x->helper) {
			x->helper = 0;
			return poll(&told, 1, 0) > 0;
		}
	return true;
}

/* The first process has copies of what it needs when the helper has told of it, by a way of
 * its own: the other may be faster. */
bool
ahead_receive(struct run_ahead *x)
{
	struct ahead_made made;
	bool told =
	    is_told(x) && read(x->told[0], &made, sizeof made) == (ssize_t)sizeof made;

	/* Now the helper ends, in its own time. */
	confine_fd_close(&x->told[0]);
	confine_fd_close(&x->told[1]);
	confine_fd_close(&x->pair[1]);
	if (!told) {
		confine_fd_close(&x->session.file);
		return false;
	}
	x->made = made;
	x->session.file = -1;
	return made.first > 0;
}

void
ahead_end(struct run_ahead *x)
{
	if (!x || x->pair[0] < 0)
		return;
	if (x->pair[1] >= 0)
		(void)ahead_receive(x);
	/* Who waits for words sees that none will come. */
	close_all(x);
	if (x->helper) {
		(void)kill(x->helper, SIGKILL);
		(void)waitpid(x->helper, NULL, __WALL);
	}
	if (x->made.first > 0) {
		(void)kill(x->made.first, SIGKILL);
		(void)waitpid(x->made.first, NULL, __WALL);
	}
}
