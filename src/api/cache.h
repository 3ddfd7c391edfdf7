/*
 * api/cache.h: answers that a handle has given before.
 *
 * MUST
 * 1. Answer only what is asked again in full: policy, text, directories, home, roots, mode,
 *    flags, and no date of an `until` passed in between.
 * 2. Know a policy by what is in it: one that was freed and compiled anew is the same if it
 *    says the same, and another one at the same address is not.
 * 3. Belong to one handle: nothing is shared between threads.
 */
#pragma once
#include "base/str.h"
#include <stdint.h>

struct cache;

/* `entries` answers at most; NULL when there is no memory. */
struct cache *cache_new(size_t entries);
void cache_free(struct cache *cache); /* takes NULL */

/* The answer to this very key, or .p == NULL; it stays until the next cache_put. */
struct str cache_get(struct cache *cache, struct str key, int *ret_verdict);
/* Keeps copies; what is too large, or finds no memory, is not kept.  A NUL follows json. */
void cache_put(struct cache *cache, struct str key, struct str json, int verdict);

uint64_t cache_hits(const struct cache *cache);
uint64_t cache_misses(const struct cache *cache);
