/* base/show.h: text from outside, made fit for a person's eyes. */
#pragma once
#include "base/buf.h"
#include "base/str.h"

/*
 * Everything that could move the cursor, change the order of reading or take no
 * room is written out: bytes as \x1b, characters as \u{202e}, newline and tab as
 * \n and \t.  That is control bytes, DEL, C1, bad UTF-8, bidi marks, zero-width
 * and format characters, variation selectors and tags, line and paragraph
 * separators, blanks that are not the space, private use and non-characters.
 * All other UTF-8 stays as it is.
 */
enum show_flags {
	SHOW_NEWLINES = 1, /* keep newlines, for text over several lines */
	SHOW_EXACT = 2,    /* double each backslash: different texts never look alike */
};

void show_put(struct buf *b, struct str s, unsigned flags);
/* There is nothing in it that would have to be written out. */
bool show_is_same(struct str s);
