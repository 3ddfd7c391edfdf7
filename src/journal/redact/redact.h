/*
 * journal/redact/redact.h: remove secrets from text before it is written.
 *
 * MUST
 * 1.  Keep everything that is no secret byte for byte.
 * 2.  Replace the whole value by a marker that shows only its length class:
 *    `[redacted:16-31]`.
 * 3.  Keep a value that is already a marker.
 * 4.  Take linear time for any text.
 * 5.  Redact a doubtful value after the name of a secret.
 *
 * redact_table.c has the rules.  A secret without a name, a known form or a flag before it
 * stays: it looks like any other word.
 */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct record;

/*
 * Replace the secrets in `text`; *ret is `text` itself if there are none.  Return 0 or
 * CORDON_ENOMEM.
 */
int redact_text(struct arena *a, struct str text, struct str *ret, struct err *reterr);
/* Redact every text of the record that may hold a secret; sets RECORD_REDACTED. */
int record_redact(struct arena *a, struct record *r, struct err *reterr);
