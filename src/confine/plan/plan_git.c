/* Git directories: closed, or open with the names that run code closed. */
#define _GNU_SOURCE
#include "base/path.h"
#include "confine/plan/plan_internal.h"
#include "look/git/gitconf.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/sys.h"
#include <sys/stat.h>

/* Add a mount on `name` in `dir`, if it exists.  Refuse on any error but "not there". */
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
	    error == ELOOP ? "a part of the git directory is a symlink"
			   : "it cannot be opened",
	    path);
}

static int
close_all(struct planning *p, struct str dir)
{
	int error = 0;

	if (!plan_is_writable(p->plan, dir))
		return 0;
	if (!plan_add(p, PLAN_READONLY, dir, &error))
		return plan_refuse(
		    p, FIELD_GIT, "the git directory cannot be made read-only", dir);
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
		return plan_refuse(p, FIELD_GIT, "the git directory cannot be opened", dir);
	p->plan->writable[p->plan->writable_n++] = dir;
	return 0;
}

/* The supervisor changes the configuration by its name: it must be the file itself. */
static int
check_config(struct planning *p, struct str dir, const char *name)
{
	struct str path;
	struct stat st;
	const char *c;

	if (path_join(p->a, dir, str_from_c(name), &path, NULL) ||
	    !(c = str_to_path(p->a, path)))
		return CORDON_ENOMEM;
	if (lstat(c, &st) == 0 && !S_ISREG(st.st_mode))
		return plan_refuse(
		    p, FIELD_GIT, "a part of the git directory is a symlink", path);
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

/* ---- hooks and configuration that lie elsewhere */

/* Nobody includes more files than this honestly. */
#define LED_MAX 64

/* Settings of one repository. */
struct reading {
	struct planning *p;
	struct str hooks; /* core.hooksPath; .p == NULL: none */
	struct str dir;   /* directory of the file that is read, for its includes */
	bool full;
};

static void read_text(struct reading *r, struct str path);

/* Resolve `value` as a path: from the home directory, or from `base`. */
static struct str
whole_path(const struct planning *p, struct str base, struct str value)
{
	struct str path = { NULL, 0 };

	if (str_starts(value, STR("~/")) && p->in->home.p) {
		value = str_skip(value, 2);
		base = p->in->home;
	}
	if (value.n == 0 || path_normal(p->a, base, value, &path, NULL))
		return (struct str){ NULL, 0 };
	return path;
}

/* Returns false if the table is full. */
static bool
lead(struct plan *plan, struct str path)
{
	for (size_t i = 0; i < plan->led_n; i++)
		if (str_eq(plan->led[i], path))
			return true;
	if (plan->led_n == LED_MAX)
		return false;
	plan->led[plan->led_n++] = path;
	return true;
}

/* Take it whatever its condition is: that may be true another time. */
static void
include(struct reading *r, struct str value)
{
	struct plan *plan = r->p->plan;
	struct str dir = r->dir, path = whole_path(r->p, dir, value), real;
	size_t n = plan->led_n;

	if (!path.p)
		return;
	/* Read each file once: a file may include itself. */
	if (!lead(plan, path) || ((real = plan_real(r->p->a, path)).p && !lead(plan, real)))
		r->full = true;
	else if (plan->led_n > n)
		read_text(r, path);
	r->dir = dir;
}

static bool
see_key(void *context, const struct gitconf_entry *e)
{
	struct reading *r = context;

	if (str_is(e->section, "core") && !e->sub.p && str_is(e->name, "hookspath"))
		r->hooks = e->value;
	if (str_is(e->name, "path") &&
	    (str_is(e->section, "include") || str_is(e->section, "includeif")))
		include(r, e->value);
	return !r->full;
}

static void
read_text(struct reading *r, struct str path)
{
	static const struct file_read how = { .max = (size_t)1 << 20 };
	struct str text;
	bool missing;

	r->dir = path_parent(path);
	/* git does not use a configuration that cannot be read either. */
	if (!file_read(r->p->a, path, &how, &text, &missing, NULL))
		(void)gitconf_read(r->p->a, text, see_key, r, NULL);
}

static void
read_one(struct reading *r, struct str dir, const char *name)
{
	struct str path;

	if (dir.p && !path_join(r->p->a, dir, str_from_c(name), &path, NULL))
		read_text(r, path);
}

/* core.hooksPath as git resolves it, as an absolute path. */
static int
find_led(struct planning *p, const struct plan_git *git, struct str *ret)
{
	struct reading r = { .p = p };
	struct str base = git->worktree.p ? git->worktree : git->gitdir;

	read_one(&r, p->in->home, ".config/git/config");
	read_one(&r, p->in->home, ".gitconfig");
	read_one(&r, git->commondir, "config");
	read_one(&r, git->gitdir, "config.worktree");
	if (r.full)
		return plan_refuse(p, FIELD_GIT,
		    "git's configuration includes too many files", git->commondir);
	if (!r.hooks.p || r.hooks.n == 0)
		return 0;
	*ret = whole_path(p, base, r.hooks);
	return ret->p ? 0
		      : plan_refuse(
			    p, FIELD_GIT, "core.hooksPath is not a valid path", r.hooks);
}

static int
close_hooks(struct planning *p, const struct plan_git *git)
{
	struct str real, hooks = { NULL, 0 };
	int error, r = find_led(p, git, &hooks);

	if (r || !hooks.p || !plan_is_writable(p->plan, hooks))
		return r;
	if (git->worktree.p && path_is_within(hooks, git->worktree))
		return plan_refuse(
		    p, FIELD_GIT, "core.hooksPath is the worktree itself", hooks);
	if (!lead(p->plan, hooks))
		return plan_refuse(p, FIELD_GIT,
		    "git's configuration includes too many files", git->commondir);
	real = plan_real(p->a, hooks);
	if (!real.p)
		return 0; /* the supervisor knows the name */
	if (!str_eq(real, hooks))
		return plan_refuse(
		    p, FIELD_GIT, "core.hooksPath leads through a symlink", hooks);
	return plan_add(p, PLAN_READONLY, real, &error)
		   ? 0
		   : plan_refuse(
			 p, FIELD_GIT, "core.hooksPath cannot be made read-only", real);
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
	return r ? r : close_hooks(p, git);
}

int
plan_add_git(struct planning *p)
{
	int r;

	p->plan->led = arena_array(p->a, LED_MAX, sizeof *p->plan->led);
	r = p->plan->led ? 0 : CORDON_ENOMEM;
	p->plan->block_git = p->in->policy->block_git_writes && !p->plan->readonly;
	for (size_t i = 0; i < p->in->git_n && !r; i++)
		r = add_one(p, &p->in->git[i]);
	if (!r && (p->in->git_n || p->in->policy->block_git_writes))
		p->plan->fields[FIELD_GIT] = (struct plan_field_state){ PLAN_ENFORCED,
			p->in->policy->block_git_writes
			    ? "read-only mounts, the supervisor"
			    : "hooks read-only, configuration and the rest by the "
			      "supervisor" };
	return r;
}
