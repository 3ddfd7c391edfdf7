#include "confine/guard.h"
#include "base/path.h"
#include "look/names.h"

/* The component of `path` that starts at `at`. */
static struct str
part_at(struct str path, size_t at)
{
	struct str rest = str_skip(path, at);

	return str_cut(rest, 0, str_find(rest, '/'));
}

static struct guard_hit
hit(const char *why, size_t free_if_new)
{
	return (struct guard_hit){ .why = why, .free_if_new = free_if_new };
}

/* The rest of `path` after a git directory that is `at` bytes long. */
static struct guard_hit
in_git(const struct plan *plan, struct str path, size_t at)
{
	size_t deeper;
	enum git_name name = git_name(str_skip(path, at + 1), &deeper);
	struct guard_hit h = hit(NULL, 0);

	if (name >= GIT_CODE)
		h = hit(git_name_why(name), at + (deeper ? deeper + 1 : 0));
	else if (plan->block_git)
		h = hit("writes in git's directories are blocked", at);
	h.git = name;
	h.git_dir = at + (deeper ? deeper + 1 : 0);
	return h;
}

/* Hooks and included configuration that lie elsewhere. */
static bool
is_led_to(const struct plan *plan, struct str path)
{
	for (size_t i = 0; i < plan->led_n; i++)
		if (path_is_within(plan->led[i], path))
			return true;
	return false;
}

/* A worktree inside a git directory, as people keep them in a bare repository. */
static bool
in_worktree_below(const struct plan *plan, struct str dir, struct str path)
{
	for (size_t i = 0; i < plan->git_n; i++)
		if (plan->git[i].worktree.n > dir.n &&
		    path_is_within(dir, plan->git[i].worktree) &&
		    path_is_within(plan->git[i].worktree, path))
			return true;
	return false;
}

static struct guard_hit
in_known_git(const struct plan *plan, struct str path)
{
	if (is_led_to(plan, path))
		return hit("git runs code that it finds there", 0);
	for (size_t i = 0; i < plan->git_n; i++) {
		const struct str dirs[] = { plan->git[i].gitdir, plan->git[i].commondir };

		for (size_t k = 0; k < 2; k++) {
			struct guard_hit h;

			if (str_eq(dirs[k], path))
				h = hit("it is a git directory", 0);
			else if (dirs[k].p && path_is_within(dirs[k], path) &&
				 !in_worktree_below(plan, dirs[k], path))
				h = in_git(plan, path, dirs[k].n);
			else
				continue;
			/* The git directory of a submodule or a linked worktree lies
			 * deeper. */
			h.nested = h.git_dir > dirs[k].n &&
				   name_is(part_at(path, dirs[k].n + 1), "worktrees");
			h.inside_git = true;
			return h;
		}
	}
	return hit(NULL, 0);
}

/* `path` begins with the name to judge. */
static struct name_found
by_name(struct str path)
{
	struct name_found found = name_find(path);

	return found.action >= NAME_PROTECT ? found : (struct name_found){ 0 };
}

size_t
guard_root_length(const struct plan *plan, struct str path)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->writable_n; i++)
		if (plan->writable[i].n > n && path_is_within(plan->writable[i], path))
			n = plan->writable[i].n;
	return n;
}

bool
guard_is_package(const struct plan *plan, struct str path)
{
	for (size_t at = guard_root_length(plan, path); at + 1 < path.n;) {
		struct str part = part_at(path, at + 1);

		if (name_is_packages(part))
			return true;
		at += 1 + part.n;
	}
	return false;
}

static struct guard_hit
guard_names(const struct plan *plan, struct str path)
{
	struct guard_hit h = in_known_git(plan, path);
	size_t root = guard_root_length(plan, path), at = root;

	while (!h.why && !h.git_dir && at + 1 < path.n) {
		struct str part = part_at(path, at + 1);
		size_t end = at + 1 + part.n;
		struct name_found found;

		/* Agents keep whole worktrees in their directories. */
		if (name_is(part_at(path, end + 1), "worktrees") && by_name(part).why &&
		    str_find(str_skip(path, end + 1), '/') < path.n - end - 1) {
			at = end + 1 + STR("worktrees").n;
			continue;
		}
		found = by_name(str_skip(path, at + 1));
		h = hit(found.why, at > root ? at : 0);
		h.kind = found.kind;
		if (!h.why && name_is(part, ".git")) {
			h = end >= path.n ? hit("it is a git directory", end)
					  : in_git(plan, path, end);
			h.inside_git = true;
			h.gitdir = end >= path.n;
		}
		h.nested = at > root;
		if (h.why && !(plan->block_git && name_is(part, ".git")))
			h.package = guard_is_package(plan, str_cut(path, 0, at));
		at = end;
	}
	return h;
}

/* A directory above one of them counts, too: moving it away makes room for another. */
static bool
is_own(const struct plan *plan, struct str path)
{
	for (size_t i = 0; i < plan->own_n; i++)
		if (path_is_within(plan->own[i], path) ||
		    path_is_within(path, plan->own[i]))
			return true;
	return false;
}

struct guard_hit
guard_look(const struct plan *plan, struct str path)
{
	if (is_own(plan, path))
		return (struct guard_hit){ .why = "it belongs to cordon", .own = true };
	return guard_names(plan, path);
}
