/*
 * base/glob.h: wildcard patterns.
 *
 * Patterns with only `*` and `?` are matched as they are: glob_match(). Patterns of ignore
 * files have sets, escapes and `**`: compile them with glob_compile(), then glob_matches().
 *
 * MUST
 * 1. Take at most pattern length times text length steps, without recursion.
 */
#pragma once
#include "base/arena.h"

enum glob_flags {
	GLOB_FOLD = 1,  /* ignore the case of ASCII letters; the pattern is in lower case */
	GLOB_PATH = 2,  /* compiled: `*`, `?` and sets do not match a slash */
	GLOB_CHARS = 4, /* glob_match: `any` matches a UTF-8 character, not a byte */
};

/* The bytes that are wildcards in a pattern: "*" and "?", or codes of the caller. */
struct glob_wild {
	char star, any;
	unsigned flags;
};

bool glob_match(const struct glob_wild *wild, struct str pattern, struct str text);
/* The index after the UTF-8 character at `at`: one byte and its continuation bytes. */
size_t glob_char_end(struct str text, size_t at);
/* The common case: `*` and `?`, byte by byte. */
bool glob_is(const char *pattern, struct str text);

/* ---- compiled patterns, as git reads them */

enum glob_kind {
	GLOB_BYTE,
	GLOB_ANY,  /* ? */
	GLOB_SET,  /* [...] */
	GLOB_STAR, /* any bytes; in a path, except slashes */
	GLOB_ALL,  /* any bytes */
	GLOB_DIRS, /* nothing, or any bytes and a slash */
};

struct glob_token {
	uint8_t kind, byte;
	const uint32_t *set; /* 256 bits */
};

struct glob {
	struct glob_token *tokens;
	size_t n;
	bool never; /* the pattern is malformed and matches nothing */
	bool path, fold;
};

static inline unsigned char
glob_lower(unsigned char c)
{
	return c >= 'A' && c <= 'Z' ? (unsigned char)(c + 32) : c;
}

/* Return false if the arena is full. */
bool glob_compile(struct arena *a, struct str pattern, unsigned flags, struct glob *ret);
bool glob_matches(const struct glob *g, struct str text);
