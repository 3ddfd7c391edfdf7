/*
 * approve/ring.h: the latest output of a run, in a file that a console reads meanwhile.
 *
 * One writer.  A reader that is too slow learns how much it missed.
 */
#pragma once
#include "base/str.h"
#include <stdint.h>

#define SPOOL_RUNS "runs"
#define RING_BYTES ((size_t)256 << 10)

struct ring {
	struct ring_file *map; /* NULL: not open */
};

/* Create it, empty, with mode 0600. */
bool ring_make(struct ring *r, int dir, const char *name);
bool ring_open(struct ring *r, int dir, const char *name);
void ring_close(struct ring *r);
void ring_put(struct ring *r, struct str bytes);
/* Copy at most `n` bytes written from offset `from` on. *ret_at is their offset, later
 * than `from` if older bytes are gone. */
size_t ring_take(const struct ring *r, uint64_t from, char *to, size_t n, uint64_t *ret_at);
