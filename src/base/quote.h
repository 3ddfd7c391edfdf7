/* base/quote.h: one word, quoted so that a shell, or a rule, reads it back as it was. */
#pragma once
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

enum quote_shell {
	QUOTE_BASH, /* and any POSIX shell */
	QUOTE_CMD,  /* cmd.exe */
	QUOTE_POWERSHELL,
	QUOTE_RULE, /* a word of cordon's own rules; see cordon.rules(5) */
};

/*
 * Appends `arg`, quoted; an empty one becomes a pair of quotes.  For bash and in rules a
 * word of harmless bytes stays as it is.  CORDON_EINVAL for a NUL; then nothing is
 * appended.  cmd.exe still expands %NAME% in its quotes: there is no way to
 * hinder that.
 */
int quote_put(struct buf *b, enum quote_shell shell, struct str arg, struct err *reterr);
/* The same, in quotes whatever it is. */
int quote_put_always(
    struct buf *b, enum quote_shell shell, struct str arg, struct err *reterr);
