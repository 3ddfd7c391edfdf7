#include "api/api.h"
#include "analyse/analyse.h"
#include "api/cache.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "cordon.h"
#include <stdlib.h>

const char *
cordon_version(void)
{
	return CORDON_VERSION;
}

struct cordon *
cordon_new(void)
{
	struct cordon *c = calloc(1, sizeof *c);

	if (!c)
		return NULL;
	c->arena = arena_new(LIMIT_ARENA);
	if (!c->arena) {
		free(c);
		return NULL;
	}
	c->cache =
	    cache_new(API_CACHE); /* optional: without it, answers are computed again */
	return c;
}

void
cordon_free(struct cordon *c)
{
	if (!c)
		return;
	cache_free(c->cache);
	arena_free(c->arena);
	free(c);
}

int
cordon_cache(struct cordon *c, size_t entries)
{
	struct cache *cache = entries ? cache_new(entries) : NULL;

	if (entries && !cache)
		return CORDON_FAIL_MEMORY;
	cache_free(c->cache);
	c->cache = cache;
	return 0;
}

void
cordon_cache_counts(const struct cordon *c, uint64_t *ret_hits, uint64_t *ret_misses)
{
	*ret_hits = c->cache ? cache_hits(c->cache) : 0;
	*ret_misses = c->cache ? cache_misses(c->cache) : 0;
}

int
api_take_opts(void *ours, size_t size, const void *theirs)
{
	const char *bytes = theirs;
	uint32_t given;

	memcpy(&given, theirs, sizeof given);
	if (given < sizeof given)
		return CORDON_FAIL_INPUT;
	for (size_t i = size; i < given; i++)
		if (bytes[i])
			return CORDON_FAIL_INPUT;
	memcpy(ours, theirs, given < size ? given : size);
	return 0;
}

bool
api_is_directory(const char *p, size_t n)
{
	return !p || (n > 0 && n < LIMIT_PATH && p[0] == '/' && !memchr(p, '\0', n));
}

int
cordon_analyse(struct cordon *c, const char *text, size_t len,
    const struct cordon_analyse_opts *opts, const char **ret_json, size_t *ret_json_len)
{
	struct cordon_analyse_opts given = { .size = sizeof given };
	struct analyse_opts how = { 0 };
	struct buf out;
	int err = opts ? api_take_opts(&given, sizeof given, opts) : 0;

	if (err)
		return err;
	if (given.reserved || !api_is_directory(given.cwd, given.cwd_len) ||
	    !api_is_directory(given.home, given.home_len))
		return CORDON_FAIL_INPUT;
	how.cwd = str_of(given.cwd, given.cwd ? given.cwd_len : 0);
	how.home = str_of(given.home, given.home ? given.home_len : 0);
	arena_reset(c->arena);
	buf_init(&out, c->arena);
	/* Errors are in the answer as well; only an answer that did not fit is missing. */
	(void)analyse_json(c->arena, str_of(text ? text : "", text ? len : 0), &how, &out);
	buf_putc(&out, '\0');
	if (out.full || out.n < 2)
		return CORDON_FAIL_MEMORY;
	*ret_json = out.p;
	*ret_json_len = out.n - 1;
	return 0;
}
