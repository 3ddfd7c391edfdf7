/* base/json/json.h: strict JSON, read into an arena and written to a buffer. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include <stdint.h>

/*
 * MUST
 * 1. Refuse text that two parsers could read differently: duplicate keys (compared after
 *    unescaping), NUL raw or escaped, invalid UTF-8, lone surrogates, raw control bytes in
 *    strings, bytes after the document.
 * 2. Refuse extensions of JSON: comments (unless the option is set), trailing commas,
 *    leading zeros, NaN, a byte order mark.
 * 3. Stay within LIMIT_JSON bytes and LIMIT_JSON_DEPTH levels of nesting.
 * 4. Take at most n log n time, for any input and any set of keys.
 * 5. Read back the output of json_put_str byte for byte (with surrogate_bytes).
 */

enum json_kind {
	JSON_NULL,
	JSON_BOOL,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
};

struct json {
	enum json_kind kind;
	bool truth;         /* value of a JSON_BOOL */
	struct str text;    /* value of a string; a number as spelt */
	struct str key;     /* name of this member, inside an object */
	uint32_t at, end;   /* position of the value in the text: [at, end) */
	uint32_t key_at;    /* position of its key */
	uint32_t count;     /* number of members of an object or array */
	struct json *first; /* first member, in the order of the text */
	struct json *next;  /* next member of the same parent */
};

struct json_opts {
	bool comments; /* allow // and slash-star comments, as agents' settings have */
	bool surrogate_bytes; /* read a lone \udc80 to \udcff as the byte 80 to ff */
};

/*
 * Strings without escapes point into `text`, others into `a`: both must outlive the value.
 * `opts` may be NULL. On failure *ret is unchanged and *reterr has offset and reason.
 */
int json_read(struct arena *a, struct str text, const struct json_opts *opts,
    const struct json **ret, struct err *reterr);

/* The member `key`; NULL if there is none, or if `v` is NULL or not an object. */
const struct json *json_get(const struct json *v, struct str key);
/* The source text of a value. */
struct str json_source(struct str text, const struct json *v);

/* The exact integer. CORDON_EINVAL for another kind or a fraction (1e3 and 1.0 count as
 * fractions), CORDON_ELIMIT if it does not fit. */
int json_int(const struct json *v, int64_t *ret);

/* Write a quoted string with the shortest valid escapes; a byte that is not UTF-8 becomes
 * \udc80 to \udcff. */
void json_put_str(struct buf *b, struct str s);
/* Write the string, or null if s.p is NULL. */
void json_put_str_or_null(struct buf *b, struct str s);
void json_put_int(struct buf *b, int64_t number);
void json_put_bool(struct buf *b, bool truth);
/* Write a comma if the buffer ends in a complete value. */
void json_put_sep(struct buf *b);
/* Write a comma if needed, the key and a colon. */
void json_put_key(struct buf *b, const char *key);
/* Write a key and its value. */
void json_put_member(struct buf *b, const char *key, struct str text);
void json_put_member_u(struct buf *b, const char *key, uint64_t number);
void json_put_member_int(struct buf *b, const char *key, int64_t number);
void json_put_member_bool(struct buf *b, const char *key, bool truth);
void json_put_member_or_null(struct buf *b, const char *key, struct str text);
/* "range":[start,end] */
void json_put_range(struct buf *b, uint64_t start, uint64_t end);
/* Write a scalar as it was read. Return false and write nothing for an array or object. */
bool json_put_scalar(struct buf *b, const struct json *v);
