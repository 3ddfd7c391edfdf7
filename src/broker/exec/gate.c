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
#include "broker/exec/gate.h"
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#define EVENT_EXEC 4
#define EVENT_STOP 128

/* ---- judging */

static bool
is_refused(struct supervisor *s, pid_t pid, struct str file, const struct exec_words *words,
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
		.first = !s->started,
		.traced = traced,
		.ret_why = &why };
	enum verdict v = s->q->judge(s->q->judge_context, &q);

	if (v == VERDICT_ALLOW || v == VERDICT_CONFINE)
		return false;
	arena_init(&a, shown, sizeof shown);
	violate(s, pid, RUN_EXEC, words_show(&a, file, words),
	    keep_why(s, why, "a rule forbids the command"));
	return !s->q->gate_reports;
}

/* ---- at the call */

static int
find_file(struct call *c, struct place_in *p)
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
	error = text[0] == '\0' ? place_descriptor(c->s, pid, (int)a[0], p)
				: place_find(c->s, pid, at ? (int)a[0] : AT_FDCWD, text,
				      flags & AT_SYMLINK_NOFOLLOW ? 0 : PLACE_FOLLOW, p);
	if (!error && !p->exists)
		return ENOENT;
	if (!error && !S_ISREG(p->st.st_mode))
		return EACCES;
	if (!error && p->parent >= 0 && faccessat(p->parent, p->name, X_OK, 0))
		return errno;
	return error == EINVAL || error == ENODEV ? EACCES : error;
}

static void
refuse_traced(struct call *c, const struct place_in *p)
{
	violate(c->s, (pid_t)c->n.pid, RUN_EXEC, place_path(p),
	    "a debugger inside holds it (--tracer refuse)");
	call_answer(c, EACCES);
}

/* Judged and allowed; from here on the kernel acts on memory that may have changed. */
static void
let_exec(struct call *c, const struct place_in *p, const struct exec_words *words)
{
	struct supervisor *s = c->s;
	pid_t tid = (pid_t)c->n.pid, process = watch_process(tid);

	if (!watch_seize(s, tid, process)) {
		/* gdb and strace trace what they start: judged at entry only, and reported.
		 */
		if (errno != EPERM) {
			call_answer(c, EAGAIN);
			return;
		}
		s->result->traced_execs++;
		if (s->q->refuse_traced)
			refuse_traced(c, p);
		else
			call_go_on(c);
		return;
	}
	/* Its stop lets it go. */
	if (!watch_add(s, tid, process, words, &p->st))
		call_answer(c, EAGAIN);
	else
		call_go_on(c);
}

static bool
is_script(const struct place_in *p)
{
	cleanup_fd int fd = -1;
	char mark[2];

	if (p->parent < 0)
		return true;
	fd = openat(p->parent, p->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 || read(fd, mark, 2) != 2 || memcmp(mark, "#!", 2) == 0;
}

void
gate_exec(struct call *c)
{
	cleanup_place struct place_in p = PLACE_NONE;
	struct supervisor *s = c->s;
	bool at = c->n.data.nr == SYS_execveat, first;
	struct exec_words words;
	int error;

	if (s->execs_n && watch_hold(c, watch_process((pid_t)c->n.pid)))
		return;
	error = find_file(c, &p);
	if (!error && !s->q->judge)
		error = EACCES;
	if (!error)
		error = words_read(s, (pid_t)c->n.pid, c->n.data.args[at ? 2 : 1], &words);
	if (!error && is_refused(s, (pid_t)c->n.pid, place_path(&p), &words, false))
		error = EACCES;
	if (error) {
		call_answer(c, error);
		return;
	}
	/* The command itself, outside of a session: there is nobody yet who could change
	 * its words.  What runs a script shows only afterwards. */
	first = !s->started && !s->q->place && !is_script(&p);
	s->started = true;
	if (first)
		call_go_on(c);
	else if (call_is_valid(c))
		let_exec(c, &p, &words);
}

/* ---- at the stop */

/* What became of it is what was judged, or may be as well. */
static bool
is_as_judged(struct supervisor *s, pid_t pid, const struct watched_exec *w)
{
	char path[64], file[LIMIT_PATH];
	struct exec_words words;
	struct stat st;
	ssize_t n;

	if (stat(proc_path(path, sizeof path, pid, "exe"), &st) || words_of(s, pid, &words))
		return false;
	if (st.st_dev == w->dev && st.st_ino == w->ino && str_eq(words.bytes, w->words))
		return true;
	/* A script runs as its interpreter; a race won runs as something else. */
	n = readlink(path, file, sizeof file);
	return n > 0 && !is_refused(s, pid, str_of(file, (size_t)n), &words, false);
}

void
gate_stopped(struct supervisor *s, pid_t pid, int status)
{
	unsigned long former = (unsigned long)pid;
	int event = status >> 16;

	if (WIFSTOPPED(status)) {
		if (event == EVENT_EXEC) {
			const struct watched_exec *w;

			/* An exec in a thread goes on as the process. */
			(void)ptrace(PTRACE_GETEVENTMSG, pid, NULL, &former);
			w = watch_find(s, (pid_t)former);
			if (!w || !is_as_judged(s, pid, w))
				(void)kill(pid, SIGKILL);
		}
		(void)ptrace(PTRACE_DETACH, pid, NULL,
		    (void *)(uintptr_t)(event ? 0 : WSTOPSIG(status)));
	}
	watch_forget(s, (pid_t)former);
}
