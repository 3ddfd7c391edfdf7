/*
 * base/toml.h: TOML 1.0, read into the values of base/json/json.h.
 *
 * MUST
 * 1. Refuse text that two parsers could read differently: duplicate keys and tables,
 *    extended inline tables, NUL, invalid UTF-8.
 * 2. Stay within LIMIT_TOML bytes and LIMIT_JSON_DEPTH levels of nesting.
 *
 * A date or time is a JSON_STRING with its source text. A number is a JSON_NUMBER as spelt
 * (also 0x10, 1_000, inf); json_int() reads the plain ones.
 */
#pragma once
#include "base/json/json.h"

/* Larger files are not an agent's settings. */
#define LIMIT_TOML ((size_t)1 << 18)

/* Fails like json_read(). A table has no position, only its values have. */
int toml_read(
    struct arena *a, struct str text, const struct json **ret, struct err *reterr);

/* ---- internal to toml.c and toml_value.c */

struct toml {
	struct arena *a;
	struct str text;
	size_t at;
	struct err *e;
};

int toml_fail(struct toml *t, const char *why);
char toml_peek(const struct toml *t);
bool toml_take(struct toml *t, const char *word);
/* Skip blanks; with `lines`, also newlines and comments. */
int toml_space(struct toml *t, bool lines);
struct json *toml_new(struct toml *t, enum json_kind kind);
void toml_add(struct json *parent, struct json *child);
int toml_value(struct toml *t, int depth, struct json **ret);
int toml_string(struct toml *t, bool key, struct str *ret);
/* Read `key = value` into `table`. */
int toml_pair(struct toml *t, struct json *table, int depth);
