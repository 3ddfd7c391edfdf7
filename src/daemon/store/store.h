/*
 * daemon/store/store.h: the journal's records in SQLite, for searching.
 *
 * MUST
 * 1.  Hold exactly the complete records of the journal, byte for byte: rows and read
 * position change in one transaction.
 * 2.  Rebuild itself from the journal if it is missing or of another version; never read an
 *    unknown schema.
 * 3.  Check the chain while reading, and keep the heads.
 * 4.  Refuse a journal that is not the one it was filled from, and report it.
 * 5.  Pass external text to SQL only as bound values.
 *
 * Fields match exactly, texts by whole words; newest first.
 */
#pragma once
#include "journal/journal.h"
#include <sqlite3.h>

/* Below the journal's directory.  A separate directory, because SQLite keeps files beside
 * its own. */
#define DB_DIR "store"
#define DB_FILE DB_DIR "/records.db"
#define DB_VERSION 2

/* Memory for reading and searching: a body, its texts and one printed row. */
#define DB_SCRATCH (8 * RECORD_MAX)

struct db {
	sqlite3 *sql;
	uint64_t inode;    /* of its file: another process may rebuild the store */
	char message[256]; /* SQLite's message after CORDON_EIO; "" if there is none */
	bool fresh;        /* created by this call */
	uint64_t batch;    /* records per transaction; 0: default */
};

/* How far the journal has been read. */
struct db_place {
	uint64_t file, last,
	    next; /* file number; offset of the last record, and of the next */
	struct journal_head head;
	int64_t newest; /* the latest time of all records */
	int64_t skew;   /* the most that the clock went back */
};

struct db_filled {
	uint64_t records, bytes, gaps;
};

/*
 * Open or create the store below the journal's directory; remove one of another version or
 * an unreadable one first.  CORDON_EIO with the cause in d->message; CORDON_EREFUSED if the
 * file is not cordon's.
 */
int db_open(struct db *d, struct journal *j, struct err *reterr);
/* Remove the store; the next open creates it. */
int db_forget(struct journal *j, struct err *reterr);
void db_close(struct db *d); /* accepts a zeroed or closed one */
#define cleanup_db __attribute__((cleanup(db_close)))

/*
 * Add the journal's new records.  CORDON_EREFUSED if the journal is not the one that the
 * store was filled from: it was cut or rewritten.  CORDON_EUSAGE if the store was rebuilt
 * meanwhile: open it again.
 */
int db_fill(struct db *d, struct journal *j, struct arena *a, struct db_filled *ret,
    struct err *reterr);
/* Return 0 and the position; sequence 0: nothing read yet. */
int db_place(struct db *d, struct db_place *ret, struct err *reterr);

/* ---- searching */

/* A text with .p == NULL and an unset number match anything. */
struct db_filter {
	struct record_number kind, verdict, about;
	struct str program, host, session; /* exact */
	struct str path;                   /* this path or anything below it */
	struct str tool, cwd, op;          /* exact */
	struct str words; /* all of them; a final * matches any continuation */
	bool has_since, has_until;
	int64_t since, until; /* ns */
	uint64_t before;      /* only smaller sequences; 0: all */
	uint64_t after;       /* only greater sequences */
	uint64_t limit;       /* 0: all */
	bool oldest_first;
};

/* Return false to stop.  The record's texts live until the visitor returns. */
typedef bool db_visitor(void *context, struct str body, const struct record *r);
int db_search(struct db *d, struct arena *a, const struct db_filter *f, db_visitor *each,
    void *context, struct err *reterr);

/* ---- counting */

/* Fields to group by; bits. */
enum db_group {
	DB_BY_DAY = 1,
	DB_BY_KIND = 2,
	DB_BY_VERDICT = 4,
	DB_BY_PROGRAM = 8,
	DB_BY_HOST = 16,
	DB_BY_PATH = 32,
	DB_BY_HOUR = 64, /* instead of by day */
};

struct db_count {
	int64_t day; /* or hour: its start in ns */
	struct record_number kind, verdict;
	struct str program, host, path; /* .p == NULL: not given */
	uint64_t n;
};

typedef void db_counter(void *context, const struct db_count *c);
/* Of the filter only times, kind and verdict count; largest number first. */
int db_count(struct db *d, unsigned groups, const struct db_filter *f, uint64_t limit,
    db_counter *each, void *context, struct err *reterr);

/* Visit the recorded heads, oldest first. */
typedef void db_head_visitor(void *context, const struct journal_head *head, int64_t seen);
int db_heads(struct db *d, db_head_visitor *each, void *context, struct err *reterr);

/* ---- when.c: times as people write them */

/* 2026-11-15, 2026-11-15T07:00[:00][Z], or 30m, 8h, 7d before `now` (ns). */
bool when_read(struct str s, int64_t now, int64_t *ret);
