/*
 * approve/ring.h: the newest output of a run, in a file that a console reads meanwhile.
 *
 * One writer; the reader takes what it can, and learns how much it missed.
 */
#pragma once
#include "base/str.h"
#include <stdint.h>

#define SPOOL_RUNS "runs"
#define RING_BYTES ((size_t)256 << 10)

struct ring {
	struct ring_file *map; /* NULL: not open */
};

/* Makes it, empty, mode 0600. */
bool ring_make(struct ring *r, int dir, const char *name);
bool ring_open(struct ring *r, int dir, const char *name);
void ring_close(struct ring *r);
void ring_put(struct ring *r, struct str bytes);
/* What was written from `from` on, at most `n` bytes of it, into `to`; *ret_at is where
 * they begin, later than `from` when older ones are gone. */
size_t ring_take(const struct ring *r, uint64_t from, char *to, size_t n, uint64_t *ret_at);
