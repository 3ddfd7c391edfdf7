/* base/str.h: a byte string with a length. It may contain NUL and needs no final NUL. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
	const char *p;
	size_t n;
};

#define STR(lit) ((struct str){ "" lit, sizeof(lit) - 1 })
/* STR() for static tables: a compound literal is not a constant expression. */
#define STR_INIT(lit)                                                                      \
	{                                                                                  \
		"" lit, sizeof(lit) - 1                                                    \
	}

static inline struct str
str_of(const char *p, size_t n)
{
	return (struct str){ p, n };
}

static inline struct str
str_from_c(const char *c)
{
	return (struct str){ c, c ? strlen(c) : 0 };
}

static inline bool
str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool
str_is(struct str a, const char *c)
{
	return str_eq(a, str_from_c(c));
}

static inline bool
str_starts(struct str a, struct str prefix)
{
	return a.n >= prefix.n && (prefix.n == 0 || memcmp(a.p, prefix.p, prefix.n) == 0);
}

static inline bool
str_ends(struct str a, struct str suffix)
{
	return a.n >= suffix.n &&
	       (suffix.n == 0 || memcmp(a.p + a.n - suffix.n, suffix.p, suffix.n) == 0);
}

/* The part from `from` on; empty if the string is shorter. Adds nothing to a NULL pointer,
 * as even + 0 is undefined. */
static inline struct str
str_skip(struct str a, size_t from)
{
	size_t at = from < a.n ? from : a.n;

	return str_of(at ? a.p + at : a.p, a.n - at);
}

static inline struct str
str_cut(struct str a, size_t from, size_t to)
{
	return str_of(from ? a.p + from : a.p, to - from);
}

/* The index of the first `c`, or a.n. */
static inline size_t
str_find(struct str a, char c)
{
	const char *hit = a.n ? memchr(a.p, c, a.n) : NULL;

	return hit ? (size_t)(hit - a.p) : a.n;
}

/* The index of the last `c`, or a.n. */
static inline size_t
str_rfind(struct str a, char c)
{
	for (size_t i = a.n; i > 0; i--)
		if (a.p[i - 1] == c)
			return i - 1;
	return a.n;
}

/* The part after the last slash, or the whole string. */
static inline struct str
str_base(struct str path)
{
	size_t slash = str_rfind(path, '/');

	return slash == path.n ? path : str_skip(path, slash + 1);
}

static inline bool
byte_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* ASCII only. */
static inline bool
byte_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* True for the bytes of a name in most languages: letters, digits and _. */
static inline bool
byte_is_word(char c)
{
	return byte_is_letter(c) || byte_is_digit(c) || c == '_';
}

/* The value of a hexadecimal digit, or -1. */
static inline int
byte_hex(char c)
{
	if (byte_is_digit(c))
		return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static inline char
byte_lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c | 32 : c);
}

static inline bool
str_is_ascii(struct str a)
{
	for (size_t i = 0; i < a.n; i++)
		if ((unsigned char)a.p[i] > 127)
			return false;
	return true;
}

/* True if `a` contains a byte of `set`. */
static inline bool
str_has_any(struct str a, const char *set)
{
	for (size_t i = 0; i < a.n; i++)
		if (memchr(set, a.p[i], strlen(set)))
			return true;
	return false;
}

/* Parse the decimal digits at the start of *a and skip them. Return false, and keep *a and
 * *ret, if there are none or the number is larger than `most`. */
static inline bool
str_take_number(struct str *a, uint64_t most, uint64_t *ret)
{
	uint64_t n = 0;
	size_t i = 0;

	for (; i < a->n && byte_is_digit(a->p[i]); i++) {
		unsigned digit = (unsigned)(a->p[i] - '0');

		if (n > most / 10 || (n == most / 10 && digit > most % 10))
			return false;
		n = n * 10 + digit;
	}
	if (i == 0)
		return false;
	*a = str_skip(*a, i);
	*ret = n;
	return true;
}

/* Parse all of `a` as a decimal number of at most `most`. */
static inline bool
str_number(struct str a, uint64_t most, uint64_t *ret)
{
	uint64_t n;

	if (!str_take_number(&a, most, &n) || a.n)
		return false;
	*ret = n;
	return true;
}

/* Parse a port number: 1 to 65535 without leading zeros. */
static inline bool
str_port(struct str a, uint16_t *ret)
{
	uint64_t n;

	if (a.n == 0 || a.p[0] == '0' || !str_number(a, 65535, &n))
		return false;
	*ret = (uint16_t)n;
	return true;
}

/* Compare in byte order: <0, 0 or >0. */
static inline int
str_cmp(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	return c ? c : (a.n > b.n) - (a.n < b.n);
}

/* True if `word` is in `list`: NUL-terminated texts, the last one empty. (A table of
 * pointers would need relocation at every start.) */
static inline bool
str_among(struct str word, const char *list)
{
	for (size_t n; (n = strlen(list)) > 0; list += n + 1)
		if (n == word.n && memcmp(list, word.p, n) == 0)
			return true;
	return false;
}
