/*
 * daemon/store/store.h: the journal's records in SQLite, to be searched.
 *
 * MUST
 * 1. Hold exactly the whole records of the journal, byte for byte: the rows and the place
 *    up to which the journal was read change in one transaction.
 * 2. Be made anew from the journal whenever it is missing or of another version; never
 *    read a form that it does not know.
 * 3. Follow the chain while it reads, and keep the heads that it saw.
 * 4. Refuse a journal that is not the one it was filled from, and say so.
 * 5. Hand SQL nothing but values that are bound: no text from outside becomes a statement.
 *
 * Searching is exact in its fields and by whole words in its texts; newest first.
 */
#pragma once
#include "journal/journal.h"
#include <sqlite3.h>

/* Below the journal's directory.  A directory of its own, because SQLite keeps files beside
 * its file that belong to it and to no other. */
#define DB_DIR "store"
#define DB_FILE DB_DIR "/records.db"
#define DB_VERSION 2

/* Memory for reading and searching: a body, its texts and one row as text. */
#define DB_SCRATCH (8 * RECORD_MAX)

struct db {
	sqlite3 *sql;
	uint64_t inode; /* of its file: somebody may make the store anew */
	char
	    message[256]; /* what SQLite said, after CORDON_EIO; "" when it was not asked */
	bool fresh;       /* it was made by this call */
	uint64_t batch;   /* records of one transaction; 0: as is best */
};

/* How far the journal was read. */
struct db_place {
	uint64_t file, last, next; /* number; where the last record begins, and the next */
	struct journal_head head;
	int64_t newest; /* the latest time of all */
	int64_t skew;   /* how far a clock went back, at most */
};

struct db_filled {
	uint64_t records, bytes, gaps;
};

/*
 * Opens, or makes, the store below the journal's directory; one of another version, or that
 * cannot be read, is removed first.  CORDON_EIO with the cause in d->message;
 * CORDON_EREFUSED when the file is no store of ours.
 */
int db_open(struct db *d, struct journal *j, struct err *reterr);
/* Removes the store; the next open makes it anew. */
int db_forget(struct journal *j, struct err *reterr);
void db_close(struct db *d); /* takes a zeroed or closed one */
#define cleanup_db __attribute__((cleanup(db_close)))

/*
 * Takes in what the journal has and the store has not.  CORDON_EREFUSED when the journal is
 * not the one that the store was filled from: it was cut or written anew.  CORDON_EUSAGE
 * when the store was made anew meanwhile: open it again.
 */
int db_fill(struct db *d, struct journal *j, struct arena *a, struct db_filled *ret,
    struct err *reterr);
/* 0 and the place; a head with sequence 0: nothing was read yet. */
int db_place(struct db *d, struct db_place *ret, struct err *reterr);

/* ---- searching */

/* A text with a NULL pointer, a number that is not set: any. */
struct db_filter {
	struct record_number kind, verdict, about;
	struct str program, host, session; /* exactly */
	struct str path;                   /* it, or something below it */
	struct str tool, cwd, op;          /* exactly */
	struct str words;                  /* all of them; a final * takes what follows */
	bool has_since, has_until;
	int64_t since, until; /* ns */
	uint64_t before;      /* only smaller sequences; 0: any */
	uint64_t after;       /* only greater ones */
	uint64_t limit;       /* 0: all */
	bool oldest_first;
};

/* False: enough.  The record's texts live until the visitor returns. */
typedef bool db_visitor(void *context, struct str body, const struct record *r);
int db_search(struct db *d, struct arena *a, const struct db_filter *f, db_visitor *each,
    void *context, struct err *reterr);

/* ---- counting */

/* What is counted together; bits. */
enum db_group {
	DB_BY_DAY = 1,
	DB_BY_KIND = 2,
	DB_BY_VERDICT = 4,
	DB_BY_PROGRAM = 8,
	DB_BY_HOST = 16,
	DB_BY_PATH = 32,
	DB_BY_HOUR = 64, /* instead of the day */
};

struct db_count {
	int64_t day; /* or hour: ns of its beginning */
	struct record_number kind, verdict;
	struct str program, host, path; /* .p == NULL: not said */
	uint64_t n;
};

typedef void db_counter(void *context, const struct db_count *c);
/* Of the filter only the times, kind and verdict count; the greatest number first. */
int db_count(struct db *d, unsigned groups, const struct db_filter *f, uint64_t limit,
    db_counter *each, void *context, struct err *reterr);

/* The heads that were seen, oldest first. */
typedef void db_head_visitor(void *context, const struct journal_head *head, int64_t seen);
int db_heads(struct db *d, db_head_visitor *each, void *context, struct err *reterr);

/* ---- when.c: moments as people write them */

/* 2026-11-15, 2026-11-15T07:00[:00][Z], or 30m, 8h, 7d before `now` (ns). */
bool when_read(struct str s, int64_t now, int64_t *ret);
