/*
 * Find work that only the file system has.  A file is saved if git's index knows it
 * and it has not changed since; ignored files are no work.
 */
#define _GNU_SOURCE /* st_mtim */
#include "base/path.h"
#include "look/git/gitindex.h"
#include "look/lookup.h"
#include "os/file.h"

#define TREE_MAX 20000

struct count {
	struct lookup *g;
	const struct git_dirs *dirs;
	struct str rel; /* the path, relative to the worktree */
	size_t clean;   /* files below it that are unchanged in the index */
	size_t files;   /* files below it that are not ignored */
	bool dirty;
};

/* Compare as git does, without ctime and inode, which copies do not keep. */
static bool
is_unchanged(const struct index_entry *e, const struct stat *st)
{
	if (e->odd || e->racy ||
	    (S_ISREG(st->st_mode) ? 0100000u : 0120000u) != (e->mode & 0170000u))
		return false;
	return e->mtime == (uint32_t)st->st_mtim.tv_sec &&
	       (e->mtime_ns == 0 || e->mtime_ns == (uint32_t)st->st_mtim.tv_nsec) &&
	       e->size == (uint32_t)st->st_size;
}

static bool
see_entry(void *context, const struct index_entry *e)
{
	struct count *c = context;
	size_t used = c->g->a->used;
	struct str path;
	struct stat st;

	if (!index_is_below(c->rel, e->name))
		return str_cmp(e->name, c->rel) < 0 || str_starts(e->name, c->rel);
	path = created_join(c->g->a, c->dirs->worktree, e->name);
	if (!path.p) {
		c->dirty = true;
		return false;
	}
	if (!file_stat(c->g->a, path, false, &st)) {
		c->dirty = !file_is_missing(); /* already deleted */
		arena_back(c->g->a, used);
		return !c->dirty;
	}
	if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode)) {
		/* A submodule has its own index, which is not read. */
		c->dirty = true;
		return false;
	}
	c->dirty = !is_unchanged(e, &st);
	if (!c->dirty && !lookup_git_ignored(c->g, c->dirs, path, false))
		c->clean++;
	return !c->dirty;
}

static enum tree_step
see_file(void *context, struct str path, bool directory)
{
	struct count *c = context;

	if (str_is(str_base(path), ".git"))
		return TREE_STOP; /* commits would be lost */
	if (lookup_git_ignored(c->g, c->dirs, path, directory))
		return TREE_SKIP;
	c->files += !directory;
	return TREE_GO;
}

static enum tree_step
see_any(void *context, struct str path, bool directory)
{
	(void)context;
	(void)path;
	return directory ? TREE_GO : TREE_STOP;
}

static bool
unsaved_in(struct lookup *g, const struct git_dirs *dirs, const struct resolved *r)
{
	struct count c = { .g = g, .dirs = dirs };

	c.rel = str_skip(r->real, dirs->worktree.n + (dirs->worktree.n > 1));
	if (lookup_git_ignored(g, dirs, r->real, r->directory))
		return false;
	if (index_read(g->a, dirs->gitdir, see_entry, &c) || c.dirty)
		return true;
	if (c.clean == 0 && lookup_rebuilt(g, r))
		return false;
	if (!r->directory)
		return c.clean == 0;
	return tree_walk(g->a, r->real, TREE_MAX, see_file, &c) != TREE_DONE ||
	       c.files > c.clean;
}

static bool
is_worktree(struct lookup *g, const struct resolved *r)
{
	struct str inside;
	struct stat st;

	if (!r->directory)
		return false;
	inside = created_join(g->a, r->real, STR(".git"));
	return !inside.p || file_stat(g->a, inside, false, &st) || !file_is_missing();
}

bool
lookup_unsaved(struct lookup *g, const struct resolved *r)
{
	const struct repository *repo;

	if (!r->exists || !r->real.p || r->link) /* a symlink is no work */
		return false;
	if (g->o->lexical)
		return true;
	/* Ask a worktree itself: an outer one may ignore it. */
	repo = lookup_repository(g, is_worktree(g, r) ? r->real : path_parent(r->real));
	if (repo && repo->found && repo->dirs.worktree.p &&
	    path_is_within(repo->dirs.worktree, r->real)) {
		if (path_is_within(repo->dirs.gitdir, r->real) ||
		    path_is_within(repo->dirs.commondir, r->real))
			return true;
		return unsaved_in(g, &repo->dirs, r);
	}
	if (lookup_rebuilt(g, r))
		return false;
	/* No repository: every file is the only copy. */
	if (!r->directory)
		return true;
	return tree_walk(g->a, r->real, TREE_MAX, see_any, NULL) != TREE_DONE;
}
