/*
 * try_exec WHAT [WORD]: execs, stops and leases that could hold up who answers them.
 *
 *	storm N     N rounds of six threads that exec at once (0: without an end)
 *	traced      the same where another process traces two of them and never waits
 *	lease FILE  somebody outside has a lease on FILE; children open it, and we go on
 *	dies N      N processes that die in the middle of an exec or an open
 */
#include "try.h"
#include <pthread.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#define THREADS 6

static pthread_barrier_t ready;
static int tids[2];

static void
exec_together(void)
{
	static char *const argv[] = { "true", NULL };

	(void)pthread_barrier_wait(&ready);
	(void)execv("/bin/true", argv);
	_exit(9);
}

static void *
thread(void *slot)
{
	if (slot)
		*(int *)slot = (int)syscall(SYS_gettid);
	(void)pthread_barrier_wait(&ready);
	exec_together();
	return NULL;
}

/* They wait for us twice. */
static void
make_threads(int noted)
{
	pthread_t t;

	(void)pthread_barrier_init(&ready, NULL, THREADS);
	for (int i = 1; i < THREADS; i++)
		if (pthread_create(&t, NULL, thread, i <= noted ? &tids[i - 1] : NULL))
			_exit(8);
}

static void
exec_at_once(void)
{
	make_threads(0);
	(void)pthread_barrier_wait(&ready);
	exec_together();
}

static int
storm(int argc, char **argv)
{
	long rounds = number(argc, argv, 0), good = 0;

	for (long i = 0; rounds == 0 || i < rounds; i++) {
		pid_t pid = fork();
		int status = -1;

		if (pid == 0)
			exec_at_once();
		(void)waitpid(pid, &status, 0);
		good += status == 0;
	}
	(void)printf("%ld of %ld\n", good, rounds);
	return good == rounds ? 0 : EIO;
}

/* The process has two threads that a debugger traces, one of which execs; when the other
 * has died nobody reaps it, and that exec waits for ever. */
static int
traced(int argc, char **argv)
{
	pid_t tracer, process;
	int go[2];
	char byte = 0;

	(void)argc;
	(void)argv;
	if (pipe(go))
		return errno;
	process = fork();
	if (process == 0) {
		make_threads(2);
		(void)pthread_barrier_wait(&ready);
		tracer = fork();
		if (tracer == 0) {
			for (int i = 0; i < 2; i++)
				if (ptrace(PTRACE_SEIZE, tids[i], NULL, NULL))
					_exit(7);
			(void)!write(go[1], "x", 1);
			for (;;)
				(void)pause();
		}
		(void)!read(go[0], &byte, 1);
		exec_together();
	}
	(void)waitpid(process, NULL, 0);
	return 0;
}

static int
lease(int argc, char **argv)
{
	const char *file = word(argc, argv, 0);

	for (int i = 0; i < 3; i++) {
		if (fork() == 0) {
			(void)open(file, i == 0   ? O_WRONLY
					 : i == 1 ? O_RDWR | O_TRUNC
						  : O_RDONLY);
			_exit(0);
		}
	}
	if (fork() == 0) {
		(void)truncate(file, 0);
		_exit(0);
	}
	/* Others are served meanwhile. */
	for (int i = 0; i < 50; i++) {
		int other = open("other", O_WRONLY | O_CREAT, 0644);

		if (other < 0)
			return errno;
		(void)close(other);
		(void)usleep(1000);
	}
	(void)printf("served\n");
	(void)fflush(stdout);
	for (;;)
		(void)pause();
}

static int
dies(int argc, char **argv)
{
	long rounds = number(argc, argv, 0);

	for (long i = 0; i < rounds; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			if (i % 2)
				exec_at_once();
			for (;;)
				(void)close(
				    open("new", O_WRONLY | O_CREAT | O_TRUNC, 0644));
		}
		(void)usleep((useconds_t)(i * 37 % 2000));
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, NULL, 0);
	}
	return 0;
}

static const struct attempt all[] = {
	{ "storm", storm },
	{ "traced", traced },
	{ "lease", lease },
	{ "dies", dies },
};

int
main(int argc, char **argv)
{
	return try_main(all, sizeof all / sizeof *all, argc, argv);
}
