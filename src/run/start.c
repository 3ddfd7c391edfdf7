#define _GNU_SOURCE
#include "confine/probe/probe.h"
#include "run/run_internal.h"
#include "run/session/prejoin.h"
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define GO 1

bool
not_started(struct supervisor *s, enum plan_field field, const struct str *parts, size_t n)
{
	struct buf b;

	buf_init(&b, s->br.a);
	for (size_t i = 0; i < n; i++)
		buf_put(&b, parts[i]);
	s->result->end = RUN_NOT_STARTED;
	s->result->field = field;
	s->result->why = buf_str(&b);
	s->result->fields[field] = (struct plan_field_state){ PLAN_REFUSED,
		broker_keep_why(&s->br, s->result->why, "it cannot be enforced here") };
	return false;
}

/* ---- inside */

void
start_no_signals(void)
{
	sigset_t all;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
}

/* The first process: wait until its user map is written, confine itself, start the command
 * and reap. */
static _Noreturn void
inside(struct supervisor *s, int control)
{
	struct entering e = { .plan = s->br.plan, .control = control };
	char go = 0;

	start_no_signals();
	if (!output_take(s))
		_exit(125);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0))
		_exit(125);
	/* A supervisor that died before this line has closed its end of the socket.  With
	 * namespaces made before there is nothing to wait for: enter_apply() fails when it
	 * reports. */
	if (!s->prenamespaced && (read(control, &go, 1) != 1 || go != GO))
		_exit(125);
	/* Before the user map is written, geteuid(2) returns the overflow user. */
	e.root = geteuid() == 0;
	e.sources = arena_array(s->br.a, s->br.plan->mounts_n + 1, sizeof *e.sources);
	if (!e.sources)
		_exit(125);
	enter_apply(&e);
	reaper_run(ENTER_CONTROL, s->q->argv, s->q->envp);
}

_Noreturn void
start_first(struct supervisor *s, const int *pair)
{
	(void)close(pair[0]);
	/* The process is a copy of the helper, which started before SIGCHLD was reset. */
	(void)signal(SIGCHLD, SIG_DFL);
	inside(s, pair[1]);
}

/* In a session: apply only what is the run's own. */
static _Noreturn void
inside_joined(struct supervisor *s, int control)
{
	struct entering e = { .plan = s->br.plan,
		.part = ENTER_JOIN,
		.session_paths = s->session.writable,
		.differs = s->session.differs,
		.control = control,
		.root = geteuid() == 0 };

	start_no_signals();
	enter_apply(&e);
	join_reap(&e, s->q->argv, s->q->envp, NULL);
}

/* ---- outside */

static pid_t
clone_inside(struct supervisor *s, int *pidfd)
{
	unsigned long flags = enter_namespaces(s->br.plan) | KERNEL_CLONE_PIDFD | SIGCHLD;

	return (pid_t)syscall(SYS_clone, flags, 0, pidfd, 0, 0);
}

/* Open its root directory now.  Later the first process is not dumpable, and /proc hides
 * it. */
static int
root_of(pid_t pid)
{
	char path[64];

	return openat(
	    AT_FDCWD, proc_path(path, sizeof path, pid, "root"), O_PATH | O_CLOEXEC);
}

static bool
open_root(struct supervisor *s)
{
	if (s->br.root < 0)
		s->br.root = root_of(s->br.init);
	return s->br.root >= 0 ||
	       NOT_STARTED(s, FIELD_PROCESSES, STR("cannot see the new root: "),
		   str_from_c(strerror(errno)));
}

/* Clone into namespaces that were made before; -1: there are none that fit. */
static pid_t
first_inside(struct supervisor *s, int *pair)
{
	const struct plan_limits *l = &s->br.plan->limits;
	struct prenamespace *x = s->q->prenamespace;
	pid_t pid;

	/* A process that must be put into a cgroup first has to wait for that. */
	if (s->br.in_session || l->memory || l->processes) {
		prenamespace_end(x);
		return -1;
	}
	if (!prenamespace_ready(x, enter_namespaces(s->br.plan)))
		return -1;
	/* Open its root now: the first process waits for nobody, and may be gone once it
	 * has a PID. */
	s->br.root = root_of(prenamespace_helper(x));
	if (s->br.root < 0 || enter_map_users(prenamespace_helper(x))) {
		fd_close(&s->br.root);
		prenamespace_end(x);
		return -1;
	}
	s->prenamespaced = true;
	pid = prenamespace_first(x, s, pair, &s->pidfd);
	s->prenamespaced = pid > 0;
	if (pid < 0)
		fd_close(&s->br.root);
	return pid;
}

/* Print which steps were made, for debugging. */
static void
tell_steps(struct supervisor *s, int failed)
{
	struct buf b;

	if (!s->br.plan->debug_dir.p)
		return;
	buf_init(&b, s->br.a);
	enter_print(s->br.plan->bare   ? ENTER_BARE
		    : s->br.in_session ? ENTER_JOIN
				       : ENTER_WHOLE,
	    failed, &b);
	s->result->steps = buf_str(&b);
}

/* Report weaker enforcement than usual. */
void
start_ready(struct supervisor *s, int abi)
{
	struct plan_field_state *f = s->result->fields;

	/* The mounts do not cover a file that was passed in, even if all of them are
	 * read-only. */
	s->br.truncate_unenforced = abi < LANDLOCK_TRUNCATION;
	if (abi == 0)
		f[FIELD_TYPE].by = "read-only mounts alone: the kernel has no Landlock";
	if (s->br.listener < 0)
		f[FIELD_PROTECTED].by =
		    "read-only mounts; another supervisor listens to the calls already, so "
		    "no refusal is reported";
	tell_steps(s, -1);
}

bool
start_explain(struct supervisor *s, const struct enter_report *r)
{
	struct str what = str_from_c(enter_step_name(r->step));
	struct str cause = str_from_c(strerror(r->error));
	struct str path = str_of(r->path, strnlen(r->path, sizeof r->path));

	tell_steps(s, r->step);
	if (!s->br.in_session && enter_needs_namespaces(r->step, r->error))
		s->no_namespaces = r->error;
	if (r->error == ESTALE)
		cause = STR("it was replaced since the plan was made");
	return NOT_STARTED(s, enter_step_field(r->step),
	    str_from_c(plan_field_name(enter_step_field(r->step))),
	    STR(" cannot be enforced: failed: "), what, path.n ? STR(" ('") : STR(""), path,
	    path.n ? STR("')") : STR(""), STR(": "), cause, STR("; hint: "),
	    str_from_c(enter_step_advice(r->step, r->error)));
}

/* Receive a socket for a list of hosts; with the last one start the helper, and let the
 * process inside continue. */
static bool
take_socket(struct supervisor *s, const struct enter_report *r, int *fd)
{
	const char *why;
	char go = GO;

	if (r->status < 0 || r->status >= ENTER_SOCKETS || *fd < 0)
		return NOT_STARTED(
		    s, FIELD_NETWORK_ALLOW, STR("the process inside sent no sockets"));
	s->br.net.sockets[r->status] = fd_steal(fd);
	if (r->status + 1 < ENTER_SOCKETS)
		return true;
	if ((why = net_start(&s->br)))
		return NOT_STARTED(s, FIELD_NETWORK_ALLOW, str_from_c(why));
	return write(s->control, &go, 1) == 1 ||
	       NOT_STARTED(s, FIELD_NETWORK_ALLOW, STR("the process inside died"));
}

/* Wait until it is confined, or has reported why not. */
bool
start_wait_ready(struct supervisor *s)
{
	/* Now there is time for it. */
	(void)stall_begin(s);
	for (;;) {
		struct enter_report r;
		cleanup_fd int fd = -1;

		if (!enter_receive(s->control, &r, &fd))
			return NOT_STARTED(s, FIELD_PROCESSES,
			    STR("the process inside died before it was confined"));
		if (r.kind == ENTER_READY) {
			s->br.listener = fd_steal(&fd);
			start_ready(s, r.status);
			return true;
		}
		if (r.kind == ENTER_UPPER) {
			s->result->upper = fd_steal(&fd);
			continue;
		}
		if (r.kind != ENTER_SOCKET)
			return start_explain(s, &r);
		if (!take_socket(s, &r, &fd))
			return false;
	}
}

void
start_in_session(struct supervisor *s, bool joined)
{
	const struct session *x = &s->session;

	s->br.in_session = joined;
	s->br.session = (struct broker_session){ x->keeper, x->keeper_fd,
		SESSION_FD_SOCKETS, x->began };
}

void
start_find_hidden(struct supervisor *s)
{
	cleanup_fd int run = openat(s->br.root, "run", O_PATH | O_NOFOLLOW | O_CLOEXEC);

	fd_close(&s->tmp);
	s->tmp = openat(s->br.root, "tmp", O_PATH | O_NOFOLLOW | O_CLOEXEC);
	s->br.has_hidden =
	    run >= 0 &&
	    fstatat(run, ".hidden-file", &s->br.hidden_file, AT_SYMLINK_NOFOLLOW) == 0 &&
	    fstatat(run, ".hidden-directory", &s->br.hidden_directory,
		AT_SYMLINK_NOFOLLOW) == 0;
}

static bool
let_go(struct supervisor *s)
{
	char go = GO;
	int r = s->prenamespaced ? 0 : enter_map_users(s->br.init);

	if (r && enter_needs_namespaces(-1, -r))
		s->no_namespaces = -r;
	if (r)
		return NOT_STARTED(s, FIELD_PROCESSES, STR("cannot map users: "),
		    str_from_c(strerror(-r)), STR("; hint: "),
		    str_from_c(enter_step_advice(-1, -r)));
	if (!privilege_clear() || (!s->prenamespaced && write(s->control, &go, 1) != 1))
		return NOT_STARTED(s, FIELD_PROCESSES, STR("cannot drop capabilities: "),
		    str_from_c(strerror(errno)));
	return start_wait_ready(s);
}

static bool
join_ready(struct supervisor *s)
{
	char go = GO;

	if (!privilege_clear() || !start_wait_ready(s))
		return false;
	if (!s->session.differs)
		return true;
	/* The run has mounts of its own. */
	fd_close(&s->br.root);
	return open_root(s) && write(s->control, &go, 1) == 1;
}

static void
end_init(struct supervisor *s)
{
	(void)kill(s->br.init, SIGKILL);
	(void)waitpid(s->br.init, NULL, __WALL);
}

/* Inside another sandbox, that sandbox is the reason and not a setting of the machine; but
 * a shortage of memory or processes comes and goes. */
const char *
start_why_no_namespaces(int error)
{
	switch (error == EAGAIN || error == ENOMEM ? INSIDE_NOTHING : probe_inside()) {
	case INSIDE_CORDON:
		return "start the command itself: the run of cordon that this one is in "
		       "confines it already, and judges every program that it starts";
	case INSIDE_CONTAINER:
	case INSIDE_FILTER:
		return "allow user namespaces in the container, or start cordon on the "
		       "host (`cordon doctor` says more)";
	case INSIDE_NOTHING:
		break;
	}
	return enter_step_advice(-1, error);
}

/* Make a cgroup for its limits if possible; otherwise rlimits and watch.c enforce them. */
static void
add_group(struct supervisor *s)
{
	const struct plan_limits *l = &s->br.plan->limits;

	if (s->br.in_session || (!l->memory && !l->processes) || cgroup_make(l, &s->group))
		return;
	if (cgroup_add(&s->group, s->br.init))
		cgroup_end(&s->group);
	else
		s->result->fields[FIELD_LIMITS].by = "cgroup v2, limits of each process";
}

static bool
start_inside(struct supervisor *s)
{
	int pair[2];

	(void)syscall(SYS_clock_gettime, CLOCK_REALTIME, &s->br.began);
	s->began_ms = clock_ms();
	if (prejoin_take(s))
		return true;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return NOT_STARTED(s, FIELD_PROCESSES, STR("no socket pair: "),
		    str_from_c(strerror(errno)));
	start_in_session(s, s->q->session && session_open(s, &s->session));
	s->br.init = first_inside(s, pair);
	if (s->br.init < 0)
		s->br.init = s->br.in_session ? join_clone(&s->session, &s->pidfd)
					      : clone_inside(s, &s->pidfd);
	if (s->br.init == 0) {
		(void)close(pair[0]);
		if (s->br.in_session)
			inside_joined(s, pair[1]);
		inside(s, pair[1]);
	}
	session_close(&s->session);
	(void)close(pair[1]);
	output_started(s);
	s->control = pair[0];
	if (s->br.init < 0) {
		int error = errno;

		/* ENOMEM: the session's first process has gone, and nobody can join any
		 * more. */
		if (s->br.in_session)
			return NOT_STARTED(s, FIELD_PROCESSES,
			    STR("cannot enter the session: "),
			    str_from_c(error == ENOMEM ? "it is ending" : strerror(error)),
			    STR("; hint: try again, or end it (cordon session "
				"end)"));
		if (enter_needs_namespaces(-1, error))
			s->no_namespaces = error;
		return NOT_STARTED(s, FIELD_PROCESSES, STR("cannot make namespaces: "),
		    str_from_c(strerror(error)), STR("; hint: "),
		    str_from_c(start_why_no_namespaces(error)));
	}
	add_group(s);
	if (s->br.in_session ? join_ready(s) : open_root(s) && let_go(s)) {
		start_find_hidden(s);
		return true;
	}
	end_init(s);
	net_end(&s->br);
	return false;
}

bool
supervisor_start(struct supervisor *s)
{
	/* Inside a run of cordon, that supervisor listens to every call already. */
	if (start_inside(s) ||
	    (s->no_namespaces && probe_inside() != INSIDE_CORDON && bare_start(s)))
		return true;
	stall_end(s);
	return false;
}

bool
supervisor_restart(struct supervisor *s)
{
	int *const old[] = { &s->pidfd, &s->control, &s->br.listener, &s->br.root,
		&s->session.keeper_fd };

	(void)waitpid(s->br.init, NULL, __WALL);
	for (size_t i = 0; i < sizeof old / sizeof *old; i++)
		fd_close(old[i]);
	task_end(&s->br);
	s->lost = s->ended = s->br.in_session = s->br.has_hidden = false;
	s->turn = 0;
	return supervisor_start(s);
}
