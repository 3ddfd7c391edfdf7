/* $x and ${x...}: their values, as far as the text determines them. */
#include "analyse/guess.h"
#include "analyse/names.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"
#include "base/buf.h"

/* Stands for the PATH before this text; no other word produces this pattern. */
const struct str old_path = STR_INIT("\\PATH");

static struct value
unknown_value(const struct param *p)
{
	bool list = p->all || str_is(p->name, "@") || str_is(p->name, "*");

	return (struct value){ .kind = list ? VALUE_MANY : VALUE_ONE, .text = STR("") };
}

static struct value
text_value(struct str text)
{
	return (struct value){ .kind = VALUE_TEXT, .text = text };
}

static struct value
field_value(struct field f)
{
	if (f.kind == FIELD_STR)
		return text_value(f.text);
	if (f.kind == FIELD_MANY)
		return (struct value){ .kind = VALUE_MANY };
	return (struct value){ .kind = f.number && f.text.n == 0 ? VALUE_NUMBER : VALUE_ONE,
		.text = f.text,
		.among = f.among };
}

struct str
home_of(struct walk *w, const struct state *s)
{
	bool barrier;
	const struct var *v = var_find(s, STR("HOME"), &barrier);

	if (v && v->kind == VAR_STRING && v->items[0].kind == FIELD_STR)
		return v->items[0].text;
	if (v || barrier || w->remote || w->opts->home.n == 0)
		return (struct str){ NULL, 0 };
	return w->opts->home;
}

bool
ifs_is_default(const struct state *s)
{
	bool barrier;

	return !var_find(s, STR("IFS"), &barrier) && !barrier;
}

struct str
ifs_of(const struct state *s)
{
	bool barrier;
	const struct var *v = var_find(s, STR("IFS"), &barrier);

	if (!v && !barrier)
		return STR(" \t\n");
	if (v && v->kind == VAR_STRING && v->items[0].kind == FIELD_STR)
		return v->items[0].text;
	return (struct str){ NULL, 0 };
}

/* "$*" and "${a[*]}": one word, joined by blanks. */
static struct value
one_of_all(struct walk *w, const struct param *p, const struct field *v, size_t n,
    const struct state *s)
{
	struct value value;
	struct buf b;

	if (n == 1)
		return field_value(v[0]);
	if (!ifs_is_default(s))
		return n ? unknown_value(p) : text_value(STR(""));
	buf_init(&b, w->a);
	for (size_t i = 0; i < n; i++) {
		if (v[i].kind != FIELD_STR)
			return unknown_value(p);
		if (i)
			buf_putc(&b, ' ');
		buf_put(&b, v[i].text);
	}
	if (b.full)
		walk_fail(w, CORDON_ENOMEM, (struct span){ 0, 0 }, "out of memory");
	return n == 0 || guess_text(w, buf_str(&b), &value) ? text_value(buf_str(&b))
							    : unknown_value(p);
}

/* $1, "$@" ...; false for other names. */
static bool
positional(struct walk *w, const struct param *p, const struct state *s, struct value *ret)
{
	uint64_t i;

	*ret = unknown_value(p);
	if (str_is(p->name, "@") || str_is(p->name, "*")) {
		if (!s->args)
			return guess_args(w, 0, ret);
		*ret = (struct value){
			.kind = VALUE_LIST, .items = s->args->items + 1, .n = s->args->n - 1
		};
		if (str_is(p->name, "*") && ret->n != 1)
			*ret = one_of_all(w, p, ret->items, ret->n, s);
		return true;
	}
	if (!str_number(p->name, SIZE_MAX, &i))
		return false;
	if (!s->args)
		return guess_args(w, (size_t)i, ret);
	*ret = i < s->args->n ? field_value(s->args->items[i]) : text_value(STR(""));
	return true;
}

/* $? $# $$ $- $! $_ */
static bool
special(const struct param *p, struct value *ret)
{
	if (p->name.n != 1)
		return false;
	switch (p->name.p[0]) {
	case '?':
	case '#':
	case '$':
		*ret = (struct value){ .kind = VALUE_NUMBER };
		return true;
	case '-':
	case '!':
	case '_':
		*ret = unknown_value(p);
		return true;
	default:
		return false;
	}
}

static bool
subscript_number(const struct word *word, size_t *ret)
{
	const struct part *t = word->parts;
	uint64_t n;

	if (!t || t->next || t->kind != PART_TEXT || !str_number(t->text, 999999, &n))
		return false;
	if (t->text.p[0] == '0' && t->text.n > 1) /* octal */
		return false;
	*ret = (size_t)n;
	return true;
}

static struct value
variable_value(
    struct walk *w, const struct param *p, const struct var *v, const struct state *s)
{
	size_t i = 0;

	/* The variable may still be an array: an assignment without subscript sets one
	 * element. */
	if (v->kind == VAR_STRING &&
	    (p->all || (p->subscript && (!subscript_number(p->subscript, &i) || i > 0))))
		return unknown_value(p);
	if (p->all && p->star && v->n != 1)
		return one_of_all(w, p, v->items, v->n, s);
	if (p->all)
		return (struct value){ .kind = VALUE_LIST, .items = v->items, .n = v->n };
	if (p->subscript && !subscript_number(p->subscript, &i))
		return unknown_value(p);
	return i < v->n ? field_value(v->items[i]) : text_value(STR(""));
}

/* The value of a variable that the text never set, if the shell determines it. */
static struct value
inherited_value(
    struct walk *w, const struct param *p, const struct state *s, bool *ret_sure)
{
	struct value value = unknown_value(p);
	const struct dirs *cwd = s->cwd;
	struct str home;

	if (str_is(p->name, "PATH")) {
		value.among = old_path;
	} else if (str_is(p->name, "PWD")) {
		/* $PWD may be any spelling of the directory; that is fine for cd and for
		 * paths. */
		if (!cwd->unknown && cwd->n == 1 &&
		    !str_has_any(cwd->at[0].path, FIELD_SIGNS))
			value.among = cwd->at[0].path;
	} else if (str_is(p->name, "IFS")) {
		/* Shells do not import IFS from the environment. */
		value = text_value(STR(" \t\n"));
	} else if (str_is(p->name, "HOME") && (home = home_of(w, s)).p) {
		*ret_sure = true;
		value = text_value(home);
	}
	return value;
}

/* The value if the text determines it. *ret_sure: the variable is certainly set. */
static struct value
exact_value(
    struct walk *w, const struct param *p, struct span at, struct state *s, bool *ret_sure)
{
	struct value value;
	const struct var *v;
	bool barrier;

	*ret_sure = false;
	if (positional(w, p, s, &value)) {
		*ret_sure = s->args != NULL;
		return value;
	}
	if (special(p, &value))
		return value;
	v = var_find(s, p->name, &barrier);
	if (v && v->kind != VAR_UNKNOWN) {
		name_flag(w, p->name, NAME_CONSTANT, at);
		*ret_sure = true;
		return variable_value(w, p, v, s);
	}
	if (v || barrier || p->subscript || p->all)
		return unknown_value(p);
	return inherited_value(w, p, s, ret_sure);
}

/* The value before the operator is applied. */
static struct value
base_value(
    struct walk *w, const struct param *p, struct span at, struct state *s, bool *ret_sure)
{
	struct value value = exact_value(w, p, at, s, ret_sure);

	if ((value.kind == VALUE_ONE && !value.among.p) || value.kind == VALUE_MANY)
		*ret_sure |= guess_param(w, p, s, &value);
	return value;
}

/* ${!x}: the value of x is a name; a subscript in it would be an expression. */
static struct value
indirect_value(struct walk *w, const struct param *p, struct value name, struct span at,
    struct state *s)
{
	struct param other = { .name = name.text };
	bool sure;

	if (name.kind != VALUE_TEXT || !is_name(name.text) || p->all || p->subscript) {
		add_unknown(w, at, "a variable is chosen by a value");
		if (name.kind == VALUE_TEXT)
			guess_expansions(w, name.text, at, *s);
		return (struct value){ .kind = VALUE_MANY };
	}
	return base_value(w, &other, at, s, &sure);
}

static bool
is_empty(struct value v)
{
	return v.kind == VALUE_TEXT ? v.text.n == 0 : v.kind == VALUE_LIST && v.n == 0;
}

/* ${x:-a} and the like, if it is certain which side counts. */
static struct value
choose(const struct param *p, struct value base, bool sure, struct field arg)
{
	bool has_text = base.kind == VALUE_TEXT && base.text.n > 0;
	/* A parameter that was never set looks empty here: only the form with a colon is
	 * certain. */
	bool empty = sure && is_empty(base) && p->colon;

	if (p->op == PARAM_ALTERNATE)
		return has_text ? field_value(arg)
		       : empty  ? text_value(STR(""))
				: unknown_value(p);
	if (has_text)
		return base;
	if (empty && p->op != PARAM_ERROR)
		return field_value(arg);
	return unknown_value(p);
}

/* A variable that the text does not set is usually not set. */
static struct value
likely(struct walk *w, const struct param *p, struct value value, struct field arg)
{
	struct str text = p->op == PARAM_ALTERNATE ? STR("") : arg.text;

	if (value.kind == VALUE_ONE && !value.among.p && p->op != PARAM_ERROR &&
	    (p->op == PARAM_ALTERNATE || arg.kind == FIELD_STR))
		(void)guess_text(w, text, &value);
	return value;
}

/* ${a[@]:1:2} and ${@:2}, with literal numbers. */
static bool
slice(const struct param *p, struct value *base)
{
	bool args = str_is(p->name, "@");
	size_t from, n = base->n;

	if (base->kind != VALUE_LIST || p->star || !subscript_number(p->arg, &from) ||
	    (p->arg2 && !subscript_number(p->arg2, &n)) || (args && from == 0))
		return false;
	from -= args;
	from = from < base->n ? from : base->n;
	base->items += from;
	base->n = n < base->n - from ? n : base->n - from;
	return true;
}

/*
 * True if the word of ${x:-word} is one value. Quotes in it keep blanks together though the
 * whole is not quoted, and a list in it stays a list though the whole is quoted.
 */
static bool
has_one_value(const struct word *word, bool quoted)
{
	for (const struct part *p = word ? word->parts : NULL; p; p = p->next) {
		if (p->kind == PART_PARAM &&
		    (p->param->all || str_among(p->param->name, "@\0*\0") ||
			!has_one_value(p->param->arg, quoted)))
			return false;
		if (quoted || !p->quoted)
			continue;
		if (p->kind != PART_TEXT || p->text.n == 0)
			return false;
		for (size_t i = 0; i < p->text.n; i++)
			if (memchr(" \t\n*?[\\", p->text.p[i], 7))
				return false;
	}
	return true;
}

static struct field
argument_value(
    struct walk *w, const struct param *p, bool quoted, struct span at, struct state *s)
{
	struct field f = eval_single(w, p->arg, s, false);

	if (!has_one_value(p->arg, quoted))
		return (struct field){ .kind = FIELD_MANY, .text = STR(""), .at = at };
	return f;
}

static void
visit_arguments(struct walk *w, const struct param *p, struct state *s)
{
	if (p->op == PARAM_SUBSTRING) {
		may_abort(w, s);
		arith_word(w, p->arg, s);
		if (p->arg2)
			arith_word(w, p->arg2, s);
		return;
	}
	eval_visit(w, p->arg, s);
	eval_visit(w, p->arg2, s);
}

/* An expansion whose parameter has been looked up. */
struct expansion {
	const struct param *p;
	struct span at;
	struct value base; /* the value of the parameter */
	bool sure;         /* the parameter is certainly set */
	bool whole;        /* the result is not split */
};

/* ${x:-a} ${x:?a} ${x:+a} ${x:=a} */
static struct value
default_value(struct walk *w, const struct expansion *x, struct state *s)
{
	const struct param *p = x->p;
	struct field arg = argument_value(w, p, x->whole, x->at, s);
	struct value value = likely(w, p, choose(p, x->base, x->sure, arg), arg);

	if (p->op != PARAM_ASSIGN)
		return value;
	if (is_name(p->name))
		assign_name(w, p->name,
		    (struct field){ .kind = FIELD_ONE, .text = STR(""), .at = x->at },
		    x->at, s);
	if (arg.kind == FIELD_STR)
		guess_value(w, p->name, arg);
	return value;
}

/* ${x@P} expands the value once more; the other letters only change its form. */
static struct value
transformed_value(struct walk *w, const struct expansion *x, const struct state *s)
{
	if (x->p->letter == 'P') {
		add_unknown(w, x->at, "expands a value as a prompt, which runs code in it");
		if (x->base.kind == VALUE_TEXT)
			run_expansions(w, x->base.text, x->at, *s);
	}
	return unknown_value(x->p);
}

/* ${x#a} ${x%a} ${x/a/b} ${x^a} ${x:1:2} */
static struct value
edited_value(struct walk *w, const struct expansion *x, struct state *s)
{
	struct value value = x->base;

	visit_arguments(w, x->p, s);
	if (x->sure && x->p->op == PARAM_SUBSTRING && slice(x->p, &value))
		return value;
	if (x->sure && value.kind == VALUE_TEXT &&
	    changed_value(w, x->p, value.text, s, &value.text))
		return value;
	return unknown_value(x->p);
}

struct value
eval_param(
    struct walk *w, const struct part *part, struct span at, bool whole, struct state *s)
{
	const struct param *p = part->param;
	struct expansion x = { .p = p, .at = at, .whole = whole };

	if (p->subscript)
		arith_word(w, p->subscript, s);
	x.base = base_value(w, p, at, s, &x.sure);
	if (p->indirect) {
		x.base = indirect_value(w, p, x.base, at, s);
		x.sure = false;
	}
	switch (p->op) {
	case PARAM_PLAIN:
		return x.base;
	case PARAM_LENGTH:
		return (struct value){ .kind = VALUE_NUMBER };
	case PARAM_NAMES:
	case PARAM_KEYS:
		x.base = (struct value){ .kind = VALUE_MANY };
		(void)guess_keys(w, p, &x.base);
		return x.base;
	case PARAM_DEFAULT:
	case PARAM_ERROR:
	case PARAM_ALTERNATE:
	case PARAM_ASSIGN:
		return default_value(w, &x, s);
	case PARAM_TRANSFORM:
		return transformed_value(w, &x, s);
	case PARAM_PREFIX:
	case PARAM_SUFFIX:
	case PARAM_REPLACE:
	case PARAM_CASE:
	case PARAM_SUBSTRING:
		return edited_value(w, &x, s);
	}
	return unknown_value(p);
}
