#define _GNU_SOURCE /* st_mtim */
#include "look/unsaved/blast.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/show.h"
#include "look/git/gitindex.h"
#include "look/lookup.h"
#include "os/file.h"
#include <errno.h>

struct counting {
	struct lookup g;
	struct blast *to;
	struct blast_row *row;
	const struct git_dirs *dirs; /* NULL: no repository */
	struct str rel;              /* path of the row in the repository */
	uint64_t tracked;            /* number of counted files that git tracks */
};

/* ---- one tree */

/* The C string for the system call is freed; cached results stay. */
static bool
stat_of(struct counting *c, struct str path, struct stat *ret)
{
	size_t used = c->g.a->used;
	bool there = file_stat(c->g.a, path, false, ret);

	arena_back(c->g.a, used);
	return there;
}

static void
count_file(struct counting *c, struct str path, const struct stat *st)
{
	c->row->files++;
	c->row->bytes += S_ISREG(st->st_mode) ? (uint64_t)st->st_size : 0;
	if (c->dirs && !lookup_git_ignored(&c->g, c->dirs, path, false))
		c->row->untracked++; /* until the index shows that it is tracked */
}

static enum tree_step
see(void *context, struct str path, bool directory)
{
	struct counting *c = context;
	struct stat st;

	if (str_is(str_base(path), ".git")) {
		c->row->git_inside = true;
		/* Git's own files are no work. */
		return TREE_SKIP;
	}
	if (!directory && stat_of(c, path, &st))
		count_file(c, path, &st);
	return TREE_GO;
}

/* A tracked file loses only what changed since. */
static bool
see_entry(void *context, const struct index_entry *e)
{
	struct counting *c = context;
	struct str path;
	struct stat st;

	if (!index_is_below(c->rel, e->name))
		return true;
	path = created_join(c->g.a, c->dirs->worktree, e->name);
	if (path.p && stat_of(c, path, &st)) {
		if (c->row->untracked && !lookup_git_ignored(&c->g, c->dirs, path, false))
			c->row->untracked--;
		c->row->changed += e->odd || e->mtime != (uint32_t)st.st_mtim.tv_sec ||
				   e->size != (uint32_t)st.st_size;
	}
	return true;
}

static void
count_tree(struct counting *c, struct str real, bool directory)
{
	const struct repository *repo = lookup_repository(
	    &c->g, directory && c->row->repository ? real : path_parent(real));
	struct stat st;

	c->dirs = repo && repo->found && repo->dirs.worktree.p &&
			  path_is_within(repo->dirs.worktree, real)
		      ? &repo->dirs
		      : NULL;
	if (directory) {
		if (tree_walk(c->g.a, real, BLAST_MAX, see, c) != TREE_DONE)
			c->row->at_least = true;
	} else if (file_stat(c->g.a, real, false, &st))
		count_file(c, real, &st);
	if (!c->dirs)
		return;
	c->rel = str_skip(real, c->dirs->worktree.n + (c->dirs->worktree.n > 1));
	c->row->versioned =
	    index_read(c->g.a, c->dirs->gitdir, see_entry, c) == 0 && !c->row->at_least;
}

/* Deleting a git directory also deletes its commits. */
static void
count_refs(struct counting *c, struct str dir)
{
	struct git_dirs dirs;
	const char *why;

	if (!git_find(c->g.a, dir, &dirs, &why) || !dirs.commondir.p)
		return;
	c->row->stashes = refs_stashes(c->g.a, dirs.commondir, &c->row->refs_more);
	if (refs_unpushed(c->g.a, dirs.commondir, &c->row->unpushed, &c->row->unpushed_n,
		&c->row->refs_more))
		c->row->refs_more = true;
}

/* ---- the paths */

static bool
has_row(const struct blast *b, struct str path)
{
	for (size_t i = 0; i < b->n; i++)
		if (str_eq(b->rows[i].path, path))
			return true;
	return false;
}

static bool
begin_row(struct counting *c, struct str path)
{
	if (has_row(c->to, path))
		return false;
	if (c->to->n == BLAST_ROWS) {
		c->to->more = true;
		return false;
	}
	c->row = &c->to->rows[c->to->n++];
	*c->row = (struct blast_row){ .path = path };
	return true;
}

static void
see_effect(struct counting *c, const struct file_effect *f)
{
	bool overwrites = (f->op == FILE_WRITE || f->op == FILE_TRUNCATE) &&
			  !f->fact.directory && f->fact.unsaved;

	if (f->op != FILE_DELETE && !overwrites)
		return;
	if (!f->known) {
		c->to->unknown |= f->op == FILE_DELETE;
		return;
	}
	if (!f->fact.exists || !f->fact.real.p || f->fact.where == WHERE_DEVICE ||
	    !begin_row(c, f->fact.real))
		return;
	c->row->overwritten = overwrites;
	count_tree(c, f->fact.real, f->fact.directory);
	if (c->row->git_inside || str_is(str_base(f->fact.real), ".git"))
		count_refs(c, f->fact.directory ? f->fact.real : path_parent(f->fact.real));
}

static void
see_command(struct counting *c, const struct command *cmd)
{
	struct git_dirs dirs;
	const char *why;
	struct str dir = c->g.o->cwd;

	if (cmd->class != CLASS_DESTROY || !cmd->program.p || !str_is(cmd->program, "git"))
		return;
	if (cmd->cwd && cmd->cwd->n)
		dir = cmd->cwd->at[0].path;
	if (!dir.p || !git_find(c->g.a, dir, &dirs, &why) || !dirs.worktree.p ||
	    !begin_row(c, dirs.worktree))
		return;
	c->row->repository = true;
	count_tree(c, dirs.worktree, true);
	c->row->git_inside = false;
	count_refs(c, dirs.worktree);
}

int
blast_look(struct arena *a, const struct effects *e, const struct look_opts *o,
    struct blast *ret, struct err *reterr)
{
	struct counting c = { .to = ret };
	int err;

	*ret = (struct blast){ 0 };
	err = lookup_init(&c.g, a, o, reterr);
	if (err)
		return err;
	for (const struct file_effect *f = e->files; f; f = f->next)
		see_effect(&c, f);
	for (const struct command *cmd = e->commands; cmd; cmd = cmd->next)
		see_command(&c, cmd);
	return 0;
}
