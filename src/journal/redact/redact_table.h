/* journal/redact/redact_table.h: the definition of secrets, as tables.  Internal. */
#pragma once
#include "base/str.h"
#include <stdint.h>

/* A string without a pointer; see redact_table.c. */
struct redact_word {
	uint8_t n;
	char p[19];
};

static inline struct str
word_str(const struct redact_word *w)
{
	return str_of(w->p, w->n);
}

/* Tokens that are recognised by their prefix. */
enum token_bytes {
	TOKEN_ALNUM,
	TOKEN_WORD, /* and _ */
	TOKEN_URL,  /* and - */
	TOKEN_DOTS, /* and . */
	TOKEN_UPPER,
};

struct token_rule {
	struct redact_word prefix;
	uint8_t bytes;
	uint8_t least; /* minimum number of bytes after the prefix */
	bool digit;    /* requires a digit */
	bool jwt;      /* requires two dots, each after some bytes */
};

#define TOKEN_RULES 64 /* upper bound for the number of rows */
extern const struct token_rule token_rules[];
extern const size_t token_rules_n;
/* The first rule for a first byte, plus one; 0: none. */
extern const uint8_t token_first[128];

/* Names of secrets: endings, in lower case without _ - and dots. */
extern const struct redact_word secret_endings[];
extern const size_t secret_endings_n;
/* The same, but only as a whole word of the name: DB_PASS, not bypass. */
extern const struct redact_word secret_words[];
extern const size_t secret_words_n;
/* Names with such an ending that are no secrets. */
extern const struct redact_word harmless_names[];
extern const size_t harmless_names_n;
/* Headers whose whole value is secret. */
extern const struct redact_word header_endings[];
extern const size_t header_endings_n;
/* Values that are no secrets. */
extern const struct redact_word harmless_values[];
extern const size_t harmless_values_n;
/* Prefixes of names that take no value: --no-password. */
extern const struct redact_word harmless_prefixes[];
extern const size_t harmless_prefixes_n;

/* Options of programs. */
enum flag_form {
	FLAG_VALUE,    /* the value, in the next word or attached */
	FLAG_ATTACHED, /* attached only: -pSECRET */
	FLAG_COLON,    /* user:secret */
	FLAG_PERCENT,  /* user%secret */
	FLAG_PASS,     /* pass:secret */
	FLAG_PAIR,     /* name=secret */
};

struct flag_rule {
	struct redact_word
	    program; /* empty: any program, and only values that look random */
	struct redact_word flag;
	uint8_t form;
};

extern const struct flag_rule flag_rules[];
extern const size_t flag_rules_n;
extern const uint8_t program_first[128];
