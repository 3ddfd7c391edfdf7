#include "look/lookup.h"
#include "base/path.h"

static bool
add_grant(struct lookup *g, struct str path, enum path_grant_kind kind)
{
	struct resolved r;
	struct str normal;

	if (look_resolve(g->a, path, 0, NULL, &r, NULL))
		return false;
	if (!r.real.p &&
	    (path_normal(g->a, STR("/"), path, &normal, NULL) || path_has_dotdot(normal)))
		return true; /* no path is known to lie in it */
	g->grants[g->grant_n++] = (struct path_grant){ r.real.p ? r.real : normal, kind };
	return true;
}

static bool
add_grants(struct lookup *g, struct look_list list, enum path_grant_kind kind)
{
	for (size_t i = 0; i < list.n; i++)
		if (!add_grant(g, list.v[i], kind))
			return false;
	return true;
}

int
lookup_init(
    struct lookup *g, struct arena *a, const struct look_opts *o, struct err *reterr)
{
	size_t n = o->roots.n + o->writable.n + o->readable.n + o->tmp.n + 2;

	*g = (struct lookup){ .a = a, .o = o };
	for (size_t i = 0; i < o->roots.n; i++)
		if (!str_starts(o->roots.v[i], STR("/")))
			return err_at(
			    reterr, CORDON_EINVAL, i, "the root path is not absolute");
	g->grants = arena_array(a, n + 1, sizeof *g->grants);
	if (!g->grants || !add_grants(g, o->tmp, PATH_GRANT_TMP) ||
	    !add_grants(g, o->readable, PATH_GRANT_READABLE) ||
	    !add_grants(g, o->writable, PATH_GRANT_WRITABLE) ||
	    !add_grants(g, o->roots, PATH_GRANT_ROOT))
		return err_at(
		    reterr, CORDON_ENOMEM, 0, "a path needs more memory than allowed");
	return 0;
}

/* Add the temporary directories, when the first path outside the roots is looked up. */
static void
look_around(struct lookup *g)
{
	static const struct str tmps[] = { STR_INIT("/tmp"), STR_INIT("/var/tmp") };

	if (g->around)
		return;
	g->around = true;
	if (g->o->tmp.n == 0 &&
	    !add_grants(g, (struct look_list){ tmps, 2 }, PATH_GRANT_TMP))
		g->full = true;
}

struct str
lookup_home(struct lookup *g)
{
	struct resolved home = { 0 };

	if (!g->home_known && g->o->home.p) {
		if (look_resolve(g->a, g->o->home, 0, NULL, &home, NULL))
			g->full = true;
		g->home = home.real.p ? home.real : g->o->home;
	}
	g->home_known = true;
	return g->home;
}

static const struct path_grant *
nearest(const struct lookup *g, struct str real)
{
	const struct path_grant *best = NULL;

	for (size_t i = 0; i < g->grant_n; i++) {
		const struct path_grant *x = &g->grants[i];

		if (path_is_within(x->path, real) &&
		    (!best || x->path.n > best->path.n ||
			(x->path.n == best->path.n && x->kind > best->kind)))
			best = x;
	}
	return best;
}

const struct path_grant *
lookup_grant(struct lookup *g, struct str real)
{
	const struct path_grant *in = nearest(g, real);

	if (in)
		return in;
	look_around(g);
	return nearest(g, real);
}

/* Use the repository that root_find() found for this directory. */
static bool
is_known(const struct lookup *g, struct str dir, struct git_dirs *ret)
{
	const struct git_dirs *git = g->o->git;

	if (!git || !git->worktree.p || !str_eq(git->worktree, dir))
		return false;
	*ret = *git;
	return true;
}

const struct repository *
lookup_repository(struct lookup *g, struct str dir)
{
	struct repository *r = g->repositories;

	while (r && !str_eq(r->dir, dir))
		r = r->next;
	if (r)
		return r;
	r = ARENA_NEW(g->a, struct repository);
	if (!r) {
		g->full = true;
		return NULL;
	}
	r->dir = dir;
	r->found = is_known(g, dir, &r->dirs) || git_find(g->a, dir, &r->dirs, &r->why);
	r->next = g->repositories;
	g->repositories = r;
	return r;
}

static bool
has_dot_part(struct str path)
{
	for (size_t i = 0; i < path.n; i++) {
		struct str rest = str_skip(path, i);

		if (path.p[i] == '.' && (i == 0 || path.p[i - 1] == '/') &&
		    !rebuilt_is_name(str_cut(rest, 0, str_find(rest, '/'))))
			return true;
	}
	return false;
}

static bool
is_device(struct str real)
{
	static const char names[] =
	    "/dev/null\0/dev/zero\0/dev/full\0/dev/random\0/dev/urandom\0/dev/tty\0";

	return str_among(real, names);
}

static void
set_where(const struct path_grant *in, enum look_use use, struct place_fact *to)
{
	to->where = WHERE_OUTSIDE;
	if (!in)
		return;
	switch (in->kind) {
	case PATH_GRANT_TMP:
		to->where = WHERE_TMP;
		return;
	case PATH_GRANT_READABLE:
		if (use == LOOK_READ || use == LOOK_ENTER)
			to->where = WHERE_INSIDE;
		else
			to->why = "the policy makes it readable only";
		return;
	case PATH_GRANT_WRITABLE:
	case PATH_GRANT_ROOT:
		to->where = WHERE_INSIDE;
		return;
	}
}

/* True if `real` is a root or contains one: it must not be removed or renamed. */
static bool
holds_root(const struct lookup *g, struct str real)
{
	for (size_t i = 0; i < g->grant_n; i++)
		if (g->grants[i].kind == PATH_GRANT_ROOT &&
		    path_is_within(real, g->grants[i].path))
			return true;
	return false;
}

static bool
only_reads(enum look_use use)
{
	return use == LOOK_READ || use == LOOK_ENTER;
}

/* A directory with a root in it is outside for writes: changing it would move the root. */
static void
keep_roots(const struct lookup *g, const struct path_grant *in, enum look_use use,
    struct place_fact *to)
{
	bool moves =
	    to->where == WHERE_TMP || (to->where == WHERE_INSIDE && use == LOOK_REMOVE);

	if (!moves || only_reads(use) || !holds_root(g, to->real))
		return;
	to->where = WHERE_OUTSIDE;
	to->why = in->kind == PATH_GRANT_TMP
		      ? "it contains a workspace root"
		      : "it is a workspace root, and its parent is outside";
}

/* Facts by name in a root: ignore files, git's directories and protected names. */
static void
root_facts(struct lookup *g, const struct path_grant *root, enum look_use use,
    struct place_fact *to)
{
	const struct repository *repo =
	    only_reads(use) ? NULL : lookup_repository(g, root->path);

	to->dotfile = has_dot_part(str_skip(to->real, root->path.n));
	to->ignored = lookup_ignored(g, root->path, to->real, to->directory);
	to->guarded = protected_path(to->real, root->path.n,
	    repo && repo->found ? &repo->dirs : NULL, (struct str){ NULL, 0 });
}

/* The same facts outside the roots, where the path counts from a grant or the home. */
static void
other_facts(struct lookup *g, const struct path_grant *in, struct place_fact *to)
{
	struct str home = lookup_home(g), below = to->real;

	if (in)
		below = str_skip(to->real, in->path.n);
	else if (home.p && path_is_within(home, to->real))
		below = str_skip(to->real, home.n);
	to->dotfile = has_dot_part(below);
	to->guarded = protected_path(to->real, 0, NULL, home);
}

void
lookup_fact(
    struct lookup *g, const struct resolved *r, enum look_use use, struct place_fact *ret)
{
	const struct path_grant *in;

	*ret = (struct place_fact){ .where = WHERE_UNKNOWN, .why = r->why };
	if (!r->real.p)
		return;
	*ret = (struct place_fact){
		.real = r->real, .exists = r->exists, .directory = r->directory
	};
	in = lookup_grant(g, r->real);
	if (is_device(r->real) && use != LOOK_REMOVE && use != LOOK_ENTER) {
		ret->where = WHERE_DEVICE;
		return;
	}
	set_where(in, use, ret);
	keep_roots(g, in, use, ret);
	if (in && in->kind == PATH_GRANT_ROOT)
		root_facts(g, in, use, ret);
	else
		other_facts(g, in, ret);
}
