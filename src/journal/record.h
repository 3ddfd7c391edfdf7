/*
 * journal/record.h: one record of the journal and its encoding.
 *
 * MUST
 * 1.  Have one encoding: decoding and encoding again gives the same bytes.
 * 2.  Decode any bytes safely; reject everything that is not exactly a record.
 * 3.  Keep header and trailer in place in every version, so that an old program can check
 *    what it cannot read.
 * 4.  Never guess: an unknown mandatory field makes the record unreadable.
 *
 * Opens no file.  doc/PROTOCOL.journal describes the format.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "journal/sha256.h"
#include <stdint.h>

/* Kinds of records; the numbers are part of the format. */
enum record_kind {
	RECORD_START = 1,      /* first record of every file */
	RECORD_SEAL = 2,       /* marks bytes that a killed writer left */
	RECORD_DECISION = 16,  /* a request and its verdict */
	RECORD_ANSWER = 17,    /* a person's answer to an ask */
	RECORD_RUN = 18,       /* the end of a command that ran */
	RECORD_VIOLATION = 19, /* an access that the sandbox refused */
	RECORD_POLICY = 20,    /* a change of rules, trust, sessions or a pause */
};

enum record_flags {
	RECORD_REDACTED = 1, /* a secret was removed from a text */
	RECORD_CUT = 2,      /* a text was cut at its limit */
};

struct record_number {
	bool set;
	uint64_t n;
};

struct record_digest {
	bool set;
	uint8_t b[SHA256_BYTES];
};

/* A record as the caller sets it and a reader gets it.  A text with .p == NULL is absent.
 */
struct record {
	enum record_kind kind;
	uint16_t flags;
	uint64_t sequence; /* set by the journal */
	int64_t time;      /* ns since 1970; 0: now */

	struct str host;    /* the agent */
	struct str session; /* its conversation or session */
	struct str tool;    /* bash, read, write, mcp ... */
	struct str cwd;
	struct str command;
	struct str program;
	struct str op;   /* of a violation or change: write, connect, trust ... */
	struct str path; /* of a file tool, violation or rules file */
	struct str gate;
	struct str rule; /* layer:file:line */
	struct str reason;
	struct str outcome; /* accepted once, exit 0, timed out ... */
	struct str detail;  /* further data, one JSON object */

	struct record_number verdict; /* enum verdict */
	struct record_number hard;    /* 1: no approval overrides it */
	struct record_number about;   /* sequence of the record that this one follows */
	struct record_number pid;
	struct record_number exit, signal; /* of a run */
	struct record_number wall_ms;
	struct record_number count;  /* of a violation */
	struct record_digest policy; /* digest of the effective policy */

	/* RECORD_START: number of this file, oldest kept file, and the chain of the last
	 * record in the previous file. */
	struct record_number file, oldest;
	struct record_digest previous;
	/* RECORD_SEAL: the bytes of the file that are no record. */
	struct record_number at, size;
	struct record_digest digest;

	uint8_t chain[SHA256_BYTES]; /* set by record_decode */
};

/* Bytes before the fields, and after them: chain and checksum. */
#define RECORD_HEADER ((size_t)24)
#define RECORD_TRAILER ((size_t)(SHA256_BYTES + 4))
/* Larger than all fields at their limits. */
#define RECORD_MAX ((size_t)512 << 10)

const char *record_kind_name(enum record_kind kind); /* NULL for an unknown kind */
bool record_kind_find(struct str name, enum record_kind *ret);

/*
 * Encode `r` in the arena, with space for the trailer; sequence, time, chain and checksum
 * stay open.  Cuts and flags texts over their limit.  CORDON_ENOMEM; CORDON_EINVAL for an
 * unknown kind.
 */
int record_encode(
    struct arena *a, const struct record *r, struct str *ret, struct err *reterr);
/* Fill in the open parts of `body` and set *ret_chain. */
void record_finish(struct str body, uint64_t sequence, int64_t time,
    const uint8_t previous[static SHA256_BYTES], uint8_t ret_chain[static SHA256_BYTES]);

/* The fields that every version has in the same place. */
struct record_head {
	uint64_t sequence;
	uint8_t version, kind;
	uint8_t chain[SHA256_BYTES];
};

/* Check length and checksum of `body`.  CORDON_EINVAL with the reason. */
int record_check(struct str body, struct record_head *ret, struct err *reterr);
/* Compute the chain of `body` after `previous`. */
void record_chain(struct str body, const uint8_t previous[static SHA256_BYTES],
    uint8_t ret[static SHA256_BYTES]);
/* Decode a record; its texts point into `body`.  CORDON_EINVAL also for an unknown
 * version or field; the record may still be complete. */
int record_decode(struct str body, struct record *ret, struct err *reterr);
/* The same for a body that record_check has accepted. */
int record_decode_whole(struct str body, const struct record_head *head, struct record *ret,
    struct err *reterr);

/* Copy a record and its texts, so that it outlives `body`. */
struct record record_copy(struct arena *a, const struct record *r);

/* ---- frames: a body without zero bytes, followed by a zero byte */

/* Maximum length of a body's frame. */
size_t frame_room(size_t body);
/* Write the frame with its zero byte to `out`; return its length. */
size_t frame_put(struct str body, char *out);
/* Decode `frame` (without its zero byte) into `out`, which has space for frame.n bytes.
 * Return false if it is no frame. */
bool frame_take(struct str frame, char *out, size_t *ret_n);

/* ---- output */

/* Print 2026-11-15T07:00:00Z, optionally with nine digits of a fraction. */
void record_put_time(struct buf *b, int64_t time, bool fraction);
void record_put_hex(struct buf *b, const uint8_t *p, size_t n);
/* Print one JSON object with all keys, without a newline. */
void record_put_json(struct buf *b, const struct record *r);
/* Print one line: time, sequence, kind, verdict, command, reason; without a newline. */
void record_put_line(struct buf *b, const struct record *r);
