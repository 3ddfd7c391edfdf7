/* tests/fuzz/fuzz.h: what the targets share. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An assertion that no build can leave out. */
#define MUST(what)                                                                         \
	do {                                                                               \
		if (!(what)) {                                                             \
			fprintf(                                                           \
			    stderr, "%s:%d: must hold: %s\n", __FILE__, __LINE__, #what);  \
			abort();                                                           \
		}                                                                          \
	} while (0)

/* Numbers that depend on the input alone, so that a finding can be replayed. */
static inline uint64_t
fuzz_hash(struct str s)
{
	uint64_t h = 1469598103934665603u;

	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * 1099511628211u;
	return h ^ h >> 29;
}

/*
 * An arena of exactly `n` bytes on the heap, where the sanitizer sees a step
 * beyond its end.  Freed by fuzz_arena_done.
 */
static inline void
fuzz_arena(struct arena *a, size_t n)
{
	void *mem = malloc(n ? n : 1);

	MUST(mem);
	arena_init(a, mem, n);
}

static inline void
fuzz_arena_done(struct arena *a)
{
	free(a->mem);
}
