/* analyse/word/word.h: values of expansions, between word.c and param.c. */
#pragma once
#include "analyse/walk.h"

enum value_kind {
	VALUE_TEXT,   /* exactly this */
	VALUE_LIST,   /* these, as "$@" gives them */
	VALUE_NUMBER, /* digits */
	VALUE_ONE, /* something that begins with text; unquoted it may be split or vanish */
	VALUE_MANY, /* any number of words, even in quotes */
};

struct value {
	enum value_kind kind;
	struct str text;
	bool number;      /* of ONE: digits, or nothing at all */
	struct str among; /* of ONE: as in struct field */
	struct field *items;
	size_t n;
};

/* The value of $x, ${x...}; visits all that is inside.  `at` is the whole word, `whole`:
 * nothing of it is split. */
struct value eval_param(
    struct walk *w, const struct part *part, struct span at, bool whole, struct state *s);
/* HOME at this place; .p == NULL: unknown. */
struct str home_of(struct walk *w, const struct state *s);
/* Nothing has set IFS. */
bool ifs_is_default(const struct state *s);
/* change.c: `text` after the operator; false: not known. */
bool changed_value(struct walk *w, const struct param *p, struct str text, struct state *s,
    struct str *ret);
/* The signs at which unquoted values are cut; .p == NULL: not known. */
struct str ifs_of(const struct state *s);
