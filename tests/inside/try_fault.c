/*
 * try_fault INDEX ERRNO LOG COMMAND PROGRAM [WORD...]: PROGRAM, with one system call
 * failing.
 *
 * All calls of it and its children are counted together; the INDEXth is not made and fails
 * with ERRNO.  Behind an "i" only the ioctls are counted; without the answer to a call,
 * which nobody can do without: its caller would wait, unless it is tried again after EINTR.
 * A process that becomes COMMAND (the path of its program) is let go and not counted any
 * more.  LOG gets "NUMBER-OF-THE-CALL COUNT": -1 when there were fewer calls.
 */
#include "try.h"
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#if defined(__x86_64__)

#define TASKS 65536 /* times 64: as many as the kernel numbers */
#define OPTIONS                                                                            \
	(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |                \
	    PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL)

enum { KNOWN = 1, INSIDE = 2, FAIL = 4 };
static unsigned char state[TASKS * 64];
static long wanted, error, count, failed = -1;
static int only_ioctl;

static int
is_command(pid_t pid, const char *command)
{
	char link[64], path[4096];
	ssize_t n;

	(void)snprintf(link, sizeof link, "/proc/%d/exe", pid);
	n = readlink(link, path, sizeof path - 1);
	if (n <= 0)
		return 0;
	path[n] = '\0';
	return strcmp(path, command) == 0;
}

static int
is_counted(const struct user_regs_struct *r)
{
	const unsigned long long answer = 0xc0182101; /* SECCOMP_IOCTL_NOTIF_SEND */

	return !only_ioctl ||
	       (r->orig_rax == SYS_ioctl && (r->rsi != answer || error == EINTR));
}

static void
on_call(pid_t pid)
{
	struct user_regs_struct r;
	unsigned char *s = &state[pid];

	if (ptrace(PTRACE_GETREGS, pid, NULL, &r))
		return;
	*s ^= INSIDE;
	if (*s & INSIDE) {
		if (!is_counted(&r) || ++count != wanted)
			return;
		failed = (long)r.orig_rax;
		r.orig_rax = (unsigned long long)-1;
		*s |= FAIL;
		(void)ptrace(PTRACE_SETREGS, pid, NULL, &r);
	} else if (*s & FAIL) {
		*s &= (unsigned char)~FAIL;
		r.rax = (unsigned long long)-error;
		(void)ptrace(PTRACE_SETREGS, pid, NULL, &r);
	}
}

/* Whether it is still ours. */
static void
on_stop(pid_t pid, int status, const char *command)
{
	int signal = WSTOPSIG(status), event = status >> 16, give = 0;

	if (signal == (SIGTRAP | 0x80))
		on_call(pid);
	else if (event == PTRACE_EVENT_EXEC) {
		if (is_command(pid, command)) {
			(void)ptrace(PTRACE_DETACH, pid, NULL, NULL);
			return;
		}
	} else if (event == 0 && !(state[pid] & KNOWN) && signal == SIGSTOP)
		state[pid] |= KNOWN;
	else if (event == 0)
		give = signal;
	(void)ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(intptr_t)give);
}

static int
trace(pid_t first, const char *command)
{
	int status, end = 70;
	pid_t pid;

	if (waitpid(first, &status, __WALL) != first)
		return 70;
	state[first] |= KNOWN;
	(void)ptrace(PTRACE_SETOPTIONS, first, NULL, (void *)(intptr_t)OPTIONS);
	(void)ptrace(PTRACE_SYSCALL, first, NULL, NULL);
	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		if (WIFSTOPPED(status)) {
			on_stop(pid, status, command);
			continue;
		}
		state[pid] = 0;
		if (pid == first) {
			end = WIFEXITED(status) ? WEXITSTATUS(status)
						: 128 + WTERMSIG(status);
			break;
		}
	}
	return end;
}

int
main(int argc, char **argv)
{
	const char *log = word(argc, argv, 3), *command = word(argc, argv, 4);
	char text[64];
	pid_t pid;
	int end, fd;

	only_ioctl = *word(argc, argv, 1) == 'i';
	argv[1] += only_ioctl;
	wanted = number(argc, argv, 1);
	error = number(argc, argv, 2);
	(void)word(argc, argv, 5);
	pid = fork();
	if (pid == 0) {
		(void)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		(void)raise(SIGSTOP);
		(void)execv(argv[5], argv + 5);
		_exit(127);
	}
	end = trace(pid, command);
	fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	(void)snprintf(text, sizeof text, "%ld %ld\n", failed, count);
	(void)!write(fd, text, strlen(text));
	return end;
}

#else

int
main(void)
{
	return 71;
}

#endif
