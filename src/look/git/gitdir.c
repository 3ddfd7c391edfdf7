/*
 * Find the git directory as git does, but trust a .git file only if its target points back.
 */
#include "base/path.h"
#include "look/created_names.h"
#include "look/git/gitconf.h"
#include "look/resolve.h"
#include "look/root.h"
#include "os/dir_cache.h"
#include "os/file.h"
#include <errno.h>

#define POINTER_MAX ((size_t)8192)
#define CONFIG_MAX ((size_t)1 << 20)

static struct str
real_of(struct arena *a, struct str path)
{
	struct resolved r;

	if (look_resolve(a, path, 0, NULL, &r, NULL) || !r.exists)
		return (struct str){ NULL, 0 };
	return r.real;
}

const char git_no_memory[] = "not enough memory to look for a repository";

/* Make `path`, as written in a file of `dir`, absolute. */
static struct str
real_from(struct arena *a, struct str dir, struct str path)
{
	struct str full;

	while (path.n && strchr("\n\r ", path.p[path.n - 1]))
		path.n--;
	if (path.n == 0)
		return (struct str){ NULL, 0 };
	full = path.p[0] == '/' ? path : created_join(a, dir, path);
	return full.p ? real_of(a, full) : full;
}

static bool
exists_in(struct arena *a, struct str dir, const char *name, bool *directory)
{
	struct str path = created_join(a, dir, str_from_c(name));
	struct stat st;

	if (!path.p)
		errno = ENOMEM;
	if (!path.p || !file_stat(a, path, false, &st))
		return false;
	/* A cached directory needs no second lookup. */
	if (S_ISDIR(st.st_mode) && name[0] == '.' && dir_cache_known(dir) == dir.n)
		dir_cache_add_stat(path, &st);
	else if (S_ISLNK(st.st_mode) && !file_stat(a, path, true, &st))
		return false;
	*directory = S_ISDIR(st.st_mode);
	return true;
}

/* True if git accepts the directory as a repository: HEAD, objects/ and refs/. */
static bool
is_gitdir(struct arena *a, struct str dir)
{
	bool d = false;

	return exists_in(a, dir, "HEAD", &d) && exists_in(a, dir, "objects", &d) && d &&
	       exists_in(a, dir, "refs", &d) && d;
}

static bool
read_pointer(struct arena *a, struct str dir, const char *name, struct str *ret)
{
	struct file_read how = { .max = POINTER_MAX, .rare = true };
	struct str path = created_join(a, dir, str_from_c(name));
	bool missing;

	return path.p && file_read(a, path, &how, ret, &missing, NULL) == 0;
}

struct worktree_key {
	struct str value;
};

static bool
see_worktree(void *context, const struct gitconf_entry *e)
{
	struct worktree_key *k = context;

	if (str_is(e->section, "core") && !e->sub.p && str_is(e->name, "worktree"))
		k->value = e->value;
	return true;
}

/* True if the directory that a .git file in `dir` names points back to `dir`. */
static bool
points_back(struct arena *a, struct str dir, struct str gitdir)
{
	struct file_read how = { .max = CONFIG_MAX };
	struct worktree_key k = { { NULL, 0 } };
	struct str back, text, config;
	bool missing;

	if (read_pointer(a, gitdir, "gitdir", &text)) {
		back = real_from(a, gitdir, text);
		return back.p && str_is(str_base(back), ".git") &&
		       str_eq(path_parent(back), dir);
	}
	config = created_join(a, gitdir, STR("config"));
	if (!config.p || file_read(a, config, &how, &text, &missing, NULL) ||
	    gitconf_read(a, text, see_worktree, &k, NULL) || !k.value.p)
		return false;
	back = real_from(a, gitdir, k.value);
	return back.p && str_eq(back, dir);
}

static bool
take_gitdir(struct arena *a, struct str gitdir, struct git_dirs *ret, const char **why)
{
	struct str text;

	ret->gitdir = ret->commondir = gitdir;
	if (read_pointer(a, gitdir, "commondir", &text)) {
		ret->commondir = real_from(a, gitdir, text);
		ret->linked = true;
	}
	if (!ret->commondir.p || !is_gitdir(a, ret->commondir)) {
		*why = "the git directory is not a repository";
		return false;
	}
	return true;
}

/* Follow a .git file. */
static bool
take_file(struct arena *a, struct str dir, struct git_dirs *ret, const char **why)
{
	static const struct str front = STR_INIT("gitdir: ");
	struct str text, gitdir;

	if (!read_pointer(a, dir, ".git", &text) || !str_starts(text, front)) {
		*why = "its .git file cannot be read";
		return false;
	}
	gitdir = real_from(a, dir, str_skip(text, front.n));
	if (!gitdir.p) {
		*why = "its .git file names a directory that does not exist";
		return false;
	}
	if (!points_back(a, dir, gitdir)) {
		*why = "its .git file names a directory that does not point back";
		return false;
	}
	return take_gitdir(a, gitdir, ret, why);
}

static bool
take_here(
    struct arena *a, struct str dir, bool directory, struct git_dirs *ret, const char **why)
{
	struct str gitdir;

	ret->worktree = dir;
	if (!directory)
		return take_file(a, dir, ret, why);
	gitdir = created_join(a, dir, STR(".git"));
	gitdir = gitdir.p ? real_of(a, gitdir) : gitdir;
	if (!gitdir.p) {
		*why = "the git directory cannot be resolved";
		return false;
	}
	return take_gitdir(a, gitdir, ret, why);
}

bool
git_find(struct arena *a, struct str dir, struct git_dirs *ret, const char **why)
{
	*why = NULL;
	*ret = (struct git_dirs){ 0 };
	for (;; dir = path_parent(dir)) {
		bool directory = false;

		errno = ENOENT;
		if (exists_in(a, dir, ".git", &directory))
			return take_here(a, dir, directory, ret, why);
		if (file_is_missing() && is_gitdir(a, dir)) { /* a bare one: no worktree */
			ret->gitdir = ret->commondir = dir;
			return true;
		}
		if (!file_is_missing()) {
			*why = errno == ENOMEM
				   ? git_no_memory
				   : "cannot tell whether there is a repository";
			return false;
		}
		if (dir.n <= 1)
			return false;
	}
}
