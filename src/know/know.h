/* know/know.h: what programs do with their arguments.  The data is in the folder know. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include "know/field.h"
#include <stdbool.h>
#include <stdint.h>

/* In the order in which one outranks another; unknown is a thing of its own. */
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

struct know_node; /* a program or one of its subcommands; static, read-only */
struct know_option;

/* By base name; NULL when the table does not know the program. */
const struct know_node *know_program(struct str name);
enum know_handler know_handler(const struct know_node *node);
enum know_class know_node_class(const struct know_node *node);
/* The same with the network that it needs by itself: before any word has raised it. */
enum know_class know_node_base(const struct know_node *node);
/* What an option raises a command to; CLASS_UNKNOWN: nothing. */
enum know_class know_option_class(const struct know_option *option);
/*
 * The option that a word means which may have a value attached, not in a cluster:
 * --file=x, -Dx=y, -5 for -n 5.  *ret_value is that value, .p == NULL: none.
 */
const struct know_option *know_option_spelt(
    const struct know_node *node, struct str word, struct str *ret_value);
/* -5, -12: where the program takes that for an option, it is one and no cluster. */
bool know_is_number(struct str word);
/* -f x, or -fx. */
bool know_option_takes_value(const struct know_option *option);
/* The i-th spelling of an option, from 0, for messages and for rules; empty at the end. */
struct str know_option_name(const struct know_option *option, size_t i);
/* The option of `node` that `spelling` (with its dashes, no value) names, or NULL. */
const struct know_option *know_option(const struct know_node *node, struct str spelling);

#pragma GCC visibility push(hidden)
/* Lists of know/words.json: a byte with its length in front of each word, 0 at the end. */
extern const char know_verbs[];         /* subcommands that take something away */
extern const char know_foreign_verbs[]; /* the same, if nothing is known of the program */
extern const char know_outward[];       /* words that say that something is sent out */
extern const char know_verb_options[];
extern const char know_calls[]; /* in code that is handed to an interpreter; sorted */
extern const uint16_t know_call_firsts[]; /* 1 + where those with this first byte are */
extern const char
    know_launchers[];             /* names of calls that start the program they are given */
extern const char know_readers[]; /* calls that are given a file to read */
extern const char know_fetchers[];   /* names in code that goes to the addresses in it */
extern const char know_connectors[]; /* calls that are given a name of a machine */
extern const char know_privilege[];  /* programs that raise privileges */
extern const char know_hosts[];      /* program, set of hosts, program, set ... */
extern const char know_aliases[];    /* see know_aliases_of */
#pragma GCC visibility pop

/* The word at *at, which then moves on; at the end an empty one. */
static inline struct str
list_next(const char **at)
{
	struct str word = str_of(*at + 1, (unsigned char)**at);

	*at = word.p + word.n;
	return word;
}

static inline bool
list_has(const char *list, struct str word)
{
	for (struct str one; (one = list_next(&list)).n > 0;)
		if (str_eq(one, word))
			return true;
	return false;
}

/* The set of hosts (@npm) that a program goes to by itself; .p == NULL: none is known. */
struct str know_hosts_of(struct str program);

/*
 * Other names of a program's subcommands, and the names by which rules know them, in turn:
 * npm i is install.  One may have two words with a blank between: docker "container run" is
 * run.  No name is among the other names.  Empty: there are none.
 */
struct str know_aliases_of(struct str program);
bool know_next_alias(struct str *list, struct str *other, struct str *name);
/* `-abc` is a cluster of options here, and not the name of one. */
bool know_has_clusters(const struct know_node *node);
/* Words with a dash are options here, and not operands like others. */
bool know_has_options(const struct know_node *node);

const char *know_class_name(enum know_class class);
const char *know_role_name(enum know_role role);
/* A file that is changed, made or taken away. */
bool know_role_writes(enum know_role role);

/*
 * One word, or a part of one, with what the program takes it for.  `-o f` gives
 * two items (the option, then its value), `-of` and `--output=f` one, `-xz` two.
 */
struct know_item {
	const struct know_option *option; /* NULL for an operand */
	/* A flag, or an option before its value; with no `option`: -5, or an unknown one.
	 */
	bool option_only;
	uint8_t class;       /* that the word makes of the command; or 0 */
	enum know_role role; /* of the value or operand; of option_only: data */
	/* The value or operand; its kind may be ONE or MANY.  Of option_only: the word. */
	struct field value;
	size_t index; /* the field of argv it stands in */
};

/*
 * A word that is not known (ONE without a beginning or with a dash, MANY) where
 * an option or subcommand could stand is given as an operand, and `unsure` is
 * set.  Behind a MANY nobody can count: an operand then has the most harmful of
 * the roles that it could have.  So has one where there are too few for a list
 * with "..." in it.  An unknown value counts as matching every case that it could.
 */
struct know_scan {
	const struct know_node *node; /* the program, or its innermost subcommand */
	size_t depth;                 /* how many subcommand words were taken */
	size_t *path;                 /* their places in argv */
	/* Of what is known; with an unknown option or subcommand never read or write. */
	enum know_class class;
	/* If `unsure`: what it may come to, whatever those words are; else the class. */
	enum know_class worst;
	bool network;
	bool finds; /* what it starts need not be the program of that name */
	struct know_item *items;
	size_t count;
	/*
	 * Of ROLE_CMD, SHELL_WORDS, REMOTE_SHELL, REMOTE_CMD: the first field of the
	 * rest, which has no items; else argc.
	 */
	size_t rest;
	enum know_role rest_role;
	/* An option that the table does not have, or an operand too many; or argc. */
	size_t unknown_option;
	/* A subcommand that the table does not have, all behind it is data; or argc. */
	size_t unlisted;
	/*
	 * An unknown word could be an option, a subcommand, or shift the
	 * operands: what the items say is possible, not certain.  Its field, or argc.
	 */
	size_t unsure;
	/* An `only` option was seen, and all else is known: no file is written. */
	bool dry;
};

/*
 * Read argv[1..n) by the grammar of `program`.  Total: every argv has a scan,
 * unknown words included.  Returns 0 or CORDON_ENOMEM; then *ret is untouched.
 */
int know_scan(struct arena *a, const struct know_node *program, const struct field *argv,
    size_t n, struct know_scan *ret);
