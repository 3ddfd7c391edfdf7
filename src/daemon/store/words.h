/* daemon/store/words.h: convert search terms to a query for the word index. */
#pragma once
#include "base/buf.h"
#include "base/str.h"

/*
 * Quote the words of `text`, all of which must match, for FTS5; false if there is none.
 * Splits where the index does: at each ASCII character that is neither letter nor digit.  A
 * `*` after a word matches any continuation.
 */
bool words_put(struct buf *b, struct str text);

/*
 * The index ignores order: a term such as --force-with-lease or a/b.c consists of several
 * words, so compare the text itself.  True if every such term occurs in one of the
 * `fields`, ignoring case.
 */
bool words_stand(struct str text, const struct str *fields, size_t n);
