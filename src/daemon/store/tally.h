/*
 * daemon/store/tally.h: count records by kind and hour while they are read.
 *
 * Rows are collected here and added to the table `tally` together: a group has many
 * records, and SQLite would sort each.
 */
#pragma once
#include "daemon/store/sql.h"

/* Number of groups; a power of two. */
#define TALLY_SLOTS 2048
/* Memory for their names. */
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

/* Return false if there is no memory. */
bool tally_begin(struct tally *t);
void tally_end(struct tally *t); /* accepts a zeroed one */

/* Return false if it is full; then call tally_put(). */
bool tally_add(struct tally *t, const struct record *r);
/* Add every row to the table with the caller's statement. */
int tally_put(struct tally *t, struct db *d, sqlite3_stmt *s, struct err *reterr);
/* hour, kind, verdict, program, host, n */
extern const char tally_sql[];
