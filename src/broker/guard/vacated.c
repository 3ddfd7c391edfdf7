/*
 * Vacated paths: directories with protected names that were moved away, and protected names
 * that were removed, in this run or an earlier one.  A directory that the run creates there
 * is new, but its protected names are not free: otherwise moving a parent aside and copying
 * it back would replace them.
 */
#define _GNU_SOURCE
#include "base/path.h"
#include "broker/guard/guard.h"
#include <dirent.h>

#define DEPTH_MOST 12
#define ENTRIES_MOST 20000

struct look {
	unsigned found;
	unsigned entries;
};

static void look_into(struct look *l, int fd, unsigned depth);

static void
look_at(struct look *l, int dir, const struct dirent *e, unsigned depth)
{
	struct str name = str_from_c(e->d_name);

	if (str_is(name, ".") || str_is(name, "..") || name_is_packages(name))
		return;
	if (name_is(name, ".git"))
		l->found |= VACATED_GIT;
	else if (name_kind(name) != NAME_FREE || below_holds(dir, e->d_name, name))
		l->found |= VACATED_NAMES;
	else if (e->d_type == DT_DIR || e->d_type == DT_UNKNOWN)
		look_into(l,
		    openat(dir, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
		    depth + 1);
}

/* Look into the directory `fd` and close it; below 0, errno says why it could not be
 * opened.  A directory that is too large or cannot be read counts as having everything; one
 * that is gone, or is no directory, as having nothing. */
static void
look_into(struct look *l, int fd, unsigned depth)
{
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;

	if (!d) {
		if (fd >= 0 || (errno != ENOENT && errno != ENOTDIR && errno != ELOOP))
			l->found = VACATED_ALL;
		fd_close(&fd);
		return;
	}
	while (l->found != VACATED_ALL && (errno = 0, e = readdir(d))) {
		if (l->entries++ == ENTRIES_MOST || depth == DEPTH_MOST)
			l->found = VACATED_ALL;
		else
			look_at(l, dirfd(d), e, depth);
	}
	if (l->found != VACATED_ALL && errno)
		l->found = VACATED_ALL;
	(void)closedir(d);
}

static unsigned
look(const struct target *p)
{
	struct look l = { 0 };

	look_into(&l,
	    openat(p->parent, p->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), 0);
	return l.found;
}

static bool
is_directory(const struct target *p)
{
	return p->exists && p->parent >= 0 && S_ISDIR(p->st.st_mode);
}

/* True if it is the directory that was moved away from this very path. */
static bool
is_back(const struct vacated *v, const struct target *p, struct str path)
{
	return p && p->exists && v->ino && v->ino == p->st.st_ino &&
	       v->dev == p->st.st_dev && str_eq(v->path, path);
}

/* The kinds of protected names that this path has lost, except those that `p` brings
 * back. */
static unsigned
vacated_at(const struct broker *br, struct str path, const struct target *p)
{
	unsigned found = br->vacated_more ? VACATED_ALL : 0;

	for (size_t i = 0; i < br->vacated_n; i++)
		if (path_is_within(br->vacated[i].path, path) &&
		    !is_back(&br->vacated[i], p, path))
			found |= br->vacated[i].found;
	return found;
}

bool
vacated_holds(const struct broker *br, struct str path, bool git)
{
	return (vacated_at(br, path, NULL) & (git ? VACATED_GIT : VACATED_NAMES)) != 0;
}

/* True if `p` has names of the kinds `had`. */
static bool
brings(const struct target *p, unsigned had)
{
	return had && is_directory(p) && (look(p) & had) != 0;
}

bool
vacated_refuses(
    struct broker *br, const struct target *from, const struct target *to, bool swap)
{
	if (brings(from, vacated_at(br, target_path(to), from)))
		return true;
	/* Among packages protected names may be removed. */
	if (guard_is_package(br->plan, target_path(to)) && vacated_look(br, from))
		return true;
	return swap && (brings(to, vacated_at(br, target_path(from), to)) ||
			   (is_directory(from) && brings(to, look(from))));
}

void
vacated_put(struct broker *br, const struct vacated *new)
{
	struct vacated *v = &br->vacated[br->vacated_n];

	if (br->vacated_n < VACATED_MAX) {
		*v = *new;
		v->path = arena_copy(br->a, new->path);
		br->vacated_n += v->path.p != NULL;
	}
	br->vacated_more |= br->vacated_n == VACATED_MAX || !v->path.p;
}

unsigned
vacated_look(struct broker *br, const struct target *from)
{
	if (!is_directory(from) || target_is_new(br, from) ||
	    guard_is_package(br->plan, target_path(from)))
		return 0;
	return look(from) |
	       (guard_look(br->plan, target_path(from)).inside_git ? VACATED_GIT : 0);
}

static struct vacated
entry(const struct target *p, struct str path, unsigned found)
{
	return (struct vacated){ path, found, p->st.st_dev, p->st.st_ino };
}

/* The entry of `from`, if `from` moves back to where it was; NULL: none. */
static struct vacated *
back_at(struct broker *br, const struct target *from, const struct target *to)
{
	for (size_t i = 0; i < br->vacated_n; i++)
		if (is_back(&br->vacated[i], from, target_path(to)))
			return &br->vacated[i];
	return NULL;
}

bool
vacated_moves(
    struct broker *br, const struct target *from, const struct target *to, unsigned found)
{
	struct vacated v = entry(from, target_path(from), found);

	return !found || back_at(br, from, to) || vacated_save(br, &v);
}

void
vacated_moved(
    struct broker *br, const struct target *from, const struct target *to, unsigned found)
{
	struct vacated v = entry(from, target_path(from), found), *back;
	bool is_home = false;

	/* The directory is back: the path in between had no names of its own. */
	while (found && (back = back_at(br, from, to))) {
		*back = br->vacated[--br->vacated_n];
		is_home = true;
	}
	if (found && !is_home)
		vacated_put(br, &v);
}

bool
vacated_removes(struct broker *br, const struct target *p)
{
	struct guard_hit h = guard_look(br->plan, target_path(p));
	struct str dir = str_cut(target_path(p), 0, h.free_if_new);
	struct vacated v = { .path = dir, .found = VACATED_GIT };
	char path[LIMIT_PATH];

	if (!h.why || !h.inside_git || !h.nested || h.package || h.git == GIT_LOCK ||
	    p->agreed || vacated_holds(br, dir, true))
		return true;
	/* The run created it: nothing was there before. */
	memcpy(path, dir.p, dir.n);
	path[dir.n] = '\0';
	if (dir_is_new(br, path, dir.n))
		return true;
	if (!vacated_save(br, &v))
		return false;
	vacated_put(br, &v);
	return true;
}
