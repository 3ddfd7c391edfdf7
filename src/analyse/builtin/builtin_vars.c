/* Builtins that set variables, and those that take the name of a variable. */
#include "analyse/builtin/builtin.h"
#include "analyse/guess.h"
#include "analyse/names.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"

static struct field
unknown_value(struct span at)
{
	return (struct field){ .kind = FIELD_ONE, .text = STR(""), .at = at };
}

/* The variable named by `f` gets a value from outside. */
static void
filled(struct walk *w, struct field f, unsigned flag, struct state *s)
{
	struct str name;

	if (arith_target(w, f, &name)) {
		if (flag || name.n < f.text.n)
			name_flag(w, name, NAME_ARRAY, f.at);
		assign_name(w, name, unknown_value(f.at), f.at, s);
		forget_name(w, name, s);
	} else if (f.kind != FIELD_STR)
		*s = forget_all(w, *s);
}

/* ---- declare, typeset, local, export, readonly */

struct attributes {
	bool array;  /* -a -A */
	bool global; /* -g: a local variable may hide it */
	bool arith;  /* -i */
	bool odd;    /* -i -l -u -c -r: an assignment does more or less than it says */
	bool opaque; /* -n, export -f */
	bool prints; /* -p -f -F */
	bool functions, exports; /* -f -x */
};

static void
take_letters(struct attributes *a, struct str word, bool exports)
{
	for (size_t i = 1; i < word.n; i++)
		switch (word.p[i]) {
		case 'i':
			a->arith = a->odd = true;
			break;
		case 'A': /* the words of x=(k v) are keys and values */
			a->array = a->odd = true;
			break;
		case 'a':
			a->array = true;
			break;
		case 'g':
			a->global = true;
			break;
		case 'x':
			a->exports = true;
			break;
		case 'l':
		case 'u':
		case 'c':
		case 'r':
			a->odd = true;
			break;
		case 'n':
			a->opaque |= !exports;
			break;
		case 'f':
			a->functions = a->prints = true;
			break;
		case 'F':
		case 'p':
			a->prints = true;
			break;
		default:
			break;
		}
}

static void
declare_flags(struct walk *w, struct str name, const struct attributes *a, struct span at)
{
	unsigned flags = (a->odd ? NAME_ODD : 0U) | (a->arith ? NAME_ARITH : 0U) |
			 (a->array ? NAME_ARRAY : 0U);

	if (flags)
		name_flag(w, name, flags, at);
}

static void
declare_one(struct walk *w, struct field f, const struct attributes *a, struct state *s)
{
	size_t equals = str_find(f.text, '=');
	bool has_value = equals < f.text.n;
	struct field target = f, value;
	struct str name;
	bool append = has_value && equals > 0 && f.text.p[equals - 1] == '+';

	if (f.kind == FIELD_MANY || (f.kind == FIELD_ONE && !has_value)) {
		add_unknown(w, f.at, "the name of a variable is computed");
		*s = forget_all(w, *s);
		return;
	}
	target.kind = FIELD_STR;
	target.text = str_cut(f.text, 0, equals - append);
	if (!arith_target(w, target, &name))
		return;
	declare_flags(w, name, a, f.at);
	if (!has_value) {
		if (str_is(name, "PATH"))
			add_unknown(
			    w, f.at, "unsets PATH, so commands may mean other programs");
		forget_name(w, name, s);
		return;
	}
	value = field_skip(f, equals + 1);
	/* If x is an array, x='(...)' is read as its elements. */
	if (str_starts(value.text, STR("(")) ||
	    (value.kind != FIELD_STR && !value.number && value.text.n == 0))
		name_flag(w, name, NAME_COMPOUND, f.at);
	if (a->arith) {
		may_abort(w, s);
		arith_value(w, value, s);
		value = (struct field){
			.kind = FIELD_ONE, .text = STR(""), .number = true, .at = f.at
		};
	}
	if (append || name.n < target.text.n)
		value = unknown_value(f.at);
	assign_name(w, name, value, f.at, s);
	if (name.n < target.text.n || a->global)
		forget_name(w, name, s);
}

/* declare -n x=y: from now on x refers to y. */
static void
refer(struct walk *w, struct field f, struct state *s)
{
	struct str name = str_cut(f.text, 0, name_length(f.text));

	guess_reference(w, f);
	if (name.n)
		forget_name(w, name, s);
}

struct flow
builtin_declare(struct walk *w, struct invocation *c, struct state s)
{
	bool exports = field_is(c->argv[0], "export");
	struct attributes a = { .odd = field_is(c->argv[0], "readonly") };
	struct state before = s;
	size_t i = 1;

	for (; i < c->argc; i++) {
		struct field f = c->argv[i];

		if (f.kind != FIELD_STR || f.text.n < 2 || !strchr("-+", f.text.p[0]))
			break;
		if (str_is(f.text, "--")) {
			i++;
			break;
		}
		take_letters(&a, f.text, exports);
	}
	if (a.opaque || (a.functions && (a.exports || exports)))
		add_unknown(w, c->at, "declares a reference or exports a function");
	if (a.prints && !a.opaque)
		return flow_of(s);
	for (; i < c->argc && !w->failed; i++) {
		declare_one(w, c->argv[i], &a, &s);
		if (a.opaque)
			refer(w, c->argv[i], &s);
	}
	for (const struct word *word = c->words; word && !w->failed; word = word->next)
		if (word->assign) {
			walk_assign(w, word->assign, &s);
			declare_flags(w, word->assign->name, &a, walk_span(w, word->at));
			if (a.global)
				forget_name(w, word->assign->name, &s);
			if (a.arith)
				add_unknown(w, walk_span(w, word->at),
				    "evaluates an unknown value as an expression");
		}
	/* local does nothing outside of a function. */
	if (field_is(c->argv[0], "local") && w->calls == 0)
		s = state_joined(w, s, before);
	return flow_of(s);
}

/* ---- other builtins */

struct flow
builtin_unset(struct walk *w, struct invocation *c, struct state s)
{
	for (size_t i = 1; i < c->argc && !w->failed; i++) {
		struct str name;

		if (c->argv[i].kind == FIELD_STR && str_starts(c->argv[i].text, STR("-")))
			continue;
		/* unset also removes a function if there is no variable of that name. */
		function_forget(w, c->argv[i].text);
		if (!arith_target(w, c->argv[i], &name))
			continue;
		if (str_is(name, "PATH"))
			add_unknown(
			    w, c->at, "unsets PATH, so commands may mean other programs");
		forget_name(w, name, &s);
	}
	return flow_of(s);
}

/* The number of words that an option of read, mapfile or wait takes. */
static size_t
option_words(struct str option, const char *with_value)
{
	for (size_t k = 1; k < option.n; k++)
		if (strchr(with_value, option.p[k]))
			return k + 1 == option.n ? 2 : 1;
	return 1;
}

/*
 * The value of one option among the clustered letters of argv[i]: attached, or the next
 * word. False if the letter is not an option there.
 */
static bool
option_value(const struct invocation *c, size_t i, char letter, const char *with_value,
    struct field *ret)
{
	struct str t = c->argv[i].text;
	size_t k = 1;

	while (k < t.n && t.p[k] != letter && !strchr(with_value, t.p[k]))
		k++;
	if (k >= t.n || t.p[k] != letter)
		return false;
	*ret = c->argv[i];
	ret->text = str_skip(t, k + 1);
	if (k + 1 == t.n)
		*ret = i + 1 < c->argc ? c->argv[i + 1]
				       : (struct field){ .kind = FIELD_STR, .at = c->at };
	return true;
}

static bool
is_option(struct field f)
{
	return f.kind == FIELD_STR && f.text.n > 1 && f.text.p[0] == '-';
}

#define READ_VALUES "adinNptu"

/* read a b <<< 'x y': split the first line at blanks; the last name gets the rest. */
static void
read_known(struct walk *w, const struct invocation *c, size_t names, struct state *s)
{
	struct field text = stdin_text(w, c, s), value = { .kind = FIELD_STR, .at = c->at };
	struct str line = str_cut(text.text, 0, str_find(text.text, '\n'));
	bool barrier;

	if (text.kind != FIELD_STR || c->assigns || str_find(line, '\\') < line.n ||
	    var_find(s, STR("IFS"), &barrier) || barrier)
		return;
	for (size_t i = names; i < c->argc; i++) {
		size_t n = 0;

		while (line.n && strchr(" \t", line.p[0]))
			line = str_skip(line, 1);
		while (n < line.n && !strchr(" \t", line.p[n]))
			n++;
		if (i + 1 == c->argc)
			for (n = line.n; n > 0 && strchr(" \t", line.p[n - 1]);)
				n--;
		value.text = str_cut(line, 0, n);
		line = str_skip(line, n);
		if (c->argv[i].kind == FIELD_STR && is_name(c->argv[i].text))
			assign_name(w, c->argv[i].text, value, c->at, s);
	}
}

/* mapfile -t a <<< 'x': the lines become elements. */
static void
map_known(struct walk *w, const struct invocation *c, struct field name, struct state *s)
{
	struct field text = stdin_text(w, c, s);
	struct fields lines = { NULL, 0, 0 };
	struct str rest = text.text;

	if (text.kind != FIELD_STR || !is_name(name.text) || name.kind != FIELD_STR)
		return;
	while (rest.n && lines.n < 64) {
		size_t n = str_find(rest, '\n');

		fields_add(w, &lines, field_made(FIELD_STR, str_cut(rest, 0, n), c->at));
		rest = str_skip(rest, n + 1);
	}
	w->cut |= rest.n > 0;
	if (rest.n == 0 && lines.n && !w->failed &&
	    !var_set(w->a, s, name.text, VAR_ARRAY, lines.v, lines.n))
		walk_fail(w, CORDON_ENOMEM, c->at, "out of memory");
}

struct flow
builtin_read(struct walk *w, struct invocation *c, struct state s)
{
	bool named = false;
	struct field array = { .kind = FIELD_MANY };
	size_t i = 1, names;

	while (i < c->argc && is_option(c->argv[i])) {
		struct str t = c->argv[i].text;

		if (str_is(t, "--")) {
			i++;
			break;
		}
		if (option_value(c, i, 'a', READ_VALUES, &array)) {
			filled(w, array, NAME_ARRAY, &s);
			named = true;
		}
		i += option_words(t, READ_VALUES);
	}
	names = i;
	for (; i < c->argc && !w->failed; i++, named = true)
		filled(w, c->argv[i], 0, &s);
	if (!named)
		assign_name(w, STR("REPLY"), unknown_value(c->at), c->at, &s);
	guess_read(w, c, names, array, &s);
	if (names == 1 || (names == 2 && field_is(c->argv[1], "-r")))
		read_known(w, c, names, &s);
	return flow_of(s);
}

struct flow
builtin_mapfile(struct walk *w, struct invocation *c, struct state s)
{
	bool named = false;
	struct field callback;
	size_t i = 1;

	while (i < c->argc && is_option(c->argv[i])) {
		struct str t = c->argv[i].text;

		if (str_is(t, "--")) {
			i++;
			break;
		}
		if (str_find(t, 'C') < t.n) {
			struct flow ignored;

			add_unknown(w, c->at, "mapfile runs a command for each line");
			if (option_value(c, i, 'C', "CcdnOsu", &callback) &&
			    callback.kind == FIELD_STR)
				(void)walk_source(w, callback.text, w->frame.dialect,
				    callback.at, STR("mapfile"), s, &ignored);
		}
		i += option_words(t, "CcdnOsu");
	}
	for (; i < c->argc && !w->failed; i++, named = true)
		filled(w, c->argv[i], NAME_ARRAY, &s);
	if (!named)
		assign_name(w, STR("MAPFILE"), unknown_value(c->at), c->at, &s);
	if (c->argc == 3 && field_is(c->argv[1], "-t") && !c->assigns)
		map_known(w, c, c->argv[2], &s);
	if (c->argc > 1)
		guess_mapped(w, c, c->argv[c->argc - 1], &s);
	return flow_of(s);
}

/* printf -v x ... */
static void
print_known(struct walk *w, const struct invocation *c, struct state *s)
{
	struct fields f = { c->argv + 2, c->argc - 2, c->argc - 2 };
	struct field value = { .kind = FIELD_STR, .at = c->at };

	for (size_t i = 2; i < c->argc; i++)
		if (c->argv[i].kind != FIELD_STR)
			return;
	value.text = printf_output(w, &f);
	if (value.text.p && is_name(c->argv[2].text))
		assign_name(w, c->argv[2].text, value, c->at, s);
}

struct flow
builtin_printf(struct walk *w, struct invocation *c, struct state s)
{
	struct field first = c->argc > 1 ? c->argv[1] : (struct field){ .kind = FIELD_STR };
	struct field target = first;

	if (first.kind == FIELD_MANY ||
	    (first.kind == FIELD_ONE && (first.text.n == 0 || str_is(first.text, "-")))) {
		add_unknown(
		    w, first.at, "an unknown word could be an option that sets a variable");
		return flow_of(forget_all(w, s));
	}
	if (!str_starts(first.text, STR("-v")))
		return flow_of(s);
	if (first.text.n > 2 || first.kind != FIELD_STR)
		target.text = str_skip(first.text, 2);
	else if (c->argc > 2)
		target = c->argv[2];
	filled(w, target, 0, &s);
	if (first.text.n == 2 && c->argc > 3)
		print_known(w, c, &s);
	return flow_of(s);
}

struct flow
builtin_let(struct walk *w, struct invocation *c, struct state s)
{
	for (size_t i = 1; i < c->argc && !w->failed; i++)
		arith_field(w, c->argv[i], &s);
	return flow_of(s);
}

struct flow
builtin_getopts(struct walk *w, struct invocation *c, struct state s)
{
	if (c->argc > 2)
		filled(w, c->argv[2], 0, &s);
	assign_name(w, STR("OPTARG"), unknown_value(c->at), c->at, &s);
	return flow_of(s);
}

struct flow
builtin_wait(struct walk *w, struct invocation *c, struct state s)
{
	struct field target;

	for (size_t i = 1; i < c->argc && is_option(c->argv[i]); i++)
		if (option_value(c, i, 'p', "p", &target)) {
			filled(w, target, 0, &s);
			i += option_words(c->argv[i].text, "p") - 1;
		}
	return flow_of(s);
}

/* Could the word be an operator such as -v? */
static bool
could_be_operator(struct field f)
{
	return f.kind == FIELD_ONE && !f.number &&
	       (f.text.n == 0 || str_is(f.text, "-") || str_is(f.text, "-v"));
}

/* Could the word be a variable with a subscript? */
static bool
could_be_element(struct field f)
{
	return f.kind == FIELD_STR ? str_find(f.text, '[') < f.text.n : !f.number;
}

/* -v reads its operand as a variable, with its subscript. */
struct flow
builtin_test(struct walk *w, struct invocation *c, struct state s)
{
	for (size_t i = 1; i < c->argc && !w->failed; i++) {
		struct str name;

		if (c->argv[i].kind == FIELD_MANY) {
			add_unknown(w, c->argv[i].at,
			    "unknown words could be a test that runs code");
			return flow_of(s);
		}
		if (i + 1 == c->argc)
			break;
		if (could_be_operator(c->argv[i]) && could_be_element(c->argv[i + 1]))
			add_unknown(w, c->argv[i].at,
			    "unknown words could be a test that runs code");
		if (field_is(c->argv[i], "-v") || field_is(c->argv[i], "-R"))
			(void)arith_target(w, c->argv[i + 1], &name);
	}
	return flow_of(s);
}
