/* analyse/word/word.h: values of expansions, shared by word.c, param.c and change.c.
 * Internal to this room. */
#pragma once
#include "analyse/walk.h"

struct fields {
	struct field *v;
	size_t n, cap;
};

/* The fields that a word (or a chain of words) expands to. */
void eval_word(
    struct walk *w, const struct word *word, struct state *s, struct fields *ret);
void eval_words(
    struct walk *w, const struct word *words, struct state *s, struct fields *ret);
/* Without splitting and globs: x=v as an argument of declare and the like. */
void eval_declared(
    struct walk *w, const struct word *word, struct state *s, struct fields *ret);
/* Without splitting, braces and globs: values of assignments, case, here-strings. */
struct field eval_single(
    struct walk *w, const struct word *word, struct state *s, bool assign);
/* Walk the substitutions inside; the value is not needed. */
void eval_visit(struct walk *w, const struct word *word, struct state *s);
void fields_add(struct walk *w, struct fields *f, struct field field);
/* Split the text at blanks. Return false and add nothing if it contains one of `signs`. */
bool fields_split(struct walk *w, struct fields *f, struct field text, const char *signs);
/* ---- brace.c: expand the braces of a word into several words */
const struct word *brace_expand(struct walk *w, const struct word *word, bool *too_many);

/* ---- brace_check.c: check that bash finds the same braces in the text */
bool braces_agree(struct walk *w, const struct word *word);

/* ---- arith.c: an arithmetic expression may run code */
void arith_word(struct walk *w, const struct word *word, struct state *s);
void arith_field(struct walk *w, struct field f, struct state *s);
void arith_value(struct walk *w, struct field f, struct state *s);
/* A variable name given to a builtin: x or x[1]. Otherwise report an unknown. */
bool arith_target(struct walk *w, struct field f, struct str *ret_name);

/* The span from the first field to the last. */
static inline struct span
fields_span(const struct field *v, size_t n)
{
	return (struct span){ v[0].at.start, v[n - 1].at.end };
}

static inline bool
field_is(struct field f, const char *text)
{
	return f.kind == FIELD_STR && str_is(f.text, text);
}

/* ---- param.c, change.c: values of expansions */

enum value_kind {
	VALUE_TEXT,   /* exactly this text */
	VALUE_LIST,   /* several words, as from "$@" */
	VALUE_NUMBER, /* digits */
	VALUE_ONE,    /* begins with text; unquoted, it may be split or vanish */
	VALUE_MANY,   /* any number of words, even in quotes */
};

struct value {
	enum value_kind kind;
	struct str text;
	bool number;      /* ONE: digits, or nothing */
	struct str among; /* ONE: as in struct field */
	struct field *items;
	size_t n;
};

/* Evaluate $x or ${x...} and walk everything inside. `at` is the whole word; `whole`: the
 * word is not split. */
struct value eval_param(
    struct walk *w, const struct part *part, struct span at, bool whole, struct state *s);
/* HOME at this point; .p is NULL if unknown. */
struct str home_of(struct walk *w, const struct state *s);
/* True if IFS was never set. */
bool ifs_is_default(const struct state *s);
/* change.c: apply the operator to `text`; false if the result is unknown. */
bool changed_value(struct walk *w, const struct param *p, struct str text, struct state *s,
    struct str *ret);
/* The bytes that separate words in unquoted values; .p is NULL if unknown. */
struct str ifs_of(const struct state *s);
