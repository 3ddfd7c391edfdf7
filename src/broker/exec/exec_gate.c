/*
 * The exec gate: every exec of the tree is judged on the program and the words that it
 * really gets.
 *
 * When the call comes in, name and words are read and judged: a refusal is an ordinary
 * error to the program.  What is read there another thread may change before the kernel
 * reads it again.  So before the call goes on the task is seized; it stops with its new
 * image, before its first instruction.  Then its words and its program are read once more,
 * from where nobody has written yet: the same as judged, and it goes on; another, and they
 * are judged again, and it dies if they are refused.
 *
 * One exec of a process at a time: while a thread is in execve(2) its siblings wait for
 * their answer.  An exec kills them, and would wait for us to reap one that we trace while
 * we wait in ptrace(2) for the lock that the exec holds.
 */
#define _GNU_SOURCE
#include "broker/exec/exec_gate.h"
#include "broker/report/report.h"
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#define EVENT_EXEC 4
#define EVENT_STOP 128

/* ---- judging */

static bool
is_refused(struct broker *br, pid_t pid, struct str file, const struct exec_argv *words,
    bool traced)
{
	char cwd[LIMIT_PATH], path[64], shown[8192];
	struct str why = { NULL, 0 };
	struct arena a;
	ssize_t n = readlink(proc_path(path, sizeof path, pid, "cwd"), cwd, sizeof cwd);
	struct exec_request q = { .file = file,
		.argv = words->v,
		.argc = words->n,
		.pid = pid,
		.cwd = n > 0 ? str_of(cwd, (size_t)n) : STR(""),
		.first = !br->started,
		.traced = traced,
		.ret_why = &why };
	enum verdict v = br->policy->judge(br->policy->ctx, &q);

	if (v == VERDICT_ALLOW || v == VERDICT_CONFINE)
		return false;
	arena_init(&a, shown, sizeof shown);
	violation_add(br, pid, RUN_EXEC, argv_show(&a, file, words),
	    broker_keep_why(br, why, "a rule forbids the command"));
	return !br->policy->gate_reports;
}

/* ---- at the call */

static int
find_file(struct call *c, struct target *p)
{
	const uint64_t *a = c->n.data.args;
	bool at = c->n.data.nr == SYS_execveat;
	pid_t pid = (pid_t)c->n.pid;
	unsigned flags = at ? (unsigned)a[4] : 0;
	char text[LIMIT_PATH];
	int error;

	if (!child_text(pid, a[at ? 1 : 0], text, sizeof text))
		return EFAULT;
	if (text[0] == '\0' && !(flags & AT_EMPTY_PATH))
		return ENOENT;
	/* fexecve: whatever the descriptor is */
	error = text[0] == '\0' ? target_from_fd(c->br, pid, (int)a[0], p)
				: target_find(c->br, pid, at ? (int)a[0] : AT_FDCWD, text,
				      flags & AT_SYMLINK_NOFOLLOW ? 0 : TARGET_FOLLOW, p);
	if (!error && !p->exists)
		return ENOENT;
	if (!error && !S_ISREG(p->st.st_mode))
		return EACCES;
	if (!error && p->parent >= 0 && faccessat(p->parent, p->name, X_OK, 0))
		return errno;
	return error == EINVAL || error == ENODEV ? EACCES : error;
}

static void
refuse_traced(struct call *c, const struct target *p)
{
	violation_add(c->br, (pid_t)c->n.pid, RUN_EXEC, target_path(p),
	    "a debugger inside holds it (--tracer refuse)");
	call_answer(c, EACCES);
}

/* Judged and allowed; from here on the kernel acts on memory that may have changed. */
static void
let_exec(
    struct call *c, pid_t process, const struct target *p, const struct exec_argv *words)
{
	struct broker *br = c->br;
	pid_t tid = (pid_t)c->n.pid;

	if (!exec_seize(br, tid, process)) {
		/* gdb and strace trace what they start: judged at entry only, and reported.
		 */
		if (errno != EPERM) {
			call_answer(c, EAGAIN);
			return;
		}
		br->traced_execs++;
		if (br->policy->refuse_traced)
			refuse_traced(c, p);
		else
			call_continue(c);
		return;
	}
	/* Its stop lets it go. */
	if (!exec_watch_add(br, tid, process, words, &p->st))
		call_answer(c, EAGAIN);
	else
		call_continue(c);
}

static bool
is_script(const struct target *p)
{
	cleanup_fd int fd = -1;
	char mark[2];

	if (p->parent < 0)
		return true;
	fd = openat(p->parent, p->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 || read(fd, mark, 2) != 2 || memcmp(mark, "#!", 2) == 0;
}

void
perform_exec(struct call *c)
{
	cleanup_target struct target p = TARGET_NONE;
	struct broker *br = c->br;
	bool at = c->n.data.nr == SYS_execveat, first;
	pid_t process = exec_process((pid_t)c->n.pid);
	struct exec_argv words;
	int error;

	if (exec_defer(c, process))
		return;
	error = find_file(c, &p);
	if (!error && !br->policy->judge)
		error = EACCES;
	if (!error)
		error = argv_read(br, (pid_t)c->n.pid, c->n.data.args[at ? 2 : 1], &words);
	if (!error && is_refused(br, (pid_t)c->n.pid, target_path(&p), &words, false))
		error = EACCES;
	if (error) {
		call_answer(c, error);
		return;
	}
	/* The command itself, outside of a session: there is nobody yet who could change
	 * its words.  What runs a script shows only afterwards. */
	first = !br->started && !br->wants_session && !is_script(&p);
	br->started = true;
	if (first)
		call_continue(c);
	else if (call_is_valid(c))
		let_exec(c, process, &p, &words);
}

/* ---- at the stop */

/* What became of it is what was judged, or may be as well. */
static bool
is_as_judged(struct broker *br, pid_t pid, const struct watched_exec *w)
{
	char path[64], file[LIMIT_PATH];
	struct exec_argv words;
	struct stat st;
	ssize_t n;

	if (stat(proc_path(path, sizeof path, pid, "exe"), &st) ||
	    argv_of_image(br, pid, &words))
		return false;
	if (st.st_dev == w->dev && st.st_ino == w->ino && str_eq(words.bytes, w->words))
		return true;
	/* A script runs as its interpreter; a race won runs as something else. */
	n = readlink(path, file, sizeof file);
	return n > 0 && !is_refused(br, pid, str_of(file, (size_t)n), &words, false);
}

void
exec_stopped(struct broker *br, pid_t pid, int status)
{
	unsigned long former = (unsigned long)pid;
	int event = status >> 16;

	if (WIFSTOPPED(status)) {
		if (event == EVENT_EXEC) {
			const struct watched_exec *w;

			/* An exec in a thread goes on as the process. */
			(void)ptrace(PTRACE_GETEVENTMSG, pid, NULL, &former);
			w = exec_watch_find(br, (pid_t)former);
			if (!w || !is_as_judged(br, pid, w))
				(void)kill(pid, SIGKILL);
		}
		(void)ptrace(PTRACE_DETACH, pid, NULL,
		    (void *)(uintptr_t)(event ? 0 : WSTOPSIG(status)));
	}
	exec_watch_remove(br, (pid_t)former);
}
