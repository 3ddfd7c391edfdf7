#define _GNU_SOURCE /* pipe2 */
#include "launch/live.h"
#include "approve/ring.h"
#include "approve/spool.h"
#include "base/show.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h> /* renameat */
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A command of maximal length, escaped. */
#define LIVE_BYTES ((size_t)2 << 20)
/* The copier ends at end-of-file; a process left running may keep the pipe open. */
#define DRAIN_MS 1000

/* ---- state file */

static void
put_shown(struct buf *out, const char *key, struct str text)
{
	struct buf b;

	json_put_key(out, key);
	buf_init(&b, out->a);
	show_put(&b, text.p ? text : STR(""), SHOW_NEWLINES);
	if (b.full)
		out->full = true;
	json_put_str(out, buf_str(&b));
}

static const char *
named(struct live *l, const char *suffix)
{
	memcpy(l->name + l->id, suffix, strlen(suffix) + 1);
	return l->name;
}

/* Lock the file before renaming it: a reader never sees an unlocked file of a live run. */
static bool
put_state(struct live *l, const struct live_run *run)
{
	char from[sizeof l->name];
	struct arena a;
	struct timespec now;
	struct buf b;

	if (!arena_map(&a, LIVE_BYTES))
		return false;
	clock_gettime(CLOCK_REALTIME, &now);
	buf_init(&b, &a);
	buf_puts(&b, "{\"pid\":");
	buf_putu(&b, (uint64_t)getpid());
	json_put_key(&b, "started");
	json_put_int(&b, now.tv_sec);
	put_shown(&b, "command", run->command);
	put_shown(&b, "cwd", run->cwd);
	put_shown(&b, "session", run->session);
	buf_putc(&b, '}');
	memcpy(from, named(l, ".begun"), sizeof from);
	l->file =
	    openat(l->dir, from, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	return !b.full && l->file >= 0 && flock(l->file, LOCK_EX | LOCK_NB) == 0 &&
	       write_all(l->file, buf_str(&b)) &&
	       renameat(l->dir, from, l->dir, named(l, ".run")) == 0;
}

/* ---- output */

static bool
is_same(int one, int other)
{
	struct stat a, b;

	return fstat(one, &a) == 0 && fstat(other, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* Return false at end-of-file or on error. */
static bool
copy_some(struct ring *ring, int from, int to)
{
	char bytes[16384];
	ssize_t n = read(from, bytes, sizeof bytes);

	if (n < 0 && errno == EINTR)
		return true;
	if (n <= 0)
		return false;
	/* If our reader is gone, closing the pipe gives the command SIGPIPE, as a direct
	 * write would. */
	if (!write_all(to, str_of(bytes, (size_t)n)))
		return false;
	ring_put(ring, str_of(bytes, (size_t)n));
	return true;
}

static _Noreturn void
copy(struct ring *ring, int from[2])
{
	struct pollfd p[2] = { { from[0], POLLIN, 0 }, { from[1], POLLIN, 0 } };

	(void)signal(SIGINT, SIG_IGN);
	(void)signal(SIGQUIT, SIG_IGN);
	(void)signal(SIGTERM, SIG_IGN);
	(void)signal(SIGPIPE, SIG_IGN);
	while (p[0].fd >= 0 || p[1].fd >= 0) {
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			_exit(1);
		for (int i = 0; i < 2; i++)
			if (p[i].fd >= 0 && p[i].revents &&
			    !copy_some(ring, p[i].fd, STDOUT_FILENO + i)) {
				(void)close(p[i].fd);
				p[i].fd = -1;
			}
	}
	_exit(0);
}

static void
close_both(int fds[2])
{
	for (int i = 0; i < 2; i++)
		if (fds[i] >= 0) {
			(void)close(fds[i]);
			fds[i] = -1;
		}
}

/* Make one pipe for stdout and one for stderr, or one for both if they are the same
 * file. */
static bool
make_pipes(int from[2], int to[2])
{
	bool same = is_same(STDOUT_FILENO, STDERR_FILENO);

	for (int i = 0; i < (same ? 1 : 2); i++) {
		int fds[2];

		if (pipe2(fds, O_CLOEXEC))
			return false;
		from[i] = fds[0];
		to[i] = fds[1];
	}
	if (same)
		to[1] = fcntl(to[0], F_DUPFD_CLOEXEC, 0);
	return to[1] >= 0;
}

static void
redirect(struct live *l)
{
	int from[2] = { -1, -1 }, to[2] = { -1, -1 };
	struct ring ring = { NULL };

	/* Leave a terminal alone: commands behave differently without one. */
	if (isatty(STDOUT_FILENO) || isatty(STDERR_FILENO) ||
	    !ring_make(&ring, l->dir, named(l, ".out")))
		return;
	if (make_pipes(from, to)) {
		l->before[0] = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
		l->before[1] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
	}
	if (l->before[0] >= 0 && l->before[1] >= 0) {
		l->copier = fork();
		if (l->copier == 0) {
			close_both(to);
			copy(&ring, from);
		}
		if (l->copier > 0) {
			(void)dup2(to[0], STDOUT_FILENO);
			(void)dup2(to[1], STDERR_FILENO);
		} else
			l->copier = 0;
	}
	close_both(from);
	close_both(to);
	ring_close(&ring);
}

/* ---- interface */

void
live_begin(struct live *l, const struct process *cli, const struct live_run *run)
{
	int dir = spool_find(process_env(cli, "XDG_RUNTIME_DIR"));

	*l = (struct live){ .dir = -1, .file = -1, .before = { -1, -1 } };
	if (dir >= 0 && spool_is_held(dir, SPOOL_LOCK))
		l->dir = spool_sub(dir, SPOOL_RUNS);
	if (dir >= 0)
		(void)close(dir);
	if (l->dir < 0 || !spool_new_id(l->name))
		return;
	l->id = SPOOL_ID;
	redirect(l);
	if (!put_state(l, run))
		(void)unlinkat(l->dir, named(l, ".begun"), 0);
}

/* Wait until the copier ends; give up if a process left running keeps the pipe open. */
static void
drain(const struct live *l)
{
	struct timespec pause = { 0, 2000000 };

	for (int ms = 0; ms < DRAIN_MS; ms += 2) {
		pid_t got = waitpid(l->copier, NULL, WNOHANG);

		if (got == l->copier || (got < 0 && errno == ECHILD))
			return;
		(void)nanosleep(&pause, NULL);
	}
}

void
live_end(struct live *l)
{
	if (l->dir < 0)
		return;
	if (l->copier > 0) {
		(void)dup2(l->before[0], STDOUT_FILENO);
		(void)dup2(l->before[1], STDERR_FILENO);
		drain(l);
	}
	close_both(l->before);
	(void)unlinkat(l->dir, named(l, ".run"), 0);
	(void)unlinkat(l->dir, named(l, ".out"), 0);
	if (l->file >= 0)
		(void)close(l->file);
	(void)close(l->dir);
	l->dir = -1;
}
