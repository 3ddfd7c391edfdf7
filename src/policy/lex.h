/* policy/lex.h: internal: split one line of a rules file into words. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include <stdint.h>

/* A person cannot review a line with more words or bytes. */
#define LEX_WORDS 512
#define LEX_LINE ((size_t)8192)
/* A line printed by policy_print() is longer: it names its origin. */
#define LEX_PRINTED (2 * LEX_LINE)

/* In the code of a word, globs and other signs are control bytes, which a pattern cannot
 * contain as text.  All other bytes are literal.  The image keeps the first three. */
enum code {
	CODE_STAR = 1, /* `*`: any bytes; in a path, no slash */
	CODE_ANY = 2,  /* `?`: one character; in a path, no slash */
	CODE_DEEP = 3, /* `**`: any number of path components */
	CODE_OPEN = 4, /* {  */
	CODE_NEXT = 5, /* ,  inside { } */
	CODE_CLOSE = 6,
	CODE_TILDE = 7, /* ~ at the start */
	CODE_AT = 14,   /* @ at the start */
};

struct token {
	struct str raw;   /* as it stands in the line */
	struct str plain; /* without quotes and escapes */
	struct str code;  /* the same with the signs above */
	bool bare;        /* unquoted: it may be a keyword */
	bool control;     /* an escape made a control character: allowed in texts only */
	bool bracket;     /* contains an unquoted [ or ] */
};

struct lexer {
	struct arena *a;
	struct token *v;
	size_t n;
	struct str line;    /* the line, without its end */
	struct str text;    /* without comment and blanks around it */
	struct str comment; /* the text after #; .p == NULL: none */
	char *plain, *code; /* buffers for one word */
	size_t most;        /* maximum bytes of a line */
};

/* CORDON_ENOMEM. */
int lex_init(struct lexer *x, struct arena *a);

/*
 * Split `line` (without its newline) into x->v[0..n).  The words point into `line` and the
 * arena.  CORDON_EINVAL with position and reason: control bytes, invalid UTF-8, invisible
 * characters, unclosed quotes or braces, shell metacharacters outside quotes;
 * CORDON_ELIMIT; CORDON_ENOMEM.
 */
int lex_line(struct lexer *x, struct str line, struct err *reterr);
