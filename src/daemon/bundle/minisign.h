/*
 * daemon/bundle/minisign.h: keys and signatures in the form of minisign(1).
 *
 * MUST
 * 1. Take a file in exactly this form or not at all: lines, lengths, algorithms, base64.
 * 2. Call a signature good only if the bytes and the trusted comment are signed by the key
 *    whose id it names.
 * 3. Leave no secret key in memory that is used again.
 *
 * What minisign signs we verify, and the other way round; the untrusted comment counts for
 * nothing.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include <stdint.h>

#define MINISIGN_ID 8
#define MINISIGN_SIGNATURE 64
/* No file of this form is longer. */
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
	bool hashed; /* the digest of the bytes is signed, not the bytes */
	uint8_t id[MINISIGN_ID];
	uint8_t signature[MINISIGN_SIGNATURE];
	struct str comment; /* the trusted one; points into the file's text */
	uint8_t comment_signature[MINISIGN_SIGNATURE];
};

/* False without a source of random numbers; before anything else. */
bool minisign_init(void);

/* All of them: 0, or CORDON_EINVAL with the reason. */
int minisign_read_key(struct str text, struct minisign_key *ret, struct err *reterr);
int minisign_read_signature(
    struct str text, struct minisign_signature *ret, struct err *reterr);
/* A key with a password takes a second and much memory to open.  CORDON_EREFUSED: the
 * password is another one. */
int minisign_read_secret(
    struct str text, struct str password, struct minisign_secret *ret, struct err *reterr);

/* 0, or CORDON_EREFUSED. */
int minisign_verify(const struct minisign_key *key, const struct minisign_signature *s,
    struct str bytes, struct err *reterr);

/* The file of a signature of `bytes`; `comment` has no newline. */
void minisign_sign(struct buf *out, const struct minisign_secret *secret, struct str bytes,
    struct str comment);
/* A new pair, as files; the secret one has no password. */
void minisign_make(struct buf *out_public, struct buf *out_secret);
void minisign_forget(struct minisign_secret *secret);
void minisign_put_id(struct buf *b, const uint8_t id[static MINISIGN_ID]);
