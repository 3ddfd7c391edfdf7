/* base/diff.h: two texts → what differs, line by line, for a person. */
#pragma once
#include "base/buf.h"

/*
 * Hunks as `diff -u` has them, without a head; every line passes show_put().  The work is
 * bounded: texts that differ too much come out as one removed and one added block, which is
 * true as well.  False without memory.
 */
bool diff_put(struct arena *a, struct str before, struct str after, struct buf *out);
