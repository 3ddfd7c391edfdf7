/*
 * daemon/bundle/bundle.h: rules that an administrator signs, with a number that only grows.
 *
 * A bundle is a rules file and its signature beside it (FILE.minisig), whose trusted
 * comment is `cordon bundle serial:N`.  What was installed last is written down in a file
 * of its own, so that an older bundle cannot come back.
 */
#pragma once
#include "daemon/bundle/minisign.h"

#define BUNDLE_DIGEST 64 /* SHA-256 in hex digits */

/* `cordon bundle serial:N`, and maybe more behind it. */
void bundle_put_comment(struct buf *b, uint64_t serial);
/* The number of a trusted comment; false when it is none of a bundle. */
bool bundle_serial(struct str comment, uint64_t *ret);
/* A number from 1 to 10^15 as written. */
bool bundle_read_serial(struct str text, uint64_t *ret);

/* What was installed last. */
struct bundle_state {
	uint64_t serial; /* 0: nothing yet */
	char digest[BUNDLE_DIGEST];
};

void bundle_put_state(struct buf *b, const struct bundle_state *s);
/* False when it is not exactly that. */
bool bundle_read_state(struct str text, struct bundle_state *ret);

/* May `next` be installed after `last`?  NULL, or why not.  The same one again may: the
 * last installation could have been interrupted. */
const char *bundle_refusal(
    const struct bundle_state *last, const struct bundle_state *next);
