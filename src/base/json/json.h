/* base/json/json.h: strict JSON, read into an arena and written to a buffer. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include <stdint.h>

/*
 * MUST
 * 1. Refuse what two readers could take differently: duplicate keys (compared
 *    after unescaping), NUL raw or escaped, bytes that are not UTF-8, lone
 *    surrogates, raw control bytes in strings, bytes behind the document.
 * 2. Refuse what JSON does not have: comments (but see the option), trailing
 *    commas, leading zeros, NaN, a byte order mark.
 * 3. Stay within LIMIT_JSON bytes and LIMIT_JSON_DEPTH values inside each other.
 * 4. Take no more than n log n time, for any input and any set of keys.
 * 5. Read back what json_put_str wrote, byte for byte (with surrogate_bytes).
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
	bool truth;         /* of a bool */
	struct str text;    /* a string's value, or a number as it was spelt */
	struct str key;     /* inside an object: the name of this member */
	uint32_t at, end;   /* where the value stands in the text: [at, end) */
	uint32_t key_at;    /* where its key begins */
	uint32_t count;     /* members of an object or array */
	struct json *first; /* the first of them, in the order of the text */
	struct json *next;  /* the next value of the same object or array */
};

struct json_opts {
	bool comments; /* also take // and slash-star comments: agents' own settings */
	bool
	    surrogate_bytes; /* also take \udc80 to \udcff, alone, for the bytes 80 to ff */
};

/*
 * Strings without escapes point into `text`, the others into `a`: both must
 * outlive the value.  `opts` may be NULL: nothing but JSON.  On failure *ret is
 * untouched and *reterr has the offset and the reason.
 */
int json_read(struct arena *a, struct str text, const struct json_opts *opts,
    const struct json **ret, struct err *reterr);

/* The member `key`; NULL when there is none, or `v` is NULL or no object. */
const struct json *json_get(const struct json *v, struct str key);
/* The bytes of a value in the text that it was read from. */
struct str json_source(struct str text, const struct json *v);

/* The number exactly: CORDON_EINVAL if it is none or has a fraction, CORDON_ELIMIT if it
 * does not fit.  1e3 and 1.0 count as having a fraction. */
int json_int(const struct json *v, int64_t *ret);

/* A string in quotes, each character in its shortest valid form; a byte that is not part
 * of UTF-8 is written as the escape \udc80 to \udcff. */
void json_put_str(struct buf *b, struct str s);
/* The string, or null when s.p is NULL. */
void json_put_str_or_null(struct buf *b, struct str s);
void json_put_int(struct buf *b, int64_t number);
void json_put_bool(struct buf *b, bool truth);
/* A comma, if what is in the buffer ends in a finished value. */
void json_put_sep(struct buf *b);
/* A separator where one is needed, the key and a colon. */
void json_put_key(struct buf *b, const char *key);
/* A key and its text. */
void json_put_member(struct buf *b, const char *key, struct str text);
void json_put_member_u(struct buf *b, const char *key, uint64_t number);
/* "range":[start,end] */
void json_put_range(struct buf *b, uint64_t start, uint64_t end);
/* A value that was read, as it was; false, and nothing put: it is a list or an object. */
bool json_put_scalar(struct buf *b, const struct json *v);
