#define _GNU_SOURCE
#include "base/json/json.h"
#include "mcp/mcp.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHUNK 4096
#define GRACE_MS 3000 /* between SIGTERM and SIGKILL */

/* Send output as progress if the client asked for it. */
static void
report(struct mcp *m, const struct mcp_run *q, uint64_t bytes, struct str part)
{
	size_t used = m->a.used;
	struct buf b, clean;

	if (!q->stream || !q->call->token.p)
		return;
	buf_init(&clean, &m->a);
	mcp_put_text(&clean, part);
	buf_init(&b, &m->a);
	buf_puts(&b,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
	    "\"progressToken\":");
	buf_put(&b, q->call->token);
	buf_puts(&b, ",\"progress\":");
	json_put_int(&b, (int64_t)bytes);
	buf_puts(&b, ",\"message\":");
	json_put_str(&b, buf_str(&clean));
	buf_puts(&b, "}}");
	if (!b.full && !clean.full)
		mcp_send(buf_str(&b));
	arena_back(&m->a, used);
}

static pid_t
start(const struct mcp_run *q, int out)
{
	pid_t pid = fork();
	int null;

	if (pid)
		return pid;
	/* A new session, so that its process group can be killed; no input, no terminal. */
	(void)setsid();
	null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(out, STDERR_FILENO) < 0)
		_exit(125);
	execv("/proc/self/exe", q->argv);
	_exit(125);
}

/* Return false at end-of-file. */
static bool
take_output(
    struct mcp *m, const struct mcp_run *q, int fd, uint64_t *bytes, struct buf *ret)
{
	char part[CHUNK];
	ssize_t n = read(fd, part, sizeof part);
	size_t room;

	if (n <= 0)
		return n < 0 && errno == EINTR;
	*bytes += (uint64_t)n;
	room = ret->n < MCP_TEXT ? MCP_TEXT - ret->n : 0;
	buf_put(ret, str_of(part, (size_t)n < room ? (size_t)n : room));
	report(m, q, *bytes, str_of(part, (size_t)n));
	return true;
}

/* Handle complete lines only: do not wait for the rest of a partial one. */
static void
take_lines(struct mcp *m, const struct mcp_run *q)
{
	struct str line;

	while (!m->ended && !m->cancelled && lines_ready(&m->in))
		if (mcp_next(m, q->call->id, &line) == MCP_LINE)
			mcp_keep_line(m, line);
}

/* Read both sides until the child's output ends; SIGTERM it if the request is cancelled.
 * Return the number of bytes it printed. */
static uint64_t
watch(struct mcp *m, const struct mcp_run *q, pid_t pid, int fd, struct buf *ret)
{
	struct pollfd fds[2] = { { fd, POLLIN, 0 }, { STDIN_FILENO, POLLIN, 0 } };
	uint64_t bytes = 0;
	bool told = false;

	for (;;) {
		take_lines(m, q);
		if ((m->cancelled || m->ended) && !told) {
			(void)kill(pid, SIGTERM);
			told = true;
		}
		fds[1].revents = 0;
		if (poll(fds, told ? 1 : 2, told ? GRACE_MS : -1) == 0) {
			(void)kill(-pid, SIGKILL);
			(void)kill(pid, SIGKILL);
		}
		if (fds[0].revents && !take_output(m, q, fd, &bytes, ret))
			return bytes;
		if (fds[1].revents && !lines_read(&m->in))
			m->ended = true;
	}
}

int
mcp_run(struct mcp *m, const struct mcp_run *q, struct buf *ret)
{
	int ends[2], status = 0;
	uint64_t bytes = 0;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	pid = start(q, ends[1]);
	(void)close(ends[1]);
	if (pid > 0)
		bytes = watch(m, q, pid, ends[0], ret);
	if (q->stream && bytes > MCP_TEXT) {
		buf_puts(ret, "\n[not shown: bytes beyond 1 MiB: ");
		buf_putu(ret, bytes - MCP_TEXT);
		buf_putc(ret, ']');
	}
	(void)close(ends[0]);
	if (pid < 0)
		return -1;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
