/* Programs that answer for the console: each a child process with a deadline. */
#define _GNU_SOURCE /* pipe2 */
#include "daemon/console/server.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

struct child {
	struct server *s;
	struct conn *c; /* NULL: the connection is gone, or there was none */
	pid_t pid;
	struct bufferevent *out;
	struct event *deadline, *reaping;
	bool closed, stopped;
	int status;
	child_done *done;
	child_ended *ended;
	struct evbuffer *text;
};

static void
finish(struct child *k)
{
	struct server *s = k->s;
	struct conn *c = k->c;
	int status = k->stopped || !WIFEXITED(k->status) ? -1 : WEXITSTATUS(k->status);
	size_t n = evbuffer_get_length(k->text);
	struct str output = str_of((char *)evbuffer_pullup(k->text, -1), n);

	s->children--;
	if (c) {
		c->child = NULL;
		arena_reset(&s->arena);
		k->done(c, status, output.p ? output : STR(""));
		arena_reset(&s->arena);
	} else if (k->ended)
		k->ended(s, status);
	event_free(k->deadline);
	event_free(k->reaping);
	bufferevent_free(k->out);
	evbuffer_free(k->text);
	free(k);
}

/* The child closed its output: it has exited or is about to. */
static void
reap(evutil_socket_t fd, short what, void *context)
{
	static const struct timeval soon = { 0, 5000 };
	struct child *k = context;
	pid_t got = waitpid(k->pid, &k->status, WNOHANG);

	(void)fd;
	(void)what;
	if (got == 0 || (got < 0 && errno == EINTR)) {
		(void)evtimer_add(k->reaping, &soon);
		return;
	}
	finish(k);
}

static void
take_output(struct bufferevent *be, void *context)
{
	struct child *k = context;

	(void)bufferevent_read_buffer(be, k->text);
	if (evbuffer_get_length(k->text) > SERVE_OUTPUT && !k->stopped) {
		k->stopped = true;
		(void)kill(k->pid, SIGKILL);
	}
}

static void
on_end(struct bufferevent *be, short what, void *context)
{
	struct child *k = context;

	(void)what;
	take_output(be, k);
	(void)bufferevent_disable(be, EV_READ);
	if (k->closed)
		return;
	k->closed = true;
	reap(-1, 0, k);
}

static void
on_deadline(evutil_socket_t fd, short what, void *context)
{
	struct child *k = context;

	(void)fd;
	(void)what;
	k->stopped = true;
	(void)kill(k->pid, SIGKILL);
}

void
child_forget(struct child *k)
{
	k->c = NULL;
	k->stopped = true;
	(void)kill(k->pid, SIGKILL);
}

static pid_t
spawn(struct server *s, const char *program, const char *const *argv, int out)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	pid_t pid = -1;

	(void)sigemptyset(&none);
	if (posix_spawn_file_actions_init(&actions))
		return -1;
	if (posix_spawnattr_init(&attributes) == 0) {
		(void)posix_spawnattr_setsigmask(&attributes, &none);
		(void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
		(void)posix_spawn_file_actions_addopen(
		    &actions, 0, "/dev/null", O_RDONLY, 0);
		(void)posix_spawn_file_actions_adddup2(&actions, out, 1);
		(void)posix_spawn_file_actions_addopen(
		    &actions, 2, "/dev/null", O_WRONLY, 0);
		if (posix_spawn(&pid, program, &actions, &attributes,
			(char *const *)(uintptr_t)argv, s->o->env))
			pid = -1;
		(void)posix_spawnattr_destroy(&attributes);
	}
	(void)posix_spawn_file_actions_destroy(&actions);
	return pid;
}

static bool
prepare(struct child *k, int fd)
{
	struct timeval t = { SERVE_CHILD_S, 0 };

	(void)evutil_make_socket_nonblocking(fd);
	k->text = evbuffer_new();
	k->deadline = evtimer_new(k->s->base, on_deadline, k);
	k->reaping = evtimer_new(k->s->base, reap, k);
	k->out = bufferevent_socket_new(k->s->base, fd, BEV_OPT_CLOSE_ON_FREE);
	if (!k->text || !k->deadline || !k->reaping || !k->out)
		return false;
	bufferevent_setcb(k->out, take_output, NULL, on_end, k);
	(void)bufferevent_enable(k->out, EV_READ);
	/* The first fill of the store takes as long as the journal is long. */
	return k->ended || evtimer_add(k->deadline, &t) == 0;
}

bool
child_start(struct server *s, struct conn *c, const char *program, const char *const *argv,
    child_done *done, child_ended *ended)
{
	struct child *k;
	int fds[2];

	if (s->children >= SERVE_CHILDREN || pipe2(fds, O_CLOEXEC))
		return false;
	k = calloc(1, sizeof *k);
	if (k) {
		*k = (struct child){ .s = s, .c = c, .done = done, .ended = ended };
		k->pid = spawn(s, program, argv, fds[1]);
	}
	(void)close(fds[1]);
	if (!k || k->pid < 0) {
		(void)close(fds[0]);
		free(k);
		return false;
	}
	s->children++;
	if (c)
		c->child = k;
	/* Without memory for this the console cannot continue. */
	if (!prepare(k, fds[0]))
		abort();
	return true;
}
