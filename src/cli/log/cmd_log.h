/* cli/log/cmd_log.h: what the verbs of `cordon log` share. */
#pragma once
#include "cli/cli.h"
#include "journal/journal.h"

/* What the command line asks for. */
struct log_request {
	bool json;
	struct str dir;
	struct str count, verdict, session, kind; /* of tail */
	struct str head, heads;                   /* of verify */
};

/*
 * The options of every verb, in one table; `takes` are the names of those that this one
 * has, each with a zero byte behind it.  Answers --help and mistakes; see opts_read().
 */
struct opts_result log_options(const struct process *cli, int argc, char **argv,
    const char *takes, struct log_request *ret);

/* Opens it for reading.  0, EXIT_NOT_OK when there is no journal, or a status after a
 * message. */
int log_open(const struct process *cli, const struct log_request *q, struct journal *j);
/* `cordon: WHAT: CAUSE`; returns a status. */
int log_error(const char *what, const struct err *e);

/* cmd_log_tail.c, cmd_log_verify.c: `argv` begins with the verb. */
int log_tail(const struct process *cli, int argc, char **argv, struct arena *a);
int log_verify(const struct process *cli, int argc, char **argv, struct arena *a);

/* cmd_log_heads.c: heads that somebody else saw; oldest first. */
struct log_heads {
	struct journal_head *v;
	size_t n;
};
/* Every word of the file that is a head; "-" is standard input.  0, or a status after a
 * message: none at all is one, because nothing to compare with is no proof. */
int log_read_heads(
    const struct process *cli, struct arena *a, struct str file, struct log_heads *ret);
