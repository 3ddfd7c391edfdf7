/* analyse/programs/pure.h: code of other languages that does no more than compute and
 * print. */
#pragma once
#include "base/str.h"

enum language {
	LANGUAGE_NONE,
	LANGUAGE_PYTHON,
	LANGUAGE_NODE,
	LANGUAGE_RUBY,
	LANGUAGE_PERL
};

/* By the name of the interpreter: python3.11 and its like. */
enum language language_of(struct str program);
/*
 * True only if every word of `code` is one that is known here to do nothing else, and
 * no value of it could be called.  All that is not understood is a no.
 */
bool code_is_pure(enum language language, struct str code);
