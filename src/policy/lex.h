/* policy/lex.h: one line of a rules file, cut into words. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include <stdint.h>

/* A line with more words, or a longer one, is not one a person could review. */
#define LEX_WORDS 512
#define LEX_LINE ((size_t)8192)
/* What policy_print makes of one, with where it comes from. */
#define LEX_PRINTED (2 * LEX_LINE)

/*
 * In the code of a word the signs that mean something are bytes that a pattern
 * cannot hold as text (it has no control characters); all other bytes are
 * themselves.  The image keeps the first three.
 */
enum code {
	CODE_STAR = 1, /* *  any bytes; in a path not a slash */
	CODE_ANY = 2,  /* ?  one character; in a path not a slash */
	CODE_DEEP = 3, /* ** a whole part of a path: any number of parts */
	CODE_OPEN = 4, /* {  */
	CODE_NEXT = 5, /* ,  inside { } */
	CODE_CLOSE = 6,
	CODE_TILDE = 7, /* ~ in front */
	CODE_AT = 14,   /* @ in front */
};

struct token {
	struct str raw;   /* as it stands in the line */
	struct str plain; /* without quotes and escapes */
	struct str code;  /* the same with the signs above */
	bool bare;        /* nothing of it is quoted: it may be a word of the language */
	bool control;     /* an escape made a control character: good for texts only */
	bool bracket;     /* an open [ or ] stands in it */
};

struct lexer {
	struct arena *a;
	struct token *v;
	size_t n;
	struct str line;    /* the line, without its end */
	struct str text;    /* without comment and blanks around it */
	struct str comment; /* what stands behind #; .p == NULL: none */
	char *plain, *code; /* room for one word */
	size_t most;        /* bytes of a line */
};

/* CORDON_ENOMEM. */
int lex_init(struct lexer *x, struct arena *a);

/*
 * Cut `line` (without its newline) into x->v[0..n).  The words live in `line`
 * and in the arena.  CORDON_EINVAL with the place and the reason: control bytes,
 * bytes that are not UTF-8 or that no eye sees, open quotes and braces, signs of
 * the shell outside quotes; CORDON_ELIMIT; CORDON_ENOMEM.
 */
int lex_line(struct lexer *x, struct str line, struct err *reterr);
