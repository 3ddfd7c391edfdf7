/*
 * Hidden files that are created during the run.  Files that existed at its start are
 * covered by a mount.  When an editor outside replaces one, the kernel drops the mount, and
 * a new file never had one.  So while files are hidden every open is checked against the
 * patterns, except for files that the command created itself.
 */
#define _GNU_SOURCE
#include "base/path.h"
#include "broker/guard/guard.h"

static bool
is_cover(const struct broker *br, const struct stat *st)
{
	return br->has_hidden && st->st_dev == br->hidden_file.st_dev &&
	       (st->st_ino == br->hidden_file.st_ino ||
		   st->st_ino == br->hidden_directory.st_ino);
}

/* Compare the birth time: the inode number of a removed file is soon reused. */
size_t
hidden_find_own(const struct broker *br, const struct target *p)
{
	struct timespec birth;
	size_t i = 0;

	if (!p->exists)
		return br->own_n;
	while (i < br->own_n &&
	       (br->own[i].dev != p->st.st_dev || br->own[i].ino != p->st.st_ino))
		i++;
	if (i == br->own_n ||
	    !file_birth(p->object >= 0 ? p->object : p->parent,
		p->object >= 0 ? "" : p->name, &birth) ||
	    birth.tv_sec != br->own[i].birth.tv_sec ||
	    birth.tv_nsec != br->own[i].birth.tv_nsec)
		return br->own_n;
	return i;
}

bool
hidden_is(const struct broker *br, const struct target *p)
{
	if (!br->plan->watch_reads || !p->exists)
		return false;
	if (is_cover(br, &p->st))
		return true;
	if (S_ISLNK(p->st.st_mode) || hidden_find_own(br, p) < br->own_n)
		return false;
	return plan_is_ignored(br->plan, target_path(p), S_ISDIR(p->st.st_mode));
}

bool
hidden_below(const struct broker *br, const struct target *p)
{
	const struct plan *plan = br->plan;

	if (!plan->watch_reads || !p->exists || !S_ISDIR(p->st.st_mode))
		return false;
	for (size_t i = 0; i < plan->mounts_n; i++)
		if (plan->mounts[i].kind == PLAN_HIDDEN &&
		    path_is_within(target_path(p), str_from_c(plan->mounts[i].path)))
			return true;
	return false;
}

/* With OWN_MAX entries the next file counts as the host's: it cannot be read. */
void
hidden_add_own(struct broker *br, const struct target *p, int fd)
{
	struct inode_id *own = &br->own[br->own_n];
	struct stat st;
	struct str why;

	if (!br->plan->watch_reads || br->own_n == OWN_MAX ||
	    hidden_find_own(br, p) < br->own_n ||
	    (fd >= 0 ? fstat(fd, &st)
		     : fstatat(p->parent, p->name, &st, AT_SYMLINK_NOFOLLOW)) ||
	    (!plan_is_ignored(br->plan, target_path(p), S_ISDIR(st.st_mode)) &&
		!(S_ISREG(st.st_mode) && denied_path(br, target_path(p), &why))) ||
	    !file_birth(fd >= 0 ? fd : p->parent, fd >= 0 ? "" : p->name, &own->birth))
		return;
	own->dev = st.st_dev;
	own->ino = st.st_ino;
	br->own_n++;
}

void
hidden_remove_own(struct broker *br, size_t own)
{
	if (own < br->own_n)
		br->own[own] = br->own[--br->own_n];
}
