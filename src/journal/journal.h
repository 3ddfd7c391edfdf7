/*
 * journal/journal.h: the append-only journal: files of records in one directory.
 *
 * MUST
 * 1.  Return success only if one write() under the lock took the whole record; everything
 *    else is an error, which the caller turns into a deny.
 * 2.  Never change a byte in the file: seal what a killed writer left, do not truncate it.
 * 3.  Use only a directory and files that this user owns and nobody else can read or write;
 *    never follow a symlink to them; check the open descriptor, not the name.
 * 4.  Write no secret that redact.h recognises, for any caller.
 * 5.  Detect every record that was altered, removed, moved or inserted, if another record
 * of the chain follows it; given a head that was recorded elsewhere, the last ones as well.
 * 6.  Wait for the lock no longer than the caller says.
 * 7.  Start a new file with the head of the old one, so that rotation does not break the
 *    chain.
 *
 * Reads no environment variable.  doc/PROTOCOL.journal describes the format.
 */
#pragma once
#include "journal/record.h"

#define JOURNAL_NAME "journal"
/* First bytes of every file, including the terminating NUL. */
#define JOURNAL_MAGIC "cordon journal 1\n"
/* Rotate a file that grows beyond this. */
#define JOURNAL_FILE_BYTES ((uint64_t)16 << 20)
/* Number of files to keep; together 1 GiB. */
#define JOURNAL_FILES 64
/* Default time to wait for other writers. */
#define JOURNAL_WAIT_MS 5000
/* Limit for reading a file; the journal's own are smaller. */
#define JOURNAL_FILE_MAX ((size_t)1 << 30)
/* Limit for the directory's name: a longer one would cost every hook a page of stack. */
#define JOURNAL_PATH_MAX 1024
/* Memory that an append needs at most, besides the record's own texts. */
#define JOURNAL_SCRATCH (5 * RECORD_MAX)

/* Options; 0 stands for the default above. */
struct journal_opts {
	uint64_t file_bytes;
	uint32_t files;
	uint32_t wait_ms;
	bool read_only; /* create nothing, allow no append */
};

struct journal {
	int dir;
	uint32_t uid; /* required owner of every file */
	struct journal_opts opts;
};

/* The position of a chain: its newest record. */
struct journal_head {
	uint64_t sequence;
	uint8_t chain[SHA256_BYTES];
};

/*
 * Open the directory `path`; create it and its parents with mode 0700 if missing.  Errors:
 * CORDON_EIO with a static reason and the cause in errno (0 if no system call failed);
 * CORDON_EINVAL for a name that no directory can have.
 */
int journal_open(struct journal *j, struct str path, const struct journal_opts *opts,
    struct err *reterr);
/* The same, relative to a descriptor, which the caller keeps. */
int journal_open_at(struct journal *j, int dir, struct str name,
    const struct journal_opts *opts, struct err *reterr);
void journal_close(struct journal *j); /* accepts a zeroed or closed one */
#define cleanup_journal __attribute__((cleanup(journal_close)))

/*
 * Redact and append `r`; set *ret (may be NULL) to the new head. 0 means that the record is
 * in the file.  Errors: CORDON_EIO (errno as above), CORDON_ENOMEM, CORDON_EINVAL. Frees
 * what it takes from the arena.
 */
int journal_append(struct journal *j, struct arena *scratch, const struct record *r,
    struct journal_head *ret, struct err *reterr);

/* ---- the bytes of one file */

struct journal_tail {
	bool found; /* there is a complete record */
	struct journal_head head;
	uint64_t end;    /* offset after its zero byte, or where that is missing */
	bool open;       /* only the zero byte is missing */
	bool only_start; /* it is the first record of the file */
};

/*
 * Find the last complete record in `bytes`, the end of a file from offset `from`.  Bytes
 * after ret->end were left by a killed writer.  Return false if that takes the beginning of
 * the file, or memory runs out.
 */
bool journal_find_tail(
    struct arena *a, struct str bytes, uint64_t from, struct journal_tail *ret);

/* ---- reading and checking */

/* A file in memory. */
struct journal_file {
	struct str name, bytes;
	void *map;
	size_t map_n;
};

void journal_file_done(struct journal_file *f);
#define cleanup_journal_file __attribute__((cleanup(journal_file_done)))

/* The journal's files, oldest first. */
struct journal_name {
	struct str name;
	uint64_t number; /* 0: the current file, or a bad one */
	bool bad;        /* set aside: it had no complete record */
	int fd;          /* kept open, so that a rename does not matter */
};

struct journal_list {
	struct journal_name *v;
	size_t n;
};

/* List the files; none is an empty list. */
int journal_list(
    struct journal *j, struct arena *a, struct journal_list *ret, struct err *reterr);
void journal_list_done(struct journal_list *l);
#define cleanup_journal_list __attribute__((cleanup(journal_list_done)))

/* Read the whole file while nobody writes. */
int journal_read(struct journal *j, const struct journal_name *name,
    struct journal_file *ret, struct err *reterr);
/* The same from an offset, at most `most` bytes; nothing if the file is shorter. */
int journal_read_part(struct journal *j, const struct journal_name *name, uint64_t from,
    uint64_t most, struct journal_file *ret, struct err *reterr);
/* The same for any file by path; owner and mode are not checked. */
int journal_read_path(struct str path, struct journal_file *ret, struct err *reterr);

/* Find the record that ends at or before `*at`, going backward; set `*at` to its start.
 * Return false if there is none.  Skips bytes that are no record and records of unknown
 * versions.  The record lives in `a`. */
bool journal_previous(struct arena *a, struct str bytes, size_t *at, struct record *ret);

/*
 * Find the complete record at or after `*at`; set `*at` to the byte after it and *ret_begin
 * to its start.  Return false if there is none; `*at` is then after the last zero byte, so
 * that a later call can continue there.  The body lives in `a`.
 */
bool journal_next(struct arena *a, struct str bytes, size_t *at, size_t *ret_begin,
    struct str *ret_body, struct record_head *ret);

enum journal_fault_kind {
	FAULT_MAGIC,     /* the file does not start as a journal */
	FAULT_START,     /* the first record is no start record, or another one is */
	FAULT_BYTES,     /* bytes that are no record */
	FAULT_TORN,      /* an unfinished write at the end of the file, not sealed yet */
	FAULT_DAMAGED,   /* sealed bytes that were a complete record */
	FAULT_SEAL,      /* a seal that does not match the bytes before it */
	FAULT_CHAIN,     /* the hash does not continue the record before */
	FAULT_MISSING,   /* sequence numbers are skipped */
	FAULT_ORDER,     /* a sequence number that occurred before */
	FAULT_FILE,      /* a file is missing, or was set aside */
	FAULT_HEAD,      /* the given head is not in the journal */
	FAULT_ABSENT,    /* there is no journal */
	NOTE_SEALED,     /* an unfinished write, sealed: its writer reported no success */
	NOTE_UNREADABLE, /* complete, but from a newer version */
	NOTE_OLDER,      /* rotation removed the files before this one */
};

struct journal_fault {
	enum journal_fault_kind kind;
	struct str file;
	uint64_t offset, size; /* the bytes in question */
	uint64_t sequence;     /* of this record, or the last one before */
	uint64_t count;        /* FAULT_MISSING: how many */
	const char *why;
};

bool journal_fault_is_note(enum journal_fault_kind kind);
const char *journal_fault_name(enum journal_fault_kind kind);
/* Describe a fault in a sentence. */
const char *journal_fault_text(enum journal_fault_kind kind);

/* A check over several files, oldest first. */
struct journal_verify {
	void (*tell)(void *context, const struct journal_fault *fault);
	void *context;
	struct arena *scratch; /* needs 2 * RECORD_MAX */
	bool has_seen;         /* a head was recorded elsewhere */
	struct journal_head seen;
	/* Heads recorded elsewhere, by rising sequence; those older than the oldest kept
	 * record cannot be checked. */
	const struct journal_head *heads;
	size_t heads_n;

	/* Results; zero at the start. */
	bool started; /* there was a record */
	struct journal_head head;
	uint64_t records, bytes, files, faults, notes;
	uint64_t first, number, oldest; /* file numbers: first given, newest, oldest kept */
	bool seen_found;
	size_t heads_at; /* index of the next head to check */
	bool lost;       /* the previous record is unknown, so the next cannot be checked */
};

/* Check one file.  `number` is the one in its name, or 0. */
void journal_verify_file(
    struct journal_verify *v, struct str name, uint64_t number, struct str bytes);
/* Report what shows only at the end.  `all`: every file was given. */
void journal_verify_end(struct journal_verify *v, bool all);
/* Check a whole directory. */
int journal_verify(
    struct journal *j, struct arena *a, struct journal_verify *v, struct err *reterr);
