/* base/ignore/ignore_glob.h: one pattern of an ignore file, as a row of tokens. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdint.h>

enum glob_kind {
	GLOB_BYTE,
	GLOB_ANY,  /* ? */
	GLOB_SET,  /* [...] */
	GLOB_STAR, /* any bytes, in a path none that is a slash */
	GLOB_ALL,  /* any bytes at all */
	GLOB_DIRS, /* nothing, or any bytes and a slash */
};

struct glob_token {
	uint8_t kind, byte;
	const uint32_t *set; /* 256 bits */
};

struct glob {
	struct glob_token *tokens;
	size_t n;
	bool never; /* nothing can match it */
	bool path;  /* `*`, `?` and sets stop at a slash */
	bool fold;  /* without case */
};

static inline unsigned char
glob_lower(unsigned char c)
{
	return c >= 'A' && c <= 'Z' ? (unsigned char)(c + 32) : c;
}

/* false when the arena is full. */
bool glob_compile(
    struct arena *a, struct str pattern, bool path, bool fold, struct glob *ret);
bool glob_matches(const struct glob *g, struct str text);
