/* os/output.h: answers on standard output, messages on standard error. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "os/fd.h"
#include "os/process.h"

/* The program name for messages: cordon or cordond. Each program defines this function. */
const char *program_name(void);

/* Write `s` to standard output. Return 0, or report the error and return EXIT_INTERNAL. */
int put_out(struct str s);

/* A message has a fixed buffer, so that it can report a lack of memory; longer text is cut
 * and ends in "...". */
struct message {
	char mem[1024];
	struct arena arena;
	struct buf text;
};
/* message_begin() puts program_name(); message_end() adds a newline and writes to standard
 * error. */
void message_begin(struct message *m);
void message_end(struct message *m);

/* Print `cordon: WHAT: CAUSE`, without CAUSE if `error` is 0; return EXIT_INTERNAL. */
int internal_error(const char *what, int error);
/* Like internal_error(), with the reason in `e` and, unless empty, `more`. */
int internal_error_why(const char *what, const struct err *e, const char *more, int error);
/* Print `cordon: FILE:LINE:COLUMN: WHY`; return EXIT_POLICY. */
int file_error(struct str file, struct str text, size_t at, const char *why);

/* Print `cordon SUBCOMMAND: WHAT 'OBJECT'` and a hint to --help; return EXIT_USAGE.
 * `object.p` may be NULL. */
int usage_error(const struct process *cli, const char *what, struct str object);
/* Like usage_error(); ask "did you mean" unless `meant` is NULL. */
int usage_error_near(
    const struct process *cli, const char *what, struct str object, const char *meant);

/* Map memory for an arena that lives until the process exits: two system calls instead of
 * malloc's seven. Return false without memory. */
bool arena_map(struct arena *a, size_t limit);
