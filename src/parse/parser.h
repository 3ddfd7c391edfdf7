/*
 * parse/parser.h: internal declarations of this room; others include parse/parse.h.
 *
 * The source is a copy in the arena that ends in NUL bytes, so that looking one byte ahead
 * needs no check; a NUL inside the text was refused before. A part of the source can be
 * parsed as if it ended earlier (see window_open).
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
	bool argv;        /* apply the limits of execve(2), not those of a command line */
	bool has_cr;      /* the text contains a CR */
	bool in_sub;      /* inside $( ), <( ) or >( ), where ) also ends a here-document */
	bool no_newline;  /* a here-document of the text around $( ) is still pending */
	bool reserved_ok; /* a reserved word may follow the last command */
	/* Cache for reserved_at(): several functions ask for the same word. */
	uint32_t res_pos, res_end; /* res_pos is NO_POS if the cache is empty */
	int res_which;
	int cases;        /* open `case`s of this text or substitution */
	int retries;      /* depth of (( parsed again as subshells */
	uint32_t retried; /* how often that happened */
	uint32_t words, commands;
	uint32_t heredocs, first_heredoc,
	    last_heredoc; /* how many, and the positions of the first and last */
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
	RES_COUNT,
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
	return fail(
	    p, CORDON_ENOMEM, p->pos, "the command needs more memory than its limit");
}

/* Every recursive function calls these two. */
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

/* Skip joined lines (backslash-newline) and return the byte at `pos`; NUL at the end. */
static inline char
cur(struct parser *p)
{
	while (p->s[p->pos] == '\\' && p->s[p->pos + 1] == '\n')
		p->pos += 2;
	return p->s[p->pos];
}

/* The position after `at`, with joined lines skipped. */
static inline uint32_t
pos_after(const struct parser *p, uint32_t at)
{
	at++;
	while (p->s[at] == '\\' && p->s[at + 1] == '\n')
		at += 2;
	return at;
}

/* True at the start of <( or >( . */
static inline bool
at_process(const struct parser *p, uint32_t at)
{
	return (p->s[at] == '<' || p->s[at] == '>') && p->s[pos_after(p, at)] == '(';
}

/* True at the start of a word. */
static inline bool
at_word(const struct parser *p)
{
	return !char_is(p->s[p->pos], CH_BREAK) || at_process(p, p->pos);
}

/* Skip blanks and a comment. Return the next byte (0..255) or an error. */
int skip_blanks(struct parser *p);
/* Also skip newlines, and read the bodies of here-documents there. */
int skip_newlines(struct parser *p);
/* Read bytes up to one of class `stop`, without joined lines, and advance `pos`. */
int run_read(struct parser *p, unsigned stop, struct str *ret);
/* The reserved word at `pos`, if it is a whole word; *ret_end is the position after it. */
enum reserved reserved_at(struct parser *p, uint32_t *ret_end);
/* The reserved word with this text, or RES_NONE. */
enum reserved reserved_find(struct str word);
/* Skip the reserved word `which`, or fail with `why`. */
int reserved_take(struct parser *p, enum reserved which, const char *why);
int dialect_only_bash(struct parser *p, size_t at, const char *why);

/* Make the source end at `at`; window_close() restores it. */
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

/* How quotes and expansions behave in a context. */
enum {
	CX_QUOTED = 1,   /* the parts are quoted */
	CX_DOUBLE = 2,   /* backslash and ' behave as inside "..." */
	CX_PAIRED = 4,   /* ' does not quote, but bash still pairs it */
	CX_ANSI = 8,     /* $'..' and $".." quote */
	CX_HEREDOC = 16, /* text of a here-document, where " is literal */
	CX_NESTED = 32,  /* inside a ${ } or (( )) that is inside "..." */
	CX_PROCESS = 64, /* <( ) is a substitution */
	CX_DOUBT = 128,  /* bash versions differ on whether ' quotes here */
};
#define CX_WORD (CX_ANSI | CX_PROCESS)

enum {
	WORD_PLAIN = 0,
	WORD_REGEX = 1,   /* right of =~ */
	WORD_PATTERN = 2, /* right of == and != in [[ ]]: extended globs */
};

/* Create a word without parts; counts against LIMIT_WORDS. */
int word_new(struct parser *p, struct word **ret);
/* Read the word at `pos` (see at_word). */
int word_read(struct parser *p, unsigned flags, struct word **ret);
/* Read the rest of a word, up to the first byte that ends it. */
int word_parts(struct parser *p, unsigned flags, struct parts *out);
int word_finish(struct parser *p, uint32_t start, struct parts *parts, struct word **ret);

int part_add(struct parser *p, struct parts *out, enum part_kind kind, bool quoted,
    uint32_t start, struct part **ret);
int part_text(
    struct parser *p, struct parts *out, bool quoted, struct str text, uint32_t start);
/* Add the source between two positions as text, unless it is empty. */
int part_slice(
    struct parser *p, struct parts *out, bool quoted, uint32_t from, uint32_t to);

/* The text of a word that is a single unquoted text part, else .p is NULL. */
struct str word_plain(const struct word *w);
bool str_is_name(struct str s);

/* ---- quote.c, ansi.c ------------------------------------------------------ */

int quote_single(struct parser *p, unsigned cx, struct parts *out);
int quote_double(struct parser *p, unsigned cx, struct parts *out);
int quote_escape(struct parser *p, unsigned cx, struct parts *out);
/* Read the text of "..." up to the quote, or of a here-document up to the end of the
 * window. */
int quote_text(struct parser *p, unsigned cx, bool strip, struct parts *out);
/* Read a ' that pairs but does not quote; accept it if both readings agree. */
int quote_paired(struct parser *p, unsigned cx, struct parts *out);
int quote_ansi(struct parser *p, uint32_t start, struct parts *out);

/* ---- group.c -------------------------------------------------------------- */

struct group {
	char open, close; /* counted; open may be 0 */
	char split;       /* unless 0, also stop here outside of all parentheses */
	bool parens;      /* ( ) protect `split` */
	unsigned cx;
};

/* Read parts up to the closing byte and stop before it. Return that byte or an error. */
int group_read(struct parser *p, const struct group *g, struct parts *out);
/* Read the [subscript] of a variable: from after the [ to after the ]. */
int subscript_read(struct parser *p, unsigned cx, struct word **ret);

/* ---- dollar.c, param.c, subst.c, arith.c ---------------------------------- */

int dollar_read(struct parser *p, unsigned cx, struct parts *out);
int param_read(struct parser *p, unsigned cx, struct param **ret);
int backquote_read(struct parser *p, unsigned cx, struct parts *out);
int process_read(struct parser *p, struct parts *out);
/* Read $( from after the (; unless 0, `must_end` is the position of its ). */
int command_sub_read(
    struct parser *p, unsigned cx, uint32_t start, uint32_t must_end, struct parts *out);
/* Read $(( from after both (. */
int arith_sub_read(struct parser *p, unsigned cx, uint32_t start, struct parts *out);
/* Read $[ from after the [. */
int arith_old_read(struct parser *p, unsigned cx, uint32_t start, struct parts *out);
/* Read (( from after both (. If it is not arithmetic, *ret is NULL and `pos` is lost. */
int arith_command_read(struct parser *p, struct word **ret);
/* Read for (( from after both (. */
int arith_for_read(struct parser *p, struct node *n);

/* Saved state, to parse (( again as two subshells. */
struct retry {
	uint32_t pos, words, commands, heredocs, first_heredoc, last_heredoc, retried;
	size_t used;
};
struct retry retry_mark(const struct parser *p);
int retry_from(struct parser *p, const struct retry *r);
/* Find the ) of the ( before `pos`, then return to the saved state. */
int paren_end(struct parser *p, const struct retry *again, uint32_t *ret_end);

/* ---- redir.c, heredoc.c, assign.c ----------------------------------------- */

/* True at the start of a redirection, except {var}>. */
bool at_redir(struct parser *p);
int redir_read(struct parser *p, struct redir **ret);
/* If the word is {var} directly before < or >, read the redirection; else *ret is NULL. */
int redir_var_read(struct parser *p, const struct word *w, struct redir **ret);
/* Read all redirections after a compound command; any clears reserved_ok. */
int redirs_read(struct parser *p, struct redir **ret);
/* Read the bodies of all pending here-documents; `pos` is at the start of a line. */
int heredoc_bodies(struct parser *p);
int heredoc_begin(struct parser *p, struct redir *r, bool strip);

/*
 * Read an assignment or a word before the command name: exactly one of *ret_assign and
 * *ret_word is set. `arrays`: bash accepts =( ) and [ ] here.
 */
int assign_or_word(
    struct parser *p, bool arrays, struct assign **ret_assign, struct word **ret_word);
/* Read name=( as an argument of a declaration builtin; else *ret is NULL. */
int assign_argument(struct parser *p, struct assign **ret);

/* ---- simple.c, compound.c, cond.c, list.c --------------------------------- */

int simple_read(struct parser *p, struct node **ret);
int function_read(struct parser *p, struct node **ret); /* after `function` */
int function_body(struct parser *p, uint32_t start, struct str name, struct node **ret);
/* Read the compound command that begins with this reserved word, and its redirections. */
int compound_read(struct parser *p, enum reserved which, uint32_t end, struct node **ret);
bool reserved_opens(enum reserved which);
int paren_read(struct parser *p, struct node **ret); /* ( or (( */
int case_read(struct parser *p, struct node *n);
int cond_read(struct parser *p, struct node *n);
int node_new(struct parser *p, enum node_kind kind, uint32_t start, struct node **ret);
int list_read(struct parser *p, struct list **ret);
/* Like list_read(), but an empty list is an error. */
int list_needed(struct parser *p, struct list **ret);
