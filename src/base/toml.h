/*
 * base/toml.h: TOML 1.0, read into the values of base/json/json.h.
 *
 * MUST
 * 1. Refuse what TOML refuses where two readers could differ: a key or table that is
 *    there already, an inline table that is opened again, NUL, bytes that are not UTF-8.
 * 2. Stay within LIMIT_TOML bytes and LIMIT_JSON_DEPTH values inside each other.
 *
 * A date or time is a JSON_STRING with the text as it stands; a number is a JSON_NUMBER as
 * it was spelt (also 0x10, 1_000, inf), which json_int reads where it is plain.
 */
#pragma once
#include "base/json/json.h"

/* An agent's settings; a longer file is none. */
#define LIMIT_TOML ((size_t)1 << 18)

/* Fails as json_read does.  Of a table only its values have places. */
int toml_read(
    struct arena *a, struct str text, const struct json **ret, struct err *reterr);

/* ---- between toml.c and toml_value.c */

struct toml {
	struct arena *a;
	struct str text;
	size_t at;
	struct err *e;
};

int toml_fail(struct toml *t, const char *why);
char toml_peek(const struct toml *t);
bool toml_take(struct toml *t, const char *word);
/* Blanks; with `lines` also newlines and comments. */
int toml_space(struct toml *t, bool lines);
struct json *toml_new(struct toml *t, enum json_kind kind);
void toml_add(struct json *parent, struct json *child);
int toml_value(struct toml *t, int depth, struct json **ret);
int toml_string(struct toml *t, bool key, struct str *ret);
/* `key = value` into `table`. */
int toml_pair(struct toml *t, struct json *table, int depth);
