/* cli/cli.h: what the subcommands share: their table, options, messages and output. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/near.h"
#include "base/str.h"
#include "os/clock.h"
#include "os/output.h"
#include "os/process.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The subcommands.  Each is a page in src/cli/help/ and a function cmd_NAME(); the table is
 * made from the pages, so that it cannot forget one.
 */
#include "commands.h"
const char *command_name(size_t number); /* NULL behind the last */
/* Usage, a sentence, an empty line, and the rest. */
struct str command_page(size_t number);
/* What stands before and behind the list of them. */
struct str command_intro(void);
struct str command_end(void);
int command_run(size_t number, const struct process *cli, int argc, char **argv);

/* One option.  A flag sets the bool, a value the str; a value is given once. */
struct opt {
	const char *name; /* with its dashes */
	bool *flag;
	struct str *value;
};

/* One that may be given several times, each time with a value. */
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
    const struct process *cli, int argc, char **argv, const struct opt *opts, size_t count);

struct opts_result opts_read_many(const struct process *cli, int argc, char **argv,
    const struct opt *opts, size_t count, const struct opt_many *many, size_t many_count);

/* The one operand that must be there, or .p NULL after a message. */
struct str opts_operand(const struct process *cli, int argc, char **argv, int at);

/*
 * Becomes cordond, with the same words from the subcommand on; cordond lies beside cordon,
 * or in libexec/cordon.  Returns only after a message.
 */
int hand_over(const struct process *cli, int argc, char **argv);

/* Both return what put_out does. */
int help_print(void);
int help_print_one(const char *name);
