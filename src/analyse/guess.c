/*
 * Possible values of an unknown variable: each text assigned to it earlier, a default
 * beside it, the variable it refers to. A command with such a word is reported with the
 * word unknown, and then again for each guess, as separate effects. Guesses remove nothing
 * from the report, so they may be wrong.
 */
#include "analyse/guess.h"
#include "analyse/names.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"
#include "base/limits.h"
#include "base/path.h"

/* Guesses tried per command, and the number of effects after which no more are made. */
#define ROUNDS 4
#define EFFECTS_MAX (LIMIT_EFFECTS / 4)

enum guess_kind {
	GUESS_TEXT,
	GUESS_LIST, /* the elements of an array */
	GUESS_NAME, /* declare -n: the text is the name of another variable */
	GUESS_ALIAS,
	GUESS_NONE, /* an unknown value was assigned: older guesses are void */
};

struct guess {
	enum guess_kind kind;
	struct str name, key; /* key: of an element; .p is NULL without one */
	struct str text;
	struct field *items;
	size_t n;
	const struct guess *older;
};

static void
push(struct walk *w, struct guess new)
{
	struct guess *g = w->quiet ? NULL : walk_alloc(w, sizeof *g);

	if (!g)
		return;
	*g = new;
	g->older = w->guesses;
	w->guesses = g;
}

static const struct guess *
find(const struct walk *w, enum guess_kind kind, struct str name)
{
	for (const struct guess *g = w->guesses; g; g = g->older)
		if (g->kind == kind && str_eq(g->name, name))
			return g;
	return NULL;
}

struct str
guess_latest(const struct walk *w, struct str name)
{
	const struct guess *g = find(w, GUESS_TEXT, name);

	return g ? g->text : (struct str){ NULL, 0 };
}

void
guess_value(struct walk *w, struct str name, struct field value)
{
	const struct guess *to = w->guesses ? find(w, GUESS_NAME, name) : NULL;

	if (value.kind == FIELD_STR)
		push(w, (struct guess){ .name = name, .text = value.text });
	else if (w->guesses)
		push(w, (struct guess){ .kind = GUESS_NONE, .name = name });
	if (to && value.kind == FIELD_STR)
		push(w, (struct guess){ .name = to->text, .text = value.text });
}

void
guess_element(struct walk *w, struct str name, const struct word *subscript,
    struct field value, struct state s)
{
	struct field key = guess_word(w, subscript, s);

	if (value.kind == FIELD_STR && key.kind == FIELD_STR)
		push(
		    w, (struct guess){ .name = name, .key = key.text, .text = value.text });
}

void
guess_list(struct walk *w, struct str name, struct field *items, size_t n)
{
	push(w, (struct guess){ .kind = GUESS_LIST, .name = name, .items = items, .n = n });
}

/* declare -n name=to */
void
guess_reference(struct walk *w, struct field f)
{
	size_t equals = str_find(f.text, '=');

	if (f.kind == FIELD_STR && equals < f.text.n)
		push(w, (struct guess){ .kind = GUESS_NAME,
			    .name = str_cut(f.text, 0, equals),
			    .text = str_skip(f.text, equals + 1) });
}

void
guess_alias(struct walk *w, struct field f)
{
	size_t equals = str_find(f.text, '=');

	if (f.kind == FIELD_STR && equals > 0 && equals < f.text.n)
		push(w, (struct guess){ .kind = GUESS_ALIAS,
			    .name = str_cut(f.text, 0, equals),
			    .text = str_skip(f.text, equals + 1) });
}

struct str
guess_alias_of(const struct walk *w, struct str name)
{
	const struct guess *g = find(w, GUESS_ALIAS, name);

	return g ? g->text : (struct str){ NULL, 0 };
}

/* The guess of this round for x or x[key], or NULL. */
static const struct guess *
pick(struct walk *w, struct str name, struct str key)
{
	const struct guess *found = NULL;
	unsigned round = w->round;

	for (const struct guess *g = w->guesses; g; g = g->older) {
		if (g->kind == GUESS_ALIAS || !str_eq(g->name, name))
			continue;
		if (g->kind == GUESS_NONE)
			break;
		if (key.p ? !g->key.p || !str_eq(g->key, key) : g->key.p != NULL)
			continue;
		if (found && round-- == 0) {
			w->more = true;
			break;
		}
		found = g;
	}
	return found;
}

/* All elements that were assigned one by one, or their keys, in the order of assignment. */
static bool
elements(struct walk *w, struct str name, bool keys, struct value *ret)
{
	struct field *v;
	size_t n = 0, i;

	for (const struct guess *g = w->guesses; g; g = g->older)
		n += g->kind == GUESS_TEXT && g->key.p && str_eq(g->name, name);
	v = n ? walk_alloc(w, n * sizeof *v) : NULL;
	if (!v)
		return false;
	i = n;
	for (const struct guess *g = w->guesses; g; g = g->older)
		if (g->kind == GUESS_TEXT && g->key.p && str_eq(g->name, name))
			v[--i] = field_made(
			    FIELD_STR, keys ? g->key : g->text, (struct span){ 0, 0 });
	*ret = (struct value){ .kind = VALUE_LIST, .items = v, .n = n };
	return true;
}

static bool
value_of(const struct guess *g, const struct param *p, struct value *ret)
{
	size_t i = 0;
	uint64_t n;

	if (g->kind == GUESS_TEXT) {
		*ret = (struct value){ .kind = VALUE_TEXT, .text = g->text };
		return true;
	}
	if (g->kind != GUESS_LIST)
		return false;
	if (p->all) {
		*ret = (struct value){ .kind = VALUE_LIST, .items = g->items, .n = g->n };
		return true;
	}
	if (p->subscript && p->subscript->parts &&
	    str_number(p->subscript->parts->text, 1024, &n))
		i = (size_t)n;
	if (i >= g->n || g->items[i].kind != FIELD_STR)
		return false;
	*ret = (struct value){ .kind = VALUE_TEXT, .text = g->items[i].text };
	return true;
}

/* The value of the variable that another one names. */
static bool
referred(struct walk *w, struct str name, const struct state *s, struct value *ret)
{
	const struct param p = { .name = name };
	const struct guess *g;
	bool barrier;
	const struct var *v = var_find(s, name, &barrier);

	if (v && v->kind == VAR_STRING && v->items[0].kind == FIELD_STR) {
		*ret = (struct value){ .kind = VALUE_TEXT, .text = v->items[0].text };
		return true;
	}
	g = pick(w, name, (struct str){ NULL, 0 });
	return g && value_of(g, &p, ret);
}

bool
guess_param(struct walk *w, const struct param *p, struct state *s, struct value *ret)
{
	struct str key = { NULL, 0 };
	const struct guess *g;

	if (!w->guesses || !is_name(p->name))
		return false;
	if (!w->guessing) {
		w->guessable |= !w->quiet;
		return false;
	}
	g = find(w, GUESS_NAME, p->name);
	if (g)
		return referred(w, g->text, s, ret);
	if (p->subscript) {
		struct field f = guess_word(w, p->subscript, *s);

		key = f.kind == FIELD_STR ? f.text : key;
		g = key.p ? pick(w, p->name, key) : NULL;
		if (g)
			return value_of(g, p, ret);
	}
	g = pick(w, p->name, (struct str){ NULL, 0 });
	if (g && (g->kind == GUESS_LIST || (!p->subscript && !p->all)))
		return value_of(g, p, ret);
	return p->all && !p->star && elements(w, p->name, false, ret);
}

bool
guess_keys(struct walk *w, const struct param *p, struct value *ret)
{
	if (!w->guesses || p->star)
		return false;
	if (!w->guessing) {
		w->guessable |= !w->quiet;
		return false;
	}
	return elements(w, p->name, true, ret);
}

bool
guess_args(struct walk *w, size_t i, struct value *ret)
{
	const struct args *args = w->args;

	if (!args || args->n < 2)
		return true;
	if (!w->guessing) {
		w->guessable |= !w->quiet;
		return true;
	}
	if (i == 0) {
		*ret = (struct value){
			.kind = VALUE_LIST, .items = args->items + 1, .n = args->n - 1
		};
		return true;
	}
	/* shift moves the next arguments to this position. */
	w->more |= i + w->round + 1 < args->n;
	i += i + w->round < args->n ? w->round : 0;
	if (i < args->n && args->items[i].kind == FIELD_STR)
		*ret = (struct value){ .kind = VALUE_TEXT, .text = args->items[i].text };
	return true;
}

bool
guess_text(struct walk *w, struct str text, struct value *ret)
{
	if (!w->guessing) {
		w->guessable |= !w->quiet;
		return false;
	}
	*ret = (struct value){ .kind = VALUE_TEXT, .text = text };
	return true;
}

/* ~+ is the current directory, ~name is usually below /home. */
bool
guess_tilde(struct walk *w, struct str login, const struct state *s, struct value *ret)
{
	struct str dir = STR("/root");

	if (str_is(login, "+")) {
		if (s->cwd->unknown || s->cwd->n != 1)
			return false;
		dir = s->cwd->at[0].path;
	} else if (!str_is(login, "root") &&
		   (!is_name(login) || path_join(w->a, STR("/home"), login, &dir, NULL)))
		return false;
	return guess_text(w, dir, ret);
}

struct field
guess_word(struct walk *w, const struct word *word, struct state s)
{
	bool guessing = w->guessing, quiet = w->quiet;
	struct field f;

	w->guessing = w->quiet = true;
	f = eval_single(w, word, &s, true);
	w->guessing = guessing;
	w->quiet = quiet;
	return f;
}

/* The words of a loop: each is a possible value of its variable. */
void
guess_words(struct walk *w, struct str name, const struct word *words, struct state s)
{
	struct fields f = { NULL, 0, 0 };

	if (w->guessing || w->quiet)
		return;
	w->guessing = w->quiet = true;
	eval_words(w, words, &s, &f);
	w->guessing = w->quiet = false;
	for (size_t i = 0; i < f.n && i < ROUNDS; i++)
		if (f.v[i].kind == FIELD_STR)
			guess_value(w, name, f.v[i]);
}

static struct sink
take_sink(const struct walk *w)
{
	return (struct sink){ w->command_end, w->chdir_end, w->file_end, w->net_end,
		w->env_end, w->guessing, w->functions };
}

static void
put_sink(struct walk *w, const struct sink *s)
{
	w->command_end = s->command_end;
	w->chdir_end = s->chdir_end;
	w->file_end = s->file_end;
	w->net_end = s->net_end;
	w->env_end = s->env_end;
}

/* Begin reporting guesses; inside a guess, nothing changes. */
bool
guess_begin(struct walk *w, struct sink *ret)
{
	struct effects *e = w->out.guesses;

	*ret = take_sink(w);
	if (w->quiet || w->commands > EFFECTS_MAX)
		return false;
	if (w->guessing)
		return true;
	if (!e) {
		e = w->out.guesses = walk_alloc(w, sizeof *e);
		if (!e)
			return false;
		w->guessed = (struct sink){ &e->commands, &e->chdirs, &e->files, &e->nets,
			&e->env, false, NULL };
	}
	put_sink(w, &w->guessed);
	w->guessing = true;
	w->level++;
	return true;
}

void
guess_end(struct walk *w, const struct sink *before)
{
	if (before->inner)
		return;
	w->guessed = take_sink(w);
	put_sink(w, before);
	w->functions = before->functions; /* functions defined by a guess do not count */
	w->guessing = false;
	w->level--;
}

/* Inside a guess the words are guessed already. */
bool
guess_first(struct walk *w)
{
	w->round = 0;
	w->more = false;
	return !w->guessing;
}

bool
guess_next(struct walk *w)
{
	bool more = w->more && w->round + 1 < ROUNDS && !w->failed;

	w->round = more ? w->round + 1 : 0;
	w->more = false;
	return more;
}

static bool
same_words(const struct fields *x, const struct invocation *c)
{
	if (x->n != c->argc)
		return false;
	for (size_t i = 0; i < x->n; i++)
		if (x->v[i].kind != c->argv[i].kind ||
		    !str_eq(x->v[i].text, c->argv[i].text))
			return false;
	return true;
}

void
guess_call(struct walk *w, const struct invocation *c,
    void (*words)(struct walk *, const struct word *, struct state *, struct fields *),
    struct state s)
{
	struct sink before;

	for (bool more = guess_first(w); more && guess_begin(w, &before);
	     more = guess_next(w)) {
		struct fields f = { NULL, 0, 0 };
		struct invocation again = *c;
		struct state copy = s;
		bool others;

		w->quiet = true;
		words(w, c->words, &copy, &f);
		w->quiet = false;
		others = w->more;
		again.argv = f.v;
		again.argc = f.n;
		if (f.n && f.v[0].kind == FIELD_STR && !same_words(&f, c) && !w->failed)
			(void)run_call(w, &again, s);
		w->more = others;
		guess_end(w, &before);
	}
}
