/* journal/redact/redact_value.h: recognise names and values of secrets.  Pure functions.
 * Internal. */
#pragma once
#include "base/str.h"
#include <stdint.h>

/* Range [from, to) of a text. */
struct cut {
	size_t from, to;
};

/* Byte classes in a table: a scan asks several times per byte. */
enum {
	BYTE_DIGIT = 1,
	BYTE_LOWER = 2,
	BYTE_UPPER = 4,
	BYTE_MARK = 8, /* _ - and dots: part of a name, with letters and digits */
	BYTE_BLANK = 16,
	BYTE_ENDS = 32, /* ends a command or starts another one */
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

/* Does the name mean that its value is a secret? */
bool secret_is_name(struct str name);
/* Is the whole value of this header secret? */
bool secret_is_header(struct str name);
/* Longer values do not count as random. */
#define SECRET_RANDOM_MAX ((size_t)512)
/* Letters and digits from a generator, not from a person: no path, word, git hash or
 * UUID. */
bool secret_looks_random(struct str value);
/* True for a marker of an earlier redaction. */
bool secret_is_marker(struct str value);
/* True if there is nothing to hide: empty, a reference, a marker, true, null ... */
bool secret_is_harmless(struct str value);

/* Find the value at `at`: a quoted string without quotes, or the rest of the word.  In a
 * `list` (JSON), a bare value also ends at , and }. */
struct cut secret_value_at(struct str text, size_t at, bool list);
/* Find the rest of a header at `at`: up to the closing quote or line end, without the
 * scheme. */
struct cut secret_header_at(struct str text, size_t at);
/* Skip blanks and line continuations. */
size_t secret_skip_blanks(struct str text, size_t at);
