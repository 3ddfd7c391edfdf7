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
	/*
	 * Of ONE and MANY: paths that match this and no others, as the file system has them
	 * when it runs; .p == NULL: any.  `*`, `?` and sets stop at a slash, `**` stands
	 * for directories below, a backslash takes the meaning away.
	 */
	struct str among;
};

/* What means more in it than itself. */
#define FIELD_SIGNS "*?[]\\"

static inline struct field
field_made(enum field_kind kind, struct str text, struct span at)
{
	return (struct field){ .kind = kind, .text = text, .at = at };
}

/* The field without its first `n` bytes, which are known. */
static inline struct field
field_skip(struct field f, size_t n)
{
	size_t at = 0;

	f.text = str_skip(f.text, n);
	for (; f.among.p && n > 0; n--) {
		bool escaped = at + 1 < f.among.n && f.among.p[at] == '\\';

		if (at >= f.among.n || (!escaped && strchr("*?[", f.among.p[at])))
			f.among = (struct str){ NULL, 0 };
		at += escaped ? 2 : 1;
	}
	if (f.among.p)
		f.among = str_skip(f.among, at);
	return f;
}
