/* Resolve a path for its caller: directories are opened in the caller's view, and the
 * kernel's path of them is judged. */
#define _GNU_SOURCE
#include "broker/path/target.h"
#include "confine/enter.h"
#include <sys/sysmacros.h>

/* ---- statx(2) */

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
#define MORE_INO 0x100U
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
file_birth(int dir, const char *name, struct timespec *ret)
{
	struct more_stat st;

	if (!more_stat(dir, name, MORE_BTIME, &st))
		return false;
	*ret = (struct timespec){ .tv_sec = st.btime.sec, .tv_nsec = st.btime.nsec };
	return true;
}

bool
file_id(int dir, const char *name, struct inode_id *ret)
{
	struct more_stat st;

	if (!more_stat(dir, name, MORE_BTIME | MORE_INO, &st))
		return false;
	*ret = (struct inode_id){ makedev(st.dev[0], st.dev[1]), st.ino,
		{ .tv_sec = st.btime.sec, .tv_nsec = st.btime.nsec } };
	return true;
}

bool
file_mount(int fd, uint64_t *ret)
{
	struct more_stat st;

	if (!more_stat(fd, "", MORE_MOUNT, &st))
		return false;
	*ret = st.mount;
	return true;
}

bool
target_same(int x, int y)
{
	struct more_stat a, b;

	return more_stat(x, "", MORE_MOUNT, &a) && more_stat(y, "", MORE_MOUNT, &b) &&
	       a.mount == b.mount && a.ino == b.ino;
}

bool
target_same_mount(int x, int y)
{
	struct more_stat a, b;

	return more_stat(x, "", MORE_MOUNT, &a) && more_stat(y, "", MORE_MOUNT, &b) &&
	       a.mount == b.mount;
}

/* True if something is mounted on it.  The kernel refuses to move or remove such a name
 * only to processes in the same mount namespace; for others it drops the mount. */
bool
target_is_mount(const struct target *p)
{
	struct more_stat here, there;

	if (p->parent < 0 || !p->exists)
		return false;
	return !more_stat(p->parent, "", MORE_MOUNT, &here) ||
	       !more_stat(p->parent, p->name, MORE_MOUNT, &there) ||
	       here.mount != there.mount;
}

bool
target_note_streams(struct broker *br)
{
	for (int fd = 0; fd < 3; fd++)
		if (stream_is_outside(fd) &&
		    (!file_mount(fd, &br->stream_mounts[fd]) || br->stream_mounts[fd] == 0))
			return false;
	return true;
}

bool
target_is_outside(struct broker *br, int fd)
{
	uint64_t mount;

	/* Without a session, and with streams that have no mount of the host, no such
	 * descriptor can come in. */
	if (!br->in_session && !br->stream_mounts[0] && !br->stream_mounts[1] &&
	    !br->stream_mounts[2])
		return false;
	return !file_mount(fd, &mount) || !mount_is_inside(br, mount);
}

/* Our streams are the command's own until it has ended. */
bool
target_is_stream(const struct broker *br, int fd, uint64_t flags)
{
	for (int stream = 0; stream < 3; stream++) {
		uint64_t how = (uint64_t)fcntl(stream, F_GETFL) & O_ACCMODE;

		if (br->stream_mounts[stream] && target_same(fd, stream) &&
		    (how == O_RDWR || (how == O_WRONLY && (flags & O_ACCMODE) == O_WRONLY)))
			return true;
	}
	return false;
}

/* ---- targets */

void
target_close(struct target *p)
{
	fd_close(&p->parent);
	fd_close(&p->object);
}

int
target_base(struct broker *br, pid_t pid, int dirfd)
{
	char buf[FD_LINK_SIZE];
	const char *what = "cwd";

	if (dirfd != AT_FDCWD) {
		if (dirfd < 0)
			return -EBADF;
		what = fd_link(buf, dirfd) + sizeof "/proc/self/" - 1;
	}
	return task_open(br, pid, what, O_PATH);
}

int
target_set_name(struct broker *br, struct target *p, struct str name)
{
	size_t n = task_own_path(br, p->parent, p->path, sizeof p->path);

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

int
target_reopen_inside(struct broker *br, struct target *p)
{
	size_t n = p->path_n - strlen(p->name);
	char dir[LIMIT_PATH];
	int fd;

	if (p->object >= 0 || p->parent < 0)
		return EACCES;
	memcpy(dir, p->path, n);
	dir[n] = '\0';
	fd = sys_openat2(br->root, dir, O_PATH | O_DIRECTORY, 0,
	    KERNEL_RESOLVE_IN_ROOT | KERNEL_RESOLVE_NO_SYMLINKS);
	if (fd < 0)
		return EACCES;
	fd_close(&p->parent);
	p->parent = fd;
	return 0;
}

/* True for a file that was opened without a name (O_TMPFILE) or under a removed name, and
 * has another one now: the kernel still reports "(deleted)", and its path is unknown. */
bool
target_is_lost(struct broker *br, int fd)
{
	char path[LIMIT_PATH];
	struct stat st, named;
	size_t n;

	if (fstat(fd, &st))
		return true;
	if (!S_ISREG(st.st_mode) || st.st_nlink == 0)
		return false;
	n = task_own_path(br, fd, path, sizeof path);
	return str_ends(str_of(path, n), STR(" (deleted)")) &&
	       (fstatat(br->root, path + 1, &named, AT_SYMLINK_NOFOLLOW) ||
		   named.st_dev != st.st_dev || named.st_ino != st.st_ino);
}

int
target_set_object(struct broker *br, struct target *p, int fd)
{
	p->object = fd;
	if (target_is_lost(br, fd))
		return EACCES;
	p->path_n = task_own_path(br, fd, p->path, sizeof p->path);
	if (fstat(fd, &p->st))
		return EACCES;
	p->exists = true;
	/* A pipe or a socket has no path. */
	return p->path_n == 0 ? ENODEV : 0;
}

int
target_from_fd(struct broker *br, pid_t pid, int fd, struct target *ret)
{
	int object = target_base(br, pid, fd);

	ret->parent = ret->object = -1;
	return object < 0 ? -object : target_set_object(br, ret, object);
}

int
target_find_how(struct broker *br, pid_t pid, int dirfd, const char *text, unsigned flags,
    uint64_t resolve, struct target *ret)
{
	size_t n = strlen(text);
	int error;

	ret->parent = ret->object = -1;
	ret->slash = n && text[n - 1] == '/';
	if (n == 0)
		return ENOENT;
	if (n >= LIMIT_PATH)
		return ENAMETOOLONG;
	if (!resolve && target_plain(br, pid, dirfd, text, ret))
		return 0;
	error = target_walk(br, pid, dirfd, text, flags, resolve, ret);
	if (!error && ret->slash && ret->exists && !S_ISDIR(ret->st.st_mode))
		error = ENOTDIR;
	if (error)
		target_close(ret);
	return error;
}

int
target_find(struct broker *br, pid_t pid, int dirfd, const char *text, unsigned flags,
    struct target *ret)
{
	return target_find_how(br, pid, dirfd, text, flags, 0, ret);
}
