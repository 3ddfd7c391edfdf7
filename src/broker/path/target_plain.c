/*
 * The common case: a path without symlinks.  It takes three system calls where
 * target_walk() takes eight; anything else is left to that.
 */
#define _GNU_SOURCE
#include "base/path.h"
#include "broker/path/target.h"

/* The suffix of a removed directory in /proc. */
static const struct str gone = STR_INIT(" (deleted)");

/* Make the absolute path in `p`; false if it is unknown or too long. */
static bool
join(struct broker *br, pid_t pid, int dirfd, const char *text, struct target *p)
{
	size_t n = 0, length = strlen(text);

	if (text[0] != '/') {
		n = task_base(br, pid, dirfd, p->path, sizeof p->path);
		if (n == 0 || str_ends(str_of(p->path, n), gone))
			return false;
		if (n > 1 && n + 1 < sizeof p->path)
			p->path[n++] = '/';
	}
	if (n + length >= sizeof p->path)
		return false;
	memcpy(p->path + n, text, length + 1);
	p->path_n = n + length;
	return path_is_plain(target_path(p));
}

static bool
open_parent(struct broker *br, struct target *p)
{
	size_t slash = str_rfind(target_path(p), '/'), n;
	struct str name = str_skip(target_path(p), slash + 1);

	if (name.n >= sizeof p->name)
		return false;
	memcpy(p->name, name.p, name.n);
	p->name[name.n] = '\0';
	p->path[slash] = '\0';
	p->parent = sys_openat2(br->root, slash ? p->path : "/", O_PATH | O_DIRECTORY, 0,
	    KERNEL_RESOLVE_IN_ROOT | KERNEL_RESOLVE_NO_SYMLINKS);
	if (p->parent < 0)
		return false;
	/* Some file systems know a directory by several names: take the kernel's. */
	n = task_own_path(br, p->parent, p->path, sizeof p->path);
	if (n == 0 || n + name.n + 2 > sizeof p->path)
		return false;
	if (n > 1)
		p->path[n++] = '/';
	memcpy(p->path + n, p->name, name.n + 1);
	p->path_n = n + name.n;
	return true;
}

bool
target_plain(struct broker *br, pid_t pid, int dirfd, const char *text, struct target *ret)
{
	ret->parent = ret->object = -1;
	if (!join(br, pid, dirfd, text, ret))
		return false;
	if (!open_parent(br, ret)) {
		target_close(ret);
		return false;
	}
	ret->exists = fstatat(ret->parent, ret->name, &ret->st, AT_SYMLINK_NOFOLLOW) == 0;
	if (ret->exists ? !S_ISLNK(ret->st.st_mode) : errno == ENOENT)
		return true;
	target_close(ret);
	return false;
}
