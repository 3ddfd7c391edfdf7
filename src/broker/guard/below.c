/*
 * Protected names of several components, such as .github/hooks.  Their first directory is
 * free, and so can be renamed or be a symlink.  This file judges what would lie in it then.
 */
#define _GNU_SOURCE
#include "broker/guard/guard.h"

void
below_name(char *to, const char *dir, const char *rest)
{
	size_t n = strlen(dir);

	memcpy(to, dir, n);
	to[n] = '/';
	memcpy(to + n + 1, rest, strlen(rest) + 1);
}

/* Judge the path of `at` with `rest` after it. */
static const char *
judge(struct broker *br, const struct target *at, const char *rest, enum run_op op)
{
	struct target p = *at;
	size_t n = strlen(rest);

	if (p.path_n + 1 + n >= sizeof p.path)
		return "its path is too long to be checked";
	p.path[p.path_n] = '/';
	memcpy(p.path + p.path_n + 1, rest, n + 1);
	p.path_n += 1 + n;
	return guarded_why(br, &p, op);
}

static bool
holds(int parent, const char *name, const char *rest)
{
	char buf[sizeof((struct target *)0)->name + NAME_REST_SIZE];
	struct stat st;

	below_name(buf, name, rest);
	/* If it cannot be looked up, assume that it is there. */
	return fstatat(parent, buf, &st, AT_SYMLINK_NOFOLLOW) == 0 ||
	       (errno != ENOENT && errno != ENOTDIR);
}

bool
below_holds(int parent, const char *name, struct str path)
{
	char rest[NAME_REST_SIZE];
	bool found = false;

	for (size_t at = 0; !found && name_below(path, NAME_PROTECT, &at, rest);)
		found = holds(parent, name, rest);
	return found;
}

/* `dir` NULL: something that may lead anywhere. */
static const char *
guard(struct broker *br, const struct target *at, const struct target *dir, enum run_op op)
{
	struct str path = str_skip(target_path(at), 1);
	char rest[NAME_REST_SIZE];
	const char *why = NULL;

	for (; path.n && !why; path = str_skip(path, str_find(path, '/') + 1))
		for (size_t n = 0; !why && name_below(path, NAME_PROTECT, &n, rest);)
			if (!dir || holds(dir->parent, dir->name, rest))
				why = judge(br, at, rest, op);
	return why;
}

const char *
below_guard(
    struct broker *br, const struct target *at, const struct target *dir, enum run_op op)
{
	if (!dir)
		return guard(br, at, NULL, op);
	if (!dir->exists || dir->parent < 0)
		return NULL;
	if (S_ISLNK(dir->st.st_mode))
		return guard(br, at, NULL, op);
	return S_ISDIR(dir->st.st_mode) ? guard(br, at, dir, op) : NULL;
}
