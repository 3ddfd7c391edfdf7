/*
 * parse/parser.h: what the files of this room share.
 *
 * The source is a copy in the arena that ends in NUL bytes, so that looking one
 * byte ahead needs no test; a NUL inside the text was refused before.  A part of
 * the source can be read as if it ended earlier (see window_open).
 *
 * Functions return 0 or a negative CORDON_E..., unless they say otherwise.
 */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "parse/chars.h"
#include "parse/parse.h"

#define NO_POS UINT32_MAX

struct pending {
	struct redir *redir;
	bool strip; /* <<- */
};

struct parser {
	char *s;
	uint32_t pos, end;
	struct arena *a;
	struct err *err;
	int depth;
	bool sh;          /* DIALECT_SH */
	bool argv;        /* bounds of execve(2), not of a line */
	bool has_cr;      /* a CR stands somewhere in the text */
	bool in_sub;      /* in $( ), <( ) or >( ), whose ) also ends a here-document */
	bool no_newline;  /* a here-document of the text around $( ) still waits */
	bool reserved_ok; /* the last command ended so that a reserved word may follow */
	/* What reserved_at said last, as several places ask for the same word. */
	uint32_t res_pos, res_end; /* res_pos is NO_POS when nothing is known */
	int res_which;
	int cases;        /* open `case`s of this text or substitution */
	int retries;      /* (( read again as subshells, inside each other */
	uint32_t retried; /* how often that happened */
	uint32_t words, commands;
	uint32_t heredocs, first_heredoc, last_heredoc; /* how many, and where they stand */
	unsigned npending, pending_base;
	struct pending pending[LIMIT_HEREDOCS];
};

/* ---- lexer.c -------------------------------------------------------------- */

enum reserved {
	RES_NONE,
	RES_BANG,
	RES_TIME,
	RES_OPEN,     /* { */
	RES_CLOSE,    /* } */
	RES_COND,     /* [[ */
	RES_COND_END, /* ]] */
	RES_IF,
	RES_THEN,
	RES_ELIF,
	RES_ELSE,
	RES_FI,
	RES_FOR,
	RES_WHILE,
	RES_UNTIL,
	RES_SELECT,
	RES_DO,
	RES_DONE,
	RES_CASE,
	RES_ESAC,
	RES_IN,
	RES_FUNCTION,
	RES_COPROC,
};

static inline int
fail(struct parser *p, int code, size_t at, const char *why)
{
	return err_at(p->err, code, at, why);
}

static inline int
invalid(struct parser *p, size_t at, const char *why)
{
	return fail(p, CORDON_EINVAL, at, why);
}

static inline int
refuse(struct parser *p, size_t at, const char *why)
{
	return fail(p, CORDON_EREFUSED, at, why);
}

static inline int
no_memory(struct parser *p)
{
	return fail(p, CORDON_ENOMEM, p->pos, "the command needs more memory than allowed");
}

/* Every recursion goes through these two. */
static inline int
nest(struct parser *p)
{
	if (p->depth >= LIMIT_NESTING)
		return fail(p, CORDON_ELIMIT, p->pos, "too deeply nested");
	p->depth++;
	return 0;
}

static inline void
unnest(struct parser *p)
{
	p->depth--;
}

/* The byte at `pos` after joined lines (backslash-newline) were skipped; NUL at the end. */
static inline char
cur(struct parser *p)
{
	while (p->s[p->pos] == '\\' && p->s[p->pos + 1] == '\n')
		p->pos += 2;
	return p->s[p->pos];
}

/* The place of the byte behind `at`, joined lines skipped. */
static inline uint32_t
behind(const struct parser *p, uint32_t at)
{
	at++;
	while (p->s[at] == '\\' && p->s[at + 1] == '\n')
		at += 2;
	return at;
}

/* Is this the start of <( or >( ? */
static inline bool
at_process(const struct parser *p, uint32_t at)
{
	return (p->s[at] == '<' || p->s[at] == '>') && p->s[behind(p, at)] == '(';
}

/* Does a word begin here? */
static inline bool
at_word(const struct parser *p)
{
	return !char_is(p->s[p->pos], CH_BREAK) || at_process(p, p->pos);
}

/* Skip blanks and a comment.  Returns the byte that follows (0..255) or an error. */
int blanks(struct parser *p);
/* The same, and newlines; bodies of here-documents are read on the way. */
int newlines(struct parser *p);
/* Bytes up to one of class `stop`, joined lines removed; sets `pos` behind them. */
int run_read(struct parser *p, unsigned stop, struct str *ret);
/* The reserved word that stands here alone; *ret_end is the place behind it. */
enum reserved reserved_at(struct parser *p, uint32_t *ret_end);
/* The reserved word that this is, where one is looked for. */
enum reserved reserved_find(struct str word);
/* Take that reserved word, else say `why`. */
int reserved_take(struct parser *p, enum reserved which, const char *why);
int dialect_only_bash(struct parser *p, size_t at, const char *why);

/* Read as if the source ended at `end`; the return value undoes it. */
struct window {
	uint32_t at, end;
	char byte;
};
struct window window_open(struct parser *p, uint32_t at);
void window_close(struct parser *p, struct window w);

/* ---- word.c --------------------------------------------------------------- */

struct parts {
	struct part *first, *last;
};

/* How expansions and quotes act at the place they stand in. */
enum {
	CX_QUOTED = 1,   /* the parts are quoted */
	CX_DOUBLE = 2,   /* backslash and ' act as inside "..." */
	CX_PAIRED = 4,   /* ' does not quote, but bash pairs it all the same */
	CX_ANSI = 8,     /* $'..' and $".." quote */
	CX_HEREDOC = 16, /* text of a here-document, where " is a plain byte */
	CX_NESTED = 32,  /* inside ${ } or (( )) that is itself in "..." */
	CX_PROCESS = 64, /* <( ) is a substitution */
	CX_DOUBT = 128,  /* ' quotes or not, versions and places differ */
};
#define CX_WORD (CX_ANSI | CX_PROCESS)

enum {
	WORD_PLAIN = 0,
	WORD_REGEX = 1,   /* right of =~ */
	WORD_PATTERN = 2, /* right of == and != in [[ ]]: extended globs */
};

/* A word without parts, counted against LIMIT_WORDS. */
int word_new(struct parser *p, struct word **ret);
/* The word that begins here (at_word). */
int word_read(struct parser *p, unsigned flags, struct word **ret);
/* The rest of a word: up to the first byte that ends it. */
int word_parts(struct parser *p, unsigned flags, struct parts *out);
int word_finish(struct parser *p, uint32_t start, struct parts *parts, struct word **ret);

int part_add(struct parser *p, struct parts *out, enum part_kind kind, bool quoted,
    uint32_t start, struct part **ret);
int part_text(
    struct parser *p, struct parts *out, bool quoted, struct str text, uint32_t start);
/* The source between two places as text, if there is any. */
int part_slice(
    struct parser *p, struct parts *out, bool quoted, uint32_t from, uint32_t to);

/* The only part of a word that is unquoted text, else .p == NULL. */
struct str word_plain(const struct word *w);
bool str_is_name(struct str s);

/* ---- quote.c, ansi.c ------------------------------------------------------ */

int quote_single(struct parser *p, unsigned cx, struct parts *out);
int quote_double(struct parser *p, unsigned cx, struct parts *out);
int quote_escape(struct parser *p, unsigned cx, struct parts *out);
/* Text of "..." up to the quote, or of a here-document up to the end of the window. */
int quote_text(struct parser *p, unsigned cx, bool strip, struct parts *out);
/* ' where it pairs but does not quote: accepted if both readings agree. */
int quote_paired(struct parser *p, unsigned cx, struct parts *out);
int quote_ansi(struct parser *p, uint32_t start, struct parts *out);

/* ---- group.c -------------------------------------------------------------- */

struct group {
	char open, close; /* counted; open may be 0 */
	char split;       /* also stops here outside all parentheses, if not 0 */
	bool parens;      /* ( ) hide `split` */
	unsigned cx;
};

/* Parts up to the closing byte, which is not taken.  Returns the byte or an error. */
int group_read(struct parser *p, const struct group *g, struct parts *out);
/* [subscript] of a variable; `pos` is behind the [ and will be behind the ]. */
int subscript_read(struct parser *p, unsigned cx, struct word **ret);

/* ---- dollar.c, param.c, subst.c, arith.c ---------------------------------- */

int dollar_read(struct parser *p, unsigned cx, struct parts *out);
int param_read(struct parser *p, unsigned cx, struct param **ret);
int backquote_read(struct parser *p, unsigned cx, struct parts *out);
int process_read(struct parser *p, struct parts *out);
/* $( with `pos` behind the (; `must_end` is where the ) has to be, or 0. */
int command_sub_read(
    struct parser *p, unsigned cx, uint32_t start, uint32_t must_end, struct parts *out);
/* $(( with `pos` behind both (. */
int arith_sub_read(struct parser *p, unsigned cx, uint32_t start, struct parts *out);
/* $[ with `pos` behind the [. */
int arith_old_read(struct parser *p, unsigned cx, uint32_t start, struct parts *out);
/* (( with `pos` behind both (.  *ret is NULL if it is no arithmetic; `pos` is then lost. */
int arith_command_read(struct parser *p, struct word **ret);
/* for (( with `pos` behind both (. */
int arith_for_read(struct parser *p, struct node *n);

/* A place to go back to when (( turns out to be two subshells. */
struct retry {
	uint32_t pos, words, commands, heredocs, first_heredoc, last_heredoc, retried;
	size_t used;
};
struct retry retry_mark(const struct parser *p);
int retry_from(struct parser *p, const struct retry *r);
/* The ) of the ( in front of `pos`; goes back to the mark. */
int paren_end(struct parser *p, const struct retry *again, uint32_t *ret_end);

/* ---- redir.c, heredoc.c, assign.c ----------------------------------------- */

/* Does a redirection begin here?  Not for {var}>. */
bool at_redir(struct parser *p);
int redir_read(struct parser *p, struct redir **ret);
/* If the word was {var} and stands in front of < or >: the redirection, else NULL. */
int redir_var_read(struct parser *p, const struct word *w, struct redir **ret);
/* All that follow a compound command; clears reserved_ok if there are any. */
int redirs_read(struct parser *p, struct redir **ret);
/* The bodies of all pending here-documents; `pos` is at the start of a line. */
int heredoc_bodies(struct parser *p);
int heredoc_begin(struct parser *p, struct redir *r, bool strip);

/*
 * An assignment or a word in front of the command: exactly one of *ret_assign
 * and *ret_word is set.  `arrays`: bash would take =( ) and [ ] here.
 */
int assign_or_word(
    struct parser *p, bool arrays, struct assign **ret_assign, struct word **ret_word);
/* name=( of a declaration builtin's argument: an assignment, else NULL. */
int assign_argument(struct parser *p, struct assign **ret);

/* ---- simple.c, compound.c, cond.c, list.c --------------------------------- */

int simple_read(struct parser *p, struct node **ret);
int function_read(struct parser *p, struct node **ret); /* `function` was taken */
int function_body(struct parser *p, uint32_t start, struct str name, struct node **ret);
/* A compound command that begins with this reserved word, with its redirections. */
int compound_read(struct parser *p, enum reserved which, uint32_t end, struct node **ret);
bool reserved_opens(enum reserved which);
int paren_read(struct parser *p, struct node **ret); /* ( or (( */
int case_read(struct parser *p, struct node *n);
int cond_read(struct parser *p, struct node *n);
int node_new(struct parser *p, enum node_kind kind, uint32_t start, struct node **ret);
int list_read(struct parser *p, struct list **ret);
/* The same, but an empty list is an error. */
int list_needed(struct parser *p, struct list **ret);
