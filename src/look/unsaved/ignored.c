/* Read the ignore files of each directory once. */
#include "base/path.h"
#include "look/lookup.h"
#include "os/file.h"

#define IGNORE_MAX ((size_t)1 << 20)
#define BELOW_MAX 4096
#define FILES_MAX 128

static bool
load_file(struct lookup *g, struct str path, unsigned flags, const struct ignore_list **ret,
    bool *broken)
{
	struct file_read how = { .max = IGNORE_MAX, .rare = true };
	struct str text;
	bool missing;

	*ret = NULL;
	if (file_read(g->a, path, &how, &text, &missing, NULL)) {
		*broken = *broken || !missing;
		return true;
	}
	return ignore_compile(g->a, text, flags, ret, NULL) == 0;
}

static const struct ignore_dir *load_dir(struct lookup *g, struct ignore_dir **list,
    struct str dir, struct look_list names, unsigned flags);

/* The ignore files of `rel` in `root`, from the cache. */
static const struct ignore_dir *
get_dir(struct lookup *g, struct ignore_dir **list, struct str root, struct str rel,
    struct look_list names, unsigned flags)
{
	size_t used = g->a->used;
	struct str dir = created_join(g->a, root, rel);

	if (!dir.p)
		return NULL;
	for (struct ignore_dir *d = *list; d; d = d->next)
		if (str_eq(d->path, dir)) {
			arena_back(g->a, used);
			return d;
		}
	return load_dir(g, list, dir, names, flags);
}

/* Read the ignore files `names` of the directory `dir`. */
static const struct ignore_dir *
load_dir(struct lookup *g, struct ignore_dir **list, struct str dir, struct look_list names,
    unsigned flags)
{
	struct ignore_dir *d = ARENA_NEW(g->a, struct ignore_dir);

	if (!d)
		return NULL;
	d->path = arena_copy(g->a, dir);
	d->lists = arena_array(g->a, names.n + 1, sizeof *d->lists);
	if (!d->path.p || !d->lists)
		return NULL;
	for (size_t i = 0; i < names.n; i++) {
		struct str path = created_join(g->a, dir, names.v[i]);

		if (!path.p || !load_file(g, path, flags, &d->lists[d->n], &d->broken))
			d->broken = true;
		else if (d->lists[d->n])
			d->n++;
	}
	d->next = *list;
	*list = d;
	return d;
}

struct files {
	struct ignore_file at[FILES_MAX];
	size_t n;
	bool broken;
};

/* Collect the ignore files that apply to `rel` in `root`, from the top down. */
static void
collect(struct lookup *g, struct ignore_dir **list, struct str root, struct str rel,
    struct look_list names, unsigned flags, struct files *to)
{
	for (size_t end = 0;;) {
		struct str above = str_cut(rel, 0, end);
		const struct ignore_dir *d = get_dir(g, list, root, above, names, flags);

		if (!d || d->broken || to->n + d->n > FILES_MAX) {
			to->broken = true;
			return;
		}
		for (size_t i = 0; i < d->n; i++)
			to->at[to->n++] =
			    (struct ignore_file){ above, STR(""), d->lists[i] };
		end += end ? 1 : 0;
		end += str_find(str_skip(rel, end), '/');
		if (end >= rel.n)
			return;
	}
}

/* `real` relative to `root`; empty for the root itself. */
static struct str
relative(struct str root, struct str real)
{
	return str_skip(real, root.n + (root.n > 1));
}

bool
lookup_ignored(struct lookup *g, struct str root, struct str real, bool directory)
{
	struct files files = { .n = 0 };
	struct ignore_hit hit = { 0 };
	struct str rel = relative(root, real);

	if (g->o->ignore.n == 0 || rel.n == 0)
		return false;
	collect(g, &g->ignores, root, rel, g->o->ignore,
	    g->o->ignore_case ? IGNORE_CASE : 0, &files);
	if (files.broken)
		return true;
	if (files.n)
		ignore_match(files.at, files.n, rel, directory, &hit);
	return hit.ignored;
}

bool
lookup_git_ignored(
    struct lookup *g, const struct git_dirs *dirs, struct str real, bool directory)
{
	static const struct str names[] = { STR_INIT(".gitignore"), STR_INIT("exclude") };
	struct files files = { .n = 0 };
	struct ignore_hit hit = { 0 };
	struct str rel = relative(dirs->worktree, real);
	const struct ignore_dir *own;

	if (rel.n == 0)
		return false;
	own = get_dir(g, &g->git_ignores, dirs->commondir, STR("info"),
	    (struct look_list){ names + 1, 1 }, 0);
	if (own && own->n)
		files.at[files.n++] =
		    (struct ignore_file){ STR(""), STR(""), own->lists[0] };
	collect(g, &g->git_ignores, dirs->worktree, rel, (struct look_list){ names, 1 }, 0,
	    &files);
	if (files.broken)
		return false;
	ignore_match(files.at, files.n, rel, directory, &hit);
	return hit.ignored;
}

struct below {
	struct lookup *g;
	struct str root;
	struct place_fact *to;
};

static enum tree_step
see_below(void *context, struct str path, bool directory)
{
	struct below *b = context;
	const struct look_secret *secret = &b->g->o->secret;

	if (str_is(str_base(path), ".git"))
		return TREE_SKIP;
	if (!b->to->ignored_below && b->g->o->ignore.n)
		b->to->ignored_below = lookup_ignored(b->g, b->root, path, directory);
	if (!b->to->secret_below && secret->is)
		b->to->secret_below = secret->is(secret->context, path);
	return b->to->ignored_below && b->to->secret_below ? TREE_STOP : TREE_GO;
}

void
lookup_below(struct lookup *g, struct str root, struct str real, struct place_fact *to)
{
	struct below b = { .g = g, .root = root, .to = to };
	bool all = g->o->lexical;

	if (g->o->ignore.n == 0 && !g->o->secret.is)
		return;
	if (!all)
		all = tree_walk(g->a, real, BELOW_MAX, see_below, &b) == TREE_TOO_MUCH;
	to->ignored_below |= all && g->o->ignore.n;
	to->secret_below |= all && g->o->secret.is;
}
