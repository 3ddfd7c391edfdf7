/*
 * Recognise files that other programs execute or obey later.  Nothing is refused here.
 * guard/guarded.c lists protected names that are free in a directory which the run created.
 */
#define _GNU_SOURCE
#include "base/path.h"
#include "broker/guard/guard.h"
#include "broker/report/report.h"

/* True if HEAD, config and objects are next to each other: git takes the directory for a
 * repository. */
static bool
is_bare(const struct target *p, struct str name)
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

/* True for a directory called .git; any other repository could be entered unawares. */
static bool
is_plain_git(const struct target *p)
{
	struct str dir = str_cut(target_path(p), 0, str_rfind(target_path(p), '/'));

	return str_is(str_base(dir), ".git");
}

/* Remember the repository: its settings are checked when the run has ended. */
static void
note_repository(struct broker *br, const struct target *p)
{
	struct str path = target_path(p), dir = str_cut(path, 0, str_rfind(path, '/')),
		   copy;

	if (!is_bare(p, str_base(path)))
		return;
	for (size_t i = 0; i < br->repos_n; i++)
		if (str_eq(br->repos[i], dir))
			return;
	if (br->repos_n < REPOS_MAX && (copy = arena_copy(br->a, dir)).p)
		br->repos[br->repos_n++] = copy;
	else
		dropped_add(br, dir,
		    "git obeys its config; there are too many repositories to check it");
}

/* The path after a rename; unchanged if it was not below `from`. */
static struct str
moved(struct broker *br, struct str path, struct str from, struct str to)
{
	struct buf b;

	if (!path_is_within(from, path))
		return path;
	buf_init(&b, br->a);
	buf_put(&b, to);
	buf_put(&b, str_skip(path, from.n));
	return b.full ? path : buf_str(&b);
}

static void
repositories_moved(struct broker *br, struct str from, struct str to, bool swap)
{
	for (size_t i = 0; i < br->repos_n; i++)
		br->repos[i] = swap && path_is_within(to, br->repos[i])
				   ? moved(br, br->repos[i], to, from)
				   : moved(br, br->repos[i], from, to);
}

/* The part of a path below its writable root. */
static struct str
below_root(const struct broker *br, struct str path)
{
	size_t n = 0;

	for (size_t i = 0; i < br->plan->writable_n; i++)
		if (br->plan->writable[i].n > n &&
		    path_is_within(br->plan->writable[i], path))
			n = br->plan->writable[i].n;
	return str_skip(path, n + 1);
}

static bool
is_directory(const struct target *p)
{
	struct stat st;

	return (p->object >= 0
		       ? fstat(p->object, &st)
		       : fstatat(p->parent, p->name, &st, AT_SYMLINK_NOFOLLOW)) == 0 &&
	       S_ISDIR(st.st_mode);
}

static void
list(struct broker *br, struct str path, const struct name_found *found, bool existed)
{
	bool package = found->kind != NAME_START && guard_is_package(br->plan, path);

	dropped_add_as(
	    br, path, found->why, package || (found->action == NAME_CHANGE && !existed));
}

void
dropped_check(struct broker *br, const struct target *p)
{
	struct str path = target_path(p);
	struct name_found found = name_find_within(below_root(br, path));

	if (br->policy->learn)
		learned_add(br, RUN_WRITE, path);
	note_repository(br, p);
	if (is_bare(p, str_base(path)) && !is_plain_git(p))
		dropped_add(
		    br, path, "git takes it for a repository, and obeys its config");
	else if (found.action != NAME_NONE && !is_directory(p))
		list(br, path, &found, p->exists);
}

void
dropped_check_removed(struct broker *br, const struct target *p)
{
	struct str path = target_path(p);
	struct name_found found = name_find_within(below_root(br, path));

	/* Other names are listed whenever they are created. */
	if (found.action == NAME_CHANGE && p->exists && !S_ISDIR(p->st.st_mode) &&
	    !guard_is_package(br->plan, path))
		dropped_add_removed(br, path, found.why);
}

/* List entries of the directory `p` that have a name of the list only there: x/config.toml,
 * when x becomes .cargo. */
static void
list_below(struct broker *br, const struct target *p, struct str from)
{
	char rest[NAME_REST_SIZE], buf[sizeof p->name + NAME_REST_SIZE];
	struct stat st;
	struct buf b;

	for (size_t at = 0; name_below(from, NAME_CHANGE, &at, rest);) {
		struct name_found found;

		below_name(buf, p->name, rest);
		if (fstatat(p->parent, buf, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		buf_init(&b, br->a);
		buf_put(&b, target_path(p));
		buf_putc(&b, '/');
		buf_puts(&b, rest);
		found = name_find_within(below_root(br, buf_str(&b)));
		if (!b.full && found.action != NAME_NONE)
			list(br, buf_str(&b), &found, true);
	}
}

static void
look_renamed(struct broker *br, const struct target *p)
{
	struct str path = below_root(br, target_path(p));
	struct name_found found;

	if (!is_directory(p)) {
		dropped_check(br, p);
		return;
	}
	note_repository(br, p);
	found = name_find_within(path);
	if (found.action != NAME_NONE && found.tree)
		list(br, target_path(p), &found, true);
	for (; path.n; path = str_skip(path, str_find(path, '/') + 1))
		list_below(br, p, path);
}

void
dropped_check_renamed(
    struct broker *br, const struct target *from, const struct target *to, bool swap)
{
	dropped_moved(br, target_path(from), target_path(to), swap);
	repositories_moved(br, target_path(from), target_path(to), swap);
	if (swap)
		look_renamed(br, from);
	else
		dropped_check_removed(br, from);
	look_renamed(br, to);
}
