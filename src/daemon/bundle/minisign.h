/*
 * daemon/bundle/minisign.h: keys and signatures in the format of minisign(1).
 *
 * MUST
 * 1.  Accept a file only in exactly this format: lines, lengths, algorithms, base64.
 * 2.  Accept a signature only if the key whose id it names signed the bytes and the trusted
 *    comment.
 * 3.  Wipe secret keys from memory after use.
 *
 * Compatible with minisign in both directions; the untrusted comment is ignored.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include <stdint.h>

#define MINISIGN_ID 8
#define MINISIGN_SIGNATURE 64
/* Limit for a file of this format. */
#define MINISIGN_FILE ((size_t)8192)

struct minisign_key {
	uint8_t id[MINISIGN_ID];
	uint8_t key[32];
};

struct minisign_secret {
	uint8_t id[MINISIGN_ID];
	uint8_t key[64];
};

struct minisign_signature {
	bool hashed; /* the digest is signed, not the bytes */
	uint8_t id[MINISIGN_ID];
	uint8_t signature[MINISIGN_SIGNATURE];
	struct str comment; /* the trusted comment; points into the file's text */
	uint8_t comment_signature[MINISIGN_SIGNATURE];
};

/* Call first.  Returns false without a source of random numbers. */
bool minisign_init(void);

/* These return 0, or CORDON_EINVAL with the reason. */
int minisign_read_key(struct str text, struct minisign_key *ret, struct err *reterr);
int minisign_read_signature(
    struct str text, struct minisign_signature *ret, struct err *reterr);
/* Opening a key with a password takes a second and much memory.  CORDON_EREFUSED: wrong
 * password. */
int minisign_read_secret(
    struct str text, struct str password, struct minisign_secret *ret, struct err *reterr);

/* Return 0 or CORDON_EREFUSED. */
int minisign_verify(const struct minisign_key *key, const struct minisign_signature *s,
    struct str bytes, struct err *reterr);

/* Print a signature file for `bytes`; `comment` has no newline. */
void minisign_sign(struct buf *out, const struct minisign_secret *secret, struct str bytes,
    struct str comment);
/* Make a new pair of keys as files; the secret one has no password. */
void minisign_make(struct buf *out_public, struct buf *out_secret);
void minisign_forget(struct minisign_secret *secret);
void minisign_put_id(struct buf *b, const uint8_t id[static MINISIGN_ID]);
