#include "look/links.h"
#include "os/file.h"

#define ENTRIES_MAX 4096

static bool
is_from(const struct file_effect *f, const struct command *c)
{
	return f->at.start >= c->at.start && f->at.end <= c->at.end &&
	       str_eq(f->by, c->program);
}

static bool
is_source(const struct file_effect *f)
{
	return f->op == FILE_READ || f->op == FILE_DELETE;
}

/* The place of a path that is written to, with symlinks resolved. */
static enum where
where_written(struct lookup *g, struct str path, const struct created *made)
{
	struct place_fact fact;
	struct resolved r;

	if (look_resolve(g->a, path, 0, made, &r, NULL)) {
		g->full = true;
		return WHERE_UNKNOWN;
	}
	lookup_fact(g, &r, LOOK_WRITE, &fact);
	return fact.where;
}

static bool
is_inside(enum where where)
{
	return where == WHERE_INSIDE || where == WHERE_TMP || where == WHERE_DEVICE;
}

static void
tighten(struct place_fact *fact, enum where where, const char *why)
{
	if (is_inside(where) || !is_inside(fact->where))
		return;
	fact->where = where;
	fact->why = why;
}

/* ---- links that the command creates */

static bool
has_option(const struct command *c, char letter, const char *name)
{
	for (size_t i = 1; i < c->argc; i++) {
		struct str t = c->argv[i].text;

		if (t.n < 2 || t.p[0] != '-')
			continue;
		if (t.p[1] == '-' ? t.n > 3 && str_starts(str_from_c(name), t)
				  : str_find(t, letter) < t.n)
			return true;
	}
	return false;
}

static bool
makes_links(const struct command *c)
{
	if (str_is(c->program, "ln") || str_is(c->program, "link"))
		return true;
	return str_is(c->program, "cp") &&
	       (has_option(c, 's', "--symbolic-link") || has_option(c, 'l', "--link"));
}

/* A relative symlink starts at its own directory. */
static struct str
link_target(struct lookup *g, const struct command *c, const struct file_effect *target,
    struct field word, const struct place_fact *at)
{
	bool symbolic =
	    has_option(c, 's', "--symbolic-link") || has_option(c, 's', "--symbolic");

	if (!symbolic || has_option(c, 'r', "--relative") || word.kind != FIELD_STR ||
	    str_starts(word.text, STR("/")) || !at->real.p)
		return target->path;
	return created_join(
	    g->a, at->directory ? at->real : path_parent(at->real), word.text);
}

static bool
is_at(const struct field *f, struct span at)
{
	return f->at.start == at.start && f->at.end == at.end;
}

/* Check each word that may be the target: inside `bash -c` all words have the same
 * position.  False: no memory. */
static bool
check_words(struct lookup *g, const struct command *c, const struct file_effect *s,
    const struct created *made, struct place_fact *fact)
{
	static const char why[] = "it becomes a link to a path outside";
	struct place_fact at = *fact;
	bool any = false;

	for (size_t i = 1; i < c->argc; i++) {
		struct str path;

		if (!is_at(&c->argv[i], s->at) || str_starts(c->argv[i].text, STR("-")))
			continue;
		path = link_target(g, c, s, c->argv[i], &at);
		if (!path.p)
			return false;
		tighten(fact, where_written(g, path, made), why);
		any = true;
	}
	if (!any)
		tighten(fact, where_written(g, s->path, made), why);
	return true;
}

static void
check_targets(struct lookup *g, const struct effects *e, const struct command *c,
    const struct created *made, struct place_fact *fact)
{
	for (const struct file_effect *s = e->files; s; s = s->next) {
		if (!is_from(s, c) || !is_source(s))
			continue;
		if (!s->known) {
			tighten(
			    fact, WHERE_UNKNOWN, "it becomes a link to an unknown path");
			continue;
		}
		if (!check_words(g, c, s, made, fact)) {
			g->full = true;
			return;
		}
	}
}

/* ---- symlinks that exist */

struct link_entries {
	struct lookup *g;
	const struct created *made;
	enum where where;
};

static enum tree_step
see_entry(void *context, struct str path, bool directory)
{
	struct link_entries *s = context;
	size_t used = s->g->a->used;
	struct stat st;
	bool link;

	if (directory)
		return TREE_GO;
	link =
	    file_stat(s->g->a, path, false, &st) ? S_ISLNK(st.st_mode) : !file_is_missing();
	arena_back(s->g->a, used);
	/* Results are cached, so their memory must stay. */
	if (!link || is_inside(where_written(s->g, path, s->made)))
		return TREE_GO;
	s->where = WHERE_UNKNOWN;
	return TREE_STOP;
}

static enum tree_step
see_top(void *context, struct str path, bool directory)
{
	enum tree_step step = see_entry(context, path, directory);

	return step == TREE_GO ? TREE_SKIP : step;
}

/* A file copied into the directory may meet a symlink of its name. */
static enum where
check_child(struct lookup *g, const struct file_effect *s, struct str dir,
    const struct created *made)
{
	struct str base = str_base(s->path), child = created_join(g->a, dir, base);
	struct link_entries walk = { g, made, WHERE_INSIDE };
	enum where where;
	struct stat st;

	if (!child.p)
		return WHERE_UNKNOWN;
	if (str_is(base, ".."))
		child = dir;
	where = where_written(g, child, made);
	if (!is_inside(where) || !s->tree)
		return where;
	if (!file_stat(g->a, s->path, true, &st))
		return file_is_missing() ? where : WHERE_UNKNOWN;
	if (!S_ISDIR(st.st_mode))
		return where;
	if (!file_stat(g->a, child, false, &st))
		return file_is_missing() ? where : WHERE_UNKNOWN;
	if (!S_ISDIR(st.st_mode))
		return where;
	if (tree_walk(g->a, child, ENTRIES_MAX, see_entry, &walk) == TREE_TOO_MUCH)
		return WHERE_UNKNOWN;
	return walk.where;
}

static void
check_children(struct lookup *g, const struct effects *e, const struct command *c,
    const struct created *made, struct place_fact *fact)
{
	static const char why[] = "a symlink in that directory leads outside";
	struct link_entries walk = { g, made, WHERE_INSIDE };
	bool open = false;

	for (const struct file_effect *s = e->files; s; s = s->next) {
		if (!is_from(s, c) || !is_source(s))
			continue;
		if (s->known)
			tighten(fact, check_child(g, s, fact->real, made), why);
		else
			open = true;
	}
	if (!open || g->o->lexical)
		return;
	if (tree_walk(g->a, fact->real, ENTRIES_MAX, see_top, &walk) == TREE_TOO_MUCH)
		walk.where = WHERE_UNKNOWN;
	tighten(fact, walk.where, why);
}

static bool
puts_into(struct str program)
{
	return str_is(program, "cp") || str_is(program, "mv") || str_is(program, "ln") ||
	       str_is(program, "install") || str_is(program, "rsync") ||
	       str_is(program, "scp");
}

static void
check_below(struct lookup *g, const struct created *made, struct place_fact *fact)
{
	struct link_entries walk = { g, made, WHERE_INSIDE };

	if (g->o->lexical)
		return;
	if (tree_walk(g->a, fact->real, ENTRIES_MAX, see_entry, &walk) == TREE_TOO_MUCH)
		walk.where = WHERE_UNKNOWN;
	tighten(fact, walk.where, "a symlink below that directory leads outside");
}

void
links_tighten(struct lookup *g, const struct effects *e, const struct file_effect *f,
    const struct created *made, struct place_fact *fact)
{
	if (f->op != FILE_WRITE && f->op != FILE_CREATE && f->op != FILE_APPEND)
		return;
	for (const struct command *c = e->commands; c; c = c->next) {
		if (!c->program.p || c->remote || !is_from(f, c))
			continue;
		if (makes_links(c))
			check_targets(g, e, c, made, fact);
		if (puts_into(c->program) && fact->directory && fact->real.p)
			check_children(g, e, c, made, fact);
		if ((created_how(c->program) & CREATES_ARCHIVE) && fact->directory &&
		    fact->real.p)
			check_below(g, made, fact);
	}
}
