/* cli/log/cmd_log.h: shared by the verbs of `cordon log`. */
#pragma once
#include "cli/cli.h"
#include "journal/journal.h"

/* The parsed command line. */
struct log_request {
	bool json;
	struct str dir;
	struct str count, verdict, session, kind; /* tail */
	struct str head, heads;                   /* verify */
};

/*
 * Read the options of a verb from one table; `takes` lists those it has, each with a NUL
 * after it.  See opts_read().
 */
struct opts_result log_options(const struct process *cli, int argc, char **argv,
    const char *takes, struct log_request *ret);

/* Open the journal for reading.  Return 0, EXIT_NOT_OK if there is none, or a status
 * after an error message. */
int log_open(const struct process *cli, const struct log_request *q, struct journal *j);
/* Print `cordon: WHAT: CAUSE` and return a status. */
int log_error(const char *what, const struct err *e);

/* cmd_log_tail.c, cmd_log_verify.c: `argv` starts with the verb. */
int log_tail(const struct process *cli, int argc, char **argv, struct arena *a);
int log_verify(const struct process *cli, int argc, char **argv, struct arena *a);

/* cmd_log_heads.c: heads recorded elsewhere, oldest first. */
struct log_heads {
	struct journal_head *v;
	size_t n;
};
/* Read every head from a file; "-" is standard input.  Return 0 or a status after an
 * error message.  A file without any head is an error: it would prove nothing. */
int log_read_heads(
    const struct process *cli, struct arena *a, struct str file, struct log_heads *ret);
