/* parse/parse.h: command text → syntax tree, as `bash -c` parses it. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "parse/tree.h"

/*
 * MUST
 * 1. Accept no more than bash 5.2 does: if bash reports a syntax error and we do not, our
 *    idea of what is data would be wrong.
 * 2. Refuse the whole text on any error. bash runs a text line by line, so the lines before
 *    an error do run; they are still refused here.
 * 3. Refuse text that bash runs differently than it reads: a here-document in $( ), <( ) or
 *    >( ) unless it is in one simple command or in the first command of one pipeline of
 *    simple commands (rule H), and `time` as the first word there unless a simple command
 *    follows (rule T).
 * 4. Touch no file and no environment; take time linear in the text; recurse only with a
 *    counter; allocate only from `a`.
 * 5. Refuse NUL, 0x01 and 0x7f anywhere, CR outside quotes, and an unterminated
 *    here-document.
 */

enum dialect {
	DIALECT_BASH,
	DIALECT_SH, /* accept only text that dash and bash read alike */
};

struct parse_opts {
	enum dialect dialect;
	int depth; /* nesting around this text */
	bool argv; /* one command, as an argv of execve(2): LIMIT_ARGV, LIMIT_ARGV_WORDS */
};

/* `opts` may be NULL. On failure *ret is unchanged and *reterr has position and reason. */
int parse(struct arena *a, struct str text, const struct parse_opts *opts,
    struct list **ret, struct err *reterr);
