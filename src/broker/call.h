/* broker/call.h: one call that the filter sent, the ways to answer it, and its caller. */
#pragma once
#include "broker/state.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/sys.h"

struct call {
	struct broker *br;
	struct kernel_notif n;
	bool truncates; /* it truncates a file by name, without opening it for writing */
};

/* ---- answers: notify.c */

/* True while the caller waits for an answer.  False: there is nothing to answer. */
bool call_is_valid(const struct call *c);
/* True if the call truncates by name and only our answer enforces that. */
bool call_is_unenforced(const struct call *c);
/* Let the kernel run the call (SECCOMP_USER_NOTIF_FLAG_CONTINUE), whatever its arguments
 * mean by then: this enforces nothing.  An unenforced call gets EACCES instead. */
void call_continue(const struct call *c);
/* The same for a call that the kernel will fail with `error`; an unenforced one gets that.
 */
void call_continue_to(const struct call *c, int error);
/* The path cannot be resolved.  Answer ENOENT and ENOTDIR directly: if the kernel resolved
 * the path again, a directory that another thread has just made would turn "not there" into
 * Landlock's EACCES.  Let the call continue with any other error; mounts and Landlock bound
 * it. */
void call_fail(const struct call *c, int error);
/* Answer with 0 or a positive errno. */
void call_answer(const struct call *c, int error);
/* Install `fd` in the caller and answer with its number. */
void call_return_fd(const struct call *c, int fd, bool cloexec);
/* Install `fd` in the caller; the answer is still to be given.  Returns its number there,
 * or -1 and errno. */
int call_add_fd(const struct call *c, int fd, bool cloexec);
/* Replace the caller's descriptor `number` by `fd`; the answer is still to be given. */
bool call_replace_fd(const struct call *c, int fd, int number);
/* Fetch the caller's descriptor in the first argument.  Returns it, or a negative errno. */
int call_socket(const struct call *c);
/* Fork a worker that may block.  Returns true in the worker, false in the supervisor.
 * *ret_error is 0, or why there is no worker. */
bool call_in_worker(const struct call *c, int *ret_error);

/* ---- the caller's memory and files in /proc: child.c */

/* Copy `n` bytes of the process's memory. */
bool child_read(pid_t pid, uint64_t at, void *buf, size_t n);
/* Write `n` bytes to the process's memory. */
bool child_write(pid_t pid, uint64_t at, const void *from, size_t n);
/* Copy a string with its NUL.  False if it is longer than `n` or cannot be read. */
bool child_text(pid_t pid, uint64_t at, char *buf, size_t n);
/* Open /proc/PID/`what` for reading.  Returns -1 and errno on failure. */
int child_file(pid_t pid, const char *what);
/* Read the umask from an open /proc/PID/status. */
bool child_umask(int status, mode_t *ret);
/* The flags of the process's descriptor; O_CLOEXEC alone if they cannot be read. */
unsigned child_fd_flags(pid_t pid, int fd);
/* The thread group ID of a thread. */
pid_t child_process(pid_t pid);
/* The PID of the caller in its own namespace: "7", or with `thread` "7/task/9". */
bool child_inner(pid_t pid, bool thread, char *buf, size_t n);
/* The name of the process's program, stored in `buf`. */
struct str child_program(pid_t pid, char *buf, size_t n);

/* ---- the same, remembered between calls: task.c */

/* Open a file of the task's /proc directory.  Returns a negative errno on failure. */
int task_open(struct broker *br, pid_t pid, const char *what, int flags);
/* The kernel's path of the task's working directory (AT_FDCWD) or of its descriptor
 * `dirfd`. Returns its length, or 0. */
size_t task_base(struct broker *br, pid_t pid, int dirfd, char *buf, size_t n);
/* The task's umask; 077 if it cannot be read. */
mode_t task_umask(struct broker *br, pid_t pid);
/* The task is about to call umask(2): forget what is known. */
void task_changes_umask(struct broker *br, pid_t pid);
/* The kernel's path of one of our own descriptors, with a NUL.  Returns its length, or 0.
 */
size_t task_own_path(struct broker *br, int fd, char *buf, size_t n);
/* In a forked worker: forget the supervisor's /proc/self/fd. */
void task_in_worker(struct broker *br);

/* ---- handlers, by kind of call; confine/filter/calls.list names them */

struct target;

/* open.c: open(2), openat(2), openat2(2), creat(2). */
void perform_open(
    struct call *c, int dirfd, uint64_t path, const struct kernel_open_how *how);
/* Log a change of `t` that the kernel will refuse. */
void broker_note_refusal(struct call *c, const struct target *t, enum run_op op);
/* names.c: calls that create, move or remove names. */
void perform_names(struct call *c);
/* attributes.c: modes, owners, times, extended attributes.  Never continues a call. */
void perform_attribute(struct call *c);
/* winsize.c: a request to a terminal. */
void perform_ioctl(struct call *c);
/* kill.c: a signal to the caller's own process group. */
void perform_kill(struct call *c);
/* exec/exec_gate.c: execve(2), execveat(2). */
void perform_exec(struct call *c);

/* review_move.c: move a directory that lies in the lower layer of the overlay.  Returns 0
 * or a positive errno, and moves back what it has moved when it fails. */
int review_move(
    int from_dir, const char *from_name, int to_dir, const char *to_name, unsigned depth);
