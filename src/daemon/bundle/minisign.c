#include "daemon/bundle/minisign.h"
#include <sodium.h>

/* The parts of the files in their order. */
struct key_bytes {
	uint8_t algorithm[2], id[MINISIGN_ID], key[32];
};

struct signature_bytes {
	uint8_t algorithm[2], id[MINISIGN_ID], signature[MINISIGN_SIGNATURE];
};

struct secret_inner {
	uint8_t id[MINISIGN_ID], key[64], sum[32];
};

struct secret_bytes {
	uint8_t algorithm[2], kdf[2], check[2], salt[32], ops[8], memory[8];
	struct secret_inner inner;
};

/* Limit for the password hash: a key that asks for more memory is an attack. */
#define KDF_MEMORY_MAX ((uint64_t)2 << 30)
#define KDF_OPS_MAX ((uint64_t)1 << 28)

static const struct str untrusted = STR_INIT("untrusted comment: ");
static const struct str trusted = STR_INIT("trusted comment: ");

bool
minisign_init(void)
{
	return sodium_init() >= 0;
}

/* ---- lines */

static struct str
take_line(struct str *text)
{
	size_t n = str_find(*text, '\n');
	struct str line = str_cut(*text, 0, n);

	*text = str_skip(*text, n + 1);
	if (line.n && line.p[line.n - 1] == '\r')
		line.n--;
	return line;
}

static int
refuse(struct err *reterr, const char *why)
{
	return err_at(reterr, CORDON_EINVAL, 0, why);
}

static bool
decode(struct str line, void *ret, size_t n)
{
	const char *end = NULL;
	size_t got = 0;

	return sodium_base642bin(ret, n, line.p, line.n, NULL, &got, &end,
		   sodium_base64_VARIANT_ORIGINAL) == 0 &&
	       got == n && end == line.p + line.n;
}

static void
put_base64(struct buf *b, const void *bytes, size_t n)
{
	char text[sodium_base64_ENCODED_LEN(
	    sizeof(struct secret_bytes), sodium_base64_VARIANT_ORIGINAL)];

	(void)sodium_bin2base64(
	    text, sizeof text, bytes, n, sodium_base64_VARIANT_ORIGINAL);
	buf_puts(b, text);
	buf_putc(b, '\n');
	sodium_memzero(text, sizeof text);
}

/* Return the second of two lines; the first is a comment. */
static int
take_body(struct str text, void *ret, size_t n, struct err *reterr)
{
	struct str first = take_line(&text), second = take_line(&text);

	if (!str_starts(first, untrusted) || text.n)
		return refuse(reterr, "not a minisign file");
	return decode(second, ret, n) ? 0 : refuse(reterr, "its second line is damaged");
}

/* ---- reading */

int
minisign_read_key(struct str text, struct minisign_key *ret, struct err *reterr)
{
	struct key_bytes bytes;
	int err = take_body(text, &bytes, sizeof bytes, reterr);

	if (err)
		return err;
	if (memcmp(bytes.algorithm, "Ed", 2) != 0)
		return refuse(reterr, "unknown kind of key");
	memcpy(ret->id, bytes.id, sizeof ret->id);
	memcpy(ret->key, bytes.key, sizeof ret->key);
	return 0;
}

int
minisign_read_signature(struct str text, struct minisign_signature *ret, struct err *reterr)
{
	struct minisign_signature s = { 0 };
	struct signature_bytes bytes;
	struct str first = take_line(&text), second = take_line(&text);
	struct str third = take_line(&text), fourth = take_line(&text);

	if (!str_starts(first, untrusted) || !str_starts(third, trusted) || text.n)
		return refuse(reterr, "not a minisign signature");
	if (!decode(second, &bytes, sizeof bytes))
		return refuse(reterr, "its second line is damaged");
	if (!decode(fourth, s.comment_signature, sizeof s.comment_signature))
		return refuse(reterr, "its fourth line is damaged");
	s.hashed = memcmp(bytes.algorithm, "ED", 2) == 0;
	if (!s.hashed && memcmp(bytes.algorithm, "Ed", 2) != 0)
		return refuse(reterr, "unknown kind of signature");
	memcpy(s.id, bytes.id, sizeof s.id);
	memcpy(s.signature, bytes.signature, sizeof s.signature);
	s.comment = str_skip(third, trusted.n);
	*ret = s;
	return 0;
}

static uint64_t
little(const uint8_t p[static 8])
{
	uint64_t n = 0;

	for (size_t i = 8; i > 0; i--)
		n = n << 8 | p[i - 1];
	return n;
}

/* Decrypt the inner part with the password. */
static int
open_inner(struct secret_bytes *bytes, struct str password, struct err *reterr)
{
	uint8_t stream[sizeof bytes->inner], *inner = (uint8_t *)&bytes->inner;
	uint64_t ops = little(bytes->ops), memory = little(bytes->memory);

	if (bytes->kdf[0] == 0 && bytes->kdf[1] == 0)
		return 0;
	if (memcmp(bytes->kdf, "Sc", 2) != 0 || memory > KDF_MEMORY_MAX ||
	    ops > KDF_OPS_MAX)
		return refuse(reterr, "unknown kind of secret key");
	if (!password.p)
		return err_at(reterr, CORDON_EREFUSED, 0, "the key has a password");
	if (crypto_pwhash_scryptsalsa208sha256(stream, sizeof stream, password.p,
		password.n, bytes->salt, ops, (size_t)memory))
		return err_at(
		    reterr, CORDON_ENOMEM, 0, "not enough memory to check the password");
	for (size_t i = 0; i < sizeof stream; i++)
		inner[i] ^= stream[i];
	sodium_memzero(stream, sizeof stream);
	return 0;
}

static void
sum_of(const struct secret_bytes *bytes, uint8_t ret[static 32])
{
	crypto_generichash_state state;

	crypto_generichash_init(&state, NULL, 0, 32);
	crypto_generichash_update(&state, bytes->algorithm, sizeof bytes->algorithm);
	crypto_generichash_update(&state, bytes->inner.id, sizeof bytes->inner.id);
	crypto_generichash_update(&state, bytes->inner.key, sizeof bytes->inner.key);
	crypto_generichash_final(&state, ret, 32);
}

int
minisign_read_secret(
    struct str text, struct str password, struct minisign_secret *ret, struct err *reterr)
{
	struct secret_bytes bytes;
	uint8_t sum[32];
	int err = take_body(text, &bytes, sizeof bytes, reterr);

	if (!err &&
	    (memcmp(bytes.algorithm, "Ed", 2) != 0 || memcmp(bytes.check, "B2", 2) != 0))
		err = refuse(reterr, "unknown kind of secret key");
	if (!err)
		err = open_inner(&bytes, password, reterr);
	if (!err) {
		sum_of(&bytes, sum);
		/* minisign leaves the checksum of a key without a password empty. */
		if (sodium_memcmp(sum, bytes.inner.sum, sizeof sum) &&
		    !(bytes.kdf[0] == 0 && sodium_is_zero(bytes.inner.sum, sizeof sum)))
			err = err_at(reterr, CORDON_EREFUSED, 0,
			    "wrong password, or the key is damaged");
	}
	if (!err) {
		memcpy(ret->id, bytes.inner.id, sizeof ret->id);
		memcpy(ret->key, bytes.inner.key, sizeof ret->key);
	}
	sodium_memzero(&bytes, sizeof bytes);
	return err;
}

/* ---- signatures */

/* Compute what is signed: the digest of the bytes. */
static void
digest_of(struct str bytes, uint8_t ret[static 64])
{
	(void)crypto_generichash(ret, 64, (const uint8_t *)bytes.p, bytes.n, NULL, 0);
}

/* Concatenate signature and trusted comment in memory from libsodium. */
static uint8_t *
join(const uint8_t signature[static MINISIGN_SIGNATURE], struct str comment)
{
	uint8_t *all = sodium_malloc(MINISIGN_SIGNATURE + comment.n);

	if (!all)
		return NULL;
	memcpy(all, signature, MINISIGN_SIGNATURE);
	if (comment.n)
		memcpy(all + MINISIGN_SIGNATURE, comment.p, comment.n);
	return all;
}

int
minisign_verify(const struct minisign_key *key, const struct minisign_signature *s,
    struct str bytes, struct err *reterr)
{
	uint8_t digest[64], *all;
	bool good;

	if (memcmp(key->id, s->id, sizeof key->id) != 0)
		return err_at(reterr, CORDON_EREFUSED, 0, "it is signed by another key");
	digest_of(bytes, digest);
	good = s->hashed ? crypto_sign_verify_detached(
			       s->signature, digest, sizeof digest, key->key) == 0
			 : crypto_sign_verify_detached(s->signature,
			       (const uint8_t *)bytes.p, bytes.n, key->key) == 0;
	if (!good)
		return err_at(reterr, CORDON_EREFUSED, 0,
		    "the signature does not match: the file was changed");
	all = join(s->signature, s->comment);
	good = all && crypto_sign_verify_detached(s->comment_signature, all,
			  MINISIGN_SIGNATURE + s->comment.n, key->key) == 0;
	sodium_free(all);
	return good ? 0
		    : err_at(reterr, CORDON_EREFUSED, 0, "the trusted comment was changed");
}

void
minisign_sign(struct buf *out, const struct minisign_secret *secret, struct str bytes,
    struct str comment)
{
	struct signature_bytes s = { .algorithm = { 'E', 'D' } };
	uint8_t digest[64], global[MINISIGN_SIGNATURE], *all;

	memcpy(s.id, secret->id, sizeof s.id);
	digest_of(bytes, digest);
	crypto_sign_detached(s.signature, NULL, digest, sizeof digest, secret->key);
	all = join(s.signature, comment);
	if (!all) {
		out->full = true;
		return;
	}
	crypto_sign_detached(
	    global, NULL, all, MINISIGN_SIGNATURE + comment.n, secret->key);
	sodium_free(all);
	buf_put(out, untrusted);
	buf_puts(out, "signature of cordon's rules\n");
	put_base64(out, &s, sizeof s);
	buf_put(out, trusted);
	buf_put(out, comment);
	buf_putc(out, '\n');
	put_base64(out, global, sizeof global);
}

/* ---- keys */

void
minisign_make(struct buf *out_public, struct buf *out_secret)
{
	struct secret_bytes secret = { .algorithm = { 'E', 'd' }, .check = { 'B', '2' } };
	struct key_bytes public = { .algorithm = { 'E', 'd' } };

	randombytes_buf(secret.inner.id, sizeof secret.inner.id);
	crypto_sign_keypair(public.key, secret.inner.key);
	memcpy(public.id, secret.inner.id, sizeof public.id);
	sum_of(&secret, secret.inner.sum);
	buf_put(out_public, untrusted);
	buf_puts(out_public, "public key of cordon's rules ");
	minisign_put_id(out_public, public.id);
	buf_putc(out_public, '\n');
	put_base64(out_public, &public, sizeof public);
	buf_put(out_secret, untrusted);
	buf_puts(out_secret, "secret key of cordon's rules, without a password\n");
	put_base64(out_secret, &secret, sizeof secret);
	sodium_memzero(&secret, sizeof secret);
}

void
minisign_forget(struct minisign_secret *secret)
{
	sodium_memzero(secret, sizeof *secret);
}

void
minisign_put_id(struct buf *b, const uint8_t id[static MINISIGN_ID])
{
	static const char digits[] = "0123456789ABCDEF";

	/* minisign shows the id as a number, last byte first. */
	for (size_t i = MINISIGN_ID; i > 0; i--) {
		buf_putc(b, digits[id[i - 1] >> 4]);
		buf_putc(b, digits[id[i - 1] & 15]);
	}
}
