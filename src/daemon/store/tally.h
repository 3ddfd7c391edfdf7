/*
 * daemon/store/tally.h: how many records of each kind there are in an hour, while they are
 * read.
 *
 * The rows are gathered here and added to the table `tally` in one go: a group has many
 * records, and SQLite would sort them all.
 */
#pragma once
#include "daemon/store/sql.h"

/* Groups that are gathered; a power of two. */
#define TALLY_SLOTS 2048
/* Their names. */
#define TALLY_BYTES ((size_t)256 << 10)

struct tally_row {
	int64_t hour, verdict; /* -1: none */
	uint64_t kind, n;      /* n == 0: free */
	struct str program, host;
};

struct tally {
	struct arena *names;
	struct tally_row *rows;
	size_t used;
};

/* False: no memory. */
bool tally_begin(struct tally *t);
void tally_end(struct tally *t); /* takes a zeroed one */

/* False: there is no room; tally_put() makes some. */
bool tally_add(struct tally *t, const struct record *r);
/* Adds every row to the table; the statement is the caller's. */
int tally_put(struct tally *t, struct db *d, sqlite3_stmt *s, struct err *reterr);
/* hour, kind, verdict, program, host, n */
extern const char tally_sql[];
