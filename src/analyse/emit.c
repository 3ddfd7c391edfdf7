#include "analyse/guess.h"
#include "analyse/names.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"
#include "base/limits.h"
#include "base/path.h"

struct span
walk_span(const struct walk *w, struct span at)
{
	return w->frame.inner ? w->frame.outer : at;
}

void
walk_fail(struct walk *w, int code, struct span at, const char *why)
{
	if (w->failed)
		return;
	w->failed = true;
	err_at(&w->err, code, walk_span(w, at).start, why);
}

void *
walk_alloc(struct walk *w, size_t n)
{
	void *p = arena_zalloc(w->a, n);

	if (!p)
		walk_fail(w, CORDON_ENOMEM, (struct span){ 0, 0 },
		    "the command needs more memory than its limit");
	return p;
}

/* In the functions below, `at` is already a position in the text given to analyse(). */

void
add_unknown(struct walk *w, struct span at, const char *why)
{
	struct unknown *u;
	int looked = 0;

	/* Walking a body again reports the same again. Compare with the first 32 only, to
	 * stay linear. */
	if (w->quiet || w->guessing)
		return;
	for (u = w->out.unknowns; u && looked < 32; u = u->next, looked++)
		if (u->why == why && u->at.start == at.start && u->at.end == at.end)
			return;
	if ((u = walk_alloc(w, sizeof *u)) == NULL)
		return;
	*u = (struct unknown){ why, at, NULL };
	*w->unknown_end = u;
	w->unknown_end = &u->next;
}

struct command *
add_command(struct walk *w, const struct invocation *c, const struct state *s)
{
	struct command *k = walk_alloc(w, sizeof *k);
	struct field first = c->argv[0];

	if (!k)
		return NULL;
	if (++w->commands > LIMIT_EFFECTS) {
		walk_fail(w, CORDON_ELIMIT, c->at, "more than 4096 commands");
		return NULL;
	}
	*k = (struct command){ .argv = c->argv,
		.argc = c->argc,
		.via = w->via,
		.assigns = c->assigns,
		.at = c->at,
		.cwd = s->cwd,
		.remote = w->remote,
		.value = w->value,
		.within = w->within };
	if (c->program.p)
		k->program = str_base(c->program);
	else if (first.kind == FIELD_STR)
		k->program = str_base(first.text);
	*w->command_end = k;
	w->command_end = &k->next;
	return k;
}

static void
add_one_chdir(struct walk *w, bool known, struct str path, struct span at)
{
	struct chdir_effect *c = walk_alloc(w, sizeof *c);

	if (!c)
		return;
	*c = (struct chdir_effect){ .known = known, .path = path, .at = at };
	*w->chdir_end = c;
	w->chdir_end = &c->next;
}

void
add_chdir(struct walk *w, const struct dirs *to, struct span at)
{
	if (w->remote || !to)
		return;
	if (to->unknown)
		add_one_chdir(w, false, STR(""), at);
	for (size_t i = 0; i < to->n; i++)
		add_one_chdir(w, true, to->at[i].path, at);
}

static void
add_one_file(struct walk *w, struct file_effect f)
{
	struct file_effect *e = walk_alloc(w, sizeof *e);

	if (!e)
		return;
	*e = f;
	*w->file_end = e;
	w->file_end = &e->next;
}

/* The pattern relative to `dir`; .p is NULL if a `..` would have to be resolved. */
static struct str
pattern_in(struct walk *w, struct str dir, struct str pattern)
{
	struct buf b;

	if (path_has_dotdot(pattern) || path_has_dotdot(dir))
		return (struct str){ NULL, 0 };
	buf_init(&b, w->a);
	among_put(&b, dir);
	for (size_t at = 0; at < pattern.n;) {
		struct str rest = str_skip(pattern, at);
		struct str part = str_cut(rest, 0, str_find(rest, '/'));

		at += part.n + 1;
		if (part.n == 0 || str_is(part, "."))
			continue;
		if (b.n == 0 || b.p[b.n - 1] != '/')
			buf_putc(&b, '/');
		buf_put(&b, part);
	}
	return b.full ? (struct str){ NULL, 0 } : buf_str(&b);
}

/* Add an unknown path once for each possible working directory. */
static void
add_among(struct walk *w, struct file_effect f, struct field path, const struct dirs *cwd)
{
	bool absolute = str_starts(path.among, STR("/"));
	size_t n = absolute || cwd->unknown || !path.among.p ? 1 : cwd->n;

	/* The unknown rest could contain `..`: the known prefix is only for display. */
	f.path = path.kind == FIELD_MANY ? STR("") : path.text;
	for (size_t i = 0; i < n; i++) {
		if (path.among.p && (absolute || !cwd->unknown))
			f.among =
			    pattern_in(w, absolute ? STR("") : cwd->at[i].path, path.among);
		add_one_file(w, f);
	}
}

/* Add `f` for each path that the word can mean. */
static void
add_places(struct walk *w, struct file_effect f, struct field path, const struct dirs *cwd)
{
	bool absolute = str_starts(path.text, STR("/"));

	if (w->remote)
		return;
	if (path.kind != FIELD_STR || (!absolute && cwd->unknown)) {
		add_among(w, f, path, cwd);
		return;
	}
	f.known = true;
	for (size_t i = 0; i < (absolute ? 1 : cwd->n); i++) {
		struct dir here = absolute ? (struct dir){ STR("/"), true } : cwd->at[i];

		f.path = dir_file(w->a, &here, path.text);
		if (!f.path.p) { /* empty, or longer than the kernel accepts: it cannot be
				    opened */
			f.known = false;
			f.path = STR("");
		}
		if (path.among.p) /* the path is a tree */
			f.among = pattern_in(w, absolute ? STR("") : here.path, path.among);
		add_one_file(w, f);
	}
}

void
add_file(struct walk *w, enum file_op op, bool tree, struct field path,
    const struct dirs *cwd, struct str by)
{
	add_places(w,
	    (struct file_effect){ .op = op, .tree = tree, .at = path.at, .by = by }, path,
	    cwd);
}

void
add_names(struct walk *w, struct field path, const struct dirs *cwd, struct str by)
{
	add_places(w,
	    (struct file_effect){ .op = FILE_READ, .names = true, .at = path.at, .by = by },
	    path, cwd);
}

void
add_net(struct walk *w, struct field host, struct str by)
{
	struct net_effect *n = walk_alloc(w, sizeof *n);

	if (!n)
		return;
	*n = (struct net_effect){ host.kind == FIELD_STR, host.text, host.at, by, NULL };
	*w->net_end = n;
	w->net_end = &n->next;
}

/*
 * PAGER=x: a program that reads the variable runs x, somewhere and at some time. LESSOPEN
 * begins with | or -.
 */
static void
run_value(struct walk *w, struct str name, struct field value)
{
	struct state s = { .cwd = &dirs_anywhere, .old = &dirs_anywhere };
	bool outer = w->value;

	while (
	    str_starts(name, STR("LESS")) && value.text.n && strchr("|-", value.text.p[0]))
		value.text = str_skip(value.text, 1);
	w->value = true;
	run_shell_text(w, value, name, forget_all(w, s));
	w->value = outer;
}

void
add_env(struct walk *w, struct str name, struct field value, enum env_power power,
    struct span at)
{
	struct env_change *e = walk_alloc(w, sizeof *e);
	struct state here = { .cwd = &dirs_anywhere, .old = &dirs_anywhere };

	if (!e)
		return;
	*e = (struct env_change){ name, value.kind == FIELD_STR, value.text, at,
		power >= ENV_CHANGES, NULL };
	*w->env_end = e;
	w->env_end = &e->next;
	if (power == ENV_CHANGES && env_is_command(name))
		run_value(w, name, value);
	if (str_is(name, "PROMPT_COMMAND"))
		guess_shell(w, value, name, here);
	else if (str_starts(name, STR("PS")) && name.n == 3)
		guess_expansions(w, value.text, at, here);
}

/* Something ran in this shell that we cannot follow: forget everything. */
struct state
forget_all(struct walk *w, struct state s)
{
	s.cwd = s.old = &dirs_anywhere;
	s.stack = NULL;
	s.args = NULL;
	if (!var_forget_all(w->a, &s))
		walk_fail(w, CORDON_ENOMEM, (struct span){ 0, 0 }, "out of memory");
	return s;
}
