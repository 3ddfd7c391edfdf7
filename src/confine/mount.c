/*
 * The tree of mounts.  Nothing is mounted from a path that was not checked, nothing follows
 * a symlink, and the old root is never left: everything in it becomes read-only, and
 * writable mounts lie on top.
 */
#define _GNU_SOURCE /* unshare */
#include "confine/enter_internal.h"
#include "os/fd.h"
#include "os/sys.h"
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#define CLONE_TREE (KERNEL_OPEN_TREE_CLONE | KERNEL_AT_RECURSIVE)

static int
open_exact(const char *path)
{
	return sys_openat2(AT_FDCWD, path, O_PATH, 0, KERNEL_RESOLVE_NO_SYMLINKS);
}

static int
copy_open(int fd, uint64_t attributes)
{
	int copy = sys_open_tree(fd, "", CLONE_TREE | AT_EMPTY_PATH);

	if (copy < 0)
		return -errno;
	if (sys_mount_setattr(
		copy, "", AT_EMPTY_PATH | KERNEL_AT_RECURSIVE, attributes, MS_PRIVATE)) {
		int error = errno;

		(void)close(copy);
		return -error;
	}
	return copy;
}

int
mount_copy(const char *path, uint64_t attributes)
{
	cleanup_fd int fd = open_exact(path);

	return fd < 0 ? -errno : copy_open(fd, attributes);
}

int
mount_place(int *fd, const char *path)
{
	cleanup_fd int at = open_exact(path);
	int r;

	if (at < 0)
		return -errno;
	r = sys_move_mount(*fd, at) ? -errno : 0;
	fd_close(fd);
	return r;
}

int
mount_tmpfs(const char *path, unsigned long flags, const char *options)
{
	return mount("tmpfs", path, "tmpfs", flags | MS_NOSUID | MS_NODEV, options) ? -errno
										    : 0;
}

/* ---- sources */

static bool
is_same(int fd, const struct plan_mount *m)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_dev == m->dev && st.st_ino == m->ino;
}

static int
copy_source(const struct plan_mount *m)
{
	uint64_t attributes = KERNEL_MOUNT_NOSUID;
	cleanup_fd int fd = open_exact(m->path);

	if (fd < 0)
		return -errno;
	if (!is_same(fd, m))
		return -ESTALE;
	if (m->kind != PLAN_WRITABLE)
		attributes |= KERNEL_MOUNT_RDONLY;
	return copy_open(fd, attributes);
}

int
step_sources(struct entering *e)
{
	const struct plan *plan = e->plan;

	for (size_t i = 0; i < plan->mounts_n; i++) {
		const struct plan_mount *m = &plan->mounts[i];

		e->sources[i] = -1;
		if (m->kind == PLAN_HIDDEN || m->kind == PLAN_EMPTY)
			continue;
		e->path = m->path;
		e->sources[i] = copy_source(m);
		if (e->sources[i] < 0)
			return e->sources[i];
	}
	return 0;
}

int
step_freeze(struct entering *e)
{
	(void)e;
	return sys_mount_setattr(AT_FDCWD, "/", KERNEL_AT_RECURSIVE,
		   KERNEL_MOUNT_RDONLY | KERNEL_MOUNT_NOSUID, MS_PRIVATE)
		   ? -errno
		   : 0;
}

/* ---- private directories */

#define HIDDEN_FILE "/run/.hidden-file"
#define HIDDEN_DIRECTORY "/run/.hidden-directory"
#define COVER_ATTRIBUTES (KERNEL_MOUNT_RDONLY | KERNEL_MOUNT_NOSUID | KERNEL_MOUNT_NOEXEC)

static bool
is_directory(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int
make_hidden(void)
{
	cleanup_fd int fd = open(HIDDEN_FILE, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0);

	return fd < 0 || mkdir(HIDDEN_DIRECTORY, 0) ? -errno : 0;
}

/* Keep the file that resolves names, if it lies in /run; otherwise *fd is -1. */
static int
keep_resolver(char *path, size_t cap, int *fd)
{
	cleanup_fd int file = open("/etc/resolv.conf", O_PATH | O_CLOEXEC);
	size_t n = file >= 0 ? fd_path_into(file, path, cap) : 0;
	int copy;

	if (n < 5 || memcmp(path, "/run/", 5) != 0)
		return 0;
	copy = copy_open(file, KERNEL_MOUNT_RDONLY | KERNEL_MOUNT_NOSUID);
	if (copy < 0)
		return copy;
	*fd = copy;
	return 0;
}

/* A tmpfs without a size takes half of the memory. */
static int
mount_tmp(uint64_t size)
{
	static const struct str start = STR_INIT("mode=1777,size=");
	char options[64] = "mode=1777";

	if (size) {
		memcpy(options, start.p, start.n);
		options[start.n + fd_number(options + start.n, (unsigned long)size)] = '\0';
	}
	return mount_tmpfs("/tmp", 0, options);
}

static int
private_tmp(struct entering *e)
{
	int copy, r = (e->path = "/tmp", mount_tmp(e->plan->limits.tmp));

	if (r || !is_directory("/var/tmp"))
		return r;
	e->path = "/var/tmp";
	copy = mount_copy("/tmp", 0);
	return copy < 0 ? copy : mount_place(&copy, "/var/tmp");
}

int
step_private(struct entering *e)
{
	char path[256];
	cleanup_fd int resolver = -1;
	int r;

	if ((e->plan->network || e->part == ENTER_SESSION) &&
	    (r = keep_resolver(path, sizeof path, &resolver)))
		return r;
	if ((r = private_tmp(e)))
		return r;
	e->path = "/run";
	if (!is_directory("/run"))
		return -ENOTDIR;
	if ((r = mount_tmpfs("/run", MS_NOEXEC, "mode=755,size=64k")) ||
	    (r = make_hidden()))
		return r;
	if (resolver < 0)
		return 0;
	e->path = "/etc/resolv.conf";
	return (r = mount_way(path, false)) ? r : mount_place(&resolver, path);
}

/* ---- mounts of the plan */

/* Create the directories on the way that a private directory covers; elsewhere nothing can
 * be created. */
int
mount_way(const char *path, bool directory)
{
	char part[4096];
	size_t n = strlen(path);
	int fd;

	if (n >= sizeof part)
		return -ENAMETOOLONG;
	for (size_t i = 1; i < n; i++) {
		if (path[i] != '/')
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		if (mkdir(part, 0755) && errno != EEXIST)
			return -errno;
	}
	if (directory)
		return mkdir(path, 0755) && errno != EEXIST ? -errno : 0;
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	(void)close(fd);
	return 0;
}

static int
attach(struct entering *e, size_t i)
{
	const struct plan_mount *m = &e->plan->mounts[i];
	cleanup_fd int at = open_exact(m->path);
	int r;

	if (at < 0 && errno == ENOENT) {
		if ((r = mount_way(m->path, m->directory)))
			return r;
		at = open_exact(m->path);
	}
	if (at < 0)
		return -errno;
	if (e->plan->review && m->kind == PLAN_WRITABLE)
		return review_place(e, i, at);
	r = sys_move_mount(e->sources[i], at) ? -errno : 0;
	fd_close(&e->sources[i]);
	return r;
}

int
mount_hide(const char *path, bool directory)
{
	int copy = mount_copy(directory ? HIDDEN_DIRECTORY : HIDDEN_FILE, COVER_ATTRIBUTES);

	return copy < 0 ? copy : mount_place(&copy, path);
}

/* The first cover of a kind stays open where it lies; the others are copies of it, with its
 * attributes.  No detached copy is left: closing that waits for an RCU grace period. */
static int
hide(struct entering *e, const struct plan_mount *m)
{
	cleanup_fd int at = open_exact(m->path), copy = -1;
	int *cover = &e->covers[m->directory];

	/* A path that went away meanwhile needs no cover. */
	if (at < 0)
		return errno == ENOENT ? 0 : -errno;
	if (*cover >= 0)
		copy = sys_open_tree(*cover, "", KERNEL_OPEN_TREE_CLONE | AT_EMPTY_PATH);
	else
		copy = mount_copy(
		    m->directory ? HIDDEN_DIRECTORY : HIDDEN_FILE, COVER_ATTRIBUTES);
	if (copy < 0)
		return *cover >= 0 ? -errno : copy;
	if (sys_move_mount(copy, at))
		return -errno;
	if (*cover < 0)
		*cover = fd_steal(&copy);
	return 0;
}

int
step_mounts(struct entering *e)
{
	for (size_t i = 0; i < e->plan->mounts_n; i++) {
		const struct plan_mount *m = &e->plan->mounts[i];
		int r;

		e->path = m->path;
		if (m->kind == PLAN_HIDDEN)
			r = hide(e, m);
		else if (m->kind == PLAN_EMPTY)
			r = mount_tmpfs(m->path, 0, "mode=755,size=1m");
		else
			r = attach(e, i);
		if (r)
			return r;
	}
	return 0;
}

static int
set_readonly(const char *path)
{
	return sys_mount_setattr(
		   AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, KERNEL_MOUNT_RDONLY, 0)
		   ? -errno
		   : 0;
}

int
step_close_private(struct entering *e)
{
	const struct plan *plan = e->plan;
	int r = set_readonly(e->path = "/run");

	if (!r && !plan->tmp_write)
		r = set_readonly(e->path = "/tmp");
	if (!r && !plan->tmp_write && is_directory("/var/tmp"))
		r = set_readonly(e->path = "/var/tmp");
	for (size_t i = 0; i < plan->mounts_n && !r; i++)
		if (plan->mounts[i].kind == PLAN_EMPTY)
			r = set_readonly(e->path = plan->mounts[i].path);
	return r;
}

/* ---- joining a session */

static bool
is_hidden(const struct plan_mount *m)
{
	struct stat st, cover;

	return lstat(m->path, &st) == 0 &&
	       lstat(m->directory ? HIDDEN_DIRECTORY : HIDDEN_FILE, &cover) == 0 &&
	       st.st_dev == cover.st_dev && st.st_ino == cover.st_ino;
}

static int
close_again(const struct plan_mount *m)
{
	struct statvfs st;
	int copy;

	if (statvfs(m->path, &st) == 0 && (st.f_flag & ST_RDONLY))
		return 0;
	copy = copy_source(m);
	return copy < 0 ? copy : mount_place(&copy, m->path);
}

/* Take the next line of the session's list: its letter, and the path as a C string. */
static bool
next_line(struct str *lines, char *path, size_t cap, char *ret_letter)
{
	size_t n = str_find(*lines, '\n');

	if (n < 2 || n > cap)
		return false;
	*ret_letter = lines->p[0];
	memcpy(path, lines->p + 1, n - 1);
	path[n - 1] = '\0';
	*lines = str_skip(*lines, n + 1);
	return true;
}

static bool
plan_has(const struct plan *plan, enum plan_kind kind, const char *path)
{
	for (size_t i = 0; i < plan->mounts_n; i++)
		if (plan->mounts[i].kind == kind && strcmp(plan->mounts[i].path, path) == 0)
			return true;
	return kind == PLAN_WRITABLE && plan->tmp_write && strcmp(path, "/tmp") == 0;
}

/* Mount what is there once more on top, writable. */
static int
reopen(const char *path)
{
	struct kernel_mount_attr attr = { .attr_clr = KERNEL_MOUNT_RDONLY };
	cleanup_fd int copy = mount_copy(path, KERNEL_MOUNT_NOSUID);

	if (copy < 0)
		return copy;
	if (syscall(SYS_mount_setattr, copy, "", AT_EMPTY_PATH, &attr, sizeof attr))
		return -errno;
	return mount_place(&copy, path);
}

static int
set_all_readonly(const char *path)
{
	return sys_mount_setattr(
		   AT_FDCWD, path, KERNEL_AT_RECURSIVE, KERNEL_MOUNT_RDONLY, 0)
		   ? -errno
		   : 0;
}

/* Close what is writable in the session but not in the run, and the other way round. */
static int
change_lines(struct entering *e)
{
	const struct plan *plan = e->plan;
	struct str lines = e->session_paths;
	char path[4096], letter;
	int r = 0;

	while (!r && next_line(&lines, path, sizeof path, &letter)) {
		if (letter == 'w' && !plan_has(plan, PLAN_WRITABLE, path))
			r = set_all_readonly(path);
		if (letter == 'r' && !plan_has(plan, PLAN_READONLY, path) &&
		    plan_is_writable(plan, str_from_c(path)))
			r = reopen(path);
	}
	if (!r && lines.n)
		return -ENAMETOOLONG;
	return r || plan->tmp_write || !is_directory("/var/tmp") ? r
								 : set_readonly("/var/tmp");
}

static bool
is_open(struct str lines, const char *path)
{
	char there[4096], letter;

	while (next_line(&lines, there, sizeof there, &letter))
		if (letter == 'w' && strcmp(there, path) == 0)
			return true;
	return false;
}

static int
open_for_run(struct entering *e)
{
	int r = 0;

	for (size_t i = 0; i < e->plan->mounts_n && !r; i++) {
		const struct plan_mount *m = &e->plan->mounts[i];

		if (m->kind == PLAN_WRITABLE && !is_open(e->session_paths, m->path))
			r = reopen(e->path = m->path);
	}
	return r;
}

/* Make a copy of the session's mounts for this run alone, with the run's writable paths. */
static int
differ(struct entering *e)
{
	int r;

	if (unshare((int)KERNEL_CLONE_NEWNS))
		return -errno;
	r = open_for_run(e);
	return r ? r : change_lines(e);
}

/* Hide and close what the plan hides and closes, and the session does not. */
int
step_join(struct entering *e)
{
	const struct plan *plan = e->plan;
	int r = e->differs ? differ(e) : 0;

	for (size_t i = 0; i < plan->mounts_n && !r; i++) {
		const struct plan_mount *m = &plan->mounts[i];

		e->path = m->path;
		if (m->kind == PLAN_HIDDEN && !is_hidden(m))
			r = hide(e, m);
		else if (m->kind == PLAN_READONLY)
			r = close_again(m);
	}
	return r;
}

/* Enter the directory that was judged, whatever the caller's own is. */
int
step_cwd(struct entering *e)
{
	return chdir(e->path = e->plan->cwd) ? -errno : 0;
}
