#include "look/git/gitnames.h"
#include "look/alias.h"
#include "look/names.h"

/* Lists of names, each ending in NUL.  Protected, with everything below. */
static const char code_parts[] = "commondir\0hooks\0branches\0remotes\0";
static const char code_paths[] = "info/attributes\0info/grafts\0objects/info/alternates\0"
				 "objects/info/http-alternates\0";
static const char configs[] = "config\0config.worktree\0";
static const char locks[] = "config.lock\0config.worktree.lock\0";
static const char parts[] = "objects\0objects/info\0info\0refs\0worktrees\0modules\0"
			    "rebase-merge\0";
static const char todos[] = "rebase-merge/git-rebase-todo\0"
			    "rebase-merge/git-rebase-todo.backup\0";

/* Free, with everything below. */
static const char free_trees[] = "objects\0refs\0logs\0rebase-merge\0rebase-apply\0"
				 "sequencer\0rr-cache\0lost-found\0lfs\0reftable\0svn\0"
				 "subtree-cache\0fsmonitor--daemon\0"
				 "NOTES_MERGE_WORKTREE\0";
/* Free files; so are these names with .lock appended. */
static const char free_files[] =
    "index\0packed-refs\0packed-refs.new\0shallow\0description\0gc.pid\0gc.log\0locked\0"
    "fsmonitor--daemon.ipc\0addp-hunk-edit.diff\0info/exclude\0info/refs\0"
    "info/sparse-checkout\0rebased-patches\0"
    /* of other tools; never executed */
    "gitk.cache\0lint-staged_unstaged.patch\0opencode\0machete\0";
/* Prefixes of names that end in a number or letters. */
static const char free_starts[] = "index.stash.\0next-index-\0sharedindex.\0sharedindex_\0"
				  "shallow_\0info/refs_\0";

static bool
is_among(struct str s, const char *list)
{
	for (; *list; list += strlen(list) + 1)
		if (name_is(s, list))
			return true;
	return false;
}

static struct str
first_part(struct str path)
{
	return str_cut(path, 0, str_find(path, '/'));
}

static struct str
without_end(struct str s, struct str end)
{
	return s.n > end.n && str_ends(s, end) ? str_cut(s, 0, s.n - end.n) : s;
}

/* HEAD, MERGE_MSG, COMMIT_EDITMSG, BISECT_LOG: git's state is in capitals, and so are refs
 * outside of refs/. */
static bool
is_state(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!(name.p[i] >= 'A' && name.p[i] <= 'Z') && name.p[i] != '_')
			return false;
	return name.n > 0;
}

static bool
starts_free(struct str path)
{
	for (const char *at = free_starts; *at; at += strlen(at) + 1)
		if (str_starts(path, str_from_c(at)))
			return first_part(str_skip(path, strlen(at))).n ==
			       path.n - strlen(at);
	return false;
}

/* Temporary files of editors: sed -i, vim. */
static bool
is_of_editor(struct str name)
{
	return (name.n == 9 && str_starts(name, STR("sed"))) || str_is(name, "4913") ||
	       (name.n > 5 && name.p[0] == '.' &&
		   str_starts(str_skip(name, name.n - 4), STR(".sw")));
}

static bool
is_free(struct str path)
{
	struct str name = without_end(without_end(path, STR(".lock")), STR("~"));

	if (str_among(first_part(path), free_trees))
		return true;
	if (str_among(name, free_files))
		return true;
	return starts_free(name) ||
	       (first_part(path).n == path.n && (is_state(name) || is_of_editor(path)));
}

/* Classify a name in one git directory, without nested ones. */
static enum git_name
name_here(struct str path)
{
	struct str part = first_part(path);

	if (is_among(part, code_parts) || is_among(path, code_paths))
		return GIT_CODE;
	if (is_among(part, configs))
		return part.n == path.n ? GIT_CONFIG : GIT_CODE;
	if (is_among(part, locks))
		return part.n == path.n ? GIT_LOCK : GIT_CODE;
	if (name_is(part, "gitdir"))
		return part.n == path.n ? GIT_BACKLINK : GIT_CODE;
	/* Similar names prepare a rename over the configuration. */
	if (part.n > 7 && name_is(str_cut(part, 0, 7), "config."))
		return GIT_CODE;
	if (is_among(path, todos) || is_among(without_end(path, STR(".lock")), todos))
		return GIT_TODO;
	if (is_among(path, parts))
		return GIT_PART;
	return is_free(path) ? GIT_FREE : GIT_OTHER;
}

static bool
is_protected(enum git_name name)
{
	return name >= GIT_CODE || name == GIT_TODO;
}

static struct str
behind_first(struct str path)
{
	return str_skip(path, first_part(path).n + 1);
}

/* Below `modules/` a submodule's name may contain slashes, so its directory may begin at
 * any of them.  A name that is protected in one of these is protected. */
static enum git_name
name_in_modules(struct str rest, struct str path, size_t *ret_dir)
{
	enum git_name found = GIT_PART;

	while ((rest = behind_first(rest)).n > 0) {
		enum git_name here = name_here(rest);

		if (is_protected(here) || (here == GIT_FREE && found == GIT_PART)) {
			*ret_dir = path.n - rest.n;
			found = here;
		}
		if (is_protected(here))
			break;
	}
	return found;
}

enum git_name
git_name(struct str path, size_t *ret_dir)
{
	struct str rest = path;
	enum git_name found = GIT_PART;
	size_t dir = 0;

	/* worktrees/NAME is a git directory as well. */
	while (name_is(first_part(rest), "worktrees") && behind_first(behind_first(rest)).n)
		rest = behind_first(behind_first(rest));
	dir = path.n - rest.n;
	if (name_is(first_part(rest), "modules") && behind_first(rest).n)
		found = name_in_modules(behind_first(rest), path, &dir);
	else if (!name_is(first_part(rest), "worktrees"))
		found = name_here(rest);
	if (ret_dir)
		*ret_dir = dir ? dir - 1 : 0;
	return found;
}

bool
git_name_is_linked(struct str path)
{
	/* objects/xx/..., objects/pack/...: never objects/info. */
	for (; path.n; path = behind_first(path)) {
		struct str below = behind_first(path);

		if (!str_is(first_part(path), "objects") &&
		    !str_is(first_part(path), "lfs"))
			continue;
		if (first_part(below).n < below.n && !name_is(first_part(below), "info"))
			return true;
	}
	return false;
}

const char *
git_name_why(enum git_name name)
{
	switch (name) {
	case GIT_CODE:
		return "git runs code that it finds there";
	case GIT_CONFIG:
	case GIT_LOCK:
		return "it is git's configuration, which can make git run code";
	case GIT_BACKLINK:
		return "it tells git where a worktree is";
	case GIT_TODO:
		return "git rebase would run its exec lines, and no rebase is in progress";
	case GIT_PART:
		return "git's own directories must not be moved";
	case GIT_OTHER:
		return "git itself does not write this name in its directory";
	case GIT_FREE:
		break;
	}
	return NULL;
}
