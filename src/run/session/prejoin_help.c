/* The helper that enters a session, and the first process that it leaves there. */
#define _GNU_SOURCE
#include "run/run_internal.h"
#include "run/session/prejoin.h"
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#define TMP STR("w/tmp\n")
#define STACK ((size_t)256 << 10)

/* ---- the first process */

/* The session's writable paths without /tmp. */
static struct str
lines(const struct prejoin *x)
{
	struct str all = x->session.writable;

	return x->guess.tmp_write ? str_cut(all, 0, all.n - TMP.n) : all;
}

static bool
guess_mounts(struct prejoin *x)
{
	struct str rest = lines(x);
	struct plan_mount *v = arena_array(x->a, rest.n / 2 + 1, sizeof *v);
	size_t n = 0;

	while (v && rest.n) {
		struct str path = str_cut(rest, 1, str_find(rest, '\n'));
		struct stat st;

		if (rest.p[0] == 'w') {
			v[n].kind = PLAN_WRITABLE;
			if (!(v[n].path = str_to_path(x->a, path)) || lstat(v[n].path, &st))
				return false;
			v[n++].directory = S_ISDIR(st.st_mode);
		}
		rest = str_skip(rest, path.n + 2);
	}
	x->guess.mounts = v;
	x->guess.mounts_n = n;
	return v != NULL;
}

static _Noreturn int
inside(void *context)
{
	struct prejoin *x = context;
	struct entering e = { .plan = &x->guess,
		.part = ENTER_PREJOIN,
		.control = x->pair[1],
		.root = geteuid() == 0,
		.a = x->a };

	(void)close(x->pair[0]);
	start_no_signals();
	(void)signal(SIGCHLD, SIG_DFL);
	if (!guess_mounts(x))
		_exit(125);
	/* Like reaper_hide_argv(), which has to find the address first. */
	memset((char *)(uintptr_t)x->argv.p, 0, x->argv.n);
	enter_apply(&e);
	join_reap(&e, NULL, NULL, NULL);
}

/* ---- the helper */

static int
open_kept(const struct prejoin *x, int number, int how)
{
	char path[SESSION_PATH];

	session_kept_path(&x->session, number, path, sizeof path);
	return openat(AT_FDCWD, path, how | O_CLOEXEC);
}

static bool
join_session(struct prejoin *x)
{
	int ns[NS_COUNT];

	for (int i = 0; i < NS_COUNT; i++)
		if ((ns[i] = open_kept(x, SESSION_FD_FIRST + i, O_RDONLY)) < 0)
			return false;
	x->made.root = open_kept(x, SESSION_FD_ROOT, O_PATH);
	/* The keeper is still alive, so its PID was not reused and these descriptors are
	 * really its. */
	if (x->made.root < 0 ||
	    syscall(SYS_pidfd_send_signal, x->session.keeper_fd, 0, NULL, 0))
		return false;
	for (int i = 0; i < NS_COUNT; i++) {
		if (syscall(SYS_setns, ns[i], 0))
			return false;
		(void)close(ns[i]);
	}
	/* The keeper reads this time: when somebody joined last. */
	(void)futimens(x->session.file, NULL);
	return true;
}

void
prejoin_guess(struct prejoin *x)
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
}

static bool
receive_session(struct prejoin *x, char *buf, size_t n)
{
	ssize_t got = recv(x->told[1], buf, n, 0);
	struct prejoin_session p;

	if (got < (ssize_t)sizeof p)
		return false;
	memcpy(&p, buf, sizeof p);
	memcpy(x->pair, p.pair, sizeof x->pair);
	x->session.keeper = p.keeper;
	x->session.file = p.file;
	x->session.keeper_fd = p.keeper_fd;
	x->session.text = str_of(buf + sizeof p, (size_t)got - sizeof p);
	prejoin_guess(x);
	return true;
}

/* Clone the first process.  It shares our memory, which we do not use any more, and is our
 * parent's child. */
static pid_t
clone_first(struct prejoin *x)
{
	const int flags = CLONE_PARENT | KERNEL_CLONE_PIDFD | SIGCHLD;

#ifdef __SANITIZE_ADDRESS__
	/* AddressSanitizer tracks one stack per address space, so clone without CLONE_VM
	 * here. */
	pid_t pid = (pid_t)syscall(SYS_clone, flags, 0, &x->made.pidfd, 0, 0);

	if (pid == 0)
		inside(x);
	return pid;
#else
	char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);

	if (stack == MAP_FAILED)
		return -1;
	return clone(inside, stack + STACK, CLONE_VM | flags, x, &x->made.pidfd);
#endif
}

_Noreturn void
prejoin_help(struct prejoin *x)
{
	char buf[sizeof(struct prejoin_session) + PREJOIN_TEXT];

	start_no_signals();
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != x->self || !receive_session(x, buf, sizeof buf) ||
	    cpu_spread_reset(&x->spread, 0) || !join_session(x))
		_exit(1);
	x->made.first = clone_first(x);
	/* Unlock the session: the decision may take long, and others must be able to
	 * join. */
	(void)close(x->session.file);
	if (send(x->told[1], &x->made, sizeof x->made, MSG_NOSIGNAL) !=
	    (ssize_t)sizeof x->made)
		_exit(1);
	_exit(0);
}
