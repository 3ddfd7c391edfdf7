/*
 * A call that creates, moves or removes names: read its arguments once, and perform it on
 * the directories that were opened.
 */
#define _GNU_SOURCE
#include "broker/name_call.h"
#include "broker/guard/guard.h"
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

static const struct shape shapes[] = {
	{ SYS_mkdirat, MKDIR, 0, 1, -1, -1, 2, -1 },
	{ SYS_mknodat, MKNOD, 0, 1, -1, -1, 2, -1 },
	{ SYS_unlinkat, UNLINK, 0, 1, -1, -1, -1, 2 },
	{ SYS_symlinkat, SYMLINK, 1, 2, -1, 0, -1, -1 },
	{ SYS_linkat, LINK, 2, 3, 0, 1, -1, 4 },
	{ SYS_renameat2, RENAME, 2, 3, 0, 1, -1, 4 },
	{ SYS_truncate, TRUNCATE, -1, 0, -1, -1, -1, -1 },
#ifdef SYS_renameat
	{ SYS_renameat, RENAME, 2, 3, 0, 1, -1, -1 },
#endif
#ifdef SYS_open
	{ SYS_mkdir, MKDIR, -1, 0, -1, -1, 1, -1 },
	{ SYS_mknod, MKNOD, -1, 0, -1, -1, 1, -1 },
	{ SYS_unlink, UNLINK, -1, 0, -1, -1, -1, -1 },
	{ SYS_rmdir, RMDIR, -1, 0, -1, -1, -1, -1 },
	{ SYS_symlink, SYMLINK, -1, 1, -1, 0, -1, -1 },
	{ SYS_link, LINK, -1, 1, -1, 0, -1, -1 },
	{ SYS_rename, RENAME, -1, 1, -1, 0, -1, -1 },
#endif
};

static const enum run_op ops[] = {
	[MKDIR] = RUN_CREATE,
	[MKNOD] = RUN_CREATE,
	[UNLINK] = RUN_DELETE,
	[RMDIR] = RUN_DELETE,
	[SYMLINK] = RUN_CREATE,
	[LINK] = RUN_LINK,
	[RENAME] = RUN_RENAME,
	[TRUNCATE] = RUN_WRITE,
};

enum run_op
name_call_op(const struct name_call *m)
{
	return ops[m->what];
}

static uint64_t
arg(const struct name_call *m, int i)
{
	return i < 0 ? 0 : m->c->n.data.args[i];
}

static int
directory_arg(const struct name_call *m, int i)
{
	return i < 0 ? AT_FDCWD : (int)m->c->n.data.args[i];
}

static unsigned
follows(const struct name_call *m)
{
	return m->what == TRUNCATE ? TARGET_FOLLOW : 0;
}

/* Resolve the second path: of what is linked or moved. */
static int
find_second(struct name_call *m)
{
	pid_t pid = (pid_t)m->c->n.pid;
	int dir = directory_arg(m, m->shape->dir2);
	unsigned follow =
	    m->what == LINK && (m->flags & AT_SYMLINK_FOLLOW) ? TARGET_FOLLOW : 0;

	if (!child_text(pid, arg(m, m->shape->path2), m->text2, sizeof m->text2))
		return EFAULT;
	if (m->what == SYMLINK)
		return 0;
	return target_find(m->c->br, pid, dir, m->text2, follow, &m->from);
}

static int
find_paths(struct name_call *m)
{
	pid_t pid = (pid_t)m->c->n.pid;

	if (!child_text(pid, arg(m, m->shape->path), m->text, sizeof m->text))
		return EFAULT;
	if (m->shape->path2 >= 0) {
		int error = find_second(m);

		if (error)
			return error;
	}
	return target_find(
	    m->c->br, pid, directory_arg(m, m->shape->dir), m->text, follows(m), &m->to);
}

static const struct shape *
find_shape(int nr)
{
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		if (shapes[i].nr == nr)
			return &shapes[i];
	return NULL;
}

static int
result(int r)
{
	return r ? errno : 0;
}

static int
make_link(const struct name_call *m)
{
	char link[FD_LINK_SIZE];

	if (m->from.object >= 0)
		return result(linkat(AT_FDCWD, fd_link(link, m->from.object), m->to.parent,
		    m->to.name, AT_SYMLINK_FOLLOW));
	return result(linkat(m->from.parent, m->from.name, m->to.parent, m->to.name, 0));
}

/* Check the caller's RLIMIT_FSIZE; ours may differ. */
static bool
is_too_long(const struct name_call *m, off_t length)
{
	pid_t pid = child_process((pid_t)m->c->n.pid);
	uint64_t limit[2] = { m->c->br->plan->limits.file_size, 0 };

	if (syscall(SYS_prlimit64, pid, RLIMIT_FSIZE, NULL, limit) && !limit[0])
		return false;
	if (length < 0 || (uint64_t)length <= limit[0])
		return false;
	(void)kill(pid, SIGXFSZ);
	return true;
}

static int
make_truncate(const struct name_call *m)
{
	cleanup_fd int fd = openat(m->to.parent, m->to.name,
	    O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return errno;
	if (is_too_long(m, (off_t)m->c->n.data.args[1]))
		return EFBIG;
	return result(ftruncate(fd, (off_t)m->c->n.data.args[1]));
}

int
name_call_perform(const struct name_call *m)
{
	const struct target *to = &m->to;

	switch (m->what) {
	case MKDIR:
		(void)umask(task_umask(m->c->br, (pid_t)m->c->n.pid));
		if (mkdirat(to->parent, to->name, m->mode & 03777))
			return errno;
		created_add(m->c->br, to->parent, to->name);
		return 0;
	case MKNOD:
		/* Create no devices. */
		if (S_ISCHR(m->mode) || S_ISBLK(m->mode))
			return EPERM;
		(void)umask(task_umask(m->c->br, (pid_t)m->c->n.pid));
		return result(mknodat(to->parent, to->name, m->mode, 0));
	case UNLINK:
		return result(unlinkat(to->parent, to->name, 0));
	case RMDIR:
		return result(unlinkat(to->parent, to->name, AT_REMOVEDIR));
	case SYMLINK:
		return result(symlinkat(m->text2, to->parent, to->name));
	case LINK:
		return make_link(m);
	case RENAME:
		return result((int)syscall(SYS_renameat2, m->from.parent, m->from.name,
		    to->parent, to->name, m->flags));
	case TRUNCATE:
		return make_truncate(m);
	}
	return EPERM;
}

int
name_call_read(struct call *c, struct name_call *m)
{
	m->c = c;
	m->to = m->from = TARGET_NONE;
	if (!(m->shape = find_shape(c->n.data.nr)))
		return ENOSYS;
	m->what = m->shape->what;
	m->flags = (unsigned)arg(m, m->shape->flags);
	m->mode = (mode_t)arg(m, m->shape->mode);
	/* A setuid or setgid file would also run as its owner or group outside.  The mode
	 * is a register, not memory: it cannot change. */
	if (m->mode & (m->what == MKDIR ? S_ISUID : S_ISUID | S_ISGID))
		return EPERM;
	if (m->what == UNLINK && (m->flags & AT_REMOVEDIR))
		m->what = RMDIR;
	return find_paths(m);
}
