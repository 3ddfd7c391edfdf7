/*
 * api/cache.h: answers that a handle has given before.
 *
 * MUST
 * 1.  Return an answer only for exactly the same request: policy, text, directories, home,
 *    roots, mode, flags, and no `until` date passed in between.
 * 2.  Identify a policy by its content: one that was freed and compiled again is the same
 * if its content is, and another one at the same address is not.
 * 3.  Belong to one handle: nothing is shared between threads.
 */
#pragma once
#include "base/str.h"
#include <stdint.h>

struct cache;

/* Create a cache of `entries` answers; NULL if there is no memory. */
struct cache *cache_new(size_t entries);
void cache_free(struct cache *cache); /* accepts NULL */

/* Return the answer for this key, or .p == NULL; valid until the next cache_put. */
struct str cache_get(struct cache *cache, struct str key, int *ret_verdict);
/* Store copies, unless they are too large or memory runs out.  A NUL follows the JSON. */
void cache_put(struct cache *cache, struct str key, struct str json, int verdict);

uint64_t cache_hits(const struct cache *cache);
uint64_t cache_misses(const struct cache *cache);
