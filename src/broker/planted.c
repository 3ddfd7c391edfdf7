/*
 * Which files that the run makes or changes do other programs run later?  Nothing is
 * refused here.  open.c lists protected names where a directory of the run's own makes them
 * free.
 */
#define _GNU_SOURCE
#include "base/path.h"
#include "broker/supervisor.h"
#include "confine/guard.h"

/* HEAD, config and objects beside each other: git takes the directory for a repository. */
static bool
is_bare(const struct place_in *p, struct str name)
{
	static const char *const parts[] = { "HEAD", "config", "objects" };
	struct stat st;

	if (p->parent < 0 || !str_among(name, "HEAD\0config\0objects\0"))
		return false;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (fstatat(p->parent, parts[i], &st, AT_SYMLINK_NOFOLLOW))
			return false;
	return true;
}

/* A repository with a name of its own, that somebody could step into unawares. */
static bool
is_plain_git(const struct place_in *p)
{
	struct str dir = str_cut(place_path(p), 0, str_rfind(place_path(p), '/'));

	return str_is(str_base(dir), ".git");
}

/* Its settings are looked at when the run has ended. */
static void
note_repository(struct supervisor *s, const struct place_in *p)
{
	struct str path = place_path(p), dir = str_cut(path, 0, str_rfind(path, '/')), copy;

	if (!is_bare(p, str_base(path)))
		return;
	for (size_t i = 0; i < s->repos_n; i++)
		if (str_eq(s->repos[i], dir))
			return;
	if (s->repos_n < REPOS_MAX && (copy = arena_copy(s->a, dir)).p)
		s->repos[s->repos_n++] = copy;
	else
		plant(s, dir, "git obeys its config, and it is one too many to look into");
}

/* Its path after a rename; itself if it was not in it. */
static struct str
moved(struct supervisor *s, struct str path, struct str from, struct str to)
{
	struct buf b;

	if (!path_is_within(from, path))
		return path;
	buf_init(&b, s->a);
	buf_put(&b, to);
	buf_put(&b, str_skip(path, from.n));
	return b.full ? path : buf_str(&b);
}

static void
repositories_moved(struct supervisor *s, struct str from, struct str to, bool swap)
{
	for (size_t i = 0; i < s->repos_n; i++)
		s->repos[i] = swap && path_is_within(to, s->repos[i])
				  ? moved(s, s->repos[i], to, from)
				  : moved(s, s->repos[i], from, to);
}

/* The part of a path below the writable path that it lies in. */
static struct str
below_root(const struct supervisor *s, struct str path)
{
	size_t n = 0;

	for (size_t i = 0; i < s->plan->writable_n; i++)
		if (s->plan->writable[i].n > n &&
		    path_is_within(s->plan->writable[i], path))
			n = s->plan->writable[i].n;
	return str_skip(path, n + 1);
}

static bool
is_directory(const struct place_in *p)
{
	struct stat st;

	return (p->object >= 0
		       ? fstat(p->object, &st)
		       : fstatat(p->parent, p->name, &st, AT_SYMLINK_NOFOLLOW)) == 0 &&
	       S_ISDIR(st.st_mode);
}

static void
list(struct supervisor *s, struct str path, const struct name_found *found, bool existed)
{
	bool package = found->kind != NAME_START && guard_is_package(s->plan, path);

	plant_as(
	    s, path, found->why, package || (found->action == NAME_CHANGE && !existed));
}

void
plant_look(struct supervisor *s, const struct place_in *p)
{
	struct str path = place_path(p);
	struct name_found found = name_find_within(below_root(s, path));

	if (s->q->learn)
		learn(s, RUN_WRITE, path);
	note_repository(s, p);
	if (is_bare(p, str_base(path)) && !is_plain_git(p))
		plant(s, path, "git takes it for a repository, and obeys its config");
	else if (found.action != NAME_NONE && !is_directory(p))
		list(s, path, &found, p->exists);
}

void
plant_look_removed(struct supervisor *s, const struct place_in *p)
{
	struct str path = place_path(p);
	struct name_found found = name_find_within(below_root(s, path));

	/* The others are listed whenever they are made. */
	if (found.action == NAME_CHANGE && p->exists && !S_ISDIR(p->st.st_mode) &&
	    !guard_is_package(s->plan, path))
		plant_gone(s, path, found.why);
}

/* List what is in the directory `p` and has a name of the list only there: x/config.toml,
 * when x becomes .cargo. */
static void
list_below(struct supervisor *s, const struct place_in *p, struct str from)
{
	char rest[NAME_REST_SIZE], room[sizeof p->name + NAME_REST_SIZE];
	struct stat st;
	struct buf b;

	for (size_t at = 0; name_below(from, NAME_CHANGE, &at, rest);) {
		struct name_found found;

		below_name(room, p->name, rest);
		if (fstatat(p->parent, room, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		buf_init(&b, s->a);
		buf_put(&b, place_path(p));
		buf_putc(&b, '/');
		buf_puts(&b, rest);
		found = name_find_within(below_root(s, buf_str(&b)));
		if (!b.full && found.action != NAME_NONE)
			list(s, buf_str(&b), &found, true);
	}
}

static void
look_renamed(struct supervisor *s, const struct place_in *p)
{
	struct str path = below_root(s, place_path(p));
	struct name_found found;

	if (!is_directory(p)) {
		plant_look(s, p);
		return;
	}
	note_repository(s, p);
	found = name_find_within(path);
	if (found.action != NAME_NONE && found.tree)
		list(s, place_path(p), &found, true);
	for (; path.n; path = str_skip(path, str_find(path, '/') + 1))
		list_below(s, p, path);
}

void
plant_renamed(
    struct supervisor *s, const struct place_in *from, const struct place_in *to, bool swap)
{
	plant_moved(s, place_path(from), place_path(to), swap);
	repositories_moved(s, place_path(from), place_path(to), swap);
	if (swap)
		look_renamed(s, from);
	else
		plant_look_removed(s, from);
	look_renamed(s, to);
}
