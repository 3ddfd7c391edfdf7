/* base/buf.h: a growing text in an arena. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdint.h>

/*
 * Appending returns nothing: when the arena is full, `full` is set and later appends do
 * nothing, so that callers check `full` once at the end. A buffer that is the arena's
 * newest allocation grows in place.
 */
struct buf {
	struct arena *a;
	char *p;
	size_t n, cap;
	bool full;
};

void buf_init(struct buf *b, struct arena *a);
void buf_put(struct buf *b, struct str s);
void buf_puts(struct buf *b, const char *c);
void buf_putc(struct buf *b, char c);
void buf_putu(struct buf *b, uint64_t number);

static inline struct str
buf_str(const struct buf *b)
{
	return str_of(b->p ? b->p : "", b->n);
}
