/* broker/exec/gate.h: inside the room: the words of an exec, and execs that are under way.
 */
#pragma once
#include "broker/path/target.h"

struct exec_argv {
	struct str bytes; /* all of them, each with its NUL */
	struct str *v;
	size_t n;
};

/* An exec that waits until another exec of its process has ended. */
struct deferred_exec {
	struct kernel_notif n;
	pid_t process;
};

/* An exec that was allowed and has not ended yet. */
struct watched_exec {
	pid_t tid, process;
	struct str words; /* mapped memory of its own */
	uint64_t dev, ino;
};

/* gate_watch.c: the process of a thread that waits in a call. */
pid_t exec_process(pid_t tid);
/* True when the call has to wait for another exec; gate_exec() sees it again then. */
bool exec_defer(const struct call *c, pid_t process);
/* Seize a task so that it stops at its exec.  False, with errno, when a debugger inside
 * traces it or it has died. */
bool exec_seize(struct broker *br, pid_t tid, pid_t process);
/* Keep what was judged until the exec has ended. */
bool exec_watch_add(struct broker *br, pid_t tid, pid_t process,
    const struct exec_argv *words, const struct stat *st);
struct watched_exec *exec_watch_find(struct broker *br, pid_t tid);
/* Its exec has ended: those that waited for it go on. */
void exec_watch_remove(struct broker *br, pid_t tid);

/* At the call: from the caller's memory.  0, or a positive errno.  What is in *ret is good
 * until the next words are read. */
int argv_read(struct broker *br, pid_t pid, uint64_t argv, struct exec_argv *ret);
/* At the stop: of the image that is there now. */
int argv_of_image(struct broker *br, pid_t pid, struct exec_argv *ret);
/* For a report: the program and its words, cut where they are long. */
struct str argv_show(struct arena *a, struct str file, const struct exec_argv *words);
