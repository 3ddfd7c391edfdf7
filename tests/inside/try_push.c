/*
 * try_push VARIANT ROUNDS: `git push` by a program, while a thread swaps the words.
 *
 * A file named "git" lies in the working directory, and "gut" beside it: both are this
 * program under other names.  As git with the word push it notes that it ran.  VARIANT is
 * how it is started, and what the thread rewrites: the word (words), the pointer to it
 * (pointer) or the path of the program (path).
 */
#include "try.h"
#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>

extern char **environ;

#define NOTE "pushed"

struct shared {
	char word[8], path[16], quiet[8], loud[8];
	char *argv[4];
	volatile int stop;
};

static struct shared *mem;
static const char *what;
static int git;

static void
put(const char *from, volatile char *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = from[i];
}

/* Both states last a while, and never the same. */
static void *
swap(void *unused)
{
	unsigned dice = 12345;

	(void)unused;
	for (unsigned turn = 0; !mem->stop; turn++) {
		int loud = (int)(turn & 1);

		if (strcmp(what, "words") == 0)
			put(loud ? "push" : "pull", mem->word, 5);
		else if (strcmp(what, "pointer") == 0)
			*(char *volatile *)&mem->argv[1] = loud ? mem->loud : mem->quiet;
		else
			*(volatile char *)&mem->path[3] = loud ? 'i' : 'u';
		dice = dice * 1103515245 + 12345;
		for (volatile unsigned i = 0; i < (dice >> 16) % 20000; i++)
			;
	}
	return NULL;
}

static void
start(const char *how)
{
	if (strcmp(how, "execveat") == 0)
		(void)syscall(SYS_execveat, AT_FDCWD, mem->path, mem->argv, environ, 0);
	else if (strcmp(how, "fexecve") == 0)
		(void)syscall(SYS_execveat, git, "", mem->argv, environ, AT_EMPTY_PATH);
	else
		(void)execve(mem->path, mem->argv, environ);
	_exit(1);
}

static void
once(const char *how)
{
	pid_t pid = -1;

	if (strcmp(how, "posix_spawn") == 0) {
		if (posix_spawn(&pid, mem->path, NULL, NULL, mem->argv, environ))
			return;
	} else {
		pid = strcmp(how, "vfork") == 0 ? vfork() : fork();
		if (pid == 0)
			start(how);
	}
	if (pid > 0)
		(void)waitpid(pid, NULL, 0);
}

static int
be_git(int argc, char **argv)
{
	int fd;

	if (argc < 2 || strcmp(argv[1], "push") != 0)
		return 0;
	fd = open(NOTE, O_WRONLY | O_CREAT | O_APPEND, 0644);
	return fd < 0 || write(fd, "x", 1) != 1;
}

int
main(int argc, char **argv)
{
	const char *name = strrchr(argv[0], '/'), *base = name ? name + 1 : argv[0];
	pthread_t thread;
	struct stat st;
	long rounds;

	if (strcmp(base, "git") == 0)
		return be_git(argc, argv);
	if (strcmp(base, "gut") == 0)
		return 0;
	rounds = number(argc, argv, 3);
	what = word(argc, argv, 2);
	mem = mmap(
	    NULL, sizeof *mem, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	git = open("./git", O_PATH);
	memcpy(mem->word, "pull", 5);
	memcpy(mem->quiet, "pull", 5);
	memcpy(mem->loud, "push", 5);
	memcpy(mem->path, strcmp(what, "path") == 0 ? "./gut" : "./git", 6);
	mem->argv[0] = strcmp(what, "path") == 0 ? mem->path : (char *)"./git";
	mem->argv[1] = strcmp(what, "path") == 0 ? mem->loud : mem->word;
	(void)unlink(NOTE);
	if (pthread_create(&thread, NULL, swap, NULL))
		return 70;
	for (long i = 0; i < rounds; i++)
		once(word(argc, argv, 1));
	mem->stop = 1;
	(void)pthread_join(thread, NULL);
	(void)printf("won %ld of %ld\n", stat(NOTE, &st) ? 0L : (long)st.st_size, rounds);
	return 0;
}
