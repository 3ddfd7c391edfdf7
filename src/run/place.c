/* Where a path leads for the one that named it: directories are opened in its own view, and
 * what is judged is the path that the kernel has for them. */
#define _GNU_SOURCE
#include "run/supervisor.h"

/* As in the kernel. */
#define LINKS_MAX 40

/* ---- what the kernel knows of a file, beyond stat */

struct more_stat {
	uint32_t mask, blksize;
	uint64_t attributes;
	uint32_t nlink, uid, gid;
	uint16_t mode, spare;
	uint64_t ino, size, blocks, attributes_mask;
	struct {
		int64_t sec;
		uint32_t nsec;
		int32_t spare;
	} atime, btime, ctime, mtime;
	uint32_t rdev[2], dev[2];
	uint64_t mount;
	uint64_t more[16];
};
#define MORE_BTIME 0x800U
#define MORE_MOUNT 0x1000U

static bool
more_stat(int dir, const char *name, uint32_t what, struct more_stat *ret)
{
	int flags = AT_SYMLINK_NOFOLLOW | (name[0] ? 0 : AT_EMPTY_PATH);

	memset(ret, 0, sizeof *ret);
	return syscall(SYS_statx, dir, name, flags, what, ret) == 0 &&
	       (ret->mask & what) == what;
}

bool
file_is_new(const struct supervisor *s, int fd)
{
	const struct timespec *t = &s->began_coarse;
	struct more_stat st;

	if (!more_stat(fd, "", MORE_BTIME, &st))
		return false;
	return st.btime.sec > t->tv_sec ||
	       (st.btime.sec == t->tv_sec && st.btime.nsec > (uint32_t)t->tv_nsec);
}

/* Something is mounted on it.  The kernel forbids to move or remove such a name only to
 * those who live among these mounts, and takes the mount away for everybody else. */
bool
place_is_mount(const struct place_in *p)
{
	struct more_stat here, there;

	if (p->parent < 0 || !p->exists)
		return false;
	return !more_stat(p->parent, "", MORE_MOUNT, &here) ||
	       !more_stat(p->parent, p->name, MORE_MOUNT, &there) ||
	       here.mount != there.mount;
}

/* ---- places */

void
place_done(struct place_in *p)
{
	confine_fd_close(&p->parent);
	confine_fd_close(&p->object);
}

static bool
is_number(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.n > 0;
}

static struct str
next_part(struct str *rest)
{
	struct str part;

	while (rest->n && rest->p[0] == '/')
		*rest = str_skip(*rest, 1);
	part = str_cut(*rest, 0, str_find(*rest, '/'));
	*rest = str_skip(*rest, part.n);
	return part;
}

/*
 * A path that begins with a link of /proc which is another one for each process: cwd, root
 * or a descriptor.  Opens what it leads to; *rest is what stands behind.  -1: it is none.
 */
static int
open_magic(struct supervisor *s, pid_t pid, struct str path, struct str *rest)
{
	char name[128] = "/proc/", *at = name + 6;
	struct str r = path, first = next_part(&r), who, what, fd = { NULL, 0 };
	bool own;

	if (str_is(first, "dev")) {
		first = next_part(&r);
		if (!str_is(first, "fd"))
			return -1;
		who = STR("self");
		what = STR("fd");
	} else {
		if (!str_is(first, "proc"))
			return -1;
		who = next_part(&r);
		what = next_part(&r);
	}
	own = str_is(who, "self") || str_is(who, "thread-self");
	if (!own && !is_number(who))
		return -1;
	/* Their numbers are those of the whole machine: nothing is opened for others. */
	if (!own && s->plan->bare)
		return -1;
	if (str_is(what, "fd")) {
		fd = next_part(&r);
		if (!is_number(fd) || fd.n > 9)
			return -1;
	} else if (!str_is(what, "cwd") && !str_is(what, "root") && !str_is(what, "exe")) {
		return -1;
	}
	if (who.n > 10 && !own)
		return -1;
	*rest = r;
	if (own) {
		(void)proc_path(name, sizeof name, pid, "");
		at = name + strlen(name);
	} else {
		memcpy(at, who.p, who.n);
		at += who.n;
		*at++ = '/';
	}
	memcpy(at, what.p, what.n);
	at += what.n;
	if (fd.n) {
		*at++ = '/';
		memcpy(at, fd.p, fd.n);
		at += fd.n;
	}
	*at = '\0';
	/* Numbers of others are those of the namespace: its own /proc knows them. */
	return openat(own ? AT_FDCWD : s->root, own ? name : name + 1, O_PATH | O_CLOEXEC);
}

static int
join(struct supervisor *s, int dir, struct str rest, char *room, size_t n)
{
	size_t length = task_own_path(s, dir, room, n);

	if (length == 0 || length + rest.n + 2 > n)
		return ENAMETOOLONG;
	room[length++] = '/';
	memcpy(room + length, rest.p, rest.n);
	room[length + rest.n] = '\0';
	return 0;
}

/* The directory `text` seen from `dir`, or -errno. */
static int
open_directory(struct supervisor *s, pid_t pid, int dir, struct str text)
{
	char whole[LIMIT_PATH];
	closed_fd int magic = -1;
	int fd, error;

	if (text.n && text.p[0] == '/') {
		struct str rest;

		magic = open_magic(s, pid, text, &rest);
		if (magic >= 0) {
			dir = magic;
			while (rest.n && rest.p[0] == '/')
				rest = str_skip(rest, 1);
			text = rest;
		} else {
			if (text.n >= sizeof whole)
				return -ENAMETOOLONG;
			memcpy(whole, text.p, text.n);
			whole[text.n] = '\0';
			dir = -1;
		}
	}
	if (dir >= 0 && text.n == 0) {
		fd = fcntl(dir, F_DUPFD_CLOEXEC, 0);
		return fd < 0 ? -errno : fd;
	}
	if (dir >= 0 && (error = join(s, dir, text, whole, sizeof whole)))
		return -error;
	fd = sys_openat2(s->root, whole, O_PATH | O_DIRECTORY, 0, KERNEL_RESOLVE_IN_ROOT);
	return fd < 0 ? -errno : fd;
}

static int
open_base(struct supervisor *s, pid_t pid, int dirfd)
{
	char room[FD_LINK_ROOM];
	const char *what = "cwd";

	if (dirfd != AT_FDCWD) {
		if (dirfd < 0)
			return -EBADF;
		what = fd_link(room, dirfd) + sizeof "/proc/self/" - 1;
	}
	return task_open(s, pid, what, O_PATH);
}

static int
set_path(struct supervisor *s, struct place_in *p, struct str name)
{
	size_t n = task_own_path(s, p->parent, p->path, sizeof p->path);

	if (n == 0 || n + name.n + 2 > sizeof p->path || name.n >= sizeof p->name)
		return ENAMETOOLONG;
	memcpy(p->name, name.p, name.n);
	p->name[name.n] = '\0';
	if (n > 1)
		p->path[n++] = '/';
	memcpy(p->path + n, p->name, name.n + 1);
	p->path_n = n + name.n;
	return 0;
}

/* A descriptor link, whole: what it leads to is meant, wherever that is. */
static int
found_object(struct supervisor *s, struct place_in *p, int fd)
{
	p->object = fd;
	p->path_n = task_own_path(s, fd, p->path, sizeof p->path);
	if (fstat(fd, &p->st) || p->path_n == 0)
		return EACCES;
	p->exists = true;
	return 0;
}

/* One name of it: *again says that it is a link and `text` what it leads to. */
static int
find_once(struct supervisor *s, pid_t pid, int base, char *text, unsigned flags,
    struct place_in *p, bool *again)
{
	struct str whole = str_from_c(text), rest, name;
	size_t slash;
	ssize_t n;
	int fd, error;

	*again = false;
	while (whole.n > 1 && whole.p[whole.n - 1] == '/')
		whole.n--;
	fd = whole.n && whole.p[0] == '/' ? open_magic(s, pid, whole, &rest) : -1;
	if (fd >= 0 && rest.n == 0)
		return found_object(s, p, fd);
	confine_fd_close(&fd);
	slash = str_rfind(whole, '/');
	name = slash == whole.n ? whole : str_skip(whole, slash + 1);
	if (name.n == 0 || str_is(name, ".") || str_is(name, "..")) {
		fd = open_directory(s, pid, base, whole);
		return fd < 0 ? -fd : found_object(s, p, fd);
	}
	fd = open_directory(s, pid, base,
	    slash == whole.n ? STR("") : str_cut(whole, 0, slash ? slash : 1));
	if (fd < 0)
		return -fd;
	confine_fd_close(&p->parent);
	p->parent = fd;
	if ((error = set_path(s, p, name)))
		return error;
	p->exists = fstatat(p->parent, p->name, &p->st, AT_SYMLINK_NOFOLLOW) == 0;
	if (!p->exists)
		return errno == ENOENT ? 0 : errno;
	if (!S_ISLNK(p->st.st_mode) || !(flags & PLACE_FOLLOW))
		return 0;
	n = readlinkat(p->parent, p->name, text, LIMIT_PATH - 1);
	if (n <= 0)
		return n < 0 ? errno : ENOENT;
	text[n] = '\0';
	*again = true;
	return 0;
}

int
place_find(struct supervisor *s, pid_t pid, int dirfd, const char *text, unsigned flags,
    struct place_in *ret)
{
	char rest[LIMIT_PATH];
	closed_fd int first = -1;
	size_t n = strlen(text);
	bool again = true;
	int error = 0;

	ret->parent = ret->object = -1;
	if (n == 0)
		return ENOENT;
	if (n >= sizeof rest)
		return ENAMETOOLONG;
	if (place_plain(s, pid, dirfd, text, ret))
		return 0;
	memcpy(rest, text, n + 1);
	if (text[0] != '/' && (first = open_base(s, pid, dirfd)) < 0)
		return -first;
	for (int i = 0; again && !error; i++) {
		int base = i == 0 ? first : fcntl(ret->parent, F_DUPFD_CLOEXEC, 0);

		error = i > LINKS_MAX ? ELOOP
				      : find_once(s, pid, base, rest, flags, ret, &again);
		if (i > 0)
			confine_fd_close(&base);
	}
	if (error)
		place_done(ret);
	return error;
}
