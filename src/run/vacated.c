/*
 * Vacated places: directories with protected names that were moved away, and protected
 * names that were removed, in this run or an earlier one.  A directory that the run makes
 * there is new, but its protected names are not free: otherwise moving a parent aside and
 * copying it back would replace what it holds.
 */
#define _GNU_SOURCE
#include "base/path.h"
#include "confine/guard.h"
#include "run/supervisor.h"
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

/* Takes `fd`, or what errno says of it.  What is too much to look at, or is closed to us,
 * has everything; what has gone, or is no directory, has nothing. */
static void
look_into(struct look *l, int fd, unsigned depth)
{
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;

	if (!d) {
		if (fd >= 0 || (errno != ENOENT && errno != ENOTDIR && errno != ELOOP))
			l->found = VACATED_ALL;
		confine_fd_close(&fd);
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
look(const struct place_in *p)
{
	struct look l = { 0 };

	look_into(&l,
	    openat(p->parent, p->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), 0);
	return l.found;
}

static bool
is_directory(const struct place_in *p)
{
	return p->exists && p->parent >= 0 && S_ISDIR(p->st.st_mode);
}

/* What of it is protected at this path, for a directory was moved away from there. */
static unsigned
vacated_at(const struct supervisor *s, struct str path)
{
	unsigned found = s->vacated_more ? VACATED_ALL : 0;

	for (size_t i = 0; i < s->vacated_n; i++)
		if (path_is_within(s->vacated[i].path, path))
			found |= s->vacated[i].found;
	return found;
}

bool
vacated_holds(const struct supervisor *s, struct str path, bool git)
{
	return (vacated_at(s, path) & (git ? VACATED_GIT : VACATED_NAMES)) != 0;
}

/* `p` takes a place that had `had`. */
static bool
brings(const struct place_in *p, unsigned had)
{
	return had && is_directory(p) && (look(p) & had) != 0;
}

bool
vacated_refuses(
    struct supervisor *s, const struct place_in *from, const struct place_in *to, bool swap)
{
	bool from_new = is_directory(from) && place_is_new(s, from),
	     to_new = swap && is_directory(to) && place_is_new(s, to);

	if (from_new && brings(from, vacated_at(s, place_path(to))))
		return true;
	if (to_new && brings(to, vacated_at(s, place_path(from))))
		return true;
	/* One that was there for one that was not. */
	if (swap && is_directory(from) && is_directory(to) && from_new != to_new)
		return brings(from_new ? from : to, look(from_new ? to : from));
	return false;
}

void
vacated_put(struct supervisor *s, struct str path, unsigned found)
{
	struct vacated *v = &s->vacated[s->vacated_n];

	for (size_t i = 0; i < s->vacated_n; i++)
		if (str_eq(s->vacated[i].path, path)) {
			s->vacated[i].found |= found;
			return;
		}
	if (s->vacated_n < VACATED_MAX && (v->path = arena_copy(s->a, path)).p) {
		v->found = found;
		s->vacated_n++;
	} else
		s->vacated_more = true;
}

unsigned
vacated_look(struct supervisor *s, const struct place_in *from)
{
	if (!is_directory(from) || place_is_new(s, from) ||
	    guard_is_package(s->plan, place_path(from)))
		return 0;
	return look(from) |
	       (guard_look(s->plan, place_path(from)).inside_git ? VACATED_GIT : 0);
}

bool
vacated_moves(struct supervisor *s, const struct place_in *from, unsigned found)
{
	return !found || vacated_save(s, place_path(from), found);
}

void
vacated_moved(struct supervisor *s, const struct place_in *from, const struct place_in *to,
    unsigned found)
{
	/* Back where it was. */
	for (size_t i = 0; i < s->vacated_n && found; i++)
		if (str_eq(s->vacated[i].path, place_path(to)))
			s->vacated[i--] = s->vacated[--s->vacated_n];
	if (found)
		vacated_put(s, place_path(from), found);
}

bool
vacated_removes(struct supervisor *s, const struct place_in *p)
{
	struct guard_hit h = guard_look(s->plan, place_path(p));
	struct str dir = str_cut(place_path(p), 0, h.free_if_new);
	unsigned found = h.inside_git ? VACATED_GIT : VACATED_NAMES;
	char path[LIMIT_PATH];

	if (!h.why || !h.nested || h.package || h.git == GIT_LOCK || p->agreed ||
	    (vacated_at(s, dir) & found) == found)
		return true;
	/* The run's own: nothing was there before. */
	memcpy(path, dir.p, dir.n);
	path[dir.n] = '\0';
	if (dir_is_new(s, path, dir.n))
		return true;
	if (!vacated_save(s, dir, found))
		return false;
	vacated_put(s, dir, found);
	return true;
}
