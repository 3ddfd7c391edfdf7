/* base/arena.h: memory for one request, allocated in order and freed all at once. */
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
/* Declared here as in <sanitizer/asan_interface.h>: the core includes only ISO C
 * headers. */
void __asan_poison_memory_region(void const volatile *at, size_t n);
void __asan_unpoison_memory_region(void const volatile *at, size_t n);
#endif

/*
 * An arena has a hard limit. Beyond it every allocation returns NULL, and the caller
 * returns CORDON_ENOMEM. Single allocations are never freed.
 */
struct arena {
	char *mem;
	size_t used, limit;
	size_t peak; /* the highest `used` so far, for benchmarks and tests */
	bool owned;  /* arena_new() got the memory from malloc */
	bool hidden; /* poison released memory under AddressSanitizer */
};

/* Return NULL if malloc fails. With a limit of 0 every allocation fails. */
struct arena *arena_new(size_t limit);
void arena_free(struct arena *a); /* accepts NULL */

/* Use the caller's memory instead of malloc's. */
void arena_init(struct arena *a, void *mem, size_t n);

/*
 * Release everything allocated since `a->used` was `mark`, for reuse. AddressSanitizer
 * reports a later access through an old pointer, except in arenas on the stack.
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

/* Mark the `n` bytes at `at` as used. The caller has checked that they are free. */
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

/* Aligned for any type, not zeroed. n == 0 returns a valid pointer. */
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
/* `count` elements of `size` bytes, zeroed; NULL if the product overflows. */
void *arena_array(struct arena *a, size_t count, size_t size);
/* Copy `s`; .p is NULL if the arena is full. */
struct str arena_copy(struct arena *a, struct str s);

static inline void
arena_freep(struct arena **a)
{
	arena_free(*a);
}
#define cleanup_arena __attribute__((cleanup(arena_freep)))

#define ARENA_NEW(a, type) ((type *)arena_zalloc((a), sizeof(type)))
