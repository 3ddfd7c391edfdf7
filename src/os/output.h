/* os/output.h: answers on standard output, messages on standard error. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "os/process.h"

/* The name that messages begin with: cordon or cordond.  Each program defines it. */
const char *program_name(void);

/* Write all of `s`; false: errno says why. */
bool write_all(int fd, struct str s);
/* Write to standard output; returns 0, or EXIT_INTERNAL after a message. */
int put_out(struct str s);

/* A message is short and must come out when memory is short; one that does not fit ends in
 * dots. */
struct message {
	char mem[1024];
	struct arena arena;
	struct buf text;
};
/* Begin it with program_name(); end it with a newline, on standard error. */
void message_begin(struct message *m);
void message_end(struct message *m);

/* `cordon: WHAT: CAUSE` for an errno, or without the cause for 0; returns EXIT_INTERNAL. */
int internal_error(const char *what, int error);
/* The same with the reason why a function failed, and `more` where it is not empty. */
int internal_error_why(const char *what, const struct err *e, const char *more, int error);
/* `cordon: FILE:LINE:COLUMN: WHY`; returns EXIT_POLICY. */
int file_error(struct str file, struct str text, size_t at, const char *why);

/* `cordon analyse: WHAT 'OBJECT'` and where to find help; returns EXIT_USAGE.  `object`
 * may have a NULL pointer. */
int usage_error(const struct process *cli, const char *what, struct str object);
/* The same; where `meant` is not NULL it asks whether that was meant. */
int usage_error_near(
    const struct process *cli, const char *what, struct str object, const char *meant);

/* Map memory for an arena that lasts until the process ends: two system calls, where malloc
 * would make seven.  False without memory. */
bool arena_map(struct arena *a, size_t limit);
