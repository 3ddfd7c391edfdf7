/*
 * journal/record.h: one record of the journal, and the bytes that it is.
 *
 * MUST
 * 1. Encode to one form only: what decodes is, encoded again, the same bytes.
 * 2. Decode any bytes without harm, and refuse what is not exactly a record.
 * 3. Keep the header and the trailer where they are in every version, so that an old
 *    program can still check what it cannot read.
 * 4. Never guess: a field that must be understood and is not makes the record unreadable.
 *
 * Nothing here touches a file.  doc/PROTOCOL.journal is the format in words.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "journal/sha256.h"
#include <stdint.h>

/* The kinds that people may rely on; the numbers are in the file and stay. */
enum record_kind {
	RECORD_START = 1,      /* the first of every file */
	RECORD_SEAL = 2,       /* closes bytes that a killed writer left behind */
	RECORD_DECISION = 16,  /* what was asked, and the verdict */
	RECORD_ANSWER = 17,    /* what a person said to an ask */
	RECORD_RUN = 18,       /* what became of a command that ran */
	RECORD_VIOLATION = 19, /* what the sandbox refused */
	RECORD_POLICY = 20,    /* rules, trust, sessions, a pause: what changed */
};

enum record_flags {
	RECORD_REDACTED = 1, /* a secret was taken out of a text */
	RECORD_CUT = 2,      /* a text was longer than its limit, and only begins here */
};

struct record_number {
	bool set;
	uint64_t n;
};

struct record_digest {
	bool set;
	uint8_t b[SHA256_BYTES];
};

/* What a caller sets, and what a reader gets.  A text with a NULL pointer is absent. */
struct record {
	enum record_kind kind;
	uint16_t flags;
	uint64_t sequence; /* given by the journal */
	int64_t time;      /* ns since 1970; 0: the journal takes its own clock */

	struct str host;    /* the agent that asked */
	struct str session; /* its session */
	struct str tool;    /* bash, read, write, mcp ... */
	struct str cwd;
	struct str command;
	struct str program;
	struct str op;   /* of a violation or a change: write, connect, trust ... */
	struct str path; /* of a file tool, a violation or a rules file */
	struct str gate;
	struct str rule; /* layer:file:line */
	struct str reason;
	struct str outcome; /* accepted once, exit 0, timed out ... */
	struct str detail;  /* more, as one JSON object */

	struct record_number verdict; /* enum verdict */
	struct record_number hard;    /* 1: no approval lifts it */
	struct record_number about;   /* the sequence of the record that this one follows */
	struct record_number pid;
	struct record_number exit, signal; /* of a run: the status, or the signal */
	struct record_number wall_ms;
	struct record_number count;  /* of a violation */
	struct record_digest policy; /* the effective one */

	/* Of RECORD_START: the number of this file, the oldest that is kept, and the
	 * chain of the last record of the file before. */
	struct record_number file, oldest;
	struct record_digest previous;
	/* Of RECORD_SEAL: which bytes of the file are none of its records. */
	struct record_number at, size;
	struct record_digest digest;

	uint8_t chain[SHA256_BYTES]; /* set by record_decode */
};

/* Bytes before the fields, and behind them: chain and checksum. */
#define RECORD_HEADER ((size_t)24)
#define RECORD_TRAILER ((size_t)(SHA256_BYTES + 4))
/* More than all fields at their limits. */
#define RECORD_MAX ((size_t)512 << 10)

const char *record_kind_name(enum record_kind kind); /* NULL for one it does not know */
bool record_kind_find(struct str name, enum record_kind *ret);

/*
 * The body of `r` in the arena, with room for the trailer; sequence, time, chain and
 * checksum are still open.  A text beyond its limit is cut, and flagged.
 * CORDON_ENOMEM, CORDON_EINVAL for a kind that does not exist.
 */
int record_encode(
    struct arena *a, const struct record *r, struct str *ret, struct err *reterr);
/* Fills what is open in `body`, which becomes its final form, and sets *ret_chain. */
void record_finish(struct str body, uint64_t sequence, int64_t time,
    const uint8_t previous[static SHA256_BYTES], uint8_t ret_chain[static SHA256_BYTES]);

/* What every version has in the same place. */
struct record_head {
	uint64_t sequence;
	uint8_t version, kind;
	uint8_t chain[SHA256_BYTES];
};

/* Is `body` whole: length, checksum?  CORDON_EINVAL with the reason if not. */
int record_check(struct str body, struct record_head *ret, struct err *reterr);
/* The chain that `body` has if it stands behind `previous`. */
void record_chain(struct str body, const uint8_t previous[static SHA256_BYTES],
    uint8_t ret[static SHA256_BYTES]);
/* The record; its texts point into `body`.  CORDON_EINVAL also for a version or a field
 * that this program does not know: then the record may still be whole. */
int record_decode(struct str body, struct record *ret, struct err *reterr);
/* The same of a body that record_check has found whole, and what it said. */
int record_decode_whole(struct str body, const struct record_head *head, struct record *ret,
    struct err *reterr);

/* ---- frames: a body without zero bytes, and a zero byte behind it */

/* How long the frame of a body can become. */
size_t frame_room(size_t body);
/* Writes the frame, its zero byte included, to `out`; returns its length. */
size_t frame_put(struct str body, char *out);
/* The body of `frame` (without its zero byte) into `out`, which has room for frame.n
 * bytes; false when it is no frame. */
bool frame_take(struct str frame, char *out, size_t *ret_n);

/* ---- for people and programs */

/* 2026-11-15T07:00:00Z, with a fraction of nine digits if wanted. */
void record_put_time(struct buf *b, int64_t time, bool fraction);
void record_put_hex(struct buf *b, const uint8_t *p, size_t n);
/* One JSON object, all keys always there, no newline. */
void record_put_json(struct buf *b, const struct record *r);
/* One line of text: time, sequence, kind, verdict, command, why; no newline. */
void record_put_line(struct buf *b, const struct record *r);
