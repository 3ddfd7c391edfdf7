#define _GNU_SOURCE
#include "base/json/json.h"
#include "base/quote.h"
#include "cli/doctor/doctor.h"
#include "os/file.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OUTPUT_MAX ((size_t)64 << 10)

struct str
doctor_which(struct doctor *d, const char *name)
{
	struct str rest = d->search;

	while (rest.n) {
		size_t end = str_find(rest, ':');
		struct str dir = str_cut(rest, 0, end);
		const char *path =
		    dir.n ? STORE_NAME(&d->a, dir, STR("/"), str_from_c(name)) : NULL;

		if (path && access(path, X_OK) == 0)
			return str_from_c(path);
		rest = str_skip(rest, end + 1);
	}
	return (struct str){ NULL, 0 };
}

static int64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Everything it prints, until it closes its output or the time is over. */
static bool
read_output(int fd, int64_t until, struct buf *out)
{
	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		int64_t left = until - now_ms();
		char mem[4096];
		ssize_t n;

		if (left <= 0 || out->n > OUTPUT_MAX)
			return false;
		if (poll(&p, 1, (int)left) < 0 && errno != EINTR)
			return false;
		if (!p.revents)
			continue;
		n = read(fd, mem, sizeof mem);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0;
		buf_put(out, str_of(mem, (size_t)n));
	}
}

static void
become(char **argv, char **env, int in, int out)
{
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	(void)dup2(in, STDIN_FILENO);
	(void)dup2(out, STDOUT_FILENO);
	if (nowhere >= 0)
		(void)dup2(nowhere, STDERR_FILENO);
	/* What it starts goes with it, should it be late. */
	(void)setpgid(0, 0);
	execve(argv[0], argv, env);
	_exit(127);
}

/* Ended, and waited for; false when it had to be ended. */
static bool
wait_for(pid_t child, int64_t until, int *status)
{
	while (now_ms() < until) {
		struct timespec nap = { 0, 2000000 };
		pid_t got = waitpid(child, status, WNOHANG);

		if (got == child)
			return true;
		if (got < 0 && errno != EINTR)
			return false;
		(void)nanosleep(&nap, NULL);
	}
	(void)kill(-child, SIGKILL);
	(void)waitpid(child, status, 0);
	return false;
}

void
doctor_run(struct doctor *d, char **argv, struct str input, struct doctor_call *ret)
{
	int64_t begun = now_ms(), until = begun + (int64_t)DOCTOR_SECONDS * 1000;
	int to[2] = { -1, -1 }, from[2] = { -1, -1 }, status = 0;
	struct buf out;
	bool ended;
	pid_t child;

	*ret = (struct doctor_call){ 0 };
	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
		return;
	child = fork();
	if (child == 0)
		become(argv, d->cli->env, to[0], from[1]);
	(void)close(to[0]);
	(void)close(from[1]);
	if (child > 0) {
		/* A sample fits into the pipe; one that is not read is no harm. */
		(void)signal(SIGPIPE, SIG_IGN);
		(void)write_all(to[1], input);
	}
	(void)close(to[1]);
	buf_init(&out, &d->a);
	ended = child > 0 && read_output(from[0], until, &out);
	(void)close(from[0]);
	if (child <= 0)
		return;
	ended = wait_for(child, ended ? until : now_ms(), &status) && ended;
	ret->late = !ended;
	ret->started = ended && !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
	ret->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	ret->output = buf_str(&out);
	ret->ms = (unsigned)(now_ms() - begun);
}

/* ---- the sample call */

static struct str
make_payload(struct doctor *d, enum agent agent, struct str command)
{
	struct buf b;

	buf_init(&b, &d->a);
	for (const char *p = agent_profile(agent)->sample; *p; p++) {
		if (*p == '%')
			json_put_str(&b, command);
		else if (*p == '@')
			json_put_str(&b, d->cwd);
		else
			buf_putc(&b, *p);
	}
	if (b.full)
		d->full = true;
	return buf_str(&b);
}

static bool
is_refusal(enum agent agent, const struct doctor_call *c)
{
	struct str mark = str_from_c(agent_profile(agent)->refused);

	if (mark.n == 0)
		return c->status == AGENT_STATUS;
	for (size_t i = 0; i + mark.n <= c->output.n; i++)
		if (str_starts(str_skip(c->output, i), mark))
			return true;
	return false;
}

/* ---- the call */

/* As the agent starts it: directly, or through a shell. */
static char **
argv_of(struct doctor *d, const struct setup_found *f, bool shell)
{
	char **argv = arena_array(&d->a, f->arguments_n + 4, sizeof *argv);
	struct buf line;

	if (!argv)
		return NULL;
	if (!shell) {
		argv[0] = (char *)STORE_NAME(&d->a, f->program);
		for (size_t i = 0; i < f->arguments_n; i++)
			argv[i + 1] = (char *)STORE_NAME(&d->a, f->arguments[i]);
		return argv[0] ? argv : NULL;
	}
	buf_init(&line, &d->a);
	(void)quote_put(&line, QUOTE_BASH, f->program, NULL);
	for (size_t i = 0; i < f->arguments_n; i++) {
		buf_putc(&line, ' ');
		(void)quote_put(&line, QUOTE_BASH, f->arguments[i], NULL);
	}
	buf_putc(&line, '\0');
	argv[0] = (char *)"/bin/sh";
	argv[1] = (char *)"-c";
	argv[2] = line.p;
	return line.full ? NULL : argv;
}

struct str
doctor_dry_call(
    struct doctor *d, enum agent agent, const struct setup_found *f, unsigned *ret_ms)
{
	char **argv = argv_of(d, f, !agent_profile(agent)->no_shell);
	struct doctor_call refused, allowed;

	if (!argv)
		return STR("the registered command cannot be called");
	doctor_run(d, argv, make_payload(d, agent, STR("reboot")), &refused);
	if (refused.late)
		return STR("the registered hook gives no answer");
	if (!refused.started)
		return STR("the registered hook cannot be started");
	if (!is_refusal(agent, &refused))
		return STR("the registered hook does not refuse `reboot`");
	doctor_run(d, argv, make_payload(d, agent, STR("true")), &allowed);
	if (!allowed.started || is_refusal(agent, &allowed))
		return STR(
		    "the registered hook refuses everything, even `true`: is a rules "
		    "file broken?");
	*ret_ms = allowed.ms;
	return (struct str){ NULL, 0 };
}
