/* api/api.h: shared by the files of the public library. */
#pragma once
#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>

#define API_MESSAGE 2048

/* Default number of cached answers. */
#define API_CACHE 256

struct cache;

struct cordon {
	struct arena *arena;
	struct cache *cache;       /* NULL: no cache */
	char message[API_MESSAGE]; /* ends with a NUL */
};

/* Copy the caller's struct, which may be from an older version and shorter.  A longer one
 * is rejected unless the rest is zero. 0 or CORDON_FAIL_INPUT. */
int api_take_opts(void *ours, size_t size, const void *theirs);
/* True for NULL or an absolute path. */
bool api_is_directory(const char *p, size_t n);
