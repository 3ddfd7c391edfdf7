/* know/field.h: a word of a command as far as it can be known before it runs. */
#pragma once
#include "base/span.h"
#include "base/str.h"

enum field_kind {
	FIELD_STR,  /* exactly these bytes */
	FIELD_ONE,  /* exactly one word, which begins with these bytes (maybe none) */
	FIELD_MANY, /* any number of words, also none */
};

struct field {
	enum field_kind kind;
	struct str text;
	bool number;    /* of ONE: what is unknown is a whole number */
	struct span at; /* the word in the source that it comes from */
};
