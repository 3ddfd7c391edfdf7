#include "look/root.h"
#include "base/path.h"
#include "look/resolve.h"
#include "os/file.h"

static int
refuse(struct err *e, size_t i, const char *why)
{
	return err_at(e, CORDON_EINVAL, i, why);
}

static int
no_memory(struct err *e)
{
	return err_at(e, CORDON_ENOMEM, 0, "a path needs more memory than allowed");
}

/* Accept a missing root by its name, without `..`. */
static int
by_name(struct arena *a, struct str path, size_t i, struct str *ret, struct err *e)
{
	struct str normal;
	int err = path_normal(a, STR("/"), path, &normal, e);

	if (err)
		return err;
	if (path_has_dotdot(normal))
		return refuse(
		    e, i, "the root path has `..` after a name that does not exist");
	*ret = normal;
	return 0;
}

/* Resolve one directory that was named as a root. */
static int
check_root(struct arena *a, const struct root_request *q, struct str path, size_t i,
    struct str *ret, struct err *e)
{
	struct resolved r;
	size_t used;
	const char *c;
	bool readable;

	if (path.n == 0)
		return refuse(e, i, "the root path is empty");
	if (path.p[0] != '/')
		return refuse(e, i, "the root path is not absolute");
	if (look_resolve(a, path, 0, NULL, &r, NULL))
		return no_memory(e);
	if (!r.real.p)
		return refuse(e, i, r.why);
	if (!r.exists)
		return q->missing_ok ? by_name(a, r.real, i, ret, e)
				     : refuse(e, i, "the root does not exist");
	if (!r.directory)
		return refuse(e, i, "the root is not a directory");
	used = a->used;
	c = str_to_path(a, r.real);
	readable = c && access(c, R_OK | X_OK) == 0;
	arena_back(a, used);
	if (!readable)
		return refuse(e, i, "the root cannot be read");
	*ret = r.real;
	return 0;
}

/* Refuse `/` and the home as roots unless named on the command line. */
static int
check_size(
    struct arena *a, const struct root_request *q, struct str root, size_t i, struct err *e)
{
	struct resolved r;

	if (root.n == 1)
		return refuse(e, i, "the root would be /; to use it, name it with --root");
	if (!q->home.p || q->home.n == 0)
		return 0;
	if (look_resolve(a, q->home, 0, NULL, &r, NULL))
		return no_memory(e);
	if (str_eq(root, r.real.p ? r.real : q->home) ||
	    (r.real.p && path_is_within(root, r.real)))
		return refuse(e, i,
		    "the root would contain the whole home; to use it, name it with "
		    "--root");
	return 0;
}

static int
take_list(struct arena *a, const struct root_request *q, struct look_list list, bool flags,
    struct root_answer *to, struct err *e)
{
	to->roots = arena_array(a, list.n, sizeof *to->roots);
	if (!to->roots)
		return no_memory(e);
	for (size_t i = 0; i < list.n; i++) {
		int err = check_root(a, q, list.v[i], i, &to->roots[i], e);

		if (!err && !flags)
			err = check_size(a, q, to->roots[i], i, e);
		if (err)
			return err;
	}
	to->n = list.n;
	to->explicit_root = true;
	return 0;
}

/* The git directories of a root; those of the first root are part of the answer. */
static struct git_dirs
take_git(struct arena *a, struct str dir, bool first, struct root_answer *to)
{
	struct git_dirs dirs = { 0 };
	const char *why = NULL;
	bool found = git_find(a, dir, &dirs, &why);

	if (why && !to->warning)
		to->warning = why;
	if (first) {
		to->found = found;
		to->git = found && dirs.worktree.p;
		to->dirs = dirs;
	}
	return dirs;
}

/* The git worktree of a directory, else that directory. */
static int
take_directory(struct arena *a, const struct root_request *q, struct str dir, size_t i,
    struct root_answer *to, struct err *e)
{
	struct git_dirs dirs;
	struct str here = { NULL, 0 };
	int err = check_root(a, q, dir, i, &here, e);

	if (err)
		return err;
	dirs = take_git(a, here, i == 0, to);
	if (to->warning == git_no_memory)
		return no_memory(e);
	to->roots[i] = dirs.worktree.p ? dirs.worktree : here;
	to->n = i + 1;
	return check_size(a, q, to->roots[i], i, e);
}

/* Use the folders that the agent has open, or the working directory. */
static int
take_place(
    struct arena *a, const struct root_request *q, struct root_answer *to, struct err *e)
{
	struct look_list one = { &q->cwd, 1 }, dirs = q->projects.n ? q->projects : one;
	int err = 0;

	to->roots = arena_array(a, dirs.n, sizeof *to->roots);
	if (!to->roots)
		return no_memory(e);
	for (size_t i = 0; i < dirs.n && !err; i++)
		err = take_directory(a, q, dirs.v[i], i, to, e);
	return err;
}

/* Use WORKTREE_SANDBOX_PATH.  In an untrusted project it may only narrow the root. */
static int
take_variable(
    struct arena *a, const struct root_request *q, struct root_answer *to, struct err *e)
{
	struct look_list one = { &q->variable, 1 };
	struct root_answer place = { 0 };
	int err = take_list(a, q, one, false, to, e);

	if (err || !q->untrusted)
		return err;
	err = take_place(a, q, &place, e);
	if (err)
		return err;
	to->warning =
	    "the project is not trusted: WORKTREE_SANDBOX_PATH only narrows its worktree";
	if (path_is_within(place.roots[0], to->roots[0]))
		return 0;
	to->warning = "the project is not trusted: WORKTREE_SANDBOX_PATH points outside "
		      "the worktree and is ignored";
	to->roots[0] = place.roots[0];
	return 0;
}

static int
take_any(
    struct arena *a, const struct root_request *q, struct root_answer *to, struct err *e)
{
	int err;

	if (q->flags.n)
		return take_list(a, q, q->flags, true, to, e);
	if (q->request.n)
		return take_list(a, q, q->request, false, to, e);
	if (q->variable.p)
		return take_variable(a, q, to, e);
	err = take_place(a, q, to, e);
	if (!err && q->untrusted && !to->warning)
		to->warning =
		    "the project is not trusted: its configuration does not count";
	return err;
}

int
root_find(struct arena *a, const struct root_request *q, struct root_answer *ret,
    struct err *reterr)
{
	struct root_answer to = { 0 };
	int err = take_any(a, q, &to, reterr);

	if (err)
		return err;
	if (to.explicit_root)
		(void)take_git(a, to.roots[0], true, &to);
	*ret = to;
	return 0;
}
