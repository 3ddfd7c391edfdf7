/* base/quote.h: quote a word so that a shell, or a rule, reads it back unchanged. */
#pragma once
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

enum quote_shell {
	QUOTE_BASH, /* any POSIX shell */
	QUOTE_CMD,  /* cmd.exe */
	QUOTE_POWERSHELL,
	QUOTE_RULE, /* cordon's rule language, see cordon.rules(5) */
};

/*
 * Append `arg`, quoted; an empty one becomes a pair of quotes. For bash and rules, a word
 * of plain bytes stays unquoted. CORDON_EINVAL for a NUL, and then nothing is appended.
 * cmd.exe expands %NAME% even inside quotes; that cannot be prevented.
 */
int quote_put(struct buf *b, enum quote_shell shell, struct str arg, struct err *reterr);
/* Like quote_put(), always with quotes. */
int quote_put_always(
    struct buf *b, enum quote_shell shell, struct str arg, struct err *reterr);
