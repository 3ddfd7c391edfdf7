/*
 * The exec gate judges every exec of the tree by the program and the argv that it really
 * gets.
 *
 * When the call comes in, path and argv are read and judged; a refusal is an ordinary error
 * to the program.  Another thread may change that memory before the kernel reads it again.
 * So before the call continues, the gate seizes the task with ptrace(2).  The task stops
 * with its new image, before its first instruction.  Then the gate reads argv and the
 * program again, where nobody has written yet.  If they are as judged, the task runs.  If
 * not, they are judged again, and the task is killed if they are refused.
 *
 * Only one exec of a process is in progress at a time: while a thread is in execve(2), its
 * siblings wait for their answer.  An exec kills its siblings.  If we traced one of them,
 * the exec would wait for us to reap it, while we wait in ptrace(2) for the lock that the
 * exec holds.
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
is_refused(struct broker *br, pid_t pid, struct str file, const struct exec_argv *argv,
    bool traced)
{
	char cwd[LIMIT_PATH], path[64], shown[8192];
	struct str why = { NULL, 0 };
	struct arena a;
	ssize_t n = readlink(proc_path(path, sizeof path, pid, "cwd"), cwd, sizeof cwd);
	struct exec_request q = { .file = file,
		.argv = argv->v,
		.argc = argv->n,
		.pid = pid,
		.cwd = n > 0 ? str_of(cwd, (size_t)n) : STR(""),
		.first = !br->started,
		.traced = traced,
		.ret_why = &why };
	enum verdict v = br->policy->judge(br->policy->ctx, &q);

	if (v == VERDICT_ALLOW || v == VERDICT_CONFINE)
		return false;
	arena_init(&a, shown, sizeof shown);
	violation_add(br, pid, RUN_EXEC, argv_show(&a, file, argv),
	    broker_keep_why(br, why, "a rule forbids the command"));
	return !br->policy->gate_reports;
}

/* ---- at the call */

/* The arguments of execve(2) or execveat(2). */
struct exec_args {
	int dirfd;
	uint64_t path, argv; /* addresses */
	unsigned flags;
};

static struct exec_args
args_of(const struct call *c)
{
	const uint64_t *a = c->n.data.args;

	if (c->n.data.nr == SYS_execveat)
		return (struct exec_args){ (int)a[0], a[1], a[2], (unsigned)a[4] };
	return (struct exec_args){ AT_FDCWD, a[0], a[1], 0 };
}

/* Resolve the path, or with AT_EMPTY_PATH (fexecve) the descriptor. */
static int
resolve_file(struct call *c, const struct exec_args *args, struct target *t)
{
	pid_t pid = (pid_t)c->n.pid;
	char text[LIMIT_PATH];

	if (!child_text(pid, args->path, text, sizeof text))
		return EFAULT;
	if (text[0])
		return target_find(c->br, pid, args->dirfd, text,
		    args->flags & AT_SYMLINK_NOFOLLOW ? 0 : TARGET_FOLLOW, t);
	return args->flags & AT_EMPTY_PATH ? target_from_fd(c->br, pid, args->dirfd, t)
					   : ENOENT;
}

/* Resolve the program.  Returns 0 or the errno that execve(2) fails with. */
static int
find_file(struct call *c, const struct exec_args *args, struct target *t)
{
	int error = resolve_file(c, args, t);

	if (error == EINVAL || error == ENODEV)
		return EACCES;
	if (error)
		return error;
	if (!t->exists)
		return ENOENT;
	if (!S_ISREG(t->st.st_mode))
		return EACCES;
	if (t->parent >= 0 && faccessat(t->parent, t->name, X_OK, 0))
		return errno;
	return 0;
}

static void
refuse_traced(struct call *c, const struct target *p)
{
	violation_add(c->br, (pid_t)c->n.pid, RUN_EXEC, target_path(p),
	    "a debugger inside traces it (--tracer refuse)");
	call_answer(c, EACCES);
}

/* The exec is allowed.  From here on the kernel acts on memory that may have changed. */
static void
let_exec(struct call *c, const struct target *p, const struct exec_argv *argv)
{
	struct broker *br = c->br;
	pid_t tid = (pid_t)c->n.pid, process = exec_process(tid);

	if (!exec_seize(br, tid, process)) {
		/* gdb and strace trace what they start.  Judge such an exec at entry only,
		 * and report it. */
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
	/* exec_stopped() lets it run. */
	if (!exec_watch_add(br, tid, process, argv, &p->st))
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
	const struct exec_args args = args_of(c);
	bool first;
	struct exec_argv argv;
	int error;

	if (br->execs_n && exec_defer(c, exec_process((pid_t)c->n.pid)))
		return;
	error = find_file(c, &args, &p);
	if (!error && !br->policy->judge)
		error = EACCES;
	if (!error)
		error = argv_read(br, (pid_t)c->n.pid, args.argv, &argv);
	if (!error && is_refused(br, (pid_t)c->n.pid, target_path(&p), &argv, false))
		error = EACCES;
	if (error) {
		call_answer(c, error);
		return;
	}
	/* The first exec outside a session: no other process can change its argv yet.  The
	 * interpreter of a script is only known after the exec. */
	first = !br->started && !br->wants_session && !is_script(&p);
	br->started = true;
	if (first)
		call_continue(c);
	else if (call_is_valid(c))
		let_exec(c, &p, &argv);
}

/* ---- at the stop */

/* True if the new image is what was judged, or is allowed as well. */
static bool
is_as_judged(struct broker *br, pid_t pid, const struct watched_exec *w)
{
	char path[64], file[LIMIT_PATH];
	struct exec_argv argv;
	struct stat st;
	ssize_t n;

	if (stat(proc_path(path, sizeof path, pid, "exe"), &st) ||
	    argv_of_image(br, pid, &argv))
		return false;
	if (st.st_dev == w->dev && st.st_ino == w->ino && str_eq(argv.bytes, w->argv))
		return true;
	/* A script runs as its interpreter; after a won race something else runs. */
	n = readlink(path, file, sizeof file);
	return n > 0 && !is_refused(br, pid, str_of(file, (size_t)n), &argv, false);
}

void
exec_stopped(struct broker *br, pid_t pid, int status)
{
	unsigned long former = (unsigned long)pid;
	int event = status >> 16;

	if (WIFSTOPPED(status)) {
		if (event == EVENT_EXEC) {
			const struct watched_exec *w;

			/* After an exec in a thread, the thread has the PID of its
			 * process. */
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
