/*
 * bench/spawn.c: measure the start of programs.
 *
 *   spawn [-i FILE] ROUNDS PROGRAM [ARG...] ++ PROGRAM [ARG...] ...
 *
 * With -i FILE each program has FILE as its standard input, and our environment; without
 * it, neither.
 *
 * Starts the programs in turn, so that all meet the same conditions, and waits for each.
 * Prints a line for each: the least time and the 10th percentile, in ns.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROGRAMS = 16 };

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t
start(char **argv, int input)
{
	static char *none[] = { NULL };
	uint64_t began = now();
	int status;
	pid_t p = vfork();

	if (p == 0) {
		if (input >= 0)
			(void)lseek(input, 0, SEEK_SET);
		execve(argv[0], argv, input >= 0 ? environ : none);
		_exit(127);
	}
	if (p < 0 || waitpid(p, &status, 0) != p || !WIFEXITED(status) ||
	    WEXITSTATUS(status) == 127) {
		fprintf(stderr, "spawn: %s did not start\n", argv[0]);
		exit(1);
	}
	return now() - began;
}

static int
by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

int
main(int argc, char **argv)
{
	char **program[PROGRAMS];
	uint64_t *took[PROGRAMS];
	int count = 1, out = dup(1), null = open("/dev/null", O_WRONLY), input = -1;
	size_t rounds;

	if (argc > 2 && strcmp(argv[1], "-i") == 0) {
		input = open(argv[2], O_RDONLY);
		if (input < 0 || dup2(input, 0) != 0)
			return 64;
		argc -= 2;
		argv += 2;
	}
	if (argc < 5 || null < 0 || out < 0)
		return 64;
	rounds = strtoul(argv[1], NULL, 10);
	program[0] = argv + 2;
	for (int i = 2; i < argc; i++)
		if (strcmp(argv[i], "++") == 0) {
			if (count == PROGRAMS)
				return 64;
			argv[i] = NULL;
			program[count++] = argv + i + 1;
		}
	if (count < 2 || rounds == 0)
		return 64;
	dup2(null, 1);
	for (int k = 0; k < count; k++) {
		took[k] = calloc(rounds, sizeof **took);
		if (!took[k])
			return 70;
	}
	for (size_t r = 0; r < rounds; r++)
		for (int k = 0; k < count; k++)
			took[k][r] = start(program[k], input);
	for (int k = 0; k < count; k++) {
		qsort(took[k], rounds, sizeof **took, by_value);
		dprintf(out, "%llu %llu\n", (unsigned long long)took[k][0],
		    (unsigned long long)took[k][rounds / 10]);
		free(took[k]);
	}
	return 0;
}
