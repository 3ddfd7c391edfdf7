/* run/gate.h: inside the room: the words of an exec, and execs that are under way. */
#pragma once
#include "run/supervisor.h"

struct exec_words {
	struct str bytes; /* all of them, each with its NUL */
	struct str *v;
	size_t n;
};

struct watched_exec {
	pid_t tid;
	struct str words; /* mapped memory of its own */
	uint64_t dev, ino;
};

/* At the call: from the caller's memory.  0, or a positive errno.  What is in *ret is good
 * until the next words are read. */
int words_read(struct supervisor *s, pid_t pid, uint64_t argv, struct exec_words *ret);
/* At the stop: of the image that is there now. */
int words_of(struct supervisor *s, pid_t pid, struct exec_words *ret);
/* For a report: the program and its words, cut where they are long. */
struct str words_show(struct arena *a, struct str file, const struct exec_words *words);
