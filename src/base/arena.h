/* base/arena.h: memory of one request, given out in order and freed at once. */
#pragma once
#include "base/str.h"
#include <stddef.h>
#include <stdint.h>
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define ARENA_HIDES
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define ARENA_HIDES
#endif
#ifdef ARENA_HIDES
/* As its <sanitizer/asan_interface.h>: the core includes no header beyond ISO C. */
void __asan_poison_memory_region(void const volatile *at, size_t n);
void __asan_unpoison_memory_region(void const volatile *at, size_t n);
#endif

/*
 * A hard limit is part of the type: beyond it every call returns NULL, and the
 * caller answers CORDON_ENOMEM.  Nothing is ever freed alone.
 */
struct arena {
	char *mem;
	size_t used, limit;
	size_t peak; /* the most that was ever used, for benchmarks and tests */
	bool owned;  /* arena_new got the memory from malloc */
	bool hidden; /* what was given back is hidden from the sanitizer's build */
};

/* NULL when the system has no memory.  A limit of 0 is valid: everything then fails. */
struct arena *arena_new(size_t limit);
void arena_free(struct arena *a); /* takes NULL */

/* The same on memory of the caller's. */
void arena_init(struct arena *a, void *mem, size_t n);

/*
 * Gives back all that was given out since `a->used` was `mark`; the memory is used again.
 * Who remembers something of it remembers what is written there next: under the sanitizer
 * that is an error, where the memory is not the stack's.
 */
static inline void
arena_back(struct arena *a, size_t mark)
{
#ifdef ARENA_HIDES
	if (a->hidden && a->used > mark)
		__asan_poison_memory_region(a->mem + mark, a->used - mark);
#endif
	a->used = mark;
}

static inline void
arena_reset(struct arena *a)
{
	arena_back(a, 0);
}

/* The next `n` bytes, which are there: arena_alloc() and what grows in its place. */
static inline void
arena_take(struct arena *a, size_t at, size_t n)
{
#ifdef ARENA_HIDES
	if (a->hidden)
		__asan_unpoison_memory_region(a->mem + at, n);
#endif
	a->used = at + n;
	if (a->used > a->peak)
		a->peak = a->used;
}

/* Aligned for any type, not zeroed. n == 0 gives a valid pointer. */
static inline void *
arena_alloc(struct arena *a, size_t n)
{
	size_t at = (a->used + 15) & ~(size_t)15;

	if (at > a->limit || n > a->limit - at)
		return NULL;
	arena_take(a, at, n);
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
