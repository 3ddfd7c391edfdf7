/*
 * An arithmetic expression may run code: a name in it stands for the value of that
 * variable, which is an expression again, and a subscript is expanded. So every name is
 * recorded, and names.c reports when one of them may get anything but a number.
 */
#include "analyse/guess.h"
#include "analyse/names.h"
#include "analyse/programs/programs.h"
#include "analyse/word/word.h"

static bool
is_name_start(char c)
{
	return byte_is_letter(c) || c == '_';
}

/* The value is an expression, too; substitutions in its subscripts run. */
static void
expand_value(struct walk *w, struct str name, struct span at, const struct state *s)
{
	bool barrier;
	const struct var *v = var_find(s, name, &barrier);

	if (v && v->kind == VAR_STRING && v->items[0].kind == FIELD_STR &&
	    str_find(v->items[0].text, '[') < v->items[0].text.n)
		guess_expansions(w, v->items[0].text, at, *s);
}

/* Record the names in a piece of an expression, and forget what it may assign. */
static void
arith_text(struct walk *w, struct str text, struct span at, struct state *s)
{
	for (size_t i = 0; i < text.n;) {
		size_t from = i;

		if (text.p[i] == '$' || text.p[i] == '`') {
			/* The text comes from quotes: bash expands it when it evaluates the
			 * expression. */
			add_unknown(w, at,
			    "evaluates text that could contain code as an expression");
			run_expansions(w, text, at, *s);
			return;
		}
		if (!byte_is_word(text.p[i])) {
			i++;
			continue;
		}
		while (i < text.n && byte_is_word(text.p[i]))
			i++;
		if (!is_name_start(text.p[from])) /* 16#ff, 0x1f, 10 */
			continue;
		name_flag(w, str_cut(text, from, i), NAME_ARITH, at);
		expand_value(w, str_cut(text, from, i), at, s);
		forget_name(w, str_cut(text, from, i), s);
	}
}

/* True if the expression assigns; the scan of a loop body does not see such assignments. */
static bool
assigns(struct str text)
{
	bool name = false, assigns = false;

	for (size_t i = 0; i < text.n; i++) {
		char next = i + 1 < text.n ? text.p[i + 1] : '\0';

		name |= is_name_start(text.p[i]);
		assigns |= text.p[i] == '=' || (text.p[i] == '+' && next == '+') ||
			   (text.p[i] == '-' && next == '-');
	}
	return name && assigns;
}

/* Use a value in an expression. */
void
arith_field(struct walk *w, struct field f, struct state *s)
{
	if (f.kind == FIELD_STR)
		arith_text(w, f.text, f.at, s);
	else if (!f.number || f.text.n)
		add_unknown(w, f.at, "evaluates an unknown value as an expression");
}

/* Like arith_field(), for values that scan.c does not see. */
void
arith_value(struct walk *w, struct field f, struct state *s)
{
	if (f.kind == FIELD_STR && assigns(f.text))
		add_unknown(w, f.at, "evaluates a value that assigns as an expression");
	arith_field(w, f, s);
}

static void
arith_param(struct walk *w, const struct part *part, struct span at, struct state *s)
{
	const struct param *p = part->param;
	struct word alone = { .parts = NULL, .at = part->at };
	struct part copy = *part;
	struct field f;

	copy.next = NULL;
	alone.parts = &copy;
	if (p->op == PARAM_LENGTH || str_is(p->name, "#") || str_is(p->name, "?") ||
	    str_is(p->name, "$")) {
		eval_visit(w, &alone, s);
		return;
	}
	f = eval_single(w, &alone, s, false);
	f.at = at;
	if (f.kind == FIELD_STR)
		arith_value(w, f, s);
	else if (f.number && f.text.n == 0)
		return;
	else if (is_name(p->name) && p->op == PARAM_PLAIN && !p->indirect)
		name_flag(w, p->name, NAME_ARITH, at);
	else
		add_unknown(w, at, "evaluates an unknown value as an expression");
}

void
arith_word(struct walk *w, const struct word *word, struct state *s)
{
	struct span at;

	if (!word)
		return;
	at = walk_span(w, word->at);
	for (const struct part *p = word->parts; p && !w->failed; p = p->next) {
		struct word alone = { .parts = NULL, .at = word->at };
		struct part copy = *p;

		copy.next = NULL;
		alone.parts = &copy;
		switch (p->kind) {
		case PART_TEXT:
			arith_text(w, p->text, at, s);
			break;
		case PART_PARAM:
			arith_param(w, p, at, s);
			break;
		case PART_ARITH:
			arith_word(w, p->arith, s);
			break;
		case PART_COMMAND:
		case PART_PROCESS:
		case PART_OPAQUE:
			arith_value(w, eval_single(w, &alone, s, false), s);
			break;
		}
	}
}

bool
arith_target(struct walk *w, struct field f, struct str *ret_name)
{
	struct str name, sub;
	size_t open;

	if (f.kind != FIELD_STR) {
		add_unknown(w, f.at, "the name of a variable is computed");
		return false;
	}
	open = str_find(f.text, '[');
	name = str_cut(f.text, 0, open);
	sub = str_skip(f.text, open);
	if (sub.n) {
		bool plain = sub.n > 2 && sub.p[sub.n - 1] == ']' &&
			     (is_number(str_cut(sub, 1, sub.n - 1)) || str_is(sub, "[@]") ||
				 str_is(sub, "[*]"));

		if (!plain) {
			add_unknown(w, f.at, "evaluates a subscript as an expression");
			run_expansions(w, sub, f.at,
			    (struct state){ .cwd = &dirs_anywhere, .old = &dirs_anywhere });
			return false;
		}
	}
	*ret_name = name;
	return is_name(name);
}
