/* analyse/word/word.h: values of expansions, shared by word.c, param.c and change.c.
 * Internal to this room. */
#pragma once
#include "analyse/walk.h"

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
