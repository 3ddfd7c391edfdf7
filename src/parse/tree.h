/*
 * parse/tree.h: the syntax tree.
 *
 * The tree is plain data: parse() builds it once, in the caller's arena, and nothing
 * changes it later. Lists are linked by `next`. A span counts bytes of the source that the
 * tree was parsed from.
 */
#pragma once
#include "base/span.h"
#include "base/str.h"
#include <stdbool.h>
#include <stdint.h>

/* ---- words ------------------------------------------------------------- */

enum part_kind {
	PART_TEXT,    /* bytes, without their quoting */
	PART_PARAM,   /* $x ${x...} */
	PART_COMMAND, /* $(...) and `...` */
	PART_PROCESS, /* <(...) and >(...) */
	PART_ARITH,   /* $((...)) */
	PART_OPAQUE,  /* depends on the locale: \u and \U above 0x7f */
};

enum sub_how {
	SUB_DOLLAR,    /* $( ) */
	SUB_BACKQUOTE, /* ` `: an inner source, see struct sub */
	SUB_IN,        /* <( ) */
	SUB_OUT,       /* >( ) */
};

/* A command or process substitution. */
struct sub {
	enum sub_how how;
	struct list *body; /* may be empty: $() */
	/*
	 * For a backquote: its text after unescaping. The body was parsed from this text,
	 * so its spans count here and not in the outer source.
	 */
	struct str text;
};

/*
 * A word is a chain of parts. A `quoted` part stood inside '..', "..", $'..' or after a
 * backslash: it is not split, and contains no glob, brace or tilde. An empty pair of quotes
 * is a quoted PART_TEXT of no bytes, so '' is one part and a missing word is none.
 */
struct part {
	enum part_kind kind;
	bool quoted;
	struct span at;
	struct part *next;
	union {
		struct str text;     /* PART_TEXT; PART_OPAQUE: its source text */
		struct param *param; /* PART_PARAM */
		struct sub *sub;     /* PART_COMMAND, PART_PROCESS */
		struct word *arith;  /* PART_ARITH: the expression as parts */
	};
};

struct word {
	struct part *parts;
	struct span at;
	struct word *next;
	/*
	 * An argument of a declaration builtin that is an array assignment: declare a=(1
	 * 2). `parts` is then empty.
	 */
	struct assign *assign;
};

enum param_op {
	PARAM_PLAIN,     /* $x ${x} ${x[i]} */
	PARAM_LENGTH,    /* ${#x} */
	PARAM_NAMES,     /* ${!prefix*} ${!prefix@} */
	PARAM_KEYS,      /* ${!a[@]} ${!a[*]} */
	PARAM_DEFAULT,   /* ${x:-arg} ${x-arg} */
	PARAM_ASSIGN,    /* ${x:=arg} ${x=arg} */
	PARAM_ERROR,     /* ${x:?arg} ${x?arg} */
	PARAM_ALTERNATE, /* ${x:+arg} ${x+arg} */
	PARAM_PREFIX,    /* ${x#arg} ${x##arg} */
	PARAM_SUFFIX,    /* ${x%arg} ${x%%arg} */
	PARAM_REPLACE,   /* ${x/arg/arg2} and //, /#, /% */
	PARAM_CASE,      /* ${x^arg} ^^ , ,, ~ ~~ */
	PARAM_SUBSTRING, /* ${x:arg:arg2}: both are arithmetic */
	PARAM_TRANSFORM, /* ${x@Q}: see letter */
};

struct param {
	struct str name; /* a name, digits, or one of @ * # ? - $ ! _ */
	enum param_op op;
	bool indirect; /* ${!x...}, except NAMES and KEYS */
	bool colon;    /* the : of :- := :? :+ */
	bool doubled;  /* ## %% // ^^ ,, ~~ */
	char letter;   /* TRANSFORM: its letter; CASE: ^ , or ~; REPLACE: 0 # or % */
	bool all;      /* the subscript is @ or * */
	bool star;     /* the subscript is *: one word inside quotes */
	struct word *subscript; /* NULL if absent, and with `all` */
	struct word *arg;       /* NULL if absent; empty: a word without parts */
	struct word *arg2;
};

/* ---- assignments and redirections ---------------------------------------- */

struct element {
	struct word *subscript; /* [i]=, or NULL */
	bool append;            /* [i]+= */
	struct word *value;
	struct element *next;
};

struct assign {
	struct str name;
	struct word *subscript; /* a[i]=, or NULL */
	bool append;            /* += */
	bool array;             /* =( ) */
	struct word *value;     /* NULL for an array; for x= a word without parts */
	struct element *elements;
	struct span at;
	struct assign *next;
};

enum redir_op {
	REDIR_IN,          /* <  */
	REDIR_OUT,         /* >  */
	REDIR_CLOBBER,     /* >| */
	REDIR_APPEND,      /* >> */
	REDIR_RDWR,        /* <> */
	REDIR_BOTH,        /* &> */
	REDIR_BOTH_APPEND, /* &>> */
	REDIR_DUP_IN,      /* <& */
	REDIR_DUP_OUT,     /* >& */
	REDIR_HEREDOC,     /* << <<- */
	REDIR_HERESTRING,  /* <<< */
};

struct redir {
	enum redir_op op;
	int fd;                 /* number before the operator, or -1 */
	struct str var;         /* {var}>; .p is NULL if absent */
	struct word *subscript; /* {var[subscript]}> */
	struct word
	    *target; /* the word after the operator; the delimiter of a here-document */
	struct word *body; /* text of a here-document, every part quoted */
	bool inert;        /* here-document with a quoted delimiter: no expansions */
	struct span at;    /* operator and target */
	struct redir *next;
};

/* ---- commands ------------------------------------------------------------ */

enum cond_kind {
	COND_AND,    /* left && right */
	COND_OR,     /* left || right */
	COND_NOT,    /* ! left */
	COND_GROUP,  /* ( left ) */
	COND_UNARY,  /* op a */
	COND_BINARY, /* a op b */
	COND_WORD,   /* a */
};

struct cond {
	enum cond_kind kind;
	struct cond *left, *right;
	struct str op; /* -f == =~ < -eq ... */
	struct word *a, *b;
};

enum case_end {
	CASE_BREAK,     /* ;; or none after the last item */
	CASE_FALL,      /* ;& */
	CASE_TEST_NEXT, /* ;;& */
};

struct case_item {
	struct word *patterns;
	struct list *body; /* may be empty */
	enum case_end end;
	struct case_item *next;
};

/* An if or elif. */
struct branch {
	struct list *cond, *body;
	struct branch *next;
};

enum node_kind {
	NODE_SIMPLE,    /* assigns, words */
	NODE_SUBSHELL,  /* ( body ) */
	NODE_GROUP,     /* { body } */
	NODE_IF,        /* branches, otherwise */
	NODE_FOR,       /* name, words, body */
	NODE_SELECT,    /* name, words, body */
	NODE_ARITH_FOR, /* init, test, step, body */
	NODE_WHILE,     /* cond, body */
	NODE_UNTIL,     /* cond, body */
	NODE_CASE,      /* subject, items */
	NODE_COND,      /* [[ expr ]] */
	NODE_ARITH,     /* (( arith )) */
	NODE_FUNCTION,  /* name, definition */
	NODE_COPROC,    /* name, inner */
};

struct node {
	enum node_kind kind;
	bool pipe_errors; /* |& follows in the pipeline, not | */
	struct span at;   /* with redirections, without a trailing separator */
	struct redir *redirs;
	struct node *next; /* next command of the pipeline */
	union {
		struct {
			struct assign *assigns;
			struct word *words;
		} simple;
		struct list *body; /* SUBSHELL, GROUP */
		struct {
			struct branch *branches;
			struct list *otherwise; /* NULL without else */
		} cond_list;
		struct {
			struct str name;
			struct word *words;
			bool has_in; /* false: the loop runs over "$@" */
			struct list *body;
		} loop; /* FOR, SELECT */
		struct {
			struct word *init, *test, *step; /* each may be empty */
			struct list *body;
		} arith_for;
		struct {
			struct list *cond, *body;
		} repeat; /* WHILE, UNTIL */
		struct {
			struct word *subject;
			struct case_item *items;
		} choice;
		struct cond *expr;  /* COND */
		struct word *arith; /* ARITH: the expression as parts */
		struct {
			struct str name;
			struct node *body; /* a compound command with its redirections */
		} function;
		struct {
			struct str name;    /* default "COPROC" */
			struct node *inner; /* simple or compound */
		} coproc;
	};
};

enum after {
	AFTER_END, /* ; newline or the end of the text */
	AFTER_BACKGROUND,
	AFTER_AND,
	AFTER_OR,
};

struct pipeline {
	struct node *first; /* NULL: a lone ! or time */
	bool negated;       /* an odd number of ! */
	bool timed;
	enum after after; /* the operator before `next` */
	struct span at;
	struct pipeline *next;
};

struct list {
	struct pipeline *first; /* NULL: an empty list */
	struct span at;
};
