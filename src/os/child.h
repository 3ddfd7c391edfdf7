/*
 * os/child.h: run a program, give it its input and read its output.
 *
 * MUST
 * 1. Return within the time limit, whatever the program does with its input and output.
 * 2. Kill the program and everything in its process group before returning.
 */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <sys/types.h>

struct child_call {
	char *const *argv; /* argv[0] is the path */
	char *const *env;
	const char *cwd;  /* NULL: the directory of this process */
	struct str input; /* standard input; standard error is /dev/null */
	unsigned ms;      /* time limit */
	size_t max;       /* output limit in bytes */
	/* Called with the process group after the start, and with 0 at the end; may be
	 * NULL. */
	void (*watch)(pid_t group);
};

enum child_end {
	CHILD_EXITED,
	CHILD_NOT_STARTED,
	CHILD_LATE,       /* still running at the time limit */
	CHILD_TOO_MUCH,   /* more output than `max` */
	CHILD_UNREADABLE, /* read() of its output failed */
	CHILD_NO_MEMORY,
};

struct child_result {
	int status;        /* as of waitpid(), after CHILD_EXITED */
	struct str output; /* after CHILD_EXITED */
	unsigned ms;       /* time it took */
};

enum child_end child_run(
    struct arena *a, const struct child_call *c, struct child_result *ret);
