#define _GNU_SOURCE /* sigaltstack, in every library */
#include "hook/hook_deadline.h"
#include "cli/cli.h"
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

/* A signal frame with wide vector registers takes several thousand bytes. */
#define STACK_BYTES 65536

/* Static, because a signal handler has no context argument. */
static struct agent_bytes ready[2];
static volatile sig_atomic_t which;
static volatile pid_t child;
static char stack[STACK_BYTES];

/* Faults of this process and its timers.  All other signals stay blocked until the answer
 * is written. */
static const unsigned char deadly[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP,
	SIGSYS, SIGXCPU, SIGALRM };

/* Exit status 2 is a refusal to most agents: use it if stdout cannot be written. */
static noreturn void
leave(const struct agent_bytes *b)
{
	bool told = write_all(STDERR_FILENO, b->err);

	if (!write_all(STDOUT_FILENO, b->out))
		_exit(2);
	_exit(told || b->out.n ? b->status : 2);
}

static void
on_signal(int number)
{
	(void)number;
	if (child)
		(void)kill(-child, SIGKILL);
	leave(&ready[which]);
}

static void
block_all(void)
{
	sigset_t all;

	sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
}

void
hook_arm(struct agent_bytes refusal)
{
	struct sigaction act = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	const stack_t own = { .ss_sp = stack, .ss_size = sizeof stack };
	sigset_t wait;

	ready[0] = refusal;
	which = 0;
	sigfillset(&act.sa_mask);
	sigfillset(&wait);
	if (sigaltstack(&own, NULL))
		leave(&refusal);
	for (size_t i = 0; i < sizeof deadly; i++) {
		sigdelset(&wait, deadly[i]);
		(void)sigaction(deadly[i], &act, NULL);
	}
	/* The parent may have blocked SIGALRM.  SIGPIPE and SIGXFSZ stay blocked: the
	 * failing write reports the error. */
	(void)sigprocmask(SIG_SETMASK, &wait, NULL);
	hook_set_deadline(HOOK_DEADLINE_MS);
}

void
hook_set_refusal(struct agent_bytes refusal)
{
	int other = !which;

	ready[other] = refusal;
	__asm__ volatile("" ::: "memory");
	which = other;
}

void
hook_set_deadline(unsigned ms)
{
	const struct itimerval t = { .it_value = { .tv_sec = (time_t)(ms / 1000),
					 .tv_usec = (suseconds_t)(ms % 1000 * 1000) } };

	if (setitimer(ITIMER_REAL, &t, NULL))
		hook_refuse();
}

unsigned
hook_time_left(void)
{
	struct itimerval t = { 0 };

	(void)getitimer(ITIMER_REAL, &t);
	return (unsigned)(t.it_value.tv_sec * 1000 + t.it_value.tv_usec / 1000);
}

void
hook_set_child(pid_t group)
{
	child = group;
}

noreturn void
hook_refuse(void)
{
	block_all();
	leave(&ready[which]);
}

noreturn void
hook_leave(const struct agent_bytes *answer)
{
	block_all();
	leave(answer);
}
