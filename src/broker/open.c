/*
 * Opens.  In a writable root the supervisor opens the file and hands it over; everywhere
 * else the kernel decides, and what it will refuse is noted.
 */
#define _GNU_SOURCE
#include "base/path.h"
#include "broker/git/tracked.h"
#include "broker/report/report.h"
#include <sys/statvfs.h>
#ifndef O_TMPFILE
#define O_TMPFILE (020000000 | O_DIRECTORY)
#endif

/* Mounts are what the sandbox refuses by; a file's own permissions are not our business. */
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

/* A mount of outside can be written; Landlock knows no right there. */
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

/* NULL, or why; a rule says it better than a cover. */
static const char *
why_hidden(struct call *c, const struct target *p, uint64_t flags)
{
	struct broker *br = c->br;
	const char *why = (flags & O_ACCMODE) != O_WRONLY ? denied_why(br, p) : NULL;
	struct str rule = { NULL, 0 };

	if (why || !hidden_is(br, p))
		return why;
	return denied_path(br, target_path(p), &rule)
		   ? broker_keep_why(br, rule, "it is hidden")
		   : "it is hidden";
}

/* True when it was refused.  What a mount hides the kernel refuses as well. */
static bool
refuse_hidden(struct call *c, const struct target *p, uint64_t flags)
{
	const char *why = why_hidden(c, p, flags);

	if (!why)
		return false;
	violation_add(c->br, (pid_t)c->n.pid,
	    (flags & O_ACCMODE) == O_WRONLY ? RUN_WRITE : RUN_READ, target_path(p), why);
	call_answer(c, EACCES);
	return true;
}

/* A directory on the way is covered, so that nothing can be found in it. */
static void
note_covered(struct call *c, int dirfd, const char *text)
{
	struct broker *br = c->br;
	char room[LIMIT_PATH];
	size_t n = 0, length = strlen(text);
	struct str path, why = { NULL, 0 };

	if (text[0] != '/') {
		n = task_base(br, (pid_t)c->n.pid, dirfd, room, sizeof room - 1);
		room[n] = '/';
		n += n > 1;
	}
	if (n + length > sizeof room)
		return;
	memcpy(room + n, text, length);
	path = str_of(room, n + length);
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

/* Opens what was found, as the caller wanted it. */
static int
open_found(const struct call *c, const struct target *p, uint64_t flags, mode_t mode)
{
	const int how = (int)(flags & 0x7fffffff) | O_CLOEXEC | O_NOCTTY;
	char link[FD_LINK_ROOM];
	int fd;

	if (flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)))
		(void)umask(task_umask(c->br, (pid_t)c->n.pid));
	if (p->object >= 0) {
		fd = open(
		    fd_link(link, p->object), how & ~(O_CREAT | O_NOFOLLOW), mode & 03777);
		return fd < 0 ? -errno : fd;
	}
	fd = openat(p->parent, p->name, how | O_NOFOLLOW, mode & 03777);
	return fd < 0 ? -errno : fd;
}

static void open_in_worker(
    struct call *c, const struct target *p, uint64_t flags, mode_t mode);

/* A lease is held on the file, or a pipe has taken its place: a worker waits instead. */
static int
open_at_once(const struct call *c, const struct target *p, uint64_t flags, mode_t mode)
{
	int fd = open_found(c, p, flags | O_NONBLOCK, mode);

	if (fd >= 0 && !(flags & O_NONBLOCK))
		(void)fcntl(fd, F_SETFL, (int)flags & (O_APPEND | O_DIRECT | O_NOATIME));
	return fd;
}

static void
hand_over(struct call *c, const struct target *p, uint64_t flags, mode_t mode, bool waits)
{
	cleanup_fd int fd = -1;

	if (!call_is_valid(c))
		return;
	fd = waits ? open_found(c, p, flags, mode) : open_at_once(c, p, flags, mode);
	if (!waits && !(flags & O_NONBLOCK) && (fd == -EWOULDBLOCK || fd == -ENXIO)) {
		dropped_check(c->br, p);
		open_in_worker(c, p, flags, mode);
		return;
	}
	/* What had no name when it was judged may have got one while the open waited. */
	if (fd >= 0 && p->object >= 0 && target_is_lost(c->br, fd)) {
		call_answer(c, EACCES);
		return;
	}
	if (fd < 0) {
		if (fd == -EROFS)
			violation_add(c->br, (pid_t)c->n.pid,
			    p->exists ? RUN_WRITE : RUN_CREATE, target_path(p), NULL);
		call_answer(c, -fd);
		return;
	}
	dropped_check(c->br, p);
	/* What it held before is gone. */
	if (!p->exists || (flags & O_TRUNC))
		hidden_add_own(c->br, p, fd);
	call_return_fd(c, fd, (flags & O_CLOEXEC) != 0);
}

/* Opening a pipe waits for its other end, and must not wait here. */
static void
open_in_worker(struct call *c, const struct target *p, uint64_t flags, mode_t mode)
{
	int error;

	if (call_in_worker(c, &error)) {
		hand_over(c, p, flags, mode, true);
		_exit(0);
	}
	if (error)
		call_answer(c, error);
}

static bool
writes(uint64_t flags)
{
	return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0 ||
	       (flags & O_TMPFILE) == O_TMPFILE;
}

/* Nobody may write it but by a mount of the run's own, and that says so. */
static void
open_elsewhere(struct call *c, struct target *p, bool special, uint64_t flags, mode_t mode)
{
	if (call_is_unenforced(c) && !special && target_reopen_inside(c->br, p) == 0) {
		hand_over(c, p, flags, mode, false);
		return;
	}
	/* Devices and pipes can be written on any mount. */
	if (!special && (p->exists || (flags & O_CREAT)))
		broker_note_refusal(c, p, p->exists ? RUN_WRITE : RUN_CREATE);
	call_continue(c);
}

/* /proc/PID/mem: argv of another process, which the exec gate has verified. */
static bool
is_memory_of_other(const struct call *c, const struct target *p)
{
	struct str path = target_path(p);
	char own[64];

	if (!c->br->policy->judge || !str_starts(path, STR("/proc/")) ||
	    !str_is(str_base(path), "mem"))
		return false;
	path = str_skip(path, sizeof "/proc/" - 1);
	return !child_inner((pid_t)c->n.pid, false, own, sizeof own) ||
	       !str_eq(str_cut(path, 0, str_find(path, '/')), str_from_c(own));
}

static void
open_writing(struct call *c, struct target *p, uint64_t flags, mode_t mode)
{
	struct broker *br = c->br;
	bool special = p->exists && !S_ISREG(p->st.st_mode) && !S_ISDIR(p->st.st_mode);
	const char *why;

	if (is_memory_of_other(c, p)) {
		violation_add(br, (pid_t)c->n.pid, RUN_WRITE, target_path(p),
		    "it is the memory of another process");
		call_answer(c, EACCES);
		return;
	}
	if (p->object >= 0 && target_is_stream(br, p->object, flags)) {
		hand_over(c, p, flags, mode, false);
		return;
	}
	if (!p->agreed &&
	    (br->plan->readonly || !plan_is_writable(br->plan, target_path(p)))) {
		open_elsewhere(c, p, special, flags, mode);
		return;
	}
	if (special) {
		if (S_ISFIFO(p->st.st_mode))
			open_in_worker(c, p, flags, mode);
		else
			call_continue(c);
		return;
	}
	if (tracked_open(c, p, flags, mode))
		return;
	if ((flags & O_TMPFILE) != O_TMPFILE &&
	    (why = guarded_why(br, p, p->exists ? RUN_WRITE : RUN_CREATE))) {
		violation_add(br, (pid_t)c->n.pid, p->exists ? RUN_WRITE : RUN_CREATE,
		    target_path(p), why);
		call_answer(c, EACCES);
		return;
	}
	hand_over(c, p, flags, mode, false);
}

void
perform_open(struct call *c, int dirfd, uint64_t path, const struct kernel_open_how *how)
{
	cleanup_target struct target p = TARGET_NONE;
	const uint64_t flags = how->flags;
	char text[LIMIT_PATH];
	bool follow =
	    !(flags & O_NOFOLLOW) && (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);
	int error;

	if ((!writes(flags) && !c->br->plan->watch_reads) || (flags & O_PATH) ||
	    !child_text((pid_t)c->n.pid, path, text, sizeof text)) {
		call_continue(c);
		return;
	}
	if (!writes(flags) && denied_is_far(c->br, str_from_c(text))) {
		call_continue(c);
		return;
	}
	follow |= str_ends(str_from_c(text), STR("/"));
	error = target_find_how(c->br, (pid_t)c->n.pid, dirfd, text,
	    follow ? TARGET_FOLLOW : 0, how->resolve, &p);
	if (error == EACCES && c->br->has_hidden)
		note_covered(c, dirfd, text);
	if (error) {
		call_fail(c, error);
		return;
	}
	/* By the time the kernel looks, the name may lead to something. */
	if (!writes(flags) && !p.exists) {
		call_answer(c, ENOENT);
		return;
	}
	/* A name with a trailing slash does not become a file. */
	if (p.slash && (flags & O_CREAT)) {
		call_continue_to(c, EISDIR);
		return;
	}
	if (refuse_hidden(c, &p, flags))
		return;
	/* A directory of outside is not handed in: there would be a way up from it. */
	if (writes(flags) && (flags & O_TMPFILE) != O_TMPFILE && !(flags & O_DIRECTORY) &&
	    !(p.exists && !S_ISREG(p.st.st_mode)))
		target_agree(c->br, &p, false);
	if (writes(flags))
		open_writing(c, &p, flags, (mode_t)how->mode);
	else
		call_continue(c);
}
