/* The directories of git: closed, or open with what runs code closed. */
#define _GNU_SOURCE
#include "base/path.h"
#include "confine/fd.h"
#include "confine/plan.h"
#include "confine/sys.h"
#include "look/file.h"
#include "look/gitconf.h"
#include <sys/stat.h>

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

/* The supervisor changes configuration by its name: it must be the file itself. */
static int
check_config(struct planning *p, struct str dir, const char *name)
{
	struct str path;
	struct stat st;
	const char *c;

	if (path_join(p->a, dir, str_from_c(name), &path, NULL) ||
	    !(c = path_c(p->a, path)))
		return CORDON_ENOMEM;
	if (lstat(c, &st) == 0 && !S_ISREG(st.st_mode))
		return plan_refuse(
		    p, FIELD_GIT, "a part of git's directory is a link", path);
	return 0;
}

static int
close_code(struct planning *p, struct str dir)
{
	int r;

	if (!plan_is_writable(p->plan, dir))
		return 0;
	if ((r = close_one(p, dir, "hooks")) || (r = check_config(p, dir, "config")))
		return r;
	return check_config(p, dir, "config.worktree");
}

/* ---- hooks that lie elsewhere */

static bool
see_hooks(void *context, const struct gitconf_entry *e)
{
	struct str *hooks = context;

	if (str_is(e->section, "core") && !e->sub.p && str_is(e->name, "hookspath"))
		*hooks = e->value;
	return true;
}

static void
read_hooks(struct planning *p, struct str dir, const char *name, struct str *hooks)
{
	static const struct file_read how = { .max = (size_t)1 << 20 };
	struct str path, text;
	bool missing;

	/* A configuration that cannot be read git does not use either. */
	if (dir.p && !path_join(p->a, dir, str_from_c(name), &path, NULL) &&
	    !file_read(p->a, path, &how, &text, &missing, NULL))
		(void)gitconf_read(p->a, text, see_hooks, hooks, NULL);
}

/* core.hooksPath of the repository, as a whole path. */
static int
find_hooks(struct planning *p, const struct plan_git *git, struct str *ret)
{
	struct str hooks = { NULL, 0 },
		   base = git->worktree.p ? git->worktree : git->gitdir;

	read_hooks(p, git->commondir, "config", &hooks);
	read_hooks(p, git->gitdir, "config.worktree", &hooks);
	if (!hooks.p || hooks.n == 0)
		return 0;
	if (str_starts(hooks, STR("~/")) && p->in->home.p) {
		hooks = str_skip(hooks, 2);
		base = p->in->home;
	}
	return path_normal(p->a, base, hooks, ret, NULL)
		   ? plan_refuse(p, FIELD_GIT, "core.hooksPath is no path", hooks)
		   : 0;
}

static int
close_hooks(struct planning *p, const struct plan_git *git, struct str *hooks)
{
	struct str real;
	int error, r = find_hooks(p, git, hooks);

	if (r || !hooks->p || !plan_is_writable(p->plan, *hooks))
		return r;
	if (git->worktree.p && path_is_within(*hooks, git->worktree))
		return plan_refuse(
		    p, FIELD_GIT, "core.hooksPath is the worktree itself", *hooks);
	real = plan_real(p->a, *hooks);
	if (!real.p)
		return 0; /* the supervisor knows the name */
	if (!str_eq(real, *hooks))
		return plan_refuse(
		    p, FIELD_GIT, "core.hooksPath leads through a link", *hooks);
	return plan_add(p, PLAN_READONLY, real, &error)
		   ? 0
		   : plan_refuse(p, FIELD_GIT, "core.hooksPath cannot be closed", real);
}

static int
add_one(struct planning *p, const struct plan_git *git, struct str *hooks)
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
	return r ? r : close_hooks(p, git, hooks);
}

int
plan_add_git(struct planning *p)
{
	struct str *hooks = arena_array(p->a, p->in->git_n + 1, sizeof *hooks);
	int r = hooks ? 0 : CORDON_ENOMEM;

	p->plan->block_git = p->in->policy->block_git_writes && !p->plan->readonly;
	for (size_t i = 0; i < p->in->git_n && !r; i++)
		r = add_one(p, &p->in->git[i], &hooks[i]);
	p->plan->hooks = hooks;
	if (!r && (p->in->git_n || p->in->policy->block_git_writes))
		p->plan->fields[FIELD_GIT] = (struct plan_field_state){ PLAN_ENFORCED,
			p->in->policy->block_git_writes
			    ? "read-only mounts, the supervisor"
			    : "hooks read-only, configuration and the rest by the "
			      "supervisor" };
	return r;
}
