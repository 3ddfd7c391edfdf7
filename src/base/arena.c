#include "base/arena.h"
#include <stdlib.h>

struct arena *
arena_new(size_t limit)
{
	struct arena *a = malloc(sizeof *a);

	if (!a)
		return NULL;
	/* One block for the whole limit: untouched pages cost nothing. */
	*a = (struct arena){ .mem = malloc(limit ? limit : 1),
		.limit = limit,
		.owned = true,
		.hidden = true };
	if (!a->mem) {
		free(a);
		return NULL;
	}
	return a;
}

void
arena_free(struct arena *a)
{
	if (!a || !a->owned)
		return;
#ifdef ARENA_HIDES
	__asan_unpoison_memory_region(a->mem, a->limit);
#endif
	free(a->mem);
	free(a);
}

void
arena_init(struct arena *a, void *mem, size_t n)
{
	*a = (struct arena){ .mem = mem, .limit = n };
}

void *
arena_zalloc(struct arena *a, size_t n)
{
	void *p = arena_alloc(a, n);

	return p ? memset(p, 0, n) : NULL;
}

void *
arena_array(struct arena *a, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		return NULL;
	return arena_zalloc(a, count * size);
}

struct str
arena_copy(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n);

	if (!p)
		return (struct str){ NULL, 0 };
	if (s.n)
		memcpy(p, s.p, s.n);
	return str_of(p, s.n);
}
