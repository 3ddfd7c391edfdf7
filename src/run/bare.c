/*
 * A run without namespaces.  One process applies what is left of the plan, starts the
 * command and reaps its tree, as in a session; here the whole tree ends with the command.
 */
#define _GNU_SOURCE
#include "run/run_internal.h"
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define GO 1
#define DEPTH_MAX 64
#define ROUNDS 1000

/* ---- its private directory for temporary files */

static void remove_in(int top, int dir, int depth);

/* Remove one entry.  A directory that lies too deep is moved up, and removed in the next
 * round. */
static void
remove_one(int top, int dir, const char *name, int depth)
{
	static unsigned counted; /* makes the names unique */
	char fresh[32] = ".cordon-";
	cleanup_fd int fd = -1;

	if (unlinkat(dir, name, 0) == 0 || unlinkat(dir, name, AT_REMOVEDIR) == 0)
		return;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == EACCES && fchmodat(dir, name, 0700, 0) == 0)
		fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	(void)fchmod(fd, 0700);
	if (depth >= DEPTH_MAX) {
		(void)fd_number(fresh + 8, counted++);
		(void)renameat(dir, name, top, fresh);
		return;
	}
	remove_in(top, fd, depth + 1);
	(void)unlinkat(dir, name, AT_REMOVEDIR);
}

static void
remove_in(int top, int dir, int depth)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;

	while (d && (e = readdir(d)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			remove_one(top, dir, e->d_name, depth);
	if (d)
		(void)closedir(d);
	else
		fd_close(&fd);
}

void
bare_remove(const char *tmp)
{
	for (int i = 0; i < ROUNDS && tmp[0] && rmdir(tmp) && errno == ENOTEMPTY; i++) {
		cleanup_fd int fd =
		    open(tmp, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (fd < 0)
			return;
		remove_in(fd, fd, 0);
	}
}

static void
make_tmp(struct supervisor *s)
{
	static const char name[] = "/tmp/cordon-XXXXXX";

	memcpy(s->bare_tmp, name, sizeof name);
	if (!mkdtemp(s->bare_tmp))
		s->bare_tmp[0] = '\0';
}

/* Set TMPDIR to the private directory. */
static char *const *
add_variable(struct supervisor *s)
{
	char *const *envp = s->q->envp;
	const size_t length = strlen(s->bare_tmp);
	size_t n = 0, count = 0;
	char **out, *line;

	if (!s->bare_tmp[0])
		return envp;
	while (envp[n])
		n++;
	out = arena_array(s->br.a, n + 2, sizeof *out);
	line = arena_alloc(s->br.a, length + sizeof "TMPDIR=");
	if (!out || !line)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (strncmp(envp[i], "TMPDIR=", 7) != 0)
			out[count++] = envp[i];
	memcpy(line, "TMPDIR=", 7);
	memcpy(line + 7, s->bare_tmp, length + 1);
	out[count++] = line;
	return out;
}

/* ---- inside */

static _Noreturn void
inside(struct supervisor *s, int control, char *const *envp)
{
	struct entering e = { .plan = s->br.plan,
		.part = ENTER_BARE,
		.control = control,
		.root = geteuid() == 0 };
	char go = 0;

	start_no_signals();
	if (!output_take(s) || prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) ||
	    read(control, &go, 1) != 1 || go != GO)
		_exit(125);
	enter_apply(&e);
	join_reap(&e, s->q->argv, envp, s->bare_tmp);
}

/* ---- outside */

/* Without this list the rest of a tree could not be found. */
static bool
lists_children(void)
{
	return access("/proc/thread-self/children", R_OK) == 0;
}

static bool
refused(struct supervisor *s, const struct plan_refusal *why)
{
	return NOT_STARTED(s, why->field, STR("namespaces are not available, and "),
	    str_from_c(plan_field_name(why->field)),
	    STR(" cannot be enforced without them: "), str_from_c(why->why),
	    why->path.n ? STR(" ('") : STR(""), why->path,
	    why->path.n ? STR("')") : STR(""), STR("; hint: "),
	    str_from_c(start_why_no_namespaces(s->no_namespaces)));
}

static bool
plan_again(struct supervisor *s)
{
	struct plan_refusal why = { 0 };
	const struct plan *plan = s->br.plan;
	int r;

	if (!lists_children()) {
		why = (struct plan_refusal){ FIELD_PROCESSES,
			"the kernel does not list children (CONFIG_PROC_CHILDREN)",
			STR("") };
		return refused(s, &why);
	}
	/* If no directory can be created, the run has none. */
	if (plan->tmp_write)
		make_tmp(s);
	r = plan_make_bare(s->br.a, plan,
	    s->bare_tmp[0] ? str_from_c(s->bare_tmp) : (struct str){ NULL, 0 }, &s->bare,
	    &why);
	if (r == CORDON_EREFUSED)
		return refused(s, &why);
	if (r)
		return NOT_STARTED(s, FIELD_PROCESSES, STR("no memory"));
	s->br.plan = &s->bare;
	memcpy(s->result->fields, s->bare.fields, sizeof s->result->fields);
	return true;
}

/* Only a cgroup can count one tree among all the others. */
static bool
hold_limits(struct supervisor *s)
{
	const struct plan_limits *l = &s->br.plan->limits;
	struct plan_refusal why = { FIELD_LIMITS,
		"limits of the whole tree need a delegated cgroup", STR("") };

	if (!l->memory && !l->processes)
		return true;
	if (cgroup_make(l, &s->group) == 0 && cgroup_add(&s->group, s->br.init) == 0)
		return true;
	return refused(s, &why);
}

static bool
let_go(struct supervisor *s)
{
	char go = GO;

	s->br.root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (s->br.root < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) ||
	    !privilege_clear())
		return NOT_STARTED(s, FIELD_PROCESSES, STR("cannot drop capabilities: "),
		    str_from_c(strerror(errno)));
	if (!hold_limits(s))
		return false;
	if (write(s->control, &go, 1) != 1)
		return NOT_STARTED(s, FIELD_PROCESSES, STR("the process inside died"));
	return start_wait_ready(s);
}

static bool
begin(struct supervisor *s)
{
	char *const *envp = add_variable(s);
	int pair[2];

	if (!envp || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return NOT_STARTED(s, FIELD_PROCESSES, STR("no socket pair"));
	s->br.init =
	    (pid_t)syscall(SYS_clone, KERNEL_CLONE_PIDFD | SIGCHLD, 0, &s->pidfd, 0, 0);
	if (s->br.init == 0) {
		(void)close(pair[0]);
		inside(s, pair[1], envp);
	}
	(void)close(pair[1]);
	output_started(s);
	s->control = pair[0];
	if (s->br.init < 0)
		return NOT_STARTED(
		    s, FIELD_PROCESSES, STR("no process: "), str_from_c(strerror(errno)));
	if (let_go(s))
		return true;
	(void)kill(s->br.init, SIGKILL);
	(void)waitpid(s->br.init, NULL, __WALL);
	return false;
}

bool
bare_start(struct supervisor *s)
{
	int *const old[] = { &s->pidfd, &s->control, &s->br.root };
	struct run_result *r = s->result;

	for (size_t i = 0; i < sizeof old / sizeof *old; i++)
		fd_close(old[i]);
	cgroup_end(&s->group);
	memcpy(r->fields, s->br.plan->fields, sizeof r->fields);
	if (plan_again(s) && begin(s)) {
		r->bare = start_why_no_namespaces(s->no_namespaces);
		return true;
	}
	bare_remove(s->bare_tmp);
	return false;
}

/* Kill the children that the kernel lists, except our own helpers; false: there are
 * none. */
static bool
kill_left(const struct supervisor *s)
{
	char text[4096];
	cleanup_fd int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text) : -1;
	bool any = false;
	pid_t pid = 0;

	for (ssize_t i = 0; i < n; i++) {
		if (text[i] >= '0' && text[i] <= '9') {
			pid = pid * 10 + (pid_t)(text[i] - '0');
			continue;
		}
		if (pid && pid != s->copier && pid != s->group.janitor) {
			any = true;
			(void)kill(pid, SIGKILL);
		}
		pid = 0;
	}
	/* Wait for traced threads, too: without a wait for each, their process stays. */
	while (waitpid(-1, NULL, WNOHANG | __WALL) > 0)
		;
	return any;
}

/* The reaper has done all this, unless it was killed itself.  A process with a traced
 * thread ends only after its tracer: do not wait for one of them alone. */
void
bare_end(struct supervisor *s)
{
	const struct timespec pause = { 0, 1000000 };

	for (int round = 0; round < ROUNDS && kill_left(s); round++)
		(void)nanosleep(&pause, NULL);
	bare_remove(s->bare_tmp);
}
