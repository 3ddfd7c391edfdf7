/* base/show.h: make untrusted text safe to display. */
#pragma once
#include "base/buf.h"
#include "base/str.h"

/*
 * Escape everything that could move the cursor, reorder text or be invisible: bytes as
 * \x1b, characters as \u{202e}, newline and tab as \n and \t. These are control bytes, DEL,
 * C1, invalid UTF-8, bidi marks, zero-width and format characters, variation selectors and
 * tags, line and paragraph separators, blanks other than the space, private use and
 * non-characters. All other UTF-8 is kept.
 */
enum show_flags {
	SHOW_NEWLINES = 1, /* keep newlines, for text of several lines */
	SHOW_EXACT =
	    2, /* double each backslash, so that different texts never look alike */
};

void show_put(struct buf *b, struct str s, unsigned flags);
/* True if show_put() would not change the text. */
bool show_is_same(struct str s);
