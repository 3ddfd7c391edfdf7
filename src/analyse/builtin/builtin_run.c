/* Builtins that run a text or a command. */
#include "analyse/builtin/builtin.h"
#include "analyse/names.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"

/* Join the fields from `from` on with blanks; .p is NULL if one of them is unknown. */
static struct str
joined_text(struct walk *w, const struct invocation *c, size_t from)
{
	struct buf b;

	buf_init(&b, w->a);
	for (size_t i = from; i < c->argc; i++) {
		if (c->argv[i].kind != FIELD_STR)
			return (struct str){ NULL, 0 };
		if (i > from)
			buf_putc(&b, ' ');
		buf_put(&b, c->argv[i].text);
	}
	if (b.full)
		walk_fail(w, CORDON_ENOMEM, c->at, "out of memory");
	return buf_str(&b);
}

struct flow
builtin_eval(struct walk *w, struct invocation *c, struct state s)
{
	size_t from = c->argc > 1 && field_is(c->argv[1], "--") ? 2 : 1;
	struct str text = joined_text(w, c, from);
	struct flow f = flow_of(s);

	if (from >= c->argc)
		return f;
	if (!text.p) {
		add_unknown(w, c->at, "eval of an unknown string");
		return flow_of(forget_all(w, s));
	}
	if (c->self)
		c->self->wrapper = true;
	(void)walk_source(w, text, w->frame.dialect,
	    fields_span(c->argv + from, c->argc - from), STR("eval"), s, &f);
	return f;
}

static bool
at_exit_only(const struct invocation *c, size_t from)
{
	for (; from < c->argc; from++)
		if (!field_is(c->argv[from], "EXIT") && !field_is(c->argv[from], "0") &&
		    !field_is(c->argv[from], "exit"))
			return false;
	return true;
}

/* A number that could be a signal: then the words are signals to reset. */
static bool
is_signal(struct str text)
{
	return text.n <= 2 && is_number(text) && text.p[0] != '-' && text.p[0] != '+';
}

/* True if the text could change variables, the directory or the flow of the commands it
 * interrupts. */
static bool
changes_state(struct walk *w, struct str text)
{
	struct parse_opts opts = { .dialect = w->frame.dialect };
	struct changes scan = { 0 };
	struct list *list;
	struct err err;

	if (parse(w->a, text, &opts, &list, &err))
		return true;
	scan_list(w, list, &scan);
	return scan.all || scan.cd || scan.jumps || scan.names;
}

/* The state at the exit of the shell. Of the variables in the text, keep those that are
 * known now; NAME_KEPT reports later changes. */
static struct state
at_end(struct walk *w, struct str text, struct span at, struct state s)
{
	struct state end = forget_all(w, s);

	for (size_t i = 0; i + 1 < text.n; i++) {
		struct str rest = str_skip(text, i + 1 + (text.p[i + 1] == '{'));
		struct str name = str_cut(rest, 0, name_length(rest));
		const struct var *v;
		bool barrier;

		if (text.p[i] != '$' || name.n == 0)
			continue;
		v = var_find(&s, name, &barrier);
		if (!v || v->kind != VAR_STRING)
			continue;
		name_flag(w, name, NAME_KEPT, at);
		if (!var_set(w->a, &end, name, v->kind, v->items, v->n))
			walk_fail(w, CORDON_ENOMEM, at, "out of memory");
	}
	return end;
}

static struct flow
set_trap(struct walk *w, struct invocation *c, size_t i, struct state s)
{
	bool at_exit = at_exit_only(c, i + 1);
	struct str text = c->argv[i].text;
	unsigned later = w->later;
	struct flow f;

	if (c->self)
		c->self->wrapper = true;
	w->later |= at_exit ? NAME_LATER : NAME_LATER | NAME_TRAPPED;
	(void)walk_source(w, text, w->frame.dialect, c->argv[i].at, STR("trap"),
	    at_exit ? at_end(w, text, c->argv[i].at, s) : forget_all(w, s), &f);
	w->later = later;
	/* The trap may run between any two commands: report that nothing it changes is
	 * certain. */
	if (!at_exit && changes_state(w, text))
		add_unknown(w, c->at, "a trap changes variables or the directory");
	return flow_of(s);
}

struct flow
builtin_trap(struct walk *w, struct invocation *c, struct state s)
{
	size_t i = 1;
	bool options = true;

	if (i < c->argc && field_is(c->argv[i], "--")) {
		options = false;
		i++;
	}
	if (i >= c->argc)
		return flow_of(s);
	if (c->argv[i].kind != FIELD_STR) {
		add_unknown(w, c->argv[i].at, "a trap runs an unknown string");
		return flow_of(forget_all(w, s));
	}
	/* A list, a reset, or a single signal. */
	if (c->argv[i].text.n == 0 || field_is(c->argv[i], "-") ||
	    (options && c->argv[i].text.p[0] == '-') || is_signal(c->argv[i].text) ||
	    i + 1 == c->argc)
		return flow_of(s);
	return set_trap(w, c, i, s);
}

struct flow
builtin_source(struct walk *w, struct invocation *c, struct state s)
{
	struct flow ignored;
	struct str text;
	size_t i = 1;

	if (i < c->argc && field_is(c->argv[i], "--"))
		i++;
	if (i >= c->argc || field_is(c->argv[i], "/dev/null"))
		return flow_of(s);
	text = known_file(w, c, c->argv[i], &s);
	add_file(w, FILE_EXEC, false, c->argv[i], s.cwd, STR("source"));
	add_unknown(w, c->at, UNKNOWN_SCRIPT);
	if (text.p)
		(void)walk_source(
		    w, text, w->frame.dialect, c->argv[i].at, STR("source"), s, &ignored);
	return flow_of(forget_all(w, s));
}

struct flow
builtin_exec(struct walk *w, struct invocation *c, struct state s)
{
	struct invocation inner = *c;
	size_t i = 1;
	bool renamed = false;
	struct field name = { .kind = FIELD_STR };
	struct field *argv;

	for (; i < c->argc && c->argv[i].kind == FIELD_STR; i++) {
		struct str t = c->argv[i].text;

		if (str_is(t, "-c") || str_is(t, "-l") || str_is(t, "-cl") ||
		    str_is(t, "-lc")) {
			renamed |= str_find(t, 'l') < t.n;
			if (str_find(t, 'l') < t.n)
				name = (struct field){
					.kind = FIELD_ONE, .text = STR("-"), .at = c->at
				};
			continue;
		}
		if (str_is(t, "-a") && i + 1 < c->argc) {
			renamed = true;
			name = c->argv[++i];
			continue;
		}
		if (str_is(t, "--"))
			i++;
		break;
	}
	if (i >= c->argc)
		return flow_of(s);
	if (c->argv[i].kind != FIELD_STR || str_starts(c->argv[i].text, STR("-")) ||
	    name.kind == FIELD_MANY) {
		add_unknown(w, c->at, "the command of exec is unknown");
		return flow_of(s);
	}
	argv = walk_alloc(w, (c->argc - i) * sizeof *argv);
	if (!argv)
		return flow_of(s);
	memcpy(argv, c->argv + i, (c->argc - i) * sizeof *argv);
	if (renamed) {
		inner.program = argv[0].text;
		argv[0] = name;
	}
	inner.argv = argv;
	inner.argc = c->argc - i;
	run_inner(w, &inner, 0, STR("exec"), s);
	return flow_of(s);
}

struct flow
builtin_command(struct walk *w, struct invocation *c, struct state s)
{
	struct invocation inner = *c;
	const struct via *outer = w->via;
	struct via *link;
	struct flow f;
	size_t i = 1;

	for (; i < c->argc && c->argv[i].kind == FIELD_STR; i++) {
		struct str t = c->argv[i].text;

		if (str_is(t, "--")) {
			i++;
			break;
		}
		if (t.n < 2 || t.p[0] != '-')
			break;
		for (size_t k = 1; k < t.n; k++)
			if (t.p[k] !=
			    'p') /* -v and -V only print, anything else is an error */
				return flow_of(s);
	}
	if (i >= c->argc)
		return flow_of(s);
	link = walk_alloc(w, sizeof *link);
	if (!link)
		return flow_of(s);
	*link = (struct via){ STR("command"), outer };
	inner.argv += i;
	inner.argc -= i;
	inner.at = fields_span(inner.argv, inner.argc);
	inner.words = NULL;
	inner.no_function = true;
	if (c->self)
		c->self->wrapper = true;
	inner.self = NULL;
	w->via = link;
	f = run_call(w, &inner, s);
	w->via = outer;
	return f;
}

struct flow
builtin_builtin(struct walk *w, struct invocation *c, struct state s)
{
	/* Like command, except that it fails for programs; reporting more is harmless. */
	return builtin_command(w, c, s);
}
