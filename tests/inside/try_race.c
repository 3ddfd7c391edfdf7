/*
 * Races: a thread swaps the words of a call while the supervisor looks at them.
 *
 *	try_race open GOOD BAD ROUNDS       open GOOD for writing
 *	try_race truncate GOOD BAD ROUNDS   empty GOOD, without opening it for writing
 *	try_race exec GOOD BAD ROUNDS       run /bin/echo GOOD
 *
 * with BAD in its place now and then.
 * Prints how often the bad one was done.
 */
#include "try.h"
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>

struct race {
	volatile char *at; /* shared with all children */
	const char *good, *bad;
	volatile int stop;
};

static void *
swap(void *context)
{
	struct race *r = context;

	while (!r->stop) {
		for (size_t i = 0; i <= strlen(r->bad); i++)
			r->at[i] = r->bad[i];
		for (size_t i = 0; i <= strlen(r->good); i++)
			r->at[i] = r->good[i];
	}
	return NULL;
}

static int
race_open(struct race *r, long rounds)
{
	long won = 0;

	for (long i = 0; i < rounds; i++) {
		int fd = open((const char *)r->at, O_WRONLY | O_CREAT, 0644);

		if (fd >= 0)
			(void)close(fd);
		if (access(r->bad, F_OK) == 0) {
			won++;
			(void)unlink(r->bad);
		}
	}
	(void)printf("won %ld of %ld\n", won, rounds);
	return won != 0;
}

/* The bad one has something in it at the beginning, and stays empty once the race is won.
 */
static int
race_truncate(struct race *r, long rounds)
{
	struct stat st = { .st_size = 1 };
	long won = 0;

	for (long i = 0; i < rounds && !won; i++) {
		int fd = i % 2 ? open((const char *)r->at, O_RDONLY | O_TRUNC) : -1;

		if (fd >= 0)
			(void)close(fd);
		if (i % 2 == 0)
			(void)!truncate((const char *)r->at, 0);
		won = stat(r->bad, &st) == 0 && st.st_size == 0;
	}
	(void)printf("won %ld of %ld\n", won, rounds);
	return won != 0;
}

/* The bad word printed is a race won; the output is read through a pipe. */
static int
run_once(struct race *r)
{
	char text[64] = { 0 };
	char *words[] = { "/bin/echo", (char *)r->at, NULL };
	int pipes[2], status;
	pid_t pid;

	if (pipe(pipes))
		exit(70);
	pid = fork();
	if (pid == 0) {
		(void)dup2(pipes[1], 1);
		(void)execve("/bin/echo", words, NULL);
		_exit(1);
	}
	(void)close(pipes[1]);
	(void)!read(pipes[0], text, sizeof text - 1);
	(void)close(pipes[0]);
	(void)waitpid(pid, &status, 0);
	return strncmp(text, r->bad, strlen(r->bad)) == 0;
}

static int
race_exec(struct race *r, long rounds)
{
	long won = 0;

	for (long i = 0; i < rounds; i++)
		won += run_once(r);
	(void)printf("won %ld of %ld\n", won, rounds);
	return won != 0;
}

int
main(int argc, char **argv)
{
	struct race r = { 0 };
	long rounds = number(argc, argv, 4);
	pthread_t thread;
	int status;

	r.good = word(argc, argv, 2);
	r.bad = word(argc, argv, 3);
	r.at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	(void)strcpy((char *)r.at, r.good);
	if (pthread_create(&thread, NULL, swap, &r))
		return 70;
	status = strcmp(argv[1], "open") == 0       ? race_open(&r, rounds)
		 : strcmp(argv[1], "truncate") == 0 ? race_truncate(&r, rounds)
						    : race_exec(&r, rounds);
	r.stop = 1;
	(void)pthread_join(thread, NULL);
	return status;
}
