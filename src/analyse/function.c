/* Functions: what a definition changes, and what a call runs. */
#include "analyse/builtin/builtin.h"
#include "analyse/guess.h"
#include "analyse/names.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"

/* Depth of nested calls; deeper ones are walked once, with everything unknown. */
#define CALLS_MAX 6

struct function *
function_named(struct walk *w, struct str name)
{
	struct function *f = name_has(w, name, NAME_FUNCTION) ? w->functions : NULL;

	while (f && !str_eq(f->name, name))
		f = f->next;
	return f;
}

/* From now on it is unknown which body a call runs, if any. */
void
function_forget(struct walk *w, struct str name)
{
	for (struct function *f = function_named(w, name); f; f = f->next)
		if (str_eq(f->name, name))
			f->ambiguous = true;
}

/* A call that is not followed: any body of that name could run, with any arguments. */
static void
function_open(struct walk *w, struct str name)
{
	for (struct function *f = function_named(w, name); f; f = f->next)
		if (str_eq(f->name, name))
			f->open = true;
}

static bool
changes_meaning(struct str name)
{
	return is_builtin(name) || know_program(name) || str_find(name, '/') < name.n ||
	       str_is(name, "command_not_found_handle");
}

/* A trap set earlier calls the function, at any point of the text. */
static void
note_trapped(struct walk *w, const struct function *f, struct span at)
{
	struct changes scan = { 0 };

	if (!name_has(w, f->name, NAME_TRAPPED))
		return;
	scan_node(w, f->body, &scan);
	if (scan.all || scan.cd || scan.names)
		add_unknown(w, at, "a trap changes variables or the directory");
}

struct flow
define_function(struct walk *w, const struct node *node, struct state s)
{
	struct str name = node->function.name;
	struct span at = walk_span(w, node->at);
	bool open = w->level > 0 || function_named(w, name);
	struct function *f;

	if (changes_meaning(name))
		add_unknown(w, at, "a function takes the name of a command");
	if (w->exports)
		add_unknown(w, at, "exports a function to other shells");
	function_forget(w, name);
	name_flag(w, name, NAME_FUNCTION, at);
	f = walk_alloc(w, sizeof *f);
	if (!f)
		return flow_of(s);
	*f = (struct function){ .name = name,
		.body = node->function.body,
		.frame = w->frame,
		.via = w->via,
		.ambiguous = open,
		.open = name_has(w, name, NAME_LATER),
		.next = w->functions };
	w->functions = f;
	note_trapped(w, f, at);
	return flow_of(s);
}

/* $1 $2 ... are the words of the call; $0 is unchanged. NULL if unknown. */
static const struct args *
call_args(struct walk *w, const struct invocation *c, const struct args *outer)
{
	struct args *args = walk_alloc(w, sizeof *args);
	struct field *items = walk_alloc(w, c->argc * sizeof *items);

	if (!args || !items)
		return NULL;
	for (size_t i = 0; i < c->argc; i++) {
		if (c->argv[i].kind == FIELD_MANY)
			return NULL;
		items[i] = c->argv[i];
	}
	items[0] = outer && outer->n ? outer->items[0]
				     : (struct field){ .kind = FIELD_ONE, .text = STR("") };
	*args = (struct args){ items, c->argc };
	return args;
}

/* A call may run one of several bodies: guess each of them, with these words. */
static void
guess_function(
    struct walk *w, struct function *f, const struct invocation *c, struct state s)
{
	struct frame frame = w->frame;
	const struct via *via = w->via;
	struct str name = f->name;
	struct sink before;

	s.args = call_args(w, c, s.args);
	if (!s.args || !guess_begin(w, &before))
		return;
	w->args = s.args;
	w->calls++;
	for (; f && !w->failed; f = f->next) {
		if (!str_eq(f->name, name) || f->active)
			continue;
		f->active = true;
		w->frame = f->frame;
		w->via = f->via;
		(void)walk_node(w, f->body, s);
		f->active = false;
	}
	w->calls--;
	w->frame = frame;
	w->via = via;
	guess_end(w, &before);
}

struct flow
call_function(
    struct walk *w, struct function *f, const struct invocation *c, struct state s)
{
	struct frame frame = w->frame;
	const struct via *via = w->via;
	const struct args *outer = s.args;
	struct changes scan = { 0 };
	struct flow flow;

	if (f->active && !f->ambiguous && w->level == f->level)
		add_unknown(w, c->at, "a function always calls itself and never ends");
	/* bomb() { bomb | bomb & }: the number of processes doubles each round. */
	if (f->active && w->forks && c->self)
		c->self->class = CLASS_ADMIN;
	w->cut |= w->calls >= CALLS_MAX;
	if (f->ambiguous || f->active || w->calls >= CALLS_MAX) {
		if (!f->active && w->calls < CALLS_MAX)
			guess_function(w, f, c, s);
		function_open(w, f->name);
		return flow_of(forget_all(w, s));
	}
	s.args = call_args(w, c, outer);
	if (s.args)
		w->args = s.args;
	f->active = true;
	f->walked |= !w->guessing;
	w->calls++;
	f->level = ++w->level;
	w->frame = f->frame;
	w->via = f->via;
	flow = walk_node(w, f->body, s);
	w->frame = frame;
	w->via = via;
	w->level--;
	w->calls--;
	f->active = false;
	/* After a return in the middle, and for local variables: forget everything that the
	 * body changes. */
	scan_node(w, f->body, &scan);
	if (scan.jumps)
		flow.ok.dead = flow.fail.dead = false;
	scan_apply(w, &scan, &flow.ok);
	scan_apply(w, &scan, &flow.fail);
	scan_apply(w, &scan, &w->aborted);
	flow.ok.args = flow.fail.args = outer;
	if (w->aborted.args != outer)
		w->aborted.args = NULL;
	return flow;
}

static void
walk_open(struct walk *w, struct function *f)
{
	struct state s = { .cwd = &dirs_anywhere, .old = &dirs_anywhere };

	f->walked = f->opened = f->active = true;
	w->frame = f->frame;
	w->via = f->via;
	w->calls++;
	(void)walk_node(w, f->body, forget_all(w, s));
	w->calls--;
	f->active = false;
}

void
walk_uncalled(struct walk *w)
{
	struct state aborted = w->aborted;
	struct frame frame = w->frame;
	const struct via *via = w->via;
	bool again_needed = true;

	while (again_needed && !w->failed) {
		again_needed = false;
		for (struct function *f = w->functions; f && !w->failed; f = f->next) {
			if (f->walked && (!f->open || f->opened))
				continue;
			again_needed = true;
			walk_open(w, f);
		}
	}
	w->frame = frame;
	w->via = via;
	w->aborted = aborted;
}
