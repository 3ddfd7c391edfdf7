#define _GNU_SOURCE /* memfd_create, pipe2 */
#include "os/child.h"
#include "os/clock.h"
#include "os/fd.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Put the input into a memfd: a program that does not read it cannot block us. */
static int
input_file(struct str input)
{
	cleanup_fd int fd = memfd_create("cordon-input", MFD_CLOEXEC);

	if (fd < 0 || !write_all(fd, input) || lseek(fd, 0, SEEK_SET) != 0)
		return -1;
	return fd_steal(&fd);
}

struct spawn {
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
};

static bool
prepare(struct spawn *s, const char *cwd, int in, int out)
{
	sigset_t none;

	sigemptyset(&none);
	return posix_spawn_file_actions_init(&s->files) == 0 &&
	       posix_spawnattr_init(&s->attr) == 0 &&
	       posix_spawn_file_actions_adddup2(&s->files, in, STDIN_FILENO) == 0 &&
	       posix_spawn_file_actions_adddup2(&s->files, out, STDOUT_FILENO) == 0 &&
	       posix_spawn_file_actions_addopen(
		   &s->files, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
	       (!cwd || posix_spawn_file_actions_addchdir_np(&s->files, cwd) == 0) &&
	       posix_spawnattr_setpgroup(&s->attr, 0) == 0 &&
	       posix_spawnattr_setsigmask(&s->attr, &none) == 0 &&
	       posix_spawnattr_setflags(
		   &s->attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK) == 0;
}

static pid_t
start(const struct child_call *c, int in, int out)
{
	struct spawn s = { 0 };
	pid_t pid = -1;

	if (!prepare(&s, c->cwd, in, out) ||
	    posix_spawn(&pid, c->argv[0], &s.files, &s.attr, c->argv, c->env))
		pid = -1;
	(void)posix_spawn_file_actions_destroy(&s.files);
	(void)posix_spawnattr_destroy(&s.attr);
	return pid;
}

/* Read until end of file, the time limit or the output limit. */
static enum child_end
collect(int fd, uint64_t until, char *mem, size_t max, size_t *ret)
{
	size_t n = 0;

	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		uint64_t now = clock_ms();
		ssize_t got;

		if (now >= until || poll(&p, 1, (int)(until - now)) == 0)
			return CHILD_LATE;
		got = read(fd, mem + n, max - n);
		if (got < 0 && errno != EINTR)
			return CHILD_UNREADABLE;
		if (got == 0)
			break;
		n += got > 0 ? (size_t)got : 0;
		if (n == max)
			return CHILD_TOO_MUCH;
	}
	*ret = n;
	return CHILD_EXITED;
}

static enum child_end
await(pid_t pid, uint64_t until, int *status)
{
	while (waitpid(pid, status, WNOHANG) == 0) {
		if (clock_ms() >= until)
			return CHILD_LATE;
		(void)poll(NULL, 0, 1);
	}
	return CHILD_EXITED;
}

static enum child_end
finish(pid_t pid, int fd, uint64_t until, char *mem, size_t max, struct child_result *ret)
{
	size_t n = 0;
	enum child_end end = collect(fd, until, mem, max, &n);

	if (end == CHILD_EXITED)
		end = await(pid, until, &ret->status);
	/* Also kill what the program started. The process group exists as long as one of
	 * its processes does, so its number is not reused. */
	(void)kill(-pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	if (end == CHILD_EXITED)
		ret->output = str_of(mem, n);
	return end;
}

enum child_end
child_run(struct arena *a, const struct child_call *c, struct child_result *ret)
{
	uint64_t begun = clock_ms();
	size_t used = a->used;
	char *mem = arena_alloc(a, c->max);
	cleanup_fd int in = mem ? input_file(c->input) : -1, from = -1, to = -1;
	enum child_end end;
	int ends[2];
	pid_t pid;

	*ret = (struct child_result){ 0 };
	if (!mem)
		return CHILD_NO_MEMORY;
	if (in < 0 || pipe2(ends, O_CLOEXEC))
		return CHILD_NOT_STARTED;
	from = ends[0];
	to = ends[1];
	pid = start(c, in, to);
	if (pid < 0)
		return CHILD_NOT_STARTED;
	if (c->watch)
		c->watch(pid);
	fd_close(&to);
	end = finish(pid, from, begun + c->ms, mem, c->max, ret);
	if (c->watch)
		c->watch(0);
	ret->ms = (unsigned)(clock_ms() - begun);
	arena_back(a, end == CHILD_EXITED ? a->used - (c->max - ret->output.n) : used);
	return end;
}
