/* tests/inside/try.h: what the helpers share that are run inside the sandbox.  Each attempt
 * says SUCCEEDED if it got what it must not get, else what the kernel said. */
#pragma once
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

struct attempt {
	const char *name;
	int (*try)(int argc, char **argv); /* 0: it succeeded; else errno */
};

static inline int
outcome(long r)
{
	return r < 0 ? (errno ? errno : EIO) : 0;
}

static inline const char *
word(int argc, char **argv, int i)
{
	if (i >= argc) {
		(void)fprintf(stderr, "an argument is missing\n");
		exit(64);
	}
	return argv[i];
}

static inline long
number(int argc, char **argv, int i)
{
	return strtol(word(argc, argv, i), NULL, 0);
}

/* argv: program, attempt, its arguments. */
static inline int
try_main(const struct attempt *all, size_t n, int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < n; i++) {
		int error;

		if (strcmp(all[i].name, argv[1]) != 0)
			continue;
		error = all[i].try(argc - 2, argv + 2);
		(void)printf("%s %s\n", argv[1], error ? strerror(error) : "SUCCEEDED");
		return error != 0;
	}
	(void)fprintf(stderr, "no such attempt\n");
	return 64;
}
