/* journal/redact/redact_value.h: is this the name of a secret, is that its value?  Pure
 * questions, for this room only. */
#pragma once
#include "base/str.h"
#include <stdint.h>

/* [from, to) of a text. */
struct cut {
	size_t from, to;
};

/* What a byte is, looked up: a scan asks for each of them several times. */
enum {
	BYTE_DIGIT = 1,
	BYTE_LOWER = 2,
	BYTE_UPPER = 4,
	BYTE_MARK = 8, /* _ - and dots: with letters and digits they make a name */
	BYTE_BLANK = 16,
	BYTE_ENDS = 32, /* a command ends there, or another one begins */
};

extern const uint8_t redact_bytes[256];

static inline bool
is_byte(char c, unsigned kinds)
{
	return redact_bytes[(uint8_t)c] & kinds;
}

static inline bool
is_blank(char c)
{
	return is_byte(c, BYTE_BLANK);
}

static inline bool
is_digit(char c)
{
	return is_byte(c, BYTE_DIGIT);
}

static inline bool
is_lower(char c)
{
	return is_byte(c, BYTE_LOWER);
}

static inline bool
is_upper(char c)
{
	return is_byte(c, BYTE_UPPER);
}

static inline bool
is_alnum(char c)
{
	return is_byte(c, BYTE_DIGIT | BYTE_LOWER | BYTE_UPPER);
}

static inline bool
is_name_byte(char c)
{
	return is_byte(c, BYTE_DIGIT | BYTE_LOWER | BYTE_UPPER | BYTE_MARK);
}

/* Does the name say that its value is a secret? */
bool is_secret_name(struct str name);
/* Is it a header that is secret as a whole? */
bool is_secret_header(struct str name);
/* Nothing longer looks random. */
#define SECRET_RANDOM_MAX ((size_t)512)
/* Letters and digits as a generator gives them, not as people do: no path, word, hash of
 * git, UUID. */
bool secret_looks_random(struct str value);
/* What was redacted before. */
bool secret_is_marker(struct str value);
/* Nothing to hide: empty, a reference, a marker, true, null ... */
bool secret_is_harmless(struct str value);

/* The value at `at`: a quoted string without its quotes, or the rest of the word.  In a
 * `list` (JSON) a bare one also ends at , and }. */
struct cut secret_value_at(struct str text, size_t at, bool list);
/* What is left of a header at `at`: to the quote or line that ends it, without the scheme
 * in front. */
struct cut secret_header_at(struct str text, size_t at);
/* The first place from `at` on that is no blank and no joined line. */
size_t secret_skip_blanks(struct str text, size_t at);
