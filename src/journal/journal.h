/*
 * journal/journal.h: the append-only journal: files of records in one directory.
 *
 * MUST
 * 1. Hand back success only when the whole record was taken by one write(), made under
 *    the lock; everything else is an error, which the caller turns into a deny.
 * 2. Never change a byte that is in the file: bytes that a killed writer left are closed
 *    by a seal behind them, not cut off.
 * 3. Use only a directory and files that this user owns and nobody else may read or
 *    write; never follow a link to them; check the open descriptor, not the name.
 * 4. Let no secret reach the disk that redact.h knows, whoever calls.
 * 5. Find every record that was altered, removed, moved or put in, if another one of the
 *    chain follows it; against a head that somebody else saw, also the last ones.
 * 6. Wait for the lock no longer than the caller says.
 * 7. Begin a new file with the head of the old one, so that rotation breaks no chain.
 *
 * No environment is read here.  doc/PROTOCOL.journal is the format in words.
 */
#pragma once
#include "journal/record.h"

#define JOURNAL_NAME "journal"
/* What every file begins with; the zero byte that ends the string ends it there, too. */
#define JOURNAL_MAGIC "cordon journal 1\n"
/* A file that grows beyond this is closed and numbered. */
#define JOURNAL_FILE_BYTES ((uint64_t)16 << 20)
/* So many of them are kept, the newest; together 1 GiB. */
#define JOURNAL_FILES 64
/* How long to wait for other writers. */
#define JOURNAL_WAIT_MS 5000
/* No file of ours is larger; another is not read. */
#define JOURNAL_FILE_MAX ((size_t)1 << 30)
/* Longer names of the directory are refused: they would cost every hook a page of stack. */
#define JOURNAL_PATH_MAX 1024
/* What an append needs of an arena at most, the record's own texts not counted. */
#define JOURNAL_SCRATCH (5 * RECORD_MAX)

/* 0 in a field stands for the values above. */
struct journal_opts {
	uint64_t file_bytes;
	uint32_t files;
	uint32_t wait_ms;
	bool read_only; /* nothing is made, and nothing can be appended */
};

struct journal {
	int dir;
	uint32_t uid; /* who we are: the owner that every file must have */
	struct journal_opts opts;
};

/* Where a chain stands: the newest record. */
struct journal_head {
	uint64_t sequence;
	uint8_t chain[SHA256_BYTES];
};

/*
 * Opens the directory `path`, made with mode 0700 (and those above it) if it is missing.
 * CORDON_EIO with a static reason, and the cause in errno (0 if it is no system call that
 * failed); CORDON_EINVAL for a name that no directory can have.
 */
int journal_open(struct journal *j, struct str path, const struct journal_opts *opts,
    struct err *reterr);
/* The same below a descriptor of the caller's, which stays its own. */
int journal_open_at(struct journal *j, int dir, struct str name,
    const struct journal_opts *opts, struct err *reterr);
void journal_close(struct journal *j); /* takes a zeroed or closed one */
#define cleanup_journal __attribute__((cleanup(journal_close)))

/*
 * Appends `r`, redacted, and sets *ret (which may be NULL) to the new head.  0 means that
 * the record is in the file.  CORDON_EIO (errno as above), CORDON_ENOMEM, CORDON_EINVAL.
 * What it takes of the arena is given back.
 */
int journal_append(struct journal *j, struct arena *scratch, const struct record *r,
    struct journal_head *ret, struct err *reterr);

/* ---- the bytes of one file */

struct journal_tail {
	bool found; /* there is a whole record */
	struct journal_head head;
	uint64_t end;    /* behind its zero byte, or where that must come */
	bool open;       /* the zero byte is missing: only that */
	bool only_start; /* it is the file's first */
};

/*
 * The last whole record of `bytes`, which are the end of a file from `from` on.  Bytes
 * behind ret->end are what a killed writer left.  Returns false when the beginning of the
 * file is needed to know, or memory is missing; never when `from` is 0 and there is enough.
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
	uint64_t number; /* 0: the one that grows, or a bad one */
	bool bad;        /* set aside: there was no whole record in it */
	int fd;          /* so that a rename makes no difference */
};

struct journal_list {
	struct journal_name *v;
	size_t n;
};

/* No files: an empty list. */
int journal_list(
    struct journal *j, struct arena *a, struct journal_list *ret, struct err *reterr);
void journal_list_done(struct journal_list *l);
#define cleanup_journal_list __attribute__((cleanup(journal_list_done)))

/* All bytes that the file has when no write is going on. */
int journal_read(struct journal *j, const struct journal_name *name,
    struct journal_file *ret, struct err *reterr);
/* The same from a byte on, and no more than `most`; nothing when the file is shorter. */
int journal_read_part(struct journal *j, const struct journal_name *name, uint64_t from,
    uint64_t most, struct journal_file *ret, struct err *reterr);
/* The same for any file, by path; owner and mode are not asked. */
int journal_read_path(struct str path, struct journal_file *ret, struct err *reterr);

/* The record that ends at or before `*at`, going backward; `*at` becomes its beginning.
 * False when there is none.  Bytes that are no record, or one that this program cannot
 * read, are passed over.  The record lives in `a`. */
bool journal_previous(struct arena *a, struct str bytes, size_t *at, struct record *ret);

/*
 * The whole record at or behind `*at`, going forward; `*at` becomes the byte behind it, and
 * *ret_begin where it begins.  False when there is none that is ended: `*at` is then behind
 * the last zero byte, so that a later call may go on from there.  The body lives in `a`.
 */
bool journal_next(struct arena *a, struct str bytes, size_t *at, size_t *ret_begin,
    struct str *ret_body, struct record_head *ret);

enum journal_fault_kind {
	FAULT_MAGIC, /* the file does not begin as a journal */
	FAULT_START, /* its first record is none that starts a file, or one comes late */
	FAULT_BYTES, /* bytes that are no record */
	FAULT_TORN,  /* a write that did not end, at the end of the file: not sealed yet */
	FAULT_DAMAGED,   /* sealed bytes that once were a whole record */
	FAULT_SEAL,      /* a seal that does not fit the bytes before it */
	FAULT_CHAIN,     /* does not continue the record before it */
	FAULT_MISSING,   /* sequence numbers are skipped */
	FAULT_ORDER,     /* a sequence number that was there before */
	FAULT_FILE,      /* a whole file is missing, or one was set aside */
	FAULT_HEAD,      /* the head that was seen is not here */
	FAULT_ABSENT,    /* there is no journal */
	NOTE_SEALED,     /* a write that did not end, sealed: nobody was told it had */
	NOTE_UNREADABLE, /* whole, but from a newer program */
	NOTE_OLDER,      /* files before this one were removed by rotation */
};

struct journal_fault {
	enum journal_fault_kind kind;
	struct str file;
	uint64_t offset, size; /* which bytes */
	uint64_t sequence;     /* of the record there, or the last before it */
	uint64_t count;        /* FAULT_MISSING: how many */
	const char *why;
};

bool journal_fault_is_note(enum journal_fault_kind kind);
const char *journal_fault_name(enum journal_fault_kind kind);
/* What it means, as a sentence. */
const char *journal_fault_text(enum journal_fault_kind kind);

/* A check that goes on over several files, oldest first. */
struct journal_verify {
	void (*tell)(void *context, const struct journal_fault *fault);
	void *context;
	struct arena *scratch; /* needs 2 * RECORD_MAX */
	bool has_seen;         /* somebody else saw this head */
	struct journal_head seen;
	/* Heads that were seen, by rising sequence; those before the oldest record that is
	 * kept cannot be looked for any more. */
	const struct journal_head *heads;
	size_t heads_n;

	/* Results; zero before. */
	bool started; /* some record was there */
	struct journal_head head;
	uint64_t records, bytes, files, faults, notes;
	uint64_t first, number, oldest; /* numbers of files: first given, newest, kept */
	bool seen_found;
	size_t heads_at; /* those before it were passed */
	bool lost; /* the record before is not known: its follower cannot be checked */
};

/* `number` as in the name; 0 when the name has none. */
void journal_verify_file(
    struct journal_verify *v, struct str name, uint64_t number, struct str bytes);
/* When all files were given: what only shows at the end.  `all` of them were. */
void journal_verify_end(struct journal_verify *v, bool all);
/* All of a directory, and the end. */
int journal_verify(
    struct journal *j, struct arena *a, struct journal_verify *v, struct err *reterr);
