/* know/field.h: a word of a command, as far as it is known before the command runs. */
#pragma once
#include "base/span.h"
#include "base/str.h"

enum field_kind {
	FIELD_STR,  /* exactly these bytes */
	FIELD_ONE,  /* exactly one word that begins with these bytes (maybe none) */
	FIELD_MANY, /* any number of words, even none */
};

struct field {
	enum field_kind kind;
	struct str text;
	bool number;    /* ONE: the unknown rest is a whole number */
	struct span at; /* the word in the source */
	/*
	 * For ONE and MANY: a pattern that the words match, as paths that exist when the
	 * command runs; .p is NULL if anything is possible. `*`, `?` and sets do not match
	 * a slash, `**` matches directories, a backslash quotes.
	 */
	struct str among;
};

/* The special bytes of a pattern. */
#define FIELD_SIGNS "*?[]\\"

static inline struct field
field_made(enum field_kind kind, struct str text, struct span at)
{
	return (struct field){ .kind = kind, .text = text, .at = at };
}

/* The field without its first `n` bytes, which must be known. */
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
