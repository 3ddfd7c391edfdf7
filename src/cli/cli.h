/* cli/cli.h: what the subcommands share: their table, options, messages and output. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit statuses that other programs may rely on. */
enum {
	EXIT_OK = 0,
	EXIT_NOT_OK = 1,
	EXIT_CONFINE = 10,
	EXIT_ASK = 11,
	EXIT_DENY = 12,
	EXIT_USAGE = 64,
	EXIT_POLICY = 65, /* a rules file is broken, or cannot be trusted */
	EXIT_INTERNAL = 70,
};

/* What a subcommand knows of its process; nothing below reads the environment. */
struct cli {
	struct str home;  /* $HOME; .p is NULL when it is not set */
	const char *name; /* the subcommand; NULL: none yet */
	char **env;
};

/* The value of a variable; .p is NULL when it is not set. */
struct str cli_env(const struct cli *cli, const char *name);

/*
 * The subcommands.  Each is a page in src/cli/help/ and a function cmd_NAME(); the table is
 * made from the pages, so that it cannot forget one.
 */
#include "commands.h"
const char *command_program(void);       /* cordon; of cordond's table, cordond */
const char *command_name(size_t number); /* NULL behind the last */
/* Usage, a sentence, an empty line, and the rest. */
struct str command_page(size_t number);
/* What stands before and behind the list of them. */
struct str command_intro(void);
struct str command_end(void);
int command_run(size_t number, const struct cli *cli, int argc, char **argv);

/* One option.  A flag sets the bool, a value the str; a value is given once. */
struct opt {
	const char *name; /* with its dashes */
	bool *flag;
	struct str *value;
};

/* One that may be given several times, each time with a value. */
#define OPT_VALUES 32
struct opt_values {
	struct str v[OPT_VALUES];
	size_t n;
};

struct opt_many {
	const char *name;
	struct opt_values *values;
};

struct opts_result {
	bool done; /* nothing is left to do: exit with `status` */
	int status;
	int operand; /* else: where the operands begin */
};

/* Reads the options of `argv`, which begins with the subcommand's name, up to the first
 * operand or `--`.  --help and mistakes are answered here. */
struct opts_result opts_read(
    const struct cli *cli, int argc, char **argv, const struct opt *opts, size_t count);

struct opts_result opts_read_many(const struct cli *cli, int argc, char **argv,
    const struct opt *opts, size_t count, const struct opt_many *many, size_t many_count);

/* The one operand that must be there, or .p NULL after a message. */
struct str opts_operand(const struct cli *cli, int argc, char **argv, int at);

/* `cordon analyse: WHAT 'OBJECT'` and where to find help; returns EXIT_USAGE.  `object`
 * may have a NULL pointer. */
int usage_error(const struct cli *cli, const char *what, struct str object);
/* The same; where `meant` is not NULL it asks whether that was meant. */
int usage_error_near(
    const struct cli *cli, const char *what, struct str object, const char *meant);
/* Whether the two differ by one letter, or by two that changed places. */
bool is_near(struct str a, struct str b);
/* `cordon: WHAT: CAUSE` for an errno, or without the cause for 0; returns EXIT_INTERNAL. */
int internal_error(const char *what, int error);
/* The same with why a function failed, and `more` where it is not empty. */
int internal_error_why(const char *what, const struct err *e, const char *more, int error);
/* `cordon: FILE:LINE:COLUMN: WHY`; returns EXIT_POLICY. */
int file_error(struct str file, struct str text, size_t at, const char *why);

/*
 * Becomes cordond, with the same words from the subcommand on; cordond lies beside cordon,
 * or in libexec/cordon.  Returns only after a message.
 */
int hand_over(const struct cli *cli, int argc, char **argv);

/* An arena that lasts until the process ends: two system calls, where malloc would make
 * seven.  False when there is no memory. */
bool arena_map(struct arena *a, size_t limit);

/* Since 1970.  A plain system call: for one question the kernel's page of time costs more
 * than it saves. */
int64_t now_seconds(void);

/* All of `s`, or false and errno. */
bool write_all(int fd, struct str s);
/* To standard output; returns 0, or EXIT_INTERNAL after a message. */
int put_out(struct str s);

/* Both return what put_out does. */
int help_print(void);
int help_print_one(const char *name);
