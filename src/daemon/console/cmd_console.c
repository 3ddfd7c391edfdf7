/*
 * `cordond console`: one per user, guarded by a lock; runs in the background and removes
 * its files when it ends.
 */
#define _GNU_SOURCE /* pidfd */
#include "daemon/console/cmd_console.h"
#include "approve/spool.h"
#include "base/json/json.h"
#include "cli/cli.h"
#include "daemon/daemon.h"
#include "gate/rules/layers.h"
#include "os/file.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <time.h>

#define CONSOLE_BYTES ((size_t)1 << 20)
#define IDLE_DEFAULT 720
#define IDLE_MAX 525600

static const struct str none = { NULL, 0 };

/* ---- the lock */

/* Lock the file that has the name now; a console that ends removes it. */
static int
take_lock(int dir)
{
	for (int tries = 0; tries < 100; tries++) {
		cleanup_fd int fd = openat(
		    dir, SPOOL_LOCK, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		struct stat here, there;

		if (fd < 0 || fstat(fd, &here))
			return -1;
		if (flock(fd, LOCK_EX | LOCK_NB))
			return -1;
		if (fstatat(dir, SPOOL_LOCK, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
		    here.st_ino == there.st_ino && here.st_dev == there.st_dev)
			return fd_steal(&fd);
	}
	errno = EAGAIN;
	return -1;
}

/* ---- a running console */

static const struct json *
read_state(struct console *c)
{
	const struct json *v;
	struct str text;

	/* The console may have the lock but not yet its file. */
	for (int tries = 0; tries < 100; tries++) {
		struct timespec pause = { 0, 20000000 };

		if (spool_read(&c->a, c->dir, CONSOLE_STATE, 65536, &text) &&
		    json_read(&c->a, text, NULL, &v, NULL) == 0)
			return v;
		if (!spool_is_held(c->dir, SPOOL_LOCK))
			return NULL;
		(void)nanosleep(&pause, NULL);
	}
	return NULL;
}

static int
tell(struct console *c, struct str url)
{
	struct buf b;

	buf_init(&b, &c->a);
	buf_puts(&b, "the console is at ");
	buf_put(&b, url);
	buf_puts(&b, "\n");
	return b.full ? internal_error("no memory", 0) : put_out(buf_str(&b));
}

static int
show_running(struct console *c)
{
	const struct json *v = read_state(c), *url = json_get(v, STR("url"));
	int status;

	if (!url || url->kind != JSON_STRING)
		return internal_error(
		    "a console holds the lock but does not answer; end it with: cordon "
		    "console --stop",
		    0);
	status = tell(c, url->text);
	if (!status && !c->no_open)
		console_open_page(c);
	return status;
}

static int
stop(struct console *c)
{
	const struct json *v = NULL;
	int64_t pid = 0;
	cleanup_fd int process = -1;

	if (spool_is_held(c->dir, SPOOL_LOCK))
		v = read_state(c);
	if (!v || json_int(json_get(v, STR("pid")), &pid) || pid <= 1)
		return internal_error("no console is running", 0), EXIT_NOT_OK;
	process = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
	if (process < 0 || !spool_is_held(c->dir, SPOOL_LOCK) ||
	    syscall(SYS_pidfd_send_signal, process, SIGTERM, NULL, 0))
		return internal_error("cannot stop the console", errno);
	for (int tries = 0; tries < 1000 && spool_is_held(c->dir, SPOOL_LOCK); tries++) {
		struct timespec pause = { 0, 20000000 };

		(void)nanosleep(&pause, NULL);
	}
	if (spool_is_held(c->dir, SPOOL_LOCK))
		return internal_error("the console does not end", 0);
	/* If it died before it handled signals, its files are still there. */
	c->lock = take_lock(c->dir);
	if (c->lock >= 0)
		console_end(c);
	return 0;
}

/* ---- the command line */

static int
start(struct console *c)
{
	bool serves = false;
	int status = console_listen(c);

	if (!status)
		status = console_begin(c, &serves);
	/* The background process has no terminal to report to. */
	if (!status && (c->foreground || !serves))
		status = tell(c, c->url);
	if (!status && !c->no_open && (c->foreground || !serves))
		console_open_page(c);
	if (!status && serves)
		return console_serve(c);
	if (serves)
		console_end(c);
	return status;
}

int
cordond_console(const struct process *cli, int argc, char **argv)
{
	struct console c = { .cli = cli };
	struct str port = none, idle = none;
	const struct opt opts[] = {
		OPT_FLAG("--foreground", &c.foreground),
		OPT_FLAG("--no-open", &c.no_open),
		OPT_FLAG("--stop", &c.stop),
		OPT_VALUE("--port", &port),
		OPT_VALUE("--idle", &idle),
	};
	struct opts_result got =
	    opts_read(cli, argc, argv, opts, sizeof opts / sizeof *opts);

	if (got.done)
		return got.status;
	if (got.operand < argc)
		return usage_error(
		    cli, "unexpected argument:", str_from_c(argv[got.operand]));
	c.idle = IDLE_DEFAULT;
	if (port.p && !str_number(port, 65535, &c.port))
		return usage_error(cli, "--port must be a number up to 65535, not", port);
	if (idle.p && !str_number(idle, IDLE_MAX, &c.idle))
		return usage_error(cli, "--idle must be minutes, not", idle);
	if (!arena_map(&c.a, CONSOLE_BYTES))
		return internal_error("no memory", 0);
	c.dir = spool_open(process_env(cli, "XDG_RUNTIME_DIR"), c.path);
	if (c.dir < 0)
		return internal_error("no directory for the console's files", errno);
	if (c.stop)
		return stop(&c);
	c.lock = take_lock(c.dir);
	if (c.lock < 0 && errno == EWOULDBLOCK)
		return show_running(&c);
	if (c.lock < 0)
		return internal_error("cannot take the console's lock", errno);
	return start(&c);
}
