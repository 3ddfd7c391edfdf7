/* know/know.h: what programs do with their arguments. The data is in the folder know/ at
 * the top. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include "know/field.h"
#include <stdbool.h>
#include <stdint.h>

/* In ascending rank; unknown has no rank. */
enum know_class {
	CLASS_UNKNOWN,
	CLASS_READ,
	CLASS_WRITE,
	CLASS_NETWORK,
	CLASS_EXEC,
	CLASS_DESTROY,
	CLASS_ADMIN,
};

enum know_role {
	ROLE_DATA,
	ROLE_LIST,
	ROLE_READ,
	ROLE_WRITE,
	ROLE_APPEND,
	ROLE_EDIT,
	ROLE_TRUNCATE,
	ROLE_CREATE,
	ROLE_DELETE,
	ROLE_DELETE_TREE,
	ROLE_MOVE,
	ROLE_LINK_TARGET,
	ROLE_CHDIR,
	ROLE_EXEC_FILE,
	ROLE_CMD,
	ROLE_SHELL,
	ROLE_SHELL_WORDS,
	ROLE_REMOTE_SHELL,
	ROLE_REMOTE_CMD,
	ROLE_CODE,
	ROLE_ASSIGN,
	ROLE_URL,
	ROLE_HOST,
	ROLE_REMOTE_READ,
	ROLE_REMOTE_WRITE,
	ROLE_KEY_SHELL,
	ROLE_READ_NAMES,
};

enum know_handler {
	HANDLER_NONE,
	HANDLER_ENV,
	HANDLER_XARGS,
	HANDLER_FIND,
	HANDLER_SHELL,
	HANDLER_GIT,
	HANDLER_SED,
	HANDLER_AWK,
	HANDLER_TAR,
	HANDLER_CODE,
	HANDLER_BUILTIN,
	HANDLER_FD,
};

struct know_node; /* a program or a subcommand; static, read-only */
struct know_option;

/* Find a program by base name; NULL if the table does not have it. */
const struct know_node *know_program(struct str name);
enum know_handler know_handler(const struct know_node *node);
enum know_class know_node_class(const struct know_node *node);
/* The class with the network access that the node always needs, before any argument raises
 * it. */
enum know_class know_node_base(const struct know_node *node);
/* The class that an option raises the command to; CLASS_UNKNOWN: it does not. */
enum know_class know_option_class(const struct know_option *option);
/*
 * Find the option in a word that may have a value attached, but is not a cluster: --file=x,
 * -Dx=y, -5 for -n 5. *ret_value is the value; .p is NULL without one.
 */
const struct know_option *know_option_spelt(
    const struct know_node *node, struct str word, struct str *ret_value);
/* True for -5 and -12. Programs that accept these read one option, not a cluster. */
bool know_is_number(struct str word);
/* True for options such as -f x or -fx. */
bool know_option_takes_value(const struct know_option *option);
/* The i-th spelling of an option, from 0; empty after the last. */
struct str know_option_name(const struct know_option *option, size_t i);
/* Find the option with this spelling (with dashes, without value), or NULL. */
const struct know_option *know_option(const struct know_node *node, struct str spelling);

#pragma GCC visibility push(hidden)
/* Lists from know/words.json: each word after a byte with its length, 0 at the end. */
extern const char know_verbs[];         /* subcommands that remove something */
extern const char know_foreign_verbs[]; /* know_verbs for unknown programs */
extern const char know_outward[];       /* words that mean that data is sent out */
extern const char know_verb_options[];
extern const char know_calls[]; /* calls in code for an interpreter; sorted */
extern const uint16_t
    know_call_firsts[];             /* 1 + the offset of the calls with this first byte */
extern const char know_launchers[]; /* calls that start the program they are given */
extern const char know_readers[];   /* calls that read the file they are given */
extern const char know_fetchers[];  /* names in code that connects to the addresses in it */
extern const char know_connectors[]; /* calls that are given a host name */
extern const char know_privilege[];  /* programs that raise privileges */
extern const char know_hosts[];      /* program, host set, program, host set ... */
extern const char know_aliases[];    /* see know_aliases_of() */
#pragma GCC visibility pop

/* Return the word at *at and advance; empty at the end. */
static inline struct str
know_list_next(const char **at)
{
	struct str word = str_of(*at + 1, (unsigned char)**at);

	*at = word.p + word.n;
	return word;
}

static inline bool
know_list_has(const char *list, struct str word)
{
	for (struct str one; (one = know_list_next(&list)).n > 0;)
		if (str_eq(one, word))
			return true;
	return false;
}

/* The host set (@npm) that a program connects to by default; .p is NULL if unknown. */
struct str know_hosts_of(struct str program);

/*
 * Aliases of a program's subcommands, as pairs of alias and canonical name: npm i is
 * install. An alias may be two words with a blank: docker "container run" is run. A
 * canonical name is never an alias. Empty if there are none.
 */
struct str know_aliases_of(struct str program);
bool know_next_alias(struct str *list, struct str *other, struct str *name);
/* True if `-abc` is a cluster of options, not the name of one. */
bool know_has_clusters(const struct know_node *node);
/* True if words with a dash are options, not operands. */
bool know_has_options(const struct know_node *node);

const char *know_class_name(enum know_class class);
const char *know_role_name(enum know_role role);
/* True if the role changes, creates or removes a file. */
bool know_role_writes(enum know_role role);

/*
 * One word, or a part of one, and its meaning for the program. `-o f` gives two items (the
 * option, then its value), `-of` and `--output=f` one, `-xz` two.
 */
struct know_item {
	const struct know_option *option; /* NULL for an operand */
	/* A flag, or an option before its value. Without `option`: -5, or an unknown
	 * option. */
	bool option_only;
	uint8_t class;       /* class that the word raises the command to, or 0 */
	enum know_role role; /* role of the value or operand; for option_only: data */
	/* The value or operand; its kind may be ONE or MANY. For option_only: the word. */
	struct field value;
	size_t index; /* index of its field in argv */
};

/*
 * An unknown word (MANY, or ONE without known bytes or with only a dash) in the place of an
 * option or subcommand is reported as an operand, and `unsure` is set. After a MANY,
 * operands cannot be counted: each gets the most harmful role it could have. So does an
 * operand if there are too few for a list with "...". An unknown value matches every case
 * that it could.
 */
struct know_scan {
	const struct know_node *node; /* the program, or its innermost subcommand */
	size_t depth;                 /* number of subcommand words */
	size_t *path;                 /* their indices in argv */
	/* The class of the known words; with an unknown option or subcommand never read or
	 * write. */
	enum know_class class;
	/* If `unsure`: the worst class that the unknown words could cause; else `class`. */
	enum know_class worst;
	bool network;
	bool finds; /* may start another program than the one of that name */
	struct know_item *items;
	size_t count;
	/*
	 * For ROLE_CMD, SHELL_WORDS, REMOTE_SHELL, REMOTE_CMD: the first field of the
	 * nested command, which has no items; else argc.
	 */
	size_t rest;
	enum know_role rest_role;
	/* Index of an option that the table does not have, or of an operand too many; or
	 * argc. */
	size_t unknown_option;
	/* Index of a subcommand that the table does not have, all words after it are data;
	 * or argc. */
	size_t unlisted;
	/*
	 * Index of an unknown word that could be an option, a subcommand or several
	 * operands; or argc. The items are then possible, not certain.
	 */
	size_t unsure;
	/* An `only` option was given and everything else is known: no file is written. */
	bool dry;
};

/*
 * Parse argv[1..n) by the grammar of `program`. Every argv has a result, even with unknown
 * words. Return 0, or CORDON_ENOMEM and keep *ret.
 */
int know_scan(struct arena *a, const struct know_node *program, const struct field *argv,
    size_t n, struct know_scan *ret);
