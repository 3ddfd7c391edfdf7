#include "base/limits.h"
#include "journal/crc32c.h"
#include "journal/record.h"

#define VERSION 1
/* Prefix of every hash, so that no other use of SHA-256 yields one of ours. */
#define NAMESPACE STR("cordon journal 1\n")
/* Limit for a name, as opposed to a text. */
#define NAME_BYTES 256
/* A reader may skip unknown tags from this value on. */
#define TAG_OPTIONAL 128
#define FIELD_HEADER 5

enum form {
	FORM_TEXT,
	FORM_NUMBER,
	FORM_DIGEST,
};

/* Every field by tag: its place in the struct and its maximum length.  In the file,
 * fields stand in this order, each at most once. */
static const struct record_field {
	uint8_t tag, form;
	uint16_t offset;
	uint32_t max;
} fields[] = {
#define TEXT(tag, name, max)                                                               \
	{                                                                                  \
		tag, FORM_TEXT, offsetof(struct record, name), max                         \
	}
#define NUMBER(tag, name)                                                                  \
	{                                                                                  \
		tag, FORM_NUMBER, offsetof(struct record, name), 8                         \
	}
#define DIGEST(tag, name)                                                                  \
	{                                                                                  \
		tag, FORM_DIGEST, offsetof(struct record, name), SHA256_BYTES              \
	}
	TEXT(1, host, NAME_BYTES),
	TEXT(2, session, NAME_BYTES),
	TEXT(3, tool, NAME_BYTES),
	TEXT(4, cwd, LIMIT_PATH),
	TEXT(5, command, LIMIT_COMMAND),
	TEXT(6, program, LIMIT_PATH),
	TEXT(7, op, NAME_BYTES),
	TEXT(8, path, LIMIT_PATH),
	TEXT(9, gate, NAME_BYTES),
	TEXT(10, rule, 2 * LIMIT_PATH),
	TEXT(11, reason, 2 * LIMIT_PATH),
	TEXT(12, outcome, 2 * LIMIT_PATH),
	TEXT(13, detail, 16 * LIMIT_PATH),
	NUMBER(32, verdict),
	NUMBER(33, hard),
	NUMBER(34, about),
	NUMBER(35, pid),
	NUMBER(36, exit),
	NUMBER(37, signal),
	NUMBER(38, wall_ms),
	NUMBER(39, count),
	DIGEST(64, policy),
	NUMBER(80, file),
	NUMBER(81, oldest),
	DIGEST(82, previous),
	NUMBER(88, at),
	NUMBER(89, size),
	DIGEST(90, digest),
};

#define FIELDS (sizeof fields / sizeof *fields)

static const struct kind {
	enum record_kind kind;
	char name[12];
} kinds[] = {
	{ RECORD_START, "start" },
	{ RECORD_SEAL, "seal" },
	{ RECORD_DECISION, "decision" },
	{ RECORD_ANSWER, "answer" },
	{ RECORD_RUN, "run" },
	{ RECORD_VIOLATION, "violation" },
	{ RECORD_POLICY, "policy" },
};

#define KINDS (sizeof kinds / sizeof *kinds)

struct record
record_copy(struct arena *a, const struct record *r)
{
	struct record c = *r;

	for (size_t i = 0; i < FIELDS && fields[i].form == FORM_TEXT; i++) {
		struct str *text = (struct str *)((char *)&c + fields[i].offset);

		if (text->p)
			*text = arena_copy(a, *text);
	}
	return c;
}

const char *
record_kind_name(enum record_kind kind)
{
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i].kind == kind)
			return kinds[i].name;
	return NULL;
}

bool
record_kind_find(struct str name, enum record_kind *ret)
{
	for (size_t i = 0; i < KINDS; i++)
		if (str_is(name, kinds[i].name)) {
			*ret = kinds[i].kind;
			return true;
		}
	return false;
}

static void
put_little(char *to, uint64_t n, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		to[i] = (char)(uint8_t)(n >> (8 * i));
}

static uint64_t
take_little(const char *from, size_t bytes)
{
	uint64_t n = 0;

	for (size_t i = 0; i < bytes; i++)
		n |= (uint64_t)(uint8_t)from[i] << (8 * i);
	return n;
}

/* ---- out */

/* Return the encoded bytes of a field; .p == NULL if it is absent. */
static struct str
field_bytes(const struct record *r, const struct record_field *f, char number[static 8])
{
	const char *at = (const char *)r + f->offset;
	const struct record_number *n;
	const struct record_digest *d;

	switch ((enum form)f->form) {
	case FORM_TEXT:
		return *(const struct str *)(const void *)at;
	case FORM_NUMBER:
		n = (const void *)at;
		put_little(number, n->n, 8);
		return str_of(n->set ? number : NULL, 8);
	case FORM_DIGEST:
		d = (const void *)at;
		return str_of(d->set ? (const char *)d->b : NULL, sizeof d->b);
	}
	return str_of(NULL, 0);
}

static size_t
encoded_size(const struct record *r)
{
	size_t n = RECORD_HEADER + RECORD_TRAILER;
	char number[8];

	for (size_t i = 0; i < FIELDS; i++) {
		struct str s = field_bytes(r, &fields[i], number);

		if (s.p)
			n += FIELD_HEADER + (s.n > fields[i].max ? fields[i].max : s.n);
	}
	return n;
}

int
record_encode(struct arena *a, const struct record *r, struct str *ret, struct err *reterr)
{
	size_t size = encoded_size(r), n = RECORD_HEADER;
	uint16_t flags = r->flags;
	char number[8], *out;

	if (!record_kind_name(r->kind))
		return err_at(reterr, CORDON_EINVAL, 0, "unknown kind of record");
	out = arena_alloc(a, size);
	if (!out)
		return err_at(reterr, CORDON_ENOMEM, 0, "no memory for a record");
	for (size_t i = 0; i < FIELDS; i++) {
		struct str s = field_bytes(r, &fields[i], number);

		if (!s.p)
			continue;
		if (s.n > fields[i].max) {
			s.n = fields[i].max;
			flags |= RECORD_CUT;
		}
		out[n] = (char)fields[i].tag;
		put_little(out + n + 1, s.n, 4);
		if (s.n)
			memcpy(out + n + FIELD_HEADER, s.p, s.n);
		n += FIELD_HEADER + s.n;
	}
	put_little(out, size, 4);
	out[4] = VERSION;
	out[5] = (char)r->kind;
	put_little(out + 6, flags, 2);
	*ret = str_of(out, size);
	return 0;
}

void
record_chain(struct str body, const uint8_t previous[static SHA256_BYTES],
    uint8_t ret[static SHA256_BYTES])
{
	struct sha256 s;

	sha256_init(&s);
	sha256_put(&s, NAMESPACE);
	sha256_put(&s, str_of((const char *)previous, SHA256_BYTES));
	sha256_put(&s, str_cut(body, 0, body.n - RECORD_TRAILER));
	sha256_done(&s, ret);
}

void
record_finish(struct str body, uint64_t sequence, int64_t time,
    const uint8_t previous[static SHA256_BYTES], uint8_t ret_chain[static SHA256_BYTES])
{
	/* record_encode allocated the body, so it may be written. */
	char *out = (char *)(uintptr_t)body.p;

	put_little(out + 8, sequence, 8);
	put_little(out + 16, (uint64_t)time, 8);
	record_chain(body, previous, ret_chain);
	memcpy(out + body.n - RECORD_TRAILER, ret_chain, SHA256_BYTES);
	put_little(out + body.n - 4, crc32c(str_cut(body, 0, body.n - 4)), 4);
}

/* ---- in */

int
record_check(struct str body, struct record_head *ret, struct err *reterr)
{
	if (body.n < RECORD_HEADER + RECORD_TRAILER)
		return err_at(reterr, CORDON_EINVAL, body.n, "shorter than any record");
	if (body.n > RECORD_MAX || take_little(body.p, 4) != body.n)
		return err_at(reterr, CORDON_EINVAL, 0, "its length is wrong");
	if (take_little(body.p + body.n - 4, 4) != crc32c(str_cut(body, 0, body.n - 4)))
		return err_at(reterr, CORDON_EINVAL, body.n - 4, "checksum does not match");
	ret->version = (uint8_t)body.p[4];
	ret->kind = (uint8_t)body.p[5];
	ret->sequence = take_little(body.p + 8, 8);
	memcpy(ret->chain, body.p + body.n - RECORD_TRAILER, SHA256_BYTES);
	return 0;
}

static const struct record_field *
find_field(uint8_t tag)
{
	for (size_t i = 0; i < FIELDS; i++)
		if (fields[i].tag == tag)
			return &fields[i];
	return NULL;
}

/* Return false if the bytes cannot be this field. */
static bool
set_field(struct record *r, const struct record_field *f, struct str bytes)
{
	char *at = (char *)r + f->offset;
	struct record_digest *d;

	if (f->form == FORM_TEXT ? bytes.n > f->max : bytes.n != f->max)
		return false;
	switch ((enum form)f->form) {
	case FORM_TEXT:
		*(struct str *)(void *)at = bytes;
		break;
	case FORM_NUMBER:
		*(struct record_number *)(void *)at =
		    (struct record_number){ true, take_little(bytes.p, 8) };
		break;
	case FORM_DIGEST:
		d = (void *)at;
		d->set = true;
		memcpy(d->b, bytes.p, sizeof d->b);
		break;
	}
	return true;
}

static int
take_fields(struct str body, struct record *r, struct err *reterr)
{
	size_t at = RECORD_HEADER, end = body.n - RECORD_TRAILER;
	unsigned last = 0;

	while (at < end) {
		uint8_t tag = (uint8_t)body.p[at];
		const struct record_field *f = find_field(tag);
		size_t n;

		if (end - at < FIELD_HEADER)
			return err_at(reterr, CORDON_EINVAL, at, "a field is cut off");
		n = (size_t)take_little(body.p + at + 1, 4);
		if (n > end - at - FIELD_HEADER)
			return err_at(reterr, CORDON_EINVAL, at, "a field is cut off");
		if (tag <= last)
			return err_at(reterr, CORDON_EINVAL, at, "fields out of order");
		if (!f && tag < TAG_OPTIONAL)
			return err_at(reterr, CORDON_EINVAL, at, "an unknown field");
		if (f && !set_field(r, f, str_of(body.p + at + FIELD_HEADER, n)))
			return err_at(
			    reterr, CORDON_EINVAL, at, "a field of the wrong size");
		last = tag;
		at += FIELD_HEADER + n;
	}
	return 0;
}

int
record_decode(struct str body, struct record *ret, struct err *reterr)
{
	struct record_head head;
	int err = record_check(body, &head, reterr);

	return err ? err : record_decode_whole(body, &head, ret, reterr);
}

int
record_decode_whole(
    struct str body, const struct record_head *head, struct record *ret, struct err *reterr)
{
	struct record r = { 0 };
	int err;

	if (head->version != VERSION)
		return err_at(reterr, CORDON_EINVAL, 4, "an unknown version");
	if (!record_kind_name(head->kind))
		return err_at(reterr, CORDON_EINVAL, 5, "an unknown kind");
	r.kind = head->kind;
	r.flags = (uint16_t)take_little(body.p + 6, 2);
	r.sequence = head->sequence;
	r.time = (int64_t)take_little(body.p + 16, 8);
	memcpy(r.chain, head->chain, sizeof r.chain);
	err = take_fields(body, &r, reterr);
	if (err)
		return err;
	if (r.verdict.set && r.verdict.n > 3)
		return err_at(reterr, CORDON_EINVAL, 0, "an unknown verdict");
	*ret = r;
	return 0;
}
