#define _GNU_SOURCE /* SOCK_CLOEXEC */
#include "approve/ring.h"
#include "approve/spool.h"
#include "base/json/json.h"
#include "base/limits.h"
#include "daemon/console/cmd_console.h"
#include "gate/rules/layers.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- options of the server */

static bool
make_token(char token[static SERVE_TOKEN])
{
	_Static_assert(SERVE_TOKEN == 2 * SPOOL_ID, "the digits of two");
	return spool_new_id(token) && spool_new_id(token + SPOOL_ID);
}

static bool
bind_loopback(struct serve_opts *o, uint16_t port)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof a;
	int yes = 1;

	o->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (o->listener < 0)
		return false;
	(void)setsockopt(o->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	if (bind(o->listener, (struct sockaddr *)&a, sizeof a) ||
	    listen(o->listener, 128) || getsockname(o->listener, (struct sockaddr *)&a, &n))
		return false;
	o->port = ntohs(a.sin_port);
	return true;
}

/* The path of a program beside this one. */
static const char *
beside(struct console *c, const char *name)
{
	char *path = arena_alloc(&c->a, LIMIT_PATH);
	ssize_t n = path ? readlink("/proc/self/exe", path, LIMIT_PATH) : -1;
	size_t slash, length = strlen(name) + 1;

	if (n <= 0 || n >= (ssize_t)LIMIT_PATH)
		return NULL;
	slash = str_rfind(str_of(path, (size_t)n), '/');
	if (slash + 1 + length > LIMIT_PATH)
		return NULL;
	memcpy(path + slash + 1, name, length);
	return path;
}

/* ---- files */

static bool
make_url(struct console *c)
{
	struct buf url;

	buf_init(&url, &c->a);
	buf_puts(&url, "http://127.0.0.1:");
	buf_putu(&url, c->serve.port);
	buf_puts(&url, "/#");
	buf_put(&url, str_of(c->serve.token, sizeof c->serve.token));
	c->url = buf_str(&url);
	return !url.full;
}

/* Written by the serving process, because they contain its pid. */
static bool
put_files(struct console *c)
{
	struct buf state, page;

	buf_init(&state, &c->a);
	buf_puts(&state, "{\"url\":");
	json_put_str(&state, c->url);
	json_put_member_u(&state, "pid", (uint64_t)getpid());
	buf_puts(&state, "}\n");
	buf_init(&page, &c->a);
	buf_puts(&page, "<!doctype html><meta charset=\"utf-8\"><title>cordon</title>"
			"<meta name=\"referrer\" content=\"no-referrer\">"
			"<meta http-equiv=\"refresh\" content=\"0; url=");
	buf_put(&page, c->url);
	buf_puts(&page, "\">\n");
	return !state.full && !page.full &&
	       spool_write(c->dir, CONSOLE_PAGE, buf_str(&page)) &&
	       spool_write(c->dir, CONSOLE_STATE, buf_str(&state));
}

void
console_end(struct console *c)
{
	(void)unlinkat(c->dir, CONSOLE_STATE, 0);
	(void)unlinkat(c->dir, CONSOLE_PAGE, 0);
	/* Remove these only if they are empty. */
	(void)unlinkat(c->dir, SPOOL_ASKS, AT_REMOVEDIR);
	(void)unlinkat(c->dir, SPOOL_RUNS, AT_REMOVEDIR);
	(void)unlinkat(c->dir, SPOOL_LOCK, 0);
}

int
console_listen(struct console *c)
{
	const struct process *cli = c->cli;
	struct serve_opts *o = &c->serve;

	*o = (struct serve_opts){ .listener = -1,
		.runtime = c->dir,
		.state = own_dir(&c->a, cli, cli->home, DIR_STATE, STR("")),
		.config = own_dir(&c->a, cli, cli->home, DIR_CONFIG, STR("")),
		.cordon = beside(c, "cordon"),
		.cordond = beside(c, "cordond"),
		.env = cli->env,
		.idle = (unsigned)c->idle };
	if (!o->cordon || !o->cordond || access(o->cordon, X_OK))
		return internal_error("the program cordon is not beside cordond", errno);
	/* Watch these directories, so that a journal created later is noticed. */
	if (o->state)
		(void)store_make_parents(
		    STORE_NAME(&c->a, str_from_c(o->state), STR("/x")));
	if (o->config)
		(void)store_make_parents(
		    STORE_NAME(&c->a, str_from_c(o->config), STR("/x")));
	if (!make_token(o->token) || !bind_loopback(o, (uint16_t)c->port))
		return internal_error("cannot listen on 127.0.0.1", errno);
	return make_url(c) ? 0 : internal_error("no memory", 0);
}

/* ---- the page */

void
console_open_page(struct console *c)
{
	const char *program = "/usr/bin/xdg-open";
	struct buf b;
	const char *argv[3] = { "xdg-open" };
	pid_t pid;

	if ((!process_env(c->cli, "DISPLAY").n &&
		!process_env(c->cli, "WAYLAND_DISPLAY").n) ||
	    access(program, X_OK))
		return;
	buf_init(&b, &c->a);
	buf_puts(&b, "file://");
	buf_puts(&b, c->path);
	buf_puts(&b, "/" CONSOLE_PAGE);
	buf_putc(&b, '\0');
	argv[1] = b.p;
	if (!b.full)
		(void)posix_spawn(
		    &pid, program, NULL, NULL, (char *const *)(uintptr_t)argv, c->cli->env);
}

/* ---- the daemon */

/* Detach: no terminal, no output; keep the working directory, because questions depend
 * on it. */
static bool
detach(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || setsid() < 0)
		return false;
	for (int fd = 0; fd < 3; fd++)
		if (dup2(null, fd) < 0)
			return false;
	(void)close(null);
	return true;
}

/* Wait for the byte that says that the files exist, so that the console can be found. */
static int
wait_for(int fd)
{
	char byte;
	ssize_t n;

	while ((n = read(fd, &byte, 1)) < 0 && errno == EINTR)
		;
	return n == 1 ? 0 : internal_error("the console did not start", 0);
}

static int
go_behind(struct console *c, bool *ret_serves)
{
	int ends[2], status;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) || (pid = fork()) < 0)
		return internal_error("cannot go to the background", errno);
	*ret_serves = pid == 0;
	if (pid == 0) {
		if (!detach() || !put_files(c) || write(ends[1], "", 1) != 1)
			_exit(EXIT_INTERNAL);
		(void)close(ends[0]);
		(void)close(ends[1]);
		return 0;
	}
	(void)close(ends[1]);
	status = wait_for(ends[0]);
	(void)close(ends[0]);
	return status;
}

int
console_begin(struct console *c, bool *ret_serves)
{
	*ret_serves = true;
	if (!c->foreground)
		return go_behind(c, ret_serves);
	return put_files(c) ? 0 : internal_error("cannot write the console's files", errno);
}

int
console_serve(struct console *c)
{
	int why = server_run(&c->serve);

	console_end(c);
	return why ? internal_error("the console failed", why) : 0;
}
