/*
 * Globs: add an effect for each file that matches now, so that `cat ~/.ssh/id_*` meets a
 * rule about a key, and `rm *.log` loses nothing if all logs are ignored.  The effect with
 * the glob stays: more files may appear before the command runs.
 */
#include "base/glob.h"
#include "base/path.h"
#include "look/lookup.h"
#include "os/file.h"

/* With more matches, only the pattern is judged. */
#define MATCHES_MAX 256
#define NAMES_MAX 20000
#define NAMES_READ 4000 /* for trees that are only read: a home is large */
#define PARTS_MAX 16

struct glob_search {
	struct lookup *g;
	struct file_effect *f, *last; /* last: new effects follow it */
	struct str base; /* the directory above the first component with a glob */
	struct glob parts[PARTS_MAX];
	bool hidden[PARTS_MAX]; /* this component may match names with a leading dot */
	bool odd[PARTS_MAX];    /* contains `?`: uncertain for names with non-ASCII bytes */
	size_t n, matches;
	const struct repository *repo; /* for deletions: ignored files are no work */
	bool below;                    /* the only component matches names at any depth */
	bool dashes;                   /* a match could be taken for an option */
};

static bool
has_sign(struct str part)
{
	for (size_t i = 0; i < part.n; i++) {
		if (part.p[i] == '\\')
			i++;
		else if (memchr("*?[", part.p[i], 3))
			return true;
	}
	return false;
}

/* The name of a component without globs. */
static struct str
as_name(struct arena *a, struct str part)
{
	char *to = arena_alloc(a, part.n + 1);
	size_t n = 0;

	for (size_t i = 0; to && i < part.n; i++) {
		if (part.p[i] == '\\' && i + 1 < part.n)
			i++;
		to[n++] = part.p[i];
	}
	return str_of(to, to ? n : 0);
}

static bool
add_part(struct glob_search *x, struct str part)
{
	size_t i = x->n;

	if (str_is(part, "**")) {
		x->below = true;
		return x->n == 0;
	}
	if (i == PARTS_MAX || (x->below && i > 0) ||
	    !glob_compile(x->g->a, part, GLOB_PATH, &x->parts[i]) || x->parts[i].never)
		return false;
	x->hidden[i] = x->below || part.p[0] == '.' || part.p[0] == '\\';
	x->odd[i] = str_has_any(part, "?[");
	x->n++;
	return true;
}

/* Split the pattern into its base directory and the components with globs. */
static bool
read_pattern(struct glob_search *x, struct str pattern)
{
	x->base = STR("/");
	for (size_t at = 0; at < pattern.n;) {
		struct str rest = str_skip(pattern, at);
		struct str part = str_cut(rest, 0, str_find(rest, '/'));

		at += part.n + 1;
		if (part.n == 0)
			continue;
		if (x->n == 0 && !x->below && !has_sign(part))
			x->base = created_join(x->g->a, x->base, as_name(x->g->a, part));
		else if (!add_part(x, part))
			return false;
		if (!x->base.p)
			return false;
	}
	return x->n > 0;
}

static bool
add_match(struct glob_search *x, struct str path)
{
	struct file_effect *f = ARENA_NEW(x->g->a, struct file_effect);
	char *own = arena_alloc(x->g->a, path.n);

	if (!f || !own || ++x->matches > MATCHES_MAX)
		return false;
	memcpy(own, path.p, path.n);
	*f = (struct file_effect){ .op = x->f->op,
		.known = true,
		.tree = x->f->tree,
		.names = x->f->names,
		.path = str_of(own, path.n),
		.at = x->f->at,
		.by = x->f->by,
		.next = x->last->next };
	x->last->next = f;
	x->last = f;
	return true;
}

/* The number of components between the base and the end of the path, less one. */
static size_t
depth_of(const struct glob_search *x, struct str path)
{
	struct str rest = str_skip(path, x->base.n > 1 ? x->base.n + 1 : 1);
	size_t n = 0;

	for (size_t i = 0; i < rest.n; i++)
		n += rest.p[i] == '/';
	return n;
}

static bool
is_generated(const struct glob_search *x, struct str path, bool directory)
{
	return directory && x->repo && x->repo->found && x->repo->dirs.worktree.p &&
	       path_is_within(x->repo->dirs.worktree, path) &&
	       lookup_git_ignored(x->g, &x->repo->dirs, path, true);
}

static enum tree_step
see(void *context, struct str path, bool directory)
{
	struct glob_search *x = context;
	size_t at = x->below ? 0 : depth_of(x, path);
	struct str name = str_base(path);
	struct stat st;

	if (at >= x->n)
		return TREE_SKIP;
	if (x->odd[at] && !str_is_ascii(name))
		return TREE_STOP;
	if ((!x->hidden[at] && name.p[0] == '.') || !glob_matches(&x->parts[at], name))
		return x->below && !is_generated(x, path, directory) ? TREE_GO : TREE_SKIP;
	if (at + 1 < x->n) {
		/* A symlink may point to a directory: bash follows it. */
		if (!directory &&
		    (!file_stat(x->g->a, path, false, &st) || S_ISLNK(st.st_mode)))
			return TREE_STOP;
		return directory ? TREE_GO : TREE_SKIP;
	}
	if (at == 0 && !x->below && x->dashes && name.p[0] == '-')
		return TREE_STOP;
	if (!add_match(x, path))
		return TREE_STOP;
	return x->below && !x->f->tree ? TREE_GO : TREE_SKIP;
}

bool
lookup_is_temporary(struct lookup *g, struct str real)
{
	const struct path_grant *in = lookup_grant(g, real);

	return in && in->kind == PATH_GRANT_TMP;
}

/* True if a match may be a secret file.  Outside the workspace, check everything; inside,
 * rules about names were applied already, and another check is costly. */
static bool
is_asked_for(struct lookup *g, const struct file_effect *f, struct str base)
{
	if (f->names || lookup_is_temporary(g, base))
		return false;
	return (f->op != FILE_READ && f->op != FILE_EXEC) || !lookup_grant(g, base);
}

/* In the temporary directory only the session's own files can be lost. */
static bool
is_temporary(struct lookup *g, const struct glob_search *x)
{
	if (!lookup_is_temporary(g, x->base))
		return false;
	return !str_eq(lookup_grant(g, x->base)->path, x->base) ||
	       x->parts[0].tokens[0].kind == GLOB_BYTE;
}

static void
list_one(struct lookup *g, struct file_effect *f)
{
	struct glob_search x = { .g = g, .f = f, .last = f };
	bool reads = f->op == FILE_READ || f->op == FILE_EXEC;
	struct resolved r;
	struct stat st;

	if (!read_pattern(&x, f->among) || look_resolve(g->a, x.base, 0, NULL, &r, NULL) ||
	    !r.real.p)
		return;
	x.base = r.real;
	if (is_temporary(g, &x)) {
		f->listed = x.base;
		return;
	}
	if (!is_asked_for(g, f, x.base))
		return;
	if (x.below && str_is(x.base, "/"))
		return;
	if (x.below && !reads)
		x.repo = lookup_repository(g, x.base);
	/* `*` also matches a file named -rf; after ./ or a directory it is no option. */
	x.dashes = !f->known;
	if (file_stat(g->a, x.base, false, &st)
		? tree_walk(g->a, x.base, reads ? NAMES_READ : NAMES_MAX, see, &x) ==
		      TREE_DONE
		: file_is_missing())
		f->listed = x.base;
}

static bool
changes_patterns(const struct effects *e)
{
	for (const struct command *c = e->commands; c; c = c->next)
		if (c->builtin && c->program.p && str_is(c->program, "shopt"))
			return true;
	return false;
}

void
lookup_list_among(struct lookup *g, struct effects *e)
{
	bool any = false;

	for (const struct file_effect *f = e->files; f; f = f->next)
		any |= f->among.p != NULL;
	if (!any || g->o->lexical || changes_patterns(e))
		return;
	for (struct file_effect *f = e->files; f; f = f->next)
		if (f->among.p)
			list_one(g, f);
}
