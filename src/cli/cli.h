/* cli/cli.h: shared by the subcommands: table of subcommands, options, help. */
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
 * The subcommands.  Each has a page in src/cli/help/ and a function cmd_NAME(); the table
 * is generated from the pages, so it is always complete.
 */
#include "commands.h"
const char *command_name(size_t number); /* NULL after the last */
/* Usage line, one sentence, an empty line, the details. */
struct str command_page(size_t number);
/* Text before and after the list of subcommands. */
struct str command_intro(void);
struct str command_end(void);
int command_run(size_t number, const struct process *cli, int argc, char **argv);

/* An option.  Exactly one pointer is set. */
struct opt {
	const char *name;          /* including the dashes */
	bool *flag;                /* takes no value */
	struct str *value;         /* takes a value, once */
	struct opt_values *values; /* takes a value, several times */
};
#define OPT_FLAG(text, to) ((struct opt){ .name = (text), .flag = (to) })
#define OPT_VALUE(text, to) ((struct opt){ .name = (text), .value = (to) })
#define OPT_LIST(text, to) ((struct opt){ .name = (text), .values = (to) })

struct opts_result {
	bool done; /* finished: exit with `status` */
	int status;
	int operand; /* otherwise: index of the first operand */
};

/* Read the options of `argv`, which starts with the subcommand's name, up to the first
 * operand or `--`.  Handles --help and usage errors. */
struct opts_result opts_read(
    const struct process *cli, int argc, char **argv, const struct opt *opts, size_t count);

/* Return the only operand, or .p == NULL after an error message. */
struct str opts_operand(const struct process *cli, int argc, char **argv, int at);

/*
 * Exec cordond with the same arguments, from the subcommand on. cordond lies beside cordon
 * or in libexec/cordon.  Returns only after an error message.
 */
int hand_over(const struct process *cli, int argc, char **argv);

/* Both return the result of put_out. */
int help_print(void);
int help_print_one(const char *name);
