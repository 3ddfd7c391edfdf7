/*
 * A limit on what a command prints.  Only with such a limit do its streams lead to us: a
 * process copies until the limit is reached, and drops the rest.  It is not part of the
 * supervisor, which must not wait for the reader.
 */
#define _GNU_SOURCE
#include "run/run_internal.h"
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define PART ((size_t)64 << 10)

struct output_state {
	uint64_t seen;
};

static bool
put(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno != EINTR)
			return false;
		if (done > 0) {
			p += done;
			n -= (size_t)done;
		}
	}
	return true;
}

/* Copy one part from `from` to `to`; false at end of file. */
static bool
copy(struct output_state *state, uint64_t limit, int from, int to)
{
	char part[PART];
	ssize_t n = read(from, part, sizeof part);
	uint64_t left = state->seen < limit ? limit - state->seen : 0;

	if (n <= 0)
		return n < 0 && errno == EINTR;
	state->seen += (uint64_t)n;
	return put(to, part, (uint64_t)n < left ? (size_t)n : (size_t)left);
}

static _Noreturn void
copier(struct output_state *state, uint64_t limit, const int from[2])
{
	struct pollfd fds[] = { { from[0], POLLIN, 0 }, { from[1], POLLIN, 0 } };

	/* A signal of the terminal is for the command; copy what it prints then. */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	while (fds[0].fd >= 0 || fds[1].fd >= 0) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			_exit(1);
		for (int i = 0; i < 2; i++)
			if (fds[i].fd >= 0 && fds[i].revents &&
			    !copy(state, limit, fds[i].fd, STDOUT_FILENO + i))
				fd_close(&fds[i].fd);
	}
	_exit(0);
}

bool
output_begin(struct supervisor *s, uint64_t limit)
{
	int pipes[4] = { -1, -1, -1, -1 }, from[2];

	s->output[0] = s->output[1] = -1;
	s->output_limit = limit;
	if (!limit)
		return true;
	s->output_state = mmap(NULL, sizeof *s->output_state, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s->output_state == MAP_FAILED || pipe2(pipes, O_CLOEXEC) ||
	    pipe2(pipes + 2, O_CLOEXEC))
		return false;
	from[0] = pipes[0];
	from[1] = pipes[2];
	s->output[0] = pipes[1];
	s->output[1] = pipes[3];
	s->copier = fork();
	if (s->copier == 0) {
		(void)close(pipes[1]);
		(void)close(pipes[3]);
		copier(s->output_state, limit, from);
	}
	(void)close(from[0]);
	(void)close(from[1]);
	return s->copier > 0;
}

bool
output_take(struct supervisor *s)
{
	for (int i = 0; i < 2; i++)
		if (s->output[i] >= 0 && dup2(s->output[i], STDOUT_FILENO + i) < 0)
			return false;
	return true;
}

void
output_started(struct supervisor *s)
{
	fd_close(&s->output[0]);
	fd_close(&s->output[1]);
}

void
output_end(struct supervisor *s)
{
	output_started(s);
	if (s->copier > 0)
		(void)waitpid(s->copier, NULL, 0);
	if (s->output_limit && s->output_state->seen > s->output_limit)
		s->result->limits_hit |= RUN_LIMIT_OUTPUT;
}
