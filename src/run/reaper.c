/*
 * The first process inside: starts the command, reaps the tree, and exits with the command;
 * then the kernel kills all others.
 */
#define _GNU_SOURCE
#include "run/run_internal.h"
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

/* ---- the command */

static const char *
find_path(char *const *envp)
{
	for (; *envp; envp++)
		if (strncmp(*envp, "PATH=", 5) == 0)
			return *envp + 5;
	return "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";
}

/* Like execvp(3), but a file without a known format is not run by a shell. */
static int
exec_in_path(char *const *argv, char *const *envp)
{
	const char *dir = find_path(envp);
	size_t n = strlen(argv[0]);
	int error = ENOENT;

	for (;;) {
		char path[LIMIT_PATH];
		size_t length = strcspn(dir, ":");

		/* An empty part would be the working directory. */
		if (length && length + n + 2 <= sizeof path) {
			memcpy(path, dir, length);
			path[length] = '/';
			memcpy(path + length + 1, argv[0], n + 1);
			(void)execve(path, argv, envp);
			if (errno != ENOENT && errno != ENOTDIR)
				error = errno;
		}
		if (dir[length] == '\0')
			return error;
		dir += length + 1;
	}
}

_Noreturn void
reaper_exec(int control, char *const *argv, char *const *envp)
{
	struct enter_report report = { .kind = ENTER_NOT_STARTED };
	sigset_t none;

	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	if (!privilege_clear()) {
		report.error = errno;
	} else if (strchr(argv[0], '/')) {
		(void)execve(argv[0], argv, envp);
		report.error = errno;
	} else {
		report.error = exec_in_path(argv, envp);
	}
	(void)enter_send(control, &report, -1);
	_exit(125);
}

/* ---- the reaper */

/* Other processes inside can read our argv: `pkill -f COMMAND` must not match it.
 * /proc/self/stat has its address in fields 48 and 49. */
void
reaper_hide_argv(void)
{
	char text[1024];
	cleanup_fd int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text) : -1;
	struct str s = str_of(text, n > 0 ? (size_t)n : 0);
	uint64_t at[2] = { 0, 0 };

	s = str_skip(s, str_rfind(s, ')') + 2);
	for (int word = 3; word < 48; word++)
		s = str_skip(s, str_find(s, ' ') + 1);
	for (int i = 0; i < 2; i++, s = str_skip(s, 1))
		(void)str_take_number(&s, UINT64_MAX, &at[i]);
	if (at[0] && at[1] > at[0])
		memset((void *)(uintptr_t)at[0], 0, (size_t)(at[1] - at[0]));
}

/* The last PID that the namespace gave out, the last field of /proc/loadavg. */
uint32_t
reaper_count(void)
{
	char text[128];
	cleanup_fd int fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text) : -1;
	struct str s = str_of(text, n > 0 ? (size_t)n : 0);
	uint64_t number = 0;

	s = str_skip(s, str_rfind(s, ' ') + 1);
	(void)str_take_number(&s, UINT32_MAX, &number);
	return number > 1 ? (uint32_t)number - 1 : 0;
}

static _Noreturn void
finish(int control, int status)
{
	struct enter_report report = {
		.kind = ENTER_ENDED, .status = status, .processes = reaper_count()
	};

	(void)enter_send(control, &report, -1);
	_exit(0);
}

/* A stopped command gets SIGTERM only after it continues. */
void
reaper_forward(pid_t child, int sig)
{
	(void)kill(child, sig);
	if (sig == SIGTERM || sig == SIGHUP)
		(void)kill(child, SIGCONT);
}

/* Forward signals of the supervisor to the command.  Signals of the terminal have reached
 * it already: it is in the same process group. */
static void
forward(int signals, pid_t child)
{
	struct signalfd_siginfo info;

	if (read(signals, &info, sizeof info) != (ssize_t)sizeof info)
		return;
	if (info.ssi_signo != SIGCHLD && info.ssi_code != SI_KERNEL)
		reaper_forward(child, (int)info.ssi_signo);
}

_Noreturn void
reaper_run(int control, char *const *argv, char *const *envp)
{
	sigset_t all;
	int signals;
	/* vfork(2): the child shares our memory until its exec, so nothing is copied. */
	pid_t child = vfork();

	/* The child writes nothing that we read. */
	if (child == 0) /* NOLINTNEXTLINE(clang-analyzer-unix.Vfork) */
		reaper_exec(control, argv, envp);
	if (child < 0)
		_exit(125);
	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	/* The standard streams are the command's alone: the other ends must see it close
	 * them. */
	(void)close(0);
	(void)close(1);
	(void)close(2);
	(void)sigfillset(&all);
	signals = signalfd(-1, &all, SFD_CLOEXEC);
	for (;;) {
		int status;
		pid_t pid;

		while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
			if (pid == child)
				finish(control, status);
		if (pid < 0 && errno == ECHILD)
			_exit(125);
		forward(signals, child);
	}
}
