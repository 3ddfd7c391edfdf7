/* Builtins that set variables, and those that read a word as the name of one. */
#include "analyse/builtin.h"

static struct field
unknown_value(struct span at)
{
	return (struct field){ .kind = FIELD_ONE, .text = STR(""), .at = at };
}

/* `f` names a variable that gets a value from outside. */
static void
filled(struct walk *w, struct field f, struct state *s)
{
	struct str name;

	if (arith_target(w, f, &name)) {
		assign_name(w, name, unknown_value(f.at), f.at, s);
		forget_name(w, name, s);
	} else if (f.kind != FIELD_STR)
		*s = forget_all(w, *s);
}

/* ---- declare, typeset, local, export, readonly */

struct attributes {
	bool arith;  /* -i */
	bool odd;    /* -i -l -u -c -r: an assignment does not do what it says */
	bool opaque; /* -n, export -f */
	bool prints; /* -p -f -F */
};

static void
take_letters(struct attributes *a, struct str word, bool exports)
{
	for (size_t i = 1; i < word.n; i++)
		switch (word.p[i]) {
		case 'i':
			a->arith = a->odd = true;
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
			a->opaque |= exports;
			a->prints = true;
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
declare_one(struct walk *w, struct field f, const struct attributes *a, struct state *s)
{
	size_t equals = str_find(f.text, '=');
	bool has_value = equals < f.text.n;
	struct field target = f, value = f;
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
	if (a->odd)
		name_flag(w, name, NAME_ODD, f.at);
	if (!has_value) {
		forget_name(w, name, s);
		return;
	}
	value.text = str_skip(f.text, equals + 1);
	if (a->arith)
		arith_field(w, value, s);
	if (append || name.n < target.text.n)
		value = unknown_value(f.at);
	assign_name(w, name, value, f.at, s);
	if (name.n < target.text.n)
		forget_name(w, name, s);
}

struct flow
builtin_declare(struct walk *w, struct call *c, struct state s)
{
	bool exports = field_is(c->argv[0], "export");
	struct attributes a = { .odd = field_is(c->argv[0], "readonly") };
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
	if (a.opaque)
		add_unknown(w, c->at, "a reference or a function is handed on");
	if (a.prints && !a.opaque)
		return flow_of(s);
	for (; i < c->argc && !w->failed; i++)
		declare_one(w, c->argv[i], &a, &s);
	for (const struct word *word = c->words; word && !w->failed; word = word->next)
		if (word->assign) {
			walk_assign(w, word->assign, &s);
			if (a.odd)
				name_flag(
				    w, word->assign->name, NAME_ODD, place(w, word->at));
			if (a.arith)
				add_unknown(w, place(w, word->at),
				    "an unknown value is read as an expression");
		}
	return flow_of(s);
}

/* ---- the others */

struct flow
builtin_unset(struct walk *w, struct call *c, struct state s)
{
	for (size_t i = 1; i < c->argc && !w->failed; i++) {
		struct str name;

		if (c->argv[i].kind == FIELD_STR && str_starts(c->argv[i].text, STR("-")))
			continue;
		if (!arith_target(w, c->argv[i], &name))
			continue;
		forget_name(w, name, &s);
		/* unset takes a function too when there is no such variable. */
		for (struct function *f = w->functions; f; f = f->next)
			if (str_eq(f->name, name))
				f->ambiguous = true;
	}
	return flow_of(s);
}

/* Options of read and mapfile: how many words each takes. */
static size_t
option_words(struct str option, const char *with_value)
{
	for (size_t k = 1; k < option.n; k++)
		if (strchr(with_value, option.p[k]))
			return k + 1 == option.n ? 2 : 1;
	return 1;
}

struct flow
builtin_read(struct walk *w, struct call *c, struct state s)
{
	bool named = false;
	size_t i = 1;

	while (i < c->argc && c->argv[i].kind == FIELD_STR &&
	       str_starts(c->argv[i].text, STR("-")) && c->argv[i].text.n > 1) {
		struct str t = c->argv[i].text;

		if (str_is(t, "--")) {
			i++;
			break;
		}
		if (t.p[t.n - 1] == 'a' && i + 1 < c->argc) {
			filled(w, c->argv[i + 1], &s);
			named = true;
		}
		i += option_words(t, "adinNptu");
	}
	for (; i < c->argc && !w->failed; i++, named = true)
		filled(w, c->argv[i], &s);
	if (!named)
		assign_name(w, STR("REPLY"), unknown_value(c->at), c->at, &s);
	return flow_of(s);
}

struct flow
builtin_mapfile(struct walk *w, struct call *c, struct state s)
{
	bool named = false;
	size_t i = 1;

	while (i < c->argc && c->argv[i].kind == FIELD_STR &&
	       str_starts(c->argv[i].text, STR("-")) && c->argv[i].text.n > 1) {
		struct str t = c->argv[i].text;

		if (str_find(t, 'C') < t.n)
			add_unknown(w, c->at, "mapfile runs a command for each line");
		i += option_words(t, "CcdnOsu");
	}
	for (; i < c->argc && !w->failed; i++, named = true)
		filled(w, c->argv[i], &s);
	if (!named)
		assign_name(w, STR("MAPFILE"), unknown_value(c->at), c->at, &s);
	return flow_of(s);
}

struct flow
builtin_printf(struct walk *w, struct call *c, struct state s)
{
	struct field first = c->argc > 1 ? c->argv[1] : (struct field){ .kind = FIELD_STR };
	struct field target = first;

	if (first.kind == FIELD_MANY || (first.kind == FIELD_ONE && first.text.n == 0)) {
		add_unknown(
		    w, first.at, "an unknown word could be an option that sets a variable");
		return flow_of(s);
	}
	if (!str_starts(first.text, STR("-v")))
		return flow_of(s);
	if (first.text.n > 2)
		target.text = str_skip(first.text, 2);
	else if (c->argc > 2)
		target = c->argv[2];
	filled(w, target, &s);
	return flow_of(s);
}

struct flow
builtin_let(struct walk *w, struct call *c, struct state s)
{
	for (size_t i = 1; i < c->argc && !w->failed; i++)
		arith_field(w, c->argv[i], &s);
	return flow_of(s);
}

struct flow
builtin_getopts(struct walk *w, struct call *c, struct state s)
{
	if (c->argc > 2)
		filled(w, c->argv[2], &s);
	assign_name(w, STR("OPTARG"), unknown_value(c->at), c->at, &s);
	return flow_of(s);
}

struct flow
builtin_wait(struct walk *w, struct call *c, struct state s)
{
	for (size_t i = 1; i + 1 < c->argc; i++)
		if (c->argv[i].kind == FIELD_STR && str_starts(c->argv[i].text, STR("-")) &&
		    str_ends(c->argv[i].text, STR("p")))
			filled(w, c->argv[i + 1], &s);
	return flow_of(s);
}

/* -v reads its word as a variable, subscript and all. */
struct flow
builtin_test(struct walk *w, struct call *c, struct state s)
{
	for (size_t i = 1; i < c->argc && !w->failed; i++) {
		struct str name;

		if (c->argv[i].kind == FIELD_MANY) {
			add_unknown(w, c->argv[i].at,
			    "unknown words could be a test that runs code");
			return flow_of(s);
		}
		if (i + 1 < c->argc && c->argv[i].kind == FIELD_ONE &&
		    c->argv[i].text.n == 0 &&
		    str_find(c->argv[i + 1].text, '[') < c->argv[i + 1].text.n)
			add_unknown(w, c->argv[i].at,
			    "unknown words could be a test that runs code");
		if (i + 1 < c->argc &&
		    (field_is(c->argv[i], "-v") || field_is(c->argv[i], "-R")))
			(void)arith_target(w, c->argv[i + 1], &name);
	}
	return flow_of(s);
}
