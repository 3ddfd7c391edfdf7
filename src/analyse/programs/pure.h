/* analyse/programs/pure.h: recognise code of other languages that only computes and prints.
 * Internal to this room. */
#pragma once
#include "base/str.h"

enum language {
	LANGUAGE_NONE,
	LANGUAGE_PYTHON,
	LANGUAGE_NODE,
	LANGUAGE_RUBY,
	LANGUAGE_PERL
};

/* By the name of the interpreter, such as python3.11. */
enum language language_of(struct str program);
/*
 * True only if every word of `code` is known to have no other effect, and no value of it
 * could be called. False for everything that is not understood.
 */
bool code_is_pure(enum language language, struct str code);
