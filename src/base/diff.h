/* base/diff.h: the line differences of two texts. */
#pragma once
#include "base/buf.h"

/*
 * Append hunks as `diff -u` prints them, without file names; every line passes show_put().
 * Texts with too many changes give one removed and one added block, so that time and memory
 * are bounded. Return false without memory.
 */
bool diff_put(struct arena *a, struct str before, struct str after, struct buf *out);
