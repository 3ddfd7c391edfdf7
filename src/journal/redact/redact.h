/*
 * journal/redact/redact.h: secrets taken out of text before it is kept.
 *
 * MUST
 * 1. Leave everything that is no secret byte for byte as it is.
 * 2. Replace the whole value, not a part of it, by a marker that tells no more than its
 *    kind of length: `[redacted:16-31]`.
 * 3. Leave a value that is a marker as it is.
 * 4. Take time in proportion to the text, for any text.
 * 5. When in doubt about a value behind a name of a secret, redact.
 *
 * The rules are tables in redact_table.c.  A secret that has no name, no known form and
 * no flag before it stays: nobody can tell it from other words.
 */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct record;

/*
 * `text` with markers for the secrets; *ret is `text` itself when there is none.  Returns
 * 0 or CORDON_ENOMEM.
 */
int redact(struct arena *a, struct str text, struct str *ret, struct err *reterr);
/* The same for every text of the record that could hold one; sets RECORD_REDACTED. */
int record_redact(struct arena *a, struct record *r, struct err *reterr);
