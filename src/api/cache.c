#include "api/cache.h"
#include <stdlib.h>

/* Do not cache larger answers: they would push others out. */
#define ENTRY_BYTES ((size_t)64 << 10)

/* A cached answer: key, JSON and a NUL in one allocation. */
struct cache_entry {
	char *bytes; /* NULL: empty */
	size_t key_n, json_n;
	uint64_t hash;
	int verdict;
};

struct cache {
	uint64_t hits, misses;
	size_t n;
	struct cache_entry entries[];
};

/* FNV-1a selects the slot; then the key is compared. */
static uint64_t
hash(struct str key)
{
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < key.n; i++)
		h = (h ^ (unsigned char)key.p[i]) * 1099511628211u;
	return h ^ h >> 32;
}

struct cache *
cache_new(size_t entries)
{
	struct cache *cache;

	if (entries == 0 || entries > SIZE_MAX / 2 / sizeof(struct cache_entry))
		return NULL;
	cache = calloc(1, sizeof *cache + entries * sizeof(struct cache_entry));
	if (cache)
		cache->n = entries;
	return cache;
}

void
cache_free(struct cache *cache)
{
	if (!cache)
		return;
	for (size_t i = 0; i < cache->n; i++)
		free(cache->entries[i].bytes);
	free(cache);
}

struct str
cache_get(struct cache *cache, struct str key, int *ret_verdict)
{
	uint64_t h = hash(key);
	struct cache_entry *e = &cache->entries[h % cache->n];

	if (!e->bytes || e->hash != h || !str_eq(str_of(e->bytes, e->key_n), key)) {
		cache->misses++;
		return (struct str){ NULL, 0 };
	}
	cache->hits++;
	*ret_verdict = e->verdict;
	return str_of(e->bytes + e->key_n, e->json_n);
}

void
cache_put(struct cache *cache, struct str key, struct str json, int verdict)
{
	uint64_t h = hash(key);
	struct cache_entry *e = &cache->entries[h % cache->n];
	char *bytes;

	if (key.n > ENTRY_BYTES || json.n > ENTRY_BYTES)
		return;
	bytes = malloc(key.n + json.n + 1);
	if (!bytes)
		return;
	memcpy(bytes, key.p, key.n);
	memcpy(bytes + key.n, json.p, json.n);
	bytes[key.n + json.n] = '\0';
	free(e->bytes);
	e->bytes = bytes;
	e->key_n = key.n;
	e->json_n = json.n;
	e->hash = h;
	e->verdict = verdict;
}

uint64_t
cache_hits(const struct cache *cache)
{
	return cache->hits;
}

uint64_t
cache_misses(const struct cache *cache)
{
	return cache->misses;
}
