/*
 * Hidden files that come to be during the run.  A mount lies on those that were there at
 * its start; when an editor outside replaces one, the kernel takes the mount away, and a
 * new one never had any.  Every open is looked at while files are hidden: the patterns say
 * which, unless the command has made the file itself.
 */
#define _GNU_SOURCE
#include "base/path.h"
#include "broker/supervisor.h"

static bool
is_cover(const struct supervisor *s, const struct stat *st)
{
	return s->has_hidden && st->st_dev == s->hidden_file.st_dev &&
	       (st->st_ino == s->hidden_file.st_ino ||
		   st->st_ino == s->hidden_directory.st_ino);
}

/* The number of a file that has gone is soon another one's: a file is known by when it was
 * made, too. */
size_t
hidden_find_own(const struct supervisor *s, const struct place_in *p)
{
	struct timespec birth;
	size_t i = 0;

	if (!p->exists)
		return s->own_n;
	while (i < s->own_n &&
	       (s->own[i].dev != p->st.st_dev || s->own[i].ino != p->st.st_ino))
		i++;
	if (i == s->own_n ||
	    !file_birth(p->object >= 0 ? p->object : p->parent,
		p->object >= 0 ? "" : p->name, &birth) ||
	    birth.tv_sec != s->own[i].birth.tv_sec ||
	    birth.tv_nsec != s->own[i].birth.tv_nsec)
		return s->own_n;
	return i;
}

bool
hidden_is(const struct supervisor *s, const struct place_in *p)
{
	if (!s->plan->watch_reads || !p->exists)
		return false;
	if (is_cover(s, &p->st))
		return true;
	if (S_ISLNK(p->st.st_mode) || hidden_find_own(s, p) < s->own_n)
		return false;
	return plan_is_ignored(s->plan, place_path(p), S_ISDIR(p->st.st_mode));
}

bool
hidden_below(const struct supervisor *s, const struct place_in *p)
{
	const struct plan *plan = s->plan;

	if (!plan->watch_reads || !p->exists || !S_ISDIR(p->st.st_mode))
		return false;
	for (size_t i = 0; i < plan->mounts_n; i++)
		if (plan->mounts[i].kind == PLAN_HIDDEN &&
		    path_is_within(place_path(p), str_from_c(plan->mounts[i].path)))
			return true;
	return false;
}

/* With OWN_MAX of them another one counts as the host's: it cannot be read. */
void
hidden_own(struct supervisor *s, const struct place_in *p, int fd)
{
	struct inode_id *own = &s->own[s->own_n];
	struct stat st;
	struct str why;

	if (!s->plan->watch_reads || s->own_n == OWN_MAX ||
	    hidden_find_own(s, p) < s->own_n ||
	    (fd >= 0 ? fstat(fd, &st)
		     : fstatat(p->parent, p->name, &st, AT_SYMLINK_NOFOLLOW)) ||
	    (!plan_is_ignored(s->plan, place_path(p), S_ISDIR(st.st_mode)) &&
		!(S_ISREG(st.st_mode) && denied_path(s, place_path(p), &why))) ||
	    !file_birth(fd >= 0 ? fd : p->parent, fd >= 0 ? "" : p->name, &own->birth))
		return;
	own->dev = st.st_dev;
	own->ino = st.st_ino;
	s->own_n++;
}

void
hidden_gone(struct supervisor *s, size_t own)
{
	if (own < s->own_n)
		s->own[own] = s->own[--s->own_n];
}
