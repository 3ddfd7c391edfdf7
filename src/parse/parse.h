/* parse/parse.h: command text → syntax tree, as `bash -c` reads it. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "parse/tree.h"

/*
 * MUST
 * 1. Accept no more than bash 5.2 does: where bash sees an error and we did not,
 *    our idea of what is data would be wrong.
 * 2. Refuse the whole text on any error.  bash runs a text line by line, so what
 *    stands before an error does run; it is still refused here.
 * 3. Refuse what bash itself runs differently than it reads: a here-document in
 *    $( ), <( ) or >( ) unless it is one simple command or belongs to the first
 *    command of one pipeline of simple commands (rule H), and `time` as the first
 *    word there before anything but a simple command (rule T).
 * 4. Touch no file and no environment; take time linear in the text; recurse only
 *    with a counter; allocate only from `a`.
 * 5. Refuse NUL, 0x01, 0x7f anywhere, CR outside quotes, and an unterminated
 *    here-document.
 */

enum dialect {
	DIALECT_BASH,
	DIALECT_SH, /* only what dash and bash read alike; everything else is refused */
};

struct parse_opts {
	enum dialect dialect;
	int depth; /* nesting that already surrounds this text */
	bool argv; /* one command as execve(2) got it: LIMIT_ARGV, LIMIT_ARGV_WORDS */
};

/* `opts` may be NULL.  On failure *ret is untouched and *reterr has place and reason. */
int parse(struct arena *a, struct str text, const struct parse_opts *opts,
    struct list **ret, struct err *reterr);
