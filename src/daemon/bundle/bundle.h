/*
 * daemon/bundle/bundle.h: rules that an administrator signs, with a rising serial number.
 *
 * A bundle is a rules file with its signature beside it (FILE.minisig), whose trusted
 * comment is `cordon bundle serial:N`.  A state file records the last installed serial, so
 * that an older bundle cannot be installed again.
 */
#pragma once
#include "daemon/bundle/minisign.h"

#define BUNDLE_DIGEST 64 /* SHA-256 in hex */

/* Print `cordon bundle serial:N`. */
void bundle_put_comment(struct buf *b, uint64_t serial);
/* Parse the serial of a trusted comment; false if it is not a bundle's. */
bool bundle_serial(struct str comment, uint64_t *ret);
/* Parse a number from 1 to 10^15. */
bool bundle_read_serial(struct str text, uint64_t *ret);

/* The last installed bundle. */
struct bundle_state {
	uint64_t serial; /* 0: none yet */
	char digest[BUNDLE_DIGEST];
};

void bundle_put_state(struct buf *b, const struct bundle_state *s);
/* Return false for any other format. */
bool bundle_read_state(struct str text, struct bundle_state *ret);

/* May `next` be installed after `last`? Return NULL, or why not.  The same bundle may be
 * installed again, because the last installation may have been interrupted. */
const char *bundle_refusal(
    const struct bundle_state *last, const struct bundle_state *next);
