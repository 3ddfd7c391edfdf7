#include "look/look.h"
#include "base/path.h"
#include "look/links.h"
#include "look/lookup.h"

struct looking {
	struct lookup g;
	struct effects *e;
	const struct created_name *made;
	bool
	    open_reads; /* a file outside is open for reading; its descriptor leads there */
};

static int
no_memory(struct err *e)
{
	return err_at(e, CORDON_ENOMEM, 0, "the facts need more memory than allowed");
}

/* ---- descriptors as files */

/* The number of /dev/fd/N and its other names; -1: another path, -2: too large. */
static int
descriptor(struct str path)
{
	static const char *const names[] = { "/dev/stdin", "/dev/stdout", "/dev/stderr" };
	static const struct str dirs[] = { STR_INIT("/dev/fd/"),
		STR_INIT("/proc/self/fd/") };

	for (int i = 0; i < 3; i++)
		if (str_is(path, names[i]))
			return i;
	for (size_t i = 0; i < 2; i++) {
		struct str n = str_skip(path, dirs[i].n);

		if (!str_starts(path, dirs[i]) || n.n == 0)
			continue;
		for (size_t k = 0; k < n.n; k++)
			if (n.p[k] < '0' || n.p[k] > '9')
				return -1;
		return n.n == 1 ? n.p[0] - '0' : -2;
	}
	return -1;
}

/* Opening /dev/fd/N for writing works even if the descriptor is read-only. */
static struct place_fact
descriptor_fact(const struct looking *l, const struct file_effect *f, int fd)
{
	struct place_fact to = { .where = WHERE_DEVICE, .real = f->path, .exists = true };

	if (f->op == FILE_READ || ((fd == 1 || fd == 2) && !l->open_reads &&
				      f->op != FILE_DELETE && f->op != FILE_CREATE))
		return to;
	to.where = WHERE_UNKNOWN;
	to.real = (struct str){ NULL, 0 };
	to.why = "the descriptor's file is not known";
	return to;
}

/* ---- files */

static enum look_use
use_of(const struct file_effect *f)
{
	static const char removers[] = "rm\0rmdir\0unlink\0mv\0";

	if (f->op == FILE_READ || f->op == FILE_EXEC)
		return LOOK_READ;
	if (f->op == FILE_DELETE && str_among(f->by, removers))
		return LOOK_REMOVE;
	return LOOK_WRITE;
}

/* True if the command only opens the file; renaming or removing it would replace the
 * device. */
static bool
only_opens(const struct file_effect *f)
{
	static const char names[] =
	    "redirection\0tee\0dd\0curl\0wget\0sort\0tar\0awk\0gawk\0"
	    "mawk\0sed\0time\0strace\0split\0script\0find\0";

	return f->op == FILE_READ ||
	       ((f->op == FILE_WRITE || f->op == FILE_APPEND) && str_among(f->by, names));
}

static struct created
created_for(const struct looking *l, const struct file_effect *f)
{
	return (struct created){ .names = l->made,
		.except = f,
		.careful = created_how(f->by) & CREATES_CAREFUL };
}

static void
add_tree_facts(struct looking *l, const struct file_effect *f, const struct resolved *r,
    struct place_fact *to)
{
	const struct path_grant *in = r->real.p ? lookup_grant(&l->g, r->real) : NULL;

	if (f->tree && r->directory && in && in->kind == PATH_GRANT_ROOT)
		lookup_below(&l->g, in->path, r->real, to);
	if ((f->op == FILE_DELETE || f->op == FILE_TRUNCATE) && to->where != WHERE_TMP &&
	    to->where != WHERE_UNKNOWN)
		to->unsaved = lookup_unsaved(&l->g, r);
}

/* `cp "$x" d`: the word could be -t/etc, and then d is no target.  The operands of a
 * program that writes are certain only if no unknown word could be an option. */
static bool
is_file_name(const struct looking *l, struct field word)
{
	if (word.kind == FIELD_STR)
		return true;
	if (!word.among.p || word.among.n == 0)
		return false;
	if (!strchr("*?[-", word.among.p[0]))
		return true;
	for (const struct file_effect *f = l->e->files; f; f = f->next)
		if (f->listed.p && f->at.start == word.at.start && f->at.end == word.at.end)
			return true; /* none of them begins with a dash */
	return false;
}

static bool
is_unsure(const struct looking *l, const struct command *c)
{
	for (size_t i = c->scan->unsure; i < c->argc; i++)
		if (!is_file_name(l, c->argv[i]))
			return true;
	return false;
}

static bool
could_be_elsewhere(const struct looking *l, const struct file_effect *f)
{
	for (const struct command *c = l->e->commands; c; c = c->next)
		if (c->scan && c->class != CLASS_READ && is_unsure(l, c) && c->program.p &&
		    str_eq(c->program, f->by) && f->at.start >= c->at.start &&
		    f->at.end <= c->at.end)
			return true;
	return false;
}

/* A path that is not known, or could not be resolved, may lead to a hidden file. */
static bool
may_be_ignored(const struct looking *l, const struct file_effect *f)
{
	return l->g.o->ignore.n > 0 && !f->names;
}

static struct place_fact
unknown_fact(struct looking *l, const struct file_effect *f)
{
	struct place_fact to = { .where = WHERE_UNKNOWN,
		.why = f->path.n ? "only the beginning of the path is known"
				 : "the path is not known",
		.ignored_below = may_be_ignored(l, f) };

	if (f->listed.p && lookup_is_temporary(&l->g, f->listed)) {
		to.where = WHERE_TMP;
		to.real = f->listed;
	}
	return to;
}

/* Tighten the place by what the command may do besides opening this path. */
static void
tighten_by_command(const struct looking *l, const struct file_effect *f, enum look_use use,
    struct place_fact *to)
{
	if (to->where == WHERE_DEVICE && !only_opens(f)) {
		to->where = WHERE_OUTSIDE;
		to->why = "the command could replace the device";
	}
	if (use != LOOK_READ && to->where != WHERE_OUTSIDE && could_be_elsewhere(l, f)) {
		to->where = WHERE_UNKNOWN;
		to->why = "an unknown word could be an option (put -- or ./ before it)";
	}
}

/* Each step only tightens the fact, and add_tree_facts() needs the final place. */
static int
look_file(struct looking *l, struct file_effect *f, struct err *reterr)
{
	enum look_use use = use_of(f);
	struct created made = created_for(l, f);
	struct resolved r;
	int fd = f->known ? descriptor(f->path) : -1;

	if (!f->known) {
		f->fact = unknown_fact(l, f);
		return 0;
	}
	if (fd != -1) {
		f->fact = descriptor_fact(l, f, fd);
		return 0;
	}
	if (look_resolve(
		l->g.a, f->path, use == LOOK_REMOVE ? RESOLVE_NAME : 0, &made, &r, reterr))
		return no_memory(reterr);
	lookup_fact(&l->g, &r, use, &f->fact);
	f->fact.ignored_below = !r.real.p && may_be_ignored(l, f);
	tighten_by_command(l, f, use, &f->fact);
	links_tighten(&l->g, l->e, f, &made, &f->fact);
	add_tree_facts(l, f, &r, &f->fact);
	return l->g.full ? no_memory(reterr) : 0;
}

static bool
is_descriptor(const struct file_effect *f)
{
	return f->known && descriptor(f->path) != -1;
}

static int
look_files(struct looking *l, struct err *reterr)
{
	for (struct file_effect *f = l->e->files; f; f = f->next) {
		if (!is_descriptor(f) && look_file(l, f, reterr))
			return reterr->code;
		if (f->op == FILE_READ && str_is(f->by, "redirection") &&
		    (f->fact.where == WHERE_OUTSIDE || f->fact.where == WHERE_UNKNOWN) &&
		    !is_descriptor(f))
			l->open_reads = true;
	}
	for (struct file_effect *f = l->e->files; f; f = f->next)
		if (is_descriptor(f) && look_file(l, f, reterr))
			return reterr->code;
	return 0;
}

/* ---- directories */

static bool
holds(struct span outer, struct span inner)
{
	return inner.start >= outer.start && inner.end <= outer.end;
}

/* The command that changes to this directory. */
static const struct command *
enterer(const struct looking *l, const struct chdir_effect *d)
{
	for (const struct command *c = l->e->commands; c; c = c->next)
		if (c->program.p && holds(c->at, d->at))
			return c;
	return NULL;
}

/* `cd a/../b` goes to b.  If b does not exist, bash tries again as the kernel resolves the
 * path, through symlinks, and may end elsewhere. */
static int
look_again(
    struct looking *l, const struct command *c, struct chdir_effect *d, struct err *reterr)
{
	struct created made = { .names = l->made };

	for (size_t i = 1; c->cwd && i < c->argc; i++) {
		struct str word = c->argv[i].text;

		if (c->argv[i].kind != FIELD_STR || !path_has_dotdot(word))
			continue;
		for (size_t k = 0; k < c->cwd->n; k++) {
			struct str path =
			    str_starts(word, STR("/"))
				? word
				: created_join(l->g.a, c->cwd->at[k].path, word);
			struct place_fact fact;
			struct resolved r;

			if (!path.p || look_resolve(l->g.a, path, 0, &made, &r, reterr))
				return no_memory(reterr);
			lookup_fact(&l->g, &r, LOOK_ENTER, &fact);
			if (r.exists && fact.where != WHERE_INSIDE)
				d->fact = fact;
		}
	}
	return 0;
}

static int
look_dirs(struct looking *l, struct err *reterr)
{
	for (struct chdir_effect *d = l->e->chdirs; d; d = d->next) {
		const struct command *c = enterer(l, d);
		struct created made = { .names = l->made,
			.careful = c && (created_how(c->program) & CREATES_CAREFUL) };
		struct resolved r;

		if (!d->known) {
			d->fact = (struct place_fact){ .where = WHERE_UNKNOWN,
				.why = "the directory is not known" };
			continue;
		}
		if (look_resolve(l->g.a, d->path, 0, &made, &r, reterr))
			return no_memory(reterr);
		lookup_fact(&l->g, &r, LOOK_ENTER, &d->fact);
		if (!r.exists && c && look_again(l, c, d, reterr))
			return no_memory(reterr);
		if (l->g.full)
			return no_memory(reterr);
	}
	return 0;
}

/* ---- commands */

/* True if the text itself changes git's configuration or hooks. */
static const char *
changed_by_text(const struct effects *e)
{
	for (const struct file_effect *f = e->files; f; f = f->next)
		if (f->op != FILE_READ && f->op != FILE_EXEC && f->fact.guarded)
			return "the command line itself changes git's configuration or "
			       "hooks";
	return NULL;
}

static void
look_git(struct looking *l, struct command *c, const char *changed)
{
	struct git_goes to = { 0 };

	c->git_runs = changed ? changed : lookup_git_runs(&l->g, c, &to);
	c->git_url = to.url;
	c->git_elsewhere = to.elsewhere || changed;
}

static void
look_commands(struct looking *l)
{
	const char *changed = changed_by_text(l->e);

	for (struct command *c = l->e->commands; c; c = c->next) {
		lookup_find_program(&l->g, l->e, c);
		if (c->program.p && str_is(c->program, "git") && !c->remote && !c->function)
			look_git(l, c, changed);
	}
}

static void
forget(struct effects *e)
{
	for (struct file_effect *f = e->files; f; f = f->next)
		f->fact = (struct place_fact){ 0 };
	for (struct chdir_effect *d = e->chdirs; d; d = d->next)
		d->fact = (struct place_fact){ 0 };
	for (struct command *c = e->commands; c; c = c->next) {
		c->found = (struct str){ NULL, 0 };
		c->found_writable = false;
		c->git_runs = NULL;
		c->git_url = (struct str){ NULL, 0 };
		c->git_elsewhere = false;
	}
	e->looked = false;
}

int
look(struct arena *a, struct effects *e, const struct look_opts *o, struct err *reterr)
{
	struct looking l = { .e = e };
	struct err own;
	int err;

	if (!reterr)
		reterr = &own;
	err = lookup_init(&l.g, a, o, reterr);
	if (!err)
		err = created_find(a, e, &l.made, reterr);
	if (!err)
		lookup_list_among(&l.g, e);
	if (!err)
		err = look_files(&l, reterr);
	if (!err)
		err = look_dirs(&l, reterr);
	if (!err) {
		look_commands(&l);
		if (l.g.full)
			err = no_memory(reterr);
	}
	if (err)
		forget(e);
	else
		e->looked = true;
	return !err && e->guesses ? look(a, e->guesses, o, reterr) : err;
}

int
look_open(
    struct arena *a, const struct look_opts *o, struct lookup **ret, struct err *reterr)
{
	struct lookup *g = ARENA_NEW(a, struct lookup);
	int err = g ? lookup_init(g, a, o, reterr) : no_memory(reterr);

	if (!err)
		*ret = g;
	return err;
}

int
look_fact(struct lookup *g, struct str path, enum look_use use, struct place_fact *ret,
    struct err *reterr)
{
	struct resolved r;
	struct place_fact to;
	int err = look_resolve(
	    g->a, path, use == LOOK_REMOVE ? RESOLVE_NAME : 0, NULL, &r, reterr);

	if (err)
		return err;
	lookup_fact(g, &r, use, &to);
	if (g->full)
		return no_memory(reterr);
	*ret = to;
	return 0;
}
