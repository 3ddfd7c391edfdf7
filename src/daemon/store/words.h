/* daemon/store/words.h: what a person looks for → a question for the index of words. */
#pragma once
#include "base/buf.h"
#include "base/str.h"

/*
 * The words of `text`, all of which must be there, quoted for FTS5; false when there is no
 * word in it.  Words are cut where the index cuts them: at each ASCII sign that is neither
 * a letter nor a digit.  A `*` behind a word lets it go on.
 */
bool words_put(struct buf *b, struct str text);

/*
 * The index knows words, not their order: for a part such as --force-with-lease or a/b.c,
 * which is several words in it, the text itself is asked.  True when every such part of
 * `text` stands in one of the `fields`, in capital letters or not.
 */
bool words_stand(struct str text, const struct str *fields, size_t n);
