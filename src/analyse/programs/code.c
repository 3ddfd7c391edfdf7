/* Interpreters: the effects of the code they are given, as far as it can be read. */
#include "analyse/guess.h"
#include "analyse/programs/programs.h"
#include "analyse/programs/pure.h"
#include "analyse/word/word.h"

/* Options that add no other code. */
static bool
is_harmless(const struct know_item *item)
{
	static const char names[] = "-u\0-B\0-E\0-I\0-S\0-s\0-O\0-l\0-w\0";

	for (size_t i = 0;; i++) {
		struct str name = know_option_name(item->option, i);

		if (name.n == 0)
			return false;
		if (str_among(name, names))
			return true;
	}
}

static bool
is_code_option(const struct know_item *item)
{
	return item_is(item, "-c") || item_is(item, "-e") || item_is(item, "--eval") ||
	       item_is(item, "-E") || item_is(item, "-p") || item_is(item, "--print");
}

/* Find the code if the arguments contain exactly one known text; else return false. */
static bool
code_of(const struct invocation *c, const struct know_scan *scan, struct str *ret)
{
	const struct know_item *found = NULL;

	if (scan->unsure < c->argc || scan->unknown_option < c->argc)
		return false;
	for (size_t i = 0; i < scan->count; i++) {
		const struct know_item *item = &scan->items[i];

		if (item->role == ROLE_CODE && !item->option_only && !found &&
		    is_code_option(item) && item->value.kind == FIELD_STR)
			found = item;
		else if (item->option_only ? !item->option || (!is_harmless(item) &&
								  !is_code_option(item))
					   : item->role != ROLE_DATA)
			return false;
	}
	if (found)
		*ret = found->value.text;
	return found;
}

/* python3 -, or python3 without arguments: the program is on standard input. */
static bool
reads_stdin(const struct know_scan *scan)
{
	for (size_t i = 0; i < scan->count; i++)
		if (!field_is(scan->items[i].value, "-") &&
		    !(scan->items[i].option_only && scan->items[i].option &&
			is_harmless(&scan->items[i])))
			return false;
	return true;
}

/*
 * python3 -m pip install x: a module that is a known program behaves like it. The words
 * after the module are the program's.
 */
static void
run_module(struct walk *w, struct invocation *c, const struct know_item *item,
    struct str by, struct state s)
{
	struct invocation inner = *c;
	struct buf via;

	/* Another module of this name could exist here: the command is not only a
	 * wrapper. */
	inner.self = NULL;
	inner.program = (struct str){ NULL, 0 };
	if (item->value.kind != FIELD_STR || !know_program(item->value.text))
		return;
	inner.argc = c->argc - item->index;
	inner.argv = walk_alloc(w, inner.argc * sizeof *inner.argv);
	if (!inner.argv)
		return;
	memcpy(inner.argv, c->argv + item->index, inner.argc * sizeof *inner.argv);
	inner.argv[0].text = item->value.text; /* -mpip */
	buf_init(&via, w->a);
	buf_put(&via, by);
	buf_puts(&via, " -m");
	run_inner(w, &inner, 0, buf_str(&via), s);
}

static void
run_modules(struct walk *w, struct invocation *c, const struct know_scan *scan,
    struct str by, struct state s)
{
	const struct command *outer = w->within;

	w->within = c->self;
	for (size_t i = 0; i < scan->count && !w->failed; i++)
		if (scan->items[i].role == ROLE_CODE && !scan->items[i].option_only &&
		    item_is(&scan->items[i], "-m"))
			run_module(w, c, &scan->items[i], by, s);
	w->within = outer;
}

void
run_code(struct walk *w, struct invocation *c, const struct know_scan *scan, struct state s)
{
	struct str by = str_base(c->program.p ? c->program : c->argv[0].text);
	enum language language = language_of(by);
	struct str code = { NULL, 0 };
	bool given = code_of(c, scan, &code);
	struct field text;

	if (!c->self)
		return;
	if (!given && reads_stdin(scan)) {
		text = stdin_text(w, c, &s);
		if (text.kind == FIELD_STR)
			c->self->code = code = text.text;
		guess_code(w, text, by, s);
	}
	if (code.p && code_is_pure(language, code))
		c->self->pure = true;
	else if (language == LANGUAGE_PYTHON)
		run_modules(w, c, scan, by, s);
}
