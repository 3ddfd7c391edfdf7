#include "base/buf.h"

void
buf_init(struct buf *b, struct arena *a)
{
	*b = (struct buf){ .a = a };
}

/* Make space for `more` bytes; grow in place if the buffer is the arena's newest
 * allocation. */
static bool
buf_grow(struct buf *b, size_t more)
{
	size_t want = b->cap ? b->cap : 64;
	char *p;

	if (b->full)
		return false;
	if (more <= b->cap - b->n)
		return true;
	while (want - b->n < more) {
		if (want > SIZE_MAX / 2) {
			b->full = true;
			return false;
		}
		want *= 2;
	}
	if (b->p && b->p + b->cap == b->a->mem + b->a->used) {
		if (want - b->cap > b->a->limit - b->a->used) {
			b->full = true;
			return false;
		}
		arena_take(b->a, b->a->used, want - b->cap);
		b->cap = want;
		return true;
	}
	p = arena_alloc(b->a, want);
	if (!p) {
		b->full = true;
		return false;
	}
	if (b->p)
		memcpy(p, b->p, b->n);
	b->p = p;
	b->cap = want;
	return true;
}

void
buf_put(struct buf *b, struct str s)
{
	if (s.n == 0 || !buf_grow(b, s.n))
		return;
	memcpy(b->p + b->n, s.p, s.n);
	b->n += s.n;
}

void
buf_puts(struct buf *b, const char *c)
{
	buf_put(b, str_from_c(c));
}

void
buf_putc(struct buf *b, char c)
{
	if (b->n == b->cap || b->full)
		buf_put(b, str_of(&c, 1));
	else
		b->p[b->n++] = c;
}

void
buf_putu(struct buf *b, uint64_t number)
{
	char digits[20];
	size_t at = sizeof digits;

	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	buf_put(b, str_of(digits + at, sizeof digits - at));
}
