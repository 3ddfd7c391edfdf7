/* The directories of git: closed, or open with what runs code closed. */
#define _GNU_SOURCE
#include "base/path.h"
#include "confine/fd.h"
#include "confine/plan.h"
#include "confine/sys.h"

/* A mount on `name` in `dir`, if it is there.  Another error than "not there" refuses. */
static int
close_one(struct planning *p, struct str dir, const char *name)
{
	struct str path;
	int error = 0;

	if (path_join(p->a, dir, str_from_c(name), &path, NULL))
		return CORDON_ENOMEM;
	if (plan_add(p, PLAN_READONLY, path, &error) || error == ENOENT || error == ENOTDIR)
		return 0;
	return plan_refuse(p, FIELD_GIT,
	    error == ELOOP ? "a part of git's directory is a link" : "it cannot be opened",
	    path);
}

static int
close_all(struct planning *p, struct str dir)
{
	int error = 0;

	if (!plan_is_writable(p->plan, dir))
		return 0;
	if (!plan_add(p, PLAN_READONLY, dir, &error))
		return plan_refuse(p, FIELD_GIT, "git's directory cannot be closed", dir);
	return 0;
}

/* A linked worktree keeps its index and objects elsewhere: a commit writes there. */
static int
open_elsewhere(struct planning *p, struct str dir)
{
	int error = 0;

	if (p->plan->readonly || plan_is_writable(p->plan, dir))
		return 0;
	if (!plan_add(p, PLAN_WRITABLE, dir, &error))
		return plan_refuse(p, FIELD_GIT, "git's directory cannot be opened", dir);
	p->plan->writable[p->plan->writable_n++] = dir;
	return 0;
}

static int
close_code(struct planning *p, struct str dir)
{
	static const char *const names[] = { "hooks", "config", "config.worktree" };
	int r = 0;

	if (!plan_is_writable(p->plan, dir))
		return 0;
	for (size_t i = 0; i < sizeof names / sizeof *names && !r; i++)
		r = close_one(p, dir, names[i]);
	return r;
}

static int
add_one(struct planning *p, const struct plan_git *git)
{
	bool blocked = p->in->policy->block_git_writes;
	int r = 0;

	if (blocked) {
		r = close_all(p, git->commondir);
		if (!r && git->linked && !path_is_within(git->commondir, git->gitdir))
			r = close_all(p, git->gitdir);
	} else {
		r = open_elsewhere(p, git->commondir);
		if (!r)
			r = open_elsewhere(p, git->gitdir);
		if (!r)
			r = close_code(p, git->commondir);
		if (!r && git->linked)
			r = close_code(p, git->gitdir);
	}
	if (!r && git->linked && plan_is_writable(p->plan, git->worktree))
		r = close_one(p, git->worktree, ".git");
	return r;
}

int
plan_add_git(struct planning *p)
{
	int r = 0;

	for (size_t i = 0; i < p->in->git_n && !r; i++)
		r = add_one(p, &p->in->git[i]);
	if (!r && (p->in->git_n || p->in->policy->block_git_writes))
		p->plan->fields[FIELD_GIT] = (struct plan_field_state){ PLAN_ENFORCED,
			p->in->policy->block_git_writes
			    ? "read-only mounts"
			    : "hooks and configuration read-only, the rest by the "
			      "supervisor" };
	return r;
}
