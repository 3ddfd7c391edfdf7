#include "gate/owner.h"
#include "base/buf.h"
#include "os/file.h"
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

/* Variables that agents set for the commands they run. */
static const char variables[] =
    "CLAUDECODE\0CLAUDE_CODE_ENTRYPOINT\0CURSOR_AGENT\0CODEX_SANDBOX\0CODEX_THREAD_ID\0"
    "CODEX_SANDBOX_NETWORK_DISABLED\0GEMINI_CLI\0GEMINI_CLI_NO_RELAUNCH\0OPENCODE\0"
    "COPILOT_CLI\0CLINE_ACTIVE\0PI_CODING_AGENT\0AGENT\0";
/* Names of agent programs, and of scripts that node runs for them. */
static const char programs[] =
    "claude\0codex\0codex.js\0gemini\0gemini.js\0cursor-agent\0copilot\0opencode\0"
    "windsurf\0cline\0pi\0amp\0aider\0goose\0qwen\0crush\0cordon\0cordond\0";
/* Deeper than any real process tree. */
#define ANCESTORS 64

/* Read at most `room` bytes of /proc/PID/NAME; return 0 on error. */
static size_t
read_proc(pid_t pid, const char *name, char *mem, size_t room)
{
	char path[128];
	struct arena a;
	struct buf b;
	ssize_t n;

	arena_init(&a, path, sizeof path);
	buf_init(&b, &a);
	buf_puts(&b, "/proc/");
	buf_putu(&b, (uint64_t)pid);
	buf_putc(&b, '/');
	buf_puts(&b, name);
	buf_putc(&b, '\0');
	if (b.full)
		return 0;
	cleanup_fd int fd = open(b.p, O_RDONLY | O_CLOEXEC);

	n = fd < 0 ? -1 : read(fd, mem, room);
	return n > 0 ? (size_t)n : 0;
}

/* Parse /proc/PID/stat: the state and the parent PID come after the last `)`. */
static pid_t
parent_of(pid_t pid)
{
	char mem[512];
	struct str s = str_of(mem, read_proc(pid, "stat", mem, sizeof mem));
	size_t close = str_rfind(s, ')');
	uint64_t parent = 0;

	s = str_skip(s, close + 4);
	(void)str_take_number(&s, INT32_MAX, &parent);
	return (pid_t)parent;
}

/* True if the program, or the script it interprets (argv[0] or argv[1]), is an agent. */
static bool
is_agent(pid_t pid, bool *ret_seen)
{
	char mem[4096];
	struct str s = str_of(mem, read_proc(pid, "cmdline", mem, sizeof mem));

	*ret_seen = s.n > 0;
	for (int i = 0; i < 2 && s.n; i++) {
		size_t end = str_find(s, '\0');

		if (str_among(str_base(str_cut(s, 0, end)), programs))
			return true;
		s = str_skip(s, end + 1);
	}
	return false;
}

static bool
agent_above(const char **why)
{
	pid_t pid = getppid();

	for (int i = 0; i < ANCESTORS && pid > 0; i++, pid = parent_of(pid)) {
		bool seen;

		if (is_agent(pid, &seen)) {
			*why = "an agent started this process";
			return true;
		}
		if (!seen && i == 0) {
			*why = "cannot read the parent process in /proc";
			return true;
		}
	}
	return false;
}

bool
owner_is_here(const struct process *cli, const char **why)
{
	cleanup_fd int tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);

	if (tty < 0 || !isatty(STDIN_FILENO)) {
		*why = "no terminal";
		return false;
	}
	if (process_env(cli, "CORDON_SANDBOX").p) {
		*why = "this process runs in a cordon sandbox";
		return false;
	}
	for (const char *v = variables; *v; v += strlen(v) + 1)
		if (process_env(cli, v).n) {
			*why = "a variable that agents set is in the environment";
			return false;
		}
	return !agent_above(why);
}

int64_t
owner_duration(struct str text)
{
	uint64_t n;

	if (text.n < 2 || text.n > 6 ||
	    !str_number(str_cut(text, 0, text.n - 1), 99999, &n))
		return 0;
	switch (text.p[text.n - 1]) {
	case 's':
		return (int64_t)n;
	case 'm':
		return (int64_t)n * 60;
	case 'h':
		return (int64_t)n * 3600;
	default:
		return 0;
	}
}
