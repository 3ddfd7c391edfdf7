/*
 * Paths outside the workspace that the user approved.  They are read-only inside the
 * sandbox, so the supervisor uses a directory that it opened outside.
 */
#define _GNU_SOURCE
#include "base/path.h"
#include "broker/guard/guard.h"

static const struct plan_name *
find(const struct plan *plan, struct str path, bool goes)
{
	for (size_t i = 0; i < plan->names_n; i++) {
		const struct plan_name *n = &plan->names[i];

		if (!goes && !n->make)
			continue;
		if (n->tree ? path_is_within(n->path, path) : str_eq(n->path, path))
			return n;
	}
	return NULL;
}

static bool
is_same(const struct stat *x, const struct stat *y)
{
	return x->st_dev == y->st_dev && x->st_ino == y->st_ino;
}

/* Open the directory outside, if it is the same as inside (nothing is mounted on it) and
 * the name in it is the same, too. */
static int
open_outside(const struct target *p)
{
	cleanup_fd int fd = -1;
	char path[LIMIT_PATH];
	struct stat inside, outside;
	size_t n = str_rfind(target_path(p), '/');

	if (n >= p->path_n || n >= sizeof path)
		return -1;
	memcpy(path, p->path, n);
	path[n] = '\0';
	fd = sys_openat2(
	    AT_FDCWD, n ? path : "/", O_PATH | O_DIRECTORY, 0, KERNEL_RESOLVE_NO_SYMLINKS);
	if (fd < 0 || fstat(fd, &outside) || fstat(p->parent, &inside) ||
	    !is_same(&inside, &outside))
		return -1;
	if (fstatat(fd, p->name, &outside, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT && !p->exists ? fd_steal(&fd) : -1;
	return p->exists && is_same(&p->st, &outside) ? fd_steal(&fd) : -1;
}

void
target_agree(struct broker *br, struct target *p, bool goes)
{
	const struct plan_name *name;
	int fd;

	if (br->plan->names_n == 0 || p->parent < 0 || p->object >= 0 ||
	    !(name = find(br->plan, target_path(p), goes)) || (fd = open_outside(p)) < 0)
		return;
	(void)close(p->parent);
	p->parent = fd;
	p->agreed = name;
}
