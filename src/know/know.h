/* know/know.h: what programs do with their arguments.  The data is know/*.json. */
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
	HANDLER_BUILTIN,
};

struct know_node; /* a program or one of its subcommands; static, read-only */
struct know_option;

/* By base name; NULL when the table does not know the program. */
const struct know_node *know_program(struct str name);
struct str know_name(const struct know_node *node);
enum know_handler know_handler(const struct know_node *node);
enum know_class know_node_class(const struct know_node *node);
/* All spellings of an option, for messages and for rules: i counts from 0; empty at the end. */
struct str know_option_name(const struct know_option *option, size_t i);
/* The option of `node` that `spelling` (with its dashes, no value) names, or NULL. */
const struct know_option *know_option(const struct know_node *node, struct str spelling);

const char *know_class_name(enum know_class class);
const char *know_role_name(enum know_role role);

/* One word, or a part of one, with what the program takes it for. */
struct know_item {
	const struct know_option *option; /* NULL for an operand */
	bool option_only;		  /* a flag, or an option before its value */
	enum know_role role;		  /* of the value or operand */
	struct field value;		  /* the value or operand; its kind may be ONE or MANY */
	size_t index;			  /* the field of argv it stands in */
};

struct know_scan {
	const struct know_node *node; /* the program, or its innermost subcommand */
	size_t depth;		      /* how many subcommand words were taken */
	size_t *path;		      /* their places in argv */
	enum know_class class;
	bool network;
	struct know_item *items;
	size_t count;
	/* Of ROLE_CMD, SHELL_WORDS, REMOTE_*: the first field of the rest; else argc. */
	size_t rest;
	enum know_role rest_role;
	/* An option that the table does not have.  Its field, or argc. */
	size_t unknown_option;
	/*
	 * An unknown word could be an option, a subcommand, or shift the
	 * operands: what the items say is possible, not certain.  Its field, or argc.
	 */
	size_t unsure;
	bool dry; /* an `only` option was seen: no file is written */
};

/*
 * Read argv[1..n) by the grammar of `program`.  Total: every argv has a scan,
 * unknown words included.  Returns 0 or CORDON_ENOMEM.
 */
int know_scan(struct arena *a, const struct know_node *program, const struct field *argv,
    size_t n, struct know_scan *ret);
