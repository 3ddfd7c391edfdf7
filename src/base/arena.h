/* base/arena.h: memory of one request, given out in order and freed at once. */
#pragma once
#include "base/str.h"
#include <stddef.h>
#include <stdint.h>

/*
 * A hard limit is part of the type: beyond it every call returns NULL, and the
 * caller answers CORDON_ENOMEM.  Nothing is ever freed alone.
 */
struct arena {
	char *mem;
	size_t used, limit;
	size_t peak; /* the most that was ever used, for benchmarks and tests */
	bool owned;  /* arena_new got the memory from malloc */
};

/* NULL when the system has no memory.  A limit of 0 is valid: everything then fails. */
struct arena *arena_new(size_t limit);
void arena_free(struct arena *a); /* takes NULL */

/* The same on memory of the caller's. */
void arena_init(struct arena *a, void *mem, size_t n);

/* Forget all that was given out; the memory is used again. */
static inline void
arena_reset(struct arena *a)
{
	a->used = 0;
}

/* Aligned for any type, not zeroed. n == 0 gives a valid pointer. */
static inline void *
arena_alloc(struct arena *a, size_t n)
{
	size_t at = (a->used + 15) & ~(size_t)15;

	if (at > a->limit || n > a->limit - at)
		return NULL;
	a->used = at + n;
	if (a->used > a->peak)
		a->peak = a->used;
	return a->mem + at;
}

void *arena_zalloc(struct arena *a, size_t n);
/* `count` things of `size` bytes, zeroed; NULL when the product overflows. */
void *arena_array(struct arena *a, size_t count, size_t size);
/* A copy of `s`; .p is NULL when there is no room. */
struct str arena_copy(struct arena *a, struct str s);

static inline void
arena_freep(struct arena **a)
{
	arena_free(*a);
}
#define cleanup_arena __attribute__((cleanup(arena_freep)))

#define ARENA_NEW(a, type) ((type *)arena_zalloc((a), sizeof(type)))
