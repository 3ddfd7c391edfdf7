/* tests/unit/one_arena.h: one arena for each test of a file. */
#pragma once
#include "cm.h"

static struct arena *arena;

static inline int
setup(void **state)
{
	(void)state;
	arena = arena_new((size_t)8 << 20);
	return arena ? 0 : -1;
}

static inline int
teardown(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}
