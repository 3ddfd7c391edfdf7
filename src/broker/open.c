/*
 * open(2) and its relatives.  Below a writable path the supervisor opens the file and
 * passes the descriptor to the caller.  Everywhere else the kernel decides, and the
 * supervisor logs what the kernel will refuse.
 */
#define _GNU_SOURCE
#include "base/path.h"
#include "broker/git/tracked.h"
#include "broker/report/report.h"
#include <sys/statvfs.h>
#ifndef O_TMPFILE
#define O_TMPFILE (020000000 | O_DIRECTORY)
#endif

/* One open, with what its flags and its target mean. */
struct opening {
	struct call *c;
	struct target *t;
	uint64_t flags;
	mode_t mode;
	bool reads,
	    writes;     /* by its flags; writes: opens for writing, creates or truncates */
	bool tmpfile;   /* O_TMPFILE */
	bool special;   /* the target is neither a regular file nor a directory */
	enum run_op op; /* what a write would do: write, or create */
};

/* The sandbox refuses by read-only mounts; a file's own permissions are not reported. */
static bool
is_readonly_here(const struct target *p, bool parent)
{
	cleanup_fd int fd = -1;
	struct statvfs st;

	if (p->object < 0 && !parent)
		fd = openat(p->parent, p->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	return fstatvfs(fd >= 0          ? fd
			: p->object >= 0 ? p->object
					 : p->parent,
		   &st) == 0 &&
	       (st.f_flag & ST_RDONLY);
}

/* A mount of the host may be writable; Landlock grants no right there. */
static bool
is_of_outside(const struct call *c, const struct target *p)
{
	return p->object >= 0 && target_is_outside(c->br, p->object);
}

void
broker_note_refusal(struct call *c, const struct target *p, enum run_op op)
{
	bool parent =
	    !p->exists || op == RUN_DELETE || op == RUN_RENAME || op == RUN_CREATE;

	if (c->br->plan->bare ? !plan_is_writable(c->br->plan, target_path(p))
			      : is_readonly_here(p, parent) || is_of_outside(c, p))
		violation_add(c->br, (pid_t)c->n.pid, op, target_path(p), NULL);
}

/* ---- hidden files */

/* Why the open is refused; NULL: it is not.  A rule explains it better than a cover. */
static const char *
why_hidden(const struct opening *o)
{
	struct broker *br = o->c->br;
	const char *why = o->reads ? denied_why(br, o->t) : NULL;
	struct str rule = { NULL, 0 };

	if (why || !hidden_is(br, o->t))
		return why;
	return denied_path(br, target_path(o->t), &rule)
		   ? broker_keep_why(br, rule, "it is hidden")
		   : "it is hidden";
}

/* Refuse the open of a hidden file.  What a mount hides, the kernel refuses as well. */
static bool
refuse_hidden(const struct opening *o)
{
	const char *why = why_hidden(o);

	if (!why)
		return false;
	violation_add(o->c->br, (pid_t)o->c->n.pid, o->reads ? RUN_READ : RUN_WRITE,
	    target_path(o->t), why);
	call_answer(o->c, EACCES);
	return true;
}

/* Report a read below a directory that is covered: nothing can be found in it. */
static void
note_covered(struct call *c, int dirfd, const char *text)
{
	struct broker *br = c->br;
	char buf[LIMIT_PATH];
	size_t n = 0, length = strlen(text);
	struct str path, why = { NULL, 0 };

	if (text[0] != '/') {
		n = task_base(br, (pid_t)c->n.pid, dirfd, buf, sizeof buf - 1);
		buf[n] = '/';
		n += n > 1;
	}
	if (n + length > sizeof buf)
		return;
	memcpy(buf + n, text, length);
	path = str_of(buf, n + length);
	for (size_t i = 0; i < br->plan->mounts_n; i++) {
		if (br->plan->mounts[i].kind != PLAN_HIDDEN ||
		    !path_is_within(str_from_c(br->plan->mounts[i].path), path))
			continue;
		if (denied_path(br, path, &why))
			violation_add(br, (pid_t)c->n.pid, RUN_READ, path,
			    broker_keep_why(br, why, "it is hidden"));
		else
			violation_add(br, (pid_t)c->n.pid, RUN_READ, str_from_c(text),
			    "it is hidden");
		return;
	}
}

/* ---- opening for the caller */

/* Open the target with the caller's flags.  Returns a negative errno on failure. */
static int
open_target(const struct opening *o, uint64_t more)
{
	const int how = (int)((o->flags | more) & 0x7fffffff) | O_CLOEXEC | O_NOCTTY;
	const struct target *t = o->t;
	char link[FD_LINK_SIZE];
	int fd;

	if (o->flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)))
		(void)umask(task_umask(o->c->br, (pid_t)o->c->n.pid));
	if (t->object >= 0)
		fd = open(fd_link(link, t->object), how & ~(O_CREAT | O_NOFOLLOW),
		    o->mode & 03777);
	else
		fd = openat(t->parent, t->name, how | O_NOFOLLOW, o->mode & 03777);
	return fd < 0 ? -errno : fd;
}

/* Open without blocking.  EWOULDBLOCK and ENXIO: there is a lease on the file, or a FIFO
 * has taken its place. */
static int
open_at_once(const struct opening *o)
{
	int fd = open_target(o, O_NONBLOCK);

	if (fd >= 0 && !(o->flags & O_NONBLOCK))
		(void)fcntl(fd, F_SETFL, (int)o->flags & (O_APPEND | O_DIRECT | O_NOATIME));
	return fd;
}

static void
answer_failed(const struct opening *o, int error)
{
	if (error == EROFS)
		violation_add(o->c->br, (pid_t)o->c->n.pid, o->op, target_path(o->t), NULL);
	call_answer(o->c, error);
}

/* Give the open file to the caller; `fd` below 0 is a negative errno. */
static void
hand_over(const struct opening *o, int fd)
{
	struct broker *br = o->c->br;

	/* A file without a name when it was judged may have got one while the open waited.
	 */
	if (fd >= 0 && o->t->object >= 0 && target_is_lost(br, fd)) {
		call_answer(o->c, EACCES);
		return;
	}
	if (fd < 0) {
		answer_failed(o, -fd);
		return;
	}
	dropped_check(br, o->t);
	/* The old content is gone: the file is the command's own. */
	if (!o->t->exists || (o->flags & O_TRUNC))
		hidden_add_own(br, o->t, fd);
	call_return_fd(o->c, fd, (o->flags & O_CLOEXEC) != 0);
}

/* Opening a FIFO or a leased file may block: let a worker wait. */
static void
open_in_worker(const struct opening *o)
{
	cleanup_fd int fd = -1;
	int error;

	if (call_in_worker(o->c, &error)) {
		if (call_is_valid(o->c)) {
			fd = open_target(o, 0);
			hand_over(o, fd);
		}
		_exit(0);
	}
	if (error)
		call_answer(o->c, error);
}

static void
open_here(const struct opening *o)
{
	cleanup_fd int fd = -1;

	if (!call_is_valid(o->c))
		return;
	fd = open_at_once(o);
	if (!(o->flags & O_NONBLOCK) && (fd == -EWOULDBLOCK || fd == -ENXIO)) {
		dropped_check(o->c->br, o->t);
		open_in_worker(o);
		return;
	}
	hand_over(o, fd);
}

/* ---- writing */

/* Outside the writable paths: the mount refuses the write, and we only log it. */
static void
open_elsewhere(const struct opening *o)
{
	if (call_is_unenforced(o->c) && !o->special &&
	    target_reopen_inside(o->c->br, o->t) == 0) {
		open_here(o);
		return;
	}
	/* Devices and FIFOs can be written on any mount. */
	if (!o->special && (o->t->exists || (o->flags & O_CREAT)))
		broker_note_refusal(o->c, o->t, o->op);
	call_continue(o->c);
}

/* True for /proc/PID/mem of another process: it holds the argv that the exec gate has
 * verified. */
static bool
is_memory_of_other(const struct call *c, const struct target *t)
{
	struct str path = target_path(t);
	char own[64];

	if (!c->br->policy->judge || !str_starts(path, STR("/proc/")) ||
	    !str_is(str_base(path), "mem"))
		return false;
	path = str_skip(path, sizeof "/proc/" - 1);
	return !child_inner((pid_t)c->n.pid, false, own, sizeof own) ||
	       !str_eq(str_cut(path, 0, str_find(path, '/')), str_from_c(own));
}

static void
refuse(const struct opening *o, enum run_op op, const char *why)
{
	violation_add(o->c->br, (pid_t)o->c->n.pid, op, target_path(o->t), why);
	call_answer(o->c, EACCES);
}

static bool
is_writable(const struct opening *o)
{
	const struct plan *plan = o->c->br->plan;

	return o->t->agreed ||
	       (!plan->readonly && plan_is_writable(plan, target_path(o->t)));
}

static void
open_writing(const struct opening *o)
{
	struct broker *br = o->c->br;
	struct target *t = o->t;
	const char *why;

	if (is_memory_of_other(o->c, t))
		refuse(o, RUN_WRITE, "it is the memory of another process");
	else if (t->object >= 0 && target_is_stream(br, t->object, o->flags))
		open_here(o);
	else if (!is_writable(o))
		open_elsewhere(o);
	else if (o->special && S_ISFIFO(t->st.st_mode))
		open_in_worker(o);
	else if (o->special)
		call_continue(o->c);
	else if (tracked_open(o->c, t, o->flags, o->mode))
		return;
	else if (!o->tmpfile && (why = guarded_why(br, t, o->op)))
		refuse(o, o->op, why);
	else
		open_here(o);
}

/* ---- the call */

/* Derive from the flags and the target, once, what the open does. */
static void
classify(struct opening *o)
{
	const struct target *t = o->t;

	o->special = t->exists && !S_ISREG(t->st.st_mode) && !S_ISDIR(t->st.st_mode);
	o->op = t->exists ? RUN_WRITE : RUN_CREATE;
	/* Do not pass a directory of the host to the caller: it would have a way up. */
	if (o->writes && !o->tmpfile && !(o->flags & O_DIRECTORY) &&
	    !(t->exists && !S_ISREG(t->st.st_mode)))
		target_agree(o->c->br, o->t, false);
}

/* The path was resolved: judge the target and open it. */
static void
open_resolved(struct opening *o)
{
	/* Answer ENOENT: a second lookup by the kernel would race with a new file. */
	if (!o->writes && !o->t->exists) {
		call_answer(o->c, ENOENT);
		return;
	}
	/* open(2) creates no file under a name with a trailing slash. */
	if (o->t->slash && (o->flags & O_CREAT)) {
		call_continue_to(o->c, EISDIR);
		return;
	}
	if (refuse_hidden(o))
		return;
	classify(o);
	if (o->writes)
		open_writing(o);
	else
		call_continue(o->c);
}

void
perform_open(struct call *c, int dirfd, uint64_t path, const struct kernel_open_how *how)
{
	cleanup_target struct target t = TARGET_NONE;
	const uint64_t flags = how->flags;
	struct opening o = { .c = c,
		.t = &t,
		.flags = flags,
		.mode = (mode_t)how->mode,
		.tmpfile = (flags & O_TMPFILE) == O_TMPFILE,
		.reads = (flags & O_ACCMODE) != O_WRONLY };
	bool follow =
	    !(flags & O_NOFOLLOW) && (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);
	char text[LIMIT_PATH];
	int error;

	o.writes =
	    (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) || o.tmpfile;
	if ((!o.writes && !c->br->plan->watch_reads) || (flags & O_PATH) ||
	    !child_text((pid_t)c->n.pid, path, text, sizeof text) ||
	    (!o.writes && denied_is_far(c->br, str_from_c(text)))) {
		call_continue(c);
		return;
	}
	follow |= str_ends(str_from_c(text), STR("/"));
	error = target_find_how(c->br, (pid_t)c->n.pid, dirfd, text,
	    follow ? TARGET_FOLLOW : 0, how->resolve, &t);
	if (error == EACCES && c->br->has_hidden)
		note_covered(c, dirfd, text);
	if (!error)
		open_resolved(&o);
	/* The kernel would follow the link past every rule about reading. */
	else if (error == TARGET_OTHER_PROCESS)
		call_answer(c, EACCES);
	else
		call_fail(c, error);
}
