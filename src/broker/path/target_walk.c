/*
 * Resolve any path, component by component, as the kernel would for the caller.
 *
 * /proc/self is the caller there, not us, and its magic links are followed for the caller.
 * A path that this walk cannot resolve the caller cannot resolve either, so letting such a
 * call continue misses nothing.
 */
#define _GNU_SOURCE
#include "broker/path/target.h"
#include <sys/statfs.h>

/* As in the kernel. */
#define LINKS_MAX 40
#define PROC_MAGIC 0x9fa0
#define PROC_ROOT 1 /* inode of the top directory of /proc */

struct walk {
	struct broker *br;
	pid_t pid;
	uint64_t resolve;
	int root, at; /* where "/" leads; the current directory */
	int first;    /* the first directory, when its mount must not be left; else -1 */
	int links;
	char text[LIMIT_PATH];
	struct str rest; /* the rest of `text` */
};

static int
go(struct walk *w, int fd)
{
	int error = fd < 0                                              ? errno
		    : w->first >= 0 && !target_same_mount(fd, w->first) ? EXDEV
									: 0;

	if (error) {
		fd_close(&fd);
		return error;
	}
	fd_close(&w->at);
	w->at = fd;
	return 0;
}

static int
go_to_root(struct walk *w)
{
	if (w->resolve & KERNEL_RESOLVE_BENEATH)
		return EXDEV;
	return go(w, fcntl(w->root, F_DUPFD_CLOEXEC, 0));
}

static int
go_up(struct walk *w)
{
	if (target_same(w->at, w->root))
		return w->resolve & KERNEL_RESOLVE_BENEATH ? EXDEV : 0;
	return go(w, openat(w->at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/* ---- symlinks */

/* Put the content of a symlink before the rest. */
static int
put_before(struct walk *w, struct str link)
{
	char old[LIMIT_PATH];
	struct str rest = w->rest;

	if (link.n == 0)
		return ENOENT;
	if (link.n + rest.n >= sizeof w->text)
		return ENAMETOOLONG;
	memcpy(old, rest.p, rest.n);
	memcpy(w->text, link.p, link.n);
	memcpy(w->text + link.n, old, rest.n);
	w->rest = str_of(w->text, link.n + rest.n);
	return link.p[0] == '/' ? go_to_root(w) : 0;
}

/* Without a PID namespace /proc has the processes of the whole machine: follow links of the
 * caller only. */
static bool
is_own_process(struct walk *w)
{
	static const struct str proc = STR_INIT("/proc/");
	char path[LIMIT_PATH], own[64];
	struct str at = str_of(path, task_own_path(w->br, w->at, path, sizeof path));

	if (!w->br->plan->bare)
		return true;
	if (!str_starts(at, proc) || !child_inner(w->pid, false, own, sizeof own))
		return false;
	at = str_skip(at, proc.n);
	return str_is(str_cut(at, 0, str_find(at, '/')), own);
}

/* Follow a link in /proc.  *ret_fd is the object, or -1 if its content was put before the
 * rest. */
static int
follow_proc(struct walk *w, const char *name, int *ret_fd)
{
	bool thread = strcmp(name, "thread-self") == 0;
	char text[LIMIT_PATH];
	struct stat st;
	ssize_t n;

	*ret_fd = -1;
	if (fstat(w->at, &st))
		return errno;
	if (st.st_ino == PROC_ROOT && (thread || strcmp(name, "self") == 0))
		return child_inner(w->pid, thread, text, sizeof text)
			   ? put_before(w, str_from_c(text))
			   : ESRCH;
	if (st.st_ino == PROC_ROOT) {
		n = readlinkat(w->at, name, text, sizeof text);
		return n < 0 || (size_t)n == sizeof text
			   ? EACCES
			   : put_before(w, str_of(text, (size_t)n));
	}
	if (w->resolve & KERNEL_RESOLVE_NO_MAGICLINKS)
		return ELOOP;
	if (w->resolve & (KERNEL_RESOLVE_BENEATH | KERNEL_RESOLVE_IN_ROOT))
		return EXDEV;
	if (!is_own_process(w))
		return TARGET_OTHER_PROCESS;
	*ret_fd = openat(w->at, name, O_PATH | O_CLOEXEC);
	return *ret_fd < 0 ? errno : 0;
}

/* Follow a symlink; `fd` is the link itself. */
static int
follow(struct walk *w, int fd, const char *name, int *ret_fd)
{
	char text[LIMIT_PATH];
	struct statfs st;
	ssize_t n;

	*ret_fd = -1;
	if (w->resolve & KERNEL_RESOLVE_NO_SYMLINKS || w->links++ == LINKS_MAX)
		return ELOOP;
	/* If the file system is unknown, refuse: "self" read as text would be us, not the
	 * caller. */
	if (fstatfs(fd, &st))
		return EACCES;
	if (st.f_type == PROC_MAGIC)
		return follow_proc(w, name, ret_fd);
	n = readlinkat(fd, "", text, sizeof text);
	if (n < 0 || (size_t)n == sizeof text)
		return n < 0 ? errno : ENAMETOOLONG;
	return put_before(w, str_of(text, (size_t)n));
}

/* ---- names */

static bool
is_last(const struct walk *w)
{
	for (size_t i = 0; i < w->rest.n; i++)
		if (w->rest.p[i] != '/')
			return false;
	return true;
}

static int
end_at_name(struct walk *w, struct str name, const struct stat *st, struct target *ret)
{
	ret->slash |= w->rest.n > 0;
	ret->exists = st != NULL;
	if (st)
		ret->st = *st;
	fd_close(&ret->parent);
	ret->parent = fd_steal(&w->at);
	return target_set_name(w->br, ret, name);
}

/* Take one component; *ret_end: the target is found. */
static int
step(struct walk *w, struct str part, unsigned flags, struct target *ret, bool *ret_end)
{
	char name[256];
	cleanup_fd int fd = -1, to = -1;
	bool last = is_last(w);
	struct stat st;
	int error;

	if (part.n >= sizeof name)
		return ENAMETOOLONG;
	memcpy(name, part.p, part.n);
	name[part.n] = '\0';
	fd = openat(w->at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	*ret_end = last;
	if (fd < 0)
		return errno == ENOENT && last ? end_at_name(w, str_from_c(name), NULL, ret)
					       : errno;
	if (fstat(fd, &st))
		return errno;
	if (w->first >= 0 && !target_same_mount(fd, w->first))
		return EXDEV;
	if (!S_ISLNK(st.st_mode) || (last && !(flags & TARGET_FOLLOW))) {
		if (last)
			return end_at_name(w, str_from_c(name), &st, ret);
		return S_ISDIR(st.st_mode) ? go(w, fd_steal(&fd)) : ENOTDIR;
	}
	*ret_end = false;
	error = follow(w, fd, name, &to);
	if (error || to < 0)
		return error;
	if (w->first >= 0 && !target_same_mount(to, w->first))
		return EXDEV;
	*ret_end = last;
	ret->slash |= last && w->rest.n > 0;
	return last ? target_set_object(w->br, ret, fd_steal(&to)) : go(w, fd_steal(&to));
}

static int
walk_names(struct walk *w, unsigned flags, struct target *ret)
{
	bool end = false;
	int error = 0;

	while (!error && !end) {
		struct str part;

		while (w->rest.n && w->rest.p[0] == '/')
			w->rest = str_skip(w->rest, 1);
		part = str_cut(w->rest, 0, str_find(w->rest, '/'));
		w->rest = str_skip(w->rest, part.n);
		if (part.n == 0)
			return target_set_object(w->br, ret, fd_steal(&w->at));
		if (str_is(part, ".."))
			error = go_up(w);
		else if (!str_is(part, "."))
			error = step(w, part, flags, ret, &end);
	}
	return error;
}

static int
begin(struct walk *w, int dirfd, const char *text)
{
	bool scoped = (w->resolve & (KERNEL_RESOLVE_BENEATH | KERNEL_RESOLVE_IN_ROOT)) != 0;
	bool whole = text[0] == '/';

	w->rest = str_of(w->text, strlen(text));
	memcpy(w->text, text, w->rest.n);
	if (whole && (w->resolve & KERNEL_RESOLVE_BENEATH))
		return EXDEV;
	/* With RESOLVE_CACHED callers must expect EAGAIN, and retry. */
	if (w->resolve & KERNEL_RESOLVE_CACHED)
		return EAGAIN;
	w->at = whole && !scoped ? fcntl(w->br->root, F_DUPFD_CLOEXEC, 0)
				 : target_base(w->br, w->pid, dirfd);
	if (w->at < 0)
		return whole && !scoped ? errno : -w->at;
	w->root = fcntl(scoped ? w->at : w->br->root, F_DUPFD_CLOEXEC, 0);
	if (w->root >= 0 && (w->resolve & KERNEL_RESOLVE_NO_XDEV))
		w->first = fcntl(w->at, F_DUPFD_CLOEXEC, 0);
	return w->root < 0 || (w->first < 0 && (w->resolve & KERNEL_RESOLVE_NO_XDEV))
		   ? errno
		   : 0;
}

/* Skip ".." and "." in one call where no symlink is on the way ("../../lib/crt1.o"). */
static void
skip_ahead(struct walk *w)
{
	size_t slash = str_rfind(w->rest, '/');
	bool whole = w->rest.p[0] == '/';
	char dir[LIMIT_PATH];
	int fd;

	/* target_plain() has tried a plain path. */
	if (w->resolve || !strstr(w->text, "./") || slash == 0 || slash + 1 >= w->rest.n)
		return;
	memcpy(dir, w->rest.p, slash);
	dir[slash] = '\0';
	fd = sys_openat2(w->at, dir, O_PATH | O_DIRECTORY, 0,
	    KERNEL_RESOLVE_NO_SYMLINKS | (whole ? KERNEL_RESOLVE_IN_ROOT : 0));
	if (fd >= 0 && go(w, fd) == 0)
		w->rest = str_skip(w->rest, slash + 1);
}

int
target_walk(struct broker *br, pid_t pid, int dirfd, const char *text, unsigned flags,
    uint64_t resolve, struct target *ret)
{
	struct walk w = {
		.br = br, .pid = pid, .resolve = resolve, .root = -1, .at = -1, .first = -1
	};
	int error = begin(&w, dirfd, text);

	if (!error) {
		skip_ahead(&w);
		error = walk_names(&w, flags, ret);
	}
	fd_close(&w.at);
	fd_close(&w.root);
	fd_close(&w.first);
	return error;
}
