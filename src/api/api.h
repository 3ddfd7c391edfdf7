/* api/api.h: what the parts of the public interface share. */
#pragma once
#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>

#define API_MESSAGE 2048

/* Answers that a handle keeps, until somebody says otherwise. */
#define API_CACHE 256

struct cache;

struct cordon {
	struct arena *arena;
	struct cache *cache;       /* NULL: nothing is kept */
	char message[API_MESSAGE]; /* ends with a NUL */
};

/* The caller's struct may be older, and shorter, than ours; one that is longer may ask for
 * what we do not know, and is refused unless the rest is zero.  0 or CORDON_FAIL_INPUT. */
int api_take_opts(void *ours, size_t size, const void *theirs);
/* NULL, or an absolute path. */
bool api_is_directory(const char *p, size_t n);
