/*
 * Modes, owners, times and extended attributes.  Landlock does not cover them, but they
 * matter as much as the content: settings that nobody can read are not applied, and a hook
 * runs once it is executable.  So no such call continues with a name or a descriptor number
 * that could become another file's: the supervisor performs it on the object that it
 * judged, or refuses it.
 */
#define _GNU_SOURCE
#include "broker/guard/guard.h"
#include "broker/report/report.h"
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>

#define XATTR_MAX ((size_t)65536)
#define NAME_MOST 256
/* With more groups than this, every other group counts as a supplementary one. */
#define GROUPS_KNOWN 1024

/* NEW: judged like the others, but answered with ENOSYS, so that callers use the older
 * call. */
enum kind { MODE, OWNER, TIMES, SET, REMOVE, NEW };
/* How a call passes times. */
enum clock { NONE, SPECS, VALUES, SECONDS };

/* The positions of the arguments; -1: there is none.  `path` -1: the call is about the
 * descriptor. */
struct attr {
	int nr;
	enum kind kind;
	int dir, path, value, flags;
	bool link; /* acts on a symlink itself, without a flag that says so */
	enum clock clock;
};

static const struct attr attrs[] = {
	{ SYS_fchmod, MODE, 0, -1, 1, -1, false, NONE },
	{ SYS_fchmodat, MODE, 0, 1, 2, -1, false, NONE },
	{ SYS_fchmodat2, MODE, 0, 1, 2, 3, false, NONE },
	{ SYS_fchown, OWNER, 0, -1, 1, -1, false, NONE },
	{ SYS_fchownat, OWNER, 0, 1, 2, 4, false, NONE },
	{ SYS_utimensat, TIMES, 0, 1, 2, 3, false, SPECS },
	{ SYS_setxattr, SET, -1, 0, 1, -1, false, NONE },
	{ SYS_lsetxattr, SET, -1, 0, 1, -1, true, NONE },
	{ SYS_fsetxattr, SET, 0, -1, 1, -1, false, NONE },
	{ SYS_removexattr, REMOVE, -1, 0, 1, -1, false, NONE },
	{ SYS_lremovexattr, REMOVE, -1, 0, 1, -1, true, NONE },
	{ SYS_fremovexattr, REMOVE, 0, -1, 1, -1, false, NONE },
	{ SYS_setxattrat, NEW, 0, 1, -1, 2, false, NONE },
	{ SYS_removexattrat, NEW, 0, 1, -1, 2, false, NONE },
	{ SYS_file_setattr, NEW, 0, 1, -1, 4, false, NONE },
#ifdef SYS_open
	{ SYS_chmod, MODE, -1, 0, 1, -1, false, NONE },
	{ SYS_chown, OWNER, -1, 0, 1, -1, false, NONE },
	{ SYS_lchown, OWNER, -1, 0, 1, -1, true, NONE },
	{ SYS_utime, TIMES, -1, 0, 1, -1, false, SECONDS },
	{ SYS_utimes, TIMES, -1, 0, 1, -1, false, VALUES },
	{ SYS_futimesat, TIMES, 0, 1, 2, -1, false, VALUES },
#endif
};

static const struct attr *
find_attr(int nr)
{
	for (size_t i = 0; i < sizeof attrs / sizeof *attrs; i++)
		if (attrs[i].nr == nr)
			return &attrs[i];
	return NULL;
}

static uint64_t
arg(const struct call *c, int i)
{
	return i < 0 ? 0 : c->n.data.args[i];
}

/* ---- the object */

static int
find_object(struct call *c, const struct attr *x, struct target *p)
{
	char text[LIMIT_PATH];
	pid_t pid = (pid_t)c->n.pid;
	unsigned flags = (unsigned)arg(c, x->flags);
	bool follow = !x->link && !(flags & AT_SYMLINK_NOFOLLOW);

	/* utimensat(2) with a NULL path or an empty one acts on its descriptor. */
	if (x->path < 0 || (x->kind == TIMES && arg(c, x->path) == 0))
		return target_from_fd(c->br, pid, (int)arg(c, x->dir), p);
	if (!child_text(pid, arg(c, x->path), text, sizeof text))
		return EFAULT;
	if (text[0] == '\0' && (flags & AT_EMPTY_PATH))
		return target_from_fd(c->br, pid, (int)arg(c, x->dir), p);
	return target_find(c->br, pid, x->dir < 0 ? AT_FDCWD : (int)arg(c, x->dir), text,
	    follow ? TARGET_FOLLOW : 0, p);
}

/* ---- the change */

static int
result(int r)
{
	return r ? errno : 0;
}

static void
from_values(const struct timeval v[2], struct timespec ret[2])
{
	for (int i = 0; i < 2; i++)
		ret[i] = (struct timespec){ v[i].tv_sec, v[i].tv_usec * 1000 };
}

static int
set_times(struct call *c, const struct attr *x, const char *name, int flags)
{
	pid_t pid = (pid_t)c->n.pid;
	uint64_t at = arg(c, x->value);
	struct timespec specs[2];
	struct timeval values[2];
	int64_t seconds[2];

	if (at == 0)
		return result(utimensat(AT_FDCWD, name, NULL, flags));
	if (x->clock == SPECS) {
		if (!child_read(pid, at, specs, sizeof specs))
			return EFAULT;
	} else if (x->clock == VALUES) {
		if (!child_read(pid, at, values, sizeof values))
			return EFAULT;
		from_values(values, specs);
	} else {
		if (!child_read(pid, at, seconds, sizeof seconds))
			return EFAULT;
		for (int i = 0; i < 2; i++)
			specs[i] = (struct timespec){ seconds[i], 0 };
	}
	return result(utimensat(AT_FDCWD, name, specs, flags));
}

static int
set_xattr(struct call *c, const struct attr *x, const char *path)
{
	static char value[XATTR_MAX]; /* too large for the stack; one thread */
	char name[NAME_MOST];
	size_t n = (size_t)arg(c, x->value + 2);

	if (!child_text((pid_t)c->n.pid, arg(c, x->value), name, sizeof name))
		return EFAULT;
	if (x->kind == REMOVE)
		return result(removexattr(path, name));
	if (n > sizeof value)
		return E2BIG;
	if (n && !child_read((pid_t)c->n.pid, arg(c, x->value + 1), value, n))
		return EFAULT;
	return result(setxattr(path, name, value, n, (int)arg(c, x->value + 3)));
}

/* A setuid or setgid file would also run as its owner or group outside.  On a directory,
 * setgid only chooses the group of new files. */
static int
set_mode(struct call *c, const struct attr *x, const char *name, const struct stat *st)
{
	const mode_t mode = (mode_t)arg(c, x->value);

	if (mode & S_ISUID || (mode & S_ISGID && !S_ISDIR(st->st_mode)))
		return EPERM;
	return S_ISLNK(st->st_mode) ? EOPNOTSUPP : result(chmod(name, mode));
}

/* True for one of the user's supplementary groups: its other members could read and write
 * the file. */
static bool
is_further_group(gid_t group, const struct stat *st)
{
	gid_t further[GROUPS_KNOWN];
	int n;

	if (group == (gid_t)-1 || group == st->st_gid || group == getegid())
		return false;
	if ((n = getgroups(GROUPS_KNOWN, further)) < 0)
		return true;
	for (int i = 0; i < n; i++)
		if (further[i] == group)
			return true;
	return false;
}

static int
set_owner(struct call *c, const struct attr *x, const char *name, const struct target *p)
{
	const gid_t group = (gid_t)arg(c, x->value + 1);

	if (!is_further_group(group, &p->st))
		return result(chown(name, (uid_t)arg(c, x->value), group));
	violation_add(c->br, (pid_t)c->n.pid, RUN_ATTRIBUTE, target_path(p),
	    "it would belong to another group of the user");
	return EPERM;
}

static int
change(struct call *c, const struct attr *x, const char *name, const struct target *p)
{
	const bool is_link = S_ISLNK(p->st.st_mode);

	switch (x->kind) {
	case MODE:
		return set_mode(c, x, name, &p->st);
	case OWNER:
		return set_owner(c, x, name, p);
	case TIMES:
		return set_times(c, x, name, 0);
	case SET:
	case REMOVE:
		return is_link ? EPERM : set_xattr(c, x, name);
	case NEW:
		return ENOSYS;
	}
	return EPERM;
}

/* Open the object itself, so that the change hits what was judged. */
static int
open_object(const struct target *p)
{
	return p->object >= 0 ? fcntl(p->object, F_DUPFD_CLOEXEC, 0)
			      : openat(p->parent, p->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

/* Why a writable root must stay readable and searchable for its owner: it has the files
 * that instruct agents. */
static const char *
closes(const struct call *c, const struct attr *x, const struct target *p)
{
	const struct plan *plan = c->br->plan;
	bool shut = x->kind == MODE ? (arg(c, x->value) & 0500) != 0500
				    : x->kind != OWNER && x->kind != TIMES;

	for (size_t i = 0; shut && i < plan->writable_n; i++)
		if (str_eq(plan->writable[i], target_path(p)))
			return "it is a root and must stay readable";
	return NULL;
}

/* Judge the change and report a refusal.  Returns 0 or a positive errno. */
static int
judge(struct call *c, const struct attr *x, const struct target *p, int fd)
{
	struct broker *br = c->br;
	bool writable = plan_is_writable(br->plan, target_path(p)) && !br->plan->readonly;
	const char *why = NULL;

	if (br->plan->bare ? writable : !target_is_outside(br, fd)) {
		/* Elsewhere the sandbox's own mounts enforce it. */
		if (writable && !(why = closes(c, x, p)))
			why = hidden_is(br, p) ? "it is hidden"
					       : guarded_why(br, p, RUN_ATTRIBUTE);
		if (!why)
			return 0;
	}
	violation_add(br, (pid_t)c->n.pid, RUN_ATTRIBUTE, target_path(p), why);
	return why ? EACCES : EROFS;
}

/* True for a pipe, a socket, a memfd: it has no path, and belongs to the processes that
 * have it open. */
static bool
is_nowhere(const struct call *c, const struct target *p, int error)
{
	return error == ENODEV && !c->br->plan->bare && p->object >= 0 &&
	       !target_is_outside(c->br, p->object);
}

void
perform_attribute(struct call *c)
{
	const struct attr *x = find_attr(c->n.data.nr);
	cleanup_target struct target p = TARGET_NONE;
	char name[FD_LINK_SIZE];
	cleanup_fd int fd = -1;
	int error = x ? find_object(c, x, &p) : ENOSYS;
	bool nowhere = is_nowhere(c, &p, error);

	if (!error && !p.exists)
		error = ENOENT;
	if (!error || nowhere)
		error = (fd = open_object(&p)) < 0 ? errno : 0;
	if (!error && !nowhere)
		error = judge(c, x, &p, fd);
	if (error) {
		call_answer(c, error);
		return;
	}
	if (!call_is_valid(c))
		return;
	if (x->kind == NEW)
		broker_note_refusal(c, &p, RUN_ATTRIBUTE);
	error = change(c, x, fd_link(name, fd), &p);
	if (error == EROFS)
		violation_add(c->br, (pid_t)c->n.pid, RUN_ATTRIBUTE, target_path(&p), NULL);
	call_answer(c, error);
}
