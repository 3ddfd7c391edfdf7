/* journal/redact/redact_scan.h: the state of one redaction.  For this room only. */
#pragma once
#include "base/buf.h"
#include "journal/redact/redact_table.h"
#include "journal/redact/redact_value.h"

struct scan {
	struct str t;
	struct buf out;
	size_t done;                /* up to here everything is in `out` */
	uint64_t programs;          /* rows of flag_rules whose program this command has */
	size_t failed[TOKEN_RULES]; /* the place before which a token is not tried again */
};

static const struct cut nothing = { 0, 0 };

static inline struct str
piece(const struct scan *s, struct cut c)
{
	return str_cut(s->t, c.from, c.to);
}

/* The cut, or nothing when there is nothing to hide in it. */
static inline struct cut
unless_harmless(const struct scan *s, struct cut c)
{
	return c.to <= c.from || secret_is_harmless(piece(s, c)) ? nothing : c;
}

/* The secret that follows the word at `at`, an option for instance. */
struct cut redact_word(struct scan *s, size_t at);
