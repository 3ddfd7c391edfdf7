/* broker/exec/exec_gate.h: the argv of an exec, and execs that are in progress. */
#pragma once
#include "broker/path/target.h"

struct exec_argv {
	struct str bytes; /* all strings, each with its NUL */
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
	struct str argv; /* as judged, in memory of its own */
	uint64_t dev, ino;
};

/* ---- exec_watch.c */

/* The process of a thread that waits in a call. */
pid_t exec_process(pid_t tid);
/* Defer the call if another exec of its process is in progress; perform_exec() gets it
 * again then.  True: deferred, or answered with EAGAIN because the table is full. */
bool exec_defer(const struct call *c, pid_t process);
/* Seize a task so that it stops at its exec.  False, with errno, if a debugger inside
 * traces it or it has died. */
bool exec_seize(struct broker *br, pid_t tid, pid_t process);
/* Keep what was judged until the exec has ended. */
bool exec_watch_add(struct broker *br, pid_t tid, pid_t process,
    const struct exec_argv *argv, const struct stat *st);
/* The exec of this thread; NULL: none. */
struct watched_exec *exec_watch_find(struct broker *br, pid_t tid);
/* The thread's exec has ended: forget it, and serve the execs that were deferred. */
void exec_watch_remove(struct broker *br, pid_t tid);

/* ---- exec_argv.c */

/* Read argv from the caller's memory.  Returns 0 or a positive errno.  *ret is valid until
 * argv is read again. */
int argv_read(struct broker *br, pid_t pid, uint64_t argv, struct exec_argv *ret);
/* Read argv of the image that the process runs now. */
int argv_of_image(struct broker *br, pid_t pid, struct exec_argv *ret);
/* The program and its arguments for a report, truncated. */
struct str argv_show(struct arena *a, struct str file, const struct exec_argv *argv);
