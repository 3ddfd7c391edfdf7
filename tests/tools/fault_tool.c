/*
 * tests/tools/fault_tool.c CALLS STEPS SIGNAL PROGRAM WORD...: runs the program, and sends
 * it a signal STEPS instructions behind its CALLSth system call since it set its clock.
 *
 * Its status is the program's; 99: it ended before, 98: something else went wrong.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static int
done(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* To the next stop; false when it has ended, with its status. */
static int
go(pid_t pid, enum __ptrace_request how, int with, int *status)
{
	if (ptrace(how, pid, 0, with) || waitpid(pid, status, 0) != pid)
		exit(98);
	return WIFSTOPPED(*status);
}

static long
call_number(pid_t pid)
{
	struct user_regs_struct r;

	return ptrace(PTRACE_GETREGS, pid, 0, &r) ? -1 : (long)r.orig_rax;
}

int
main(int argc, char **argv)
{
	long calls, steps;
	int status, number;
	pid_t pid;

	if (argc < 5)
		return 98;
	calls = strtol(argv[1], NULL, 10);
	steps = strtol(argv[2], NULL, 10);
	number = (int)strtol(argv[3], NULL, 10);
	pid = fork();
	if (pid == 0) {
		(void)ptrace(PTRACE_TRACEME, 0, 0, 0);
		execv(argv[4], argv + 4);
		_exit(98);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return 98;
	/* Twice for each call: when it begins and when it ends. */
	do
		if (!go(pid, PTRACE_SYSCALL, 0, &status))
			return 99;
	while (call_number(pid) != SYS_setitimer);
	for (long i = 0; i < 2 * calls + 1; i++)
		if (!go(pid, PTRACE_SYSCALL, 0, &status))
			return 99;
	for (long i = 0; i < steps; i++)
		if (!go(pid, PTRACE_SINGLESTEP, 0, &status))
			return 99;
	(void)go(pid, PTRACE_CONT, number, &status);
	while (WIFSTOPPED(status))
		(void)go(pid, PTRACE_CONT, WSTOPSIG(status), &status);
	return done(status);
}
