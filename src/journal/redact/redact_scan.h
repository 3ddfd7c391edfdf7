/* journal/redact/redact_scan.h: state of one redaction.  Internal. */
#pragma once
#include "base/buf.h"
#include "journal/redact/redact_table.h"
#include "journal/redact/redact_value.h"

struct redact_scan {
	struct str t;
	struct buf out;
	size_t done;       /* `out` has everything up to here */
	uint64_t programs; /* rows of flag_rules whose program occurs in this command */
	size_t failed[TOKEN_RULES]; /* do not try this token rule before this offset */
};

static const struct cut nothing = { 0, 0 };

static inline struct str
piece(const struct redact_scan *s, struct cut c)
{
	return str_cut(s->t, c.from, c.to);
}

/* Return the cut, or an empty one if its value is harmless. */
static inline struct cut
unless_harmless(const struct redact_scan *s, struct cut c)
{
	return c.to <= c.from || secret_is_harmless(piece(s, c)) ? nothing : c;
}

/* Return the secret after the word at `at`, for instance an option. */
struct cut redact_word(struct redact_scan *s, size_t at);
