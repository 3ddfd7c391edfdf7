#define _GNU_SOURCE /* memfd_create, pipe2 */
#include "gate/external.h"
#include "os/fd.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The input as a file: a program that does not read it cannot hold us up. */
static int
input_file(struct str input)
{
	cleanup_fd int fd = memfd_create("cordon-hook", MFD_CLOEXEC);

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
start(struct arena *a, const struct process *cli, const struct external_call *c,
    const char *program, int in, int out)
{
	const char *cwd = c->cwd.p ? STORE_NAME(a, c->cwd) : NULL;
	char *argv[] = { (char *)(uintptr_t)program, NULL };
	struct spawn s = { 0 };
	pid_t pid = -1;

	if (!prepare(&s, cwd, in, out) ||
	    posix_spawn(&pid, program, &s.files, &s.attr, argv, cli->env))
		pid = -1;
	(void)posix_spawn_file_actions_destroy(&s.files);
	(void)posix_spawnattr_destroy(&s.attr);
	return pid;
}

/* Until the end of its output, its time or our patience. */
static const char *
collect(struct arena *a, int fd, int64_t until, struct str *ret)
{
	char *mem = arena_alloc(a, EXTERNAL_OUTPUT);
	size_t n = 0;

	if (!mem)
		return "no memory";
	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		int64_t left = until - now_ms();
		ssize_t got;

		if (left <= 0 || poll(&p, 1, (int)left) == 0)
			return "it took too long";
		got = read(fd, mem + n, EXTERNAL_OUTPUT - n);
		if (got < 0 && errno != EINTR)
			return "its output cannot be read";
		if (got == 0)
			break;
		n += got > 0 ? (size_t)got : 0;
		if (n == EXTERNAL_OUTPUT)
			return "it printed too much";
	}
	arena_back(a, a->used - (EXTERNAL_OUTPUT - n));
	*ret = str_of(mem, n);
	return NULL;
}

static const char *
await(pid_t pid, int64_t until)
{
	int status;
	pid_t got;

	while ((got = waitpid(pid, &status, WNOHANG)) == 0) {
		if (now_ms() >= until)
			return "it took too long";
		(void)poll(NULL, 0, 1);
	}
	if (got != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return "it failed";
	return NULL;
}

const char *
external_run(struct arena *a, const struct process *cli, const struct external_call *c,
    const char *program, unsigned ms, struct str input, struct str *ret)
{
	int64_t until = now_ms() + ms;
	cleanup_fd int in = input_file(input), from = -1, to = -1;
	int ends[2], status;
	const char *why;
	pid_t pid;

	if (in < 0 || pipe2(ends, O_CLOEXEC))
		return "it cannot be started";
	from = ends[0];
	to = ends[1];
	pid = start(a, cli, c, program, in, to);
	if (pid < 0)
		return "it cannot be started";
	if (c->watch)
		c->watch(pid);
	(void)close(fd_steal(&to));
	why = collect(a, from, until, ret);
	if (!why)
		why = await(pid, until);
	/* Whatever it has started, too.  (Once it was waited for, nobody is hit who does
	 * not belong to it: the group lives as long as one of its processes.) */
	(void)kill(-pid, SIGKILL);
	(void)waitpid(pid, &status, 0);
	if (c->watch)
		c->watch(0);
	return why;
}
