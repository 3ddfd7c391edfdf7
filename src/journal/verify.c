#include "journal/journal.h"

static const struct {
	bool note;
	char name[12], text[124];
} names[] = {
	[FAULT_MAGIC] = { false, "magic", "the file does not start like a journal" },
	[FAULT_START] = { false, "start",
	    "a start record is missing, was inserted or moved: each file has "
	    "one, at its start" },
	[FAULT_BYTES] = { false, "bytes",
	    "bytes that are no record: a record was altered or damaged, or "
	    "bytes were inserted" },
	[FAULT_TORN] = { false, "torn",
	    "unfinished write: the next writer will seal it; if no writer was "
	    "killed, the file was cut" },
	[FAULT_DAMAGED] = { false, "damaged",
	    "a complete record was damaged; the next writer sealed it" },
	[FAULT_SEAL] = { false, "seal",
	    "a seal does not match the bytes before it: they were altered" },
	[FAULT_CHAIN] = { false, "chain",
	    "the record does not continue the one before it: one of them was altered or "
	    "replaced" },
	[FAULT_MISSING] = { false, "missing", "records are missing before this one" },
	[FAULT_ORDER] = { false, "order",
	    "the record is a duplicate or out of order: it was copied or moved" },
	[FAULT_FILE] = { false, "file",
	    "a file of the journal is missing or was set aside" },
	[FAULT_HEAD] = { false, "head",
	    "the given newest record is not here: the end was cut off, or the "
	    "chain was rewritten" },
	[FAULT_ABSENT] = { false, "absent", "no record at all" },
	[NOTE_SEALED] = { true, "sealed",
	    "a writer was killed during its write, which was sealed; it "
	    "reported no success" },
	[NOTE_UNREADABLE] = { true, "unreadable",
	    "the record is complete, but from a newer version" },
	[NOTE_OLDER] = { true, "older", "older files were removed by rotation" },
};

bool
journal_fault_is_note(enum journal_fault_kind kind)
{
	return names[kind].note;
}

const char *
journal_fault_name(enum journal_fault_kind kind)
{
	return names[kind].name;
}

const char *
journal_fault_text(enum journal_fault_kind kind)
{
	return names[kind].text;
}

/* Bytes between two complete records, or after the last. */
struct region {
	bool open;
	size_t begin;
	bool whole; /* part of it was a complete record, or cannot be part of one */
	bool empty; /* the previous part was empty */
	const char *why;
};

struct verify_walk {
	struct journal_verify *v;
	struct str name, bytes;
	uint64_t number;
	struct region region;
	uint64_t records; /* in this file */
};

static void
tell_count(struct verify_walk *w, enum journal_fault_kind kind, size_t offset, size_t size,
    uint64_t sequence, uint64_t count, const char *why)
{
	struct journal_fault fault = { kind, w->name, offset, size, sequence, count, why };

	if (names[kind].note)
		w->v->notes++;
	else
		w->v->faults++;
	if (w->v->tell)
		w->v->tell(w->v->context, &fault);
}

static void
tell(struct verify_walk *w, enum journal_fault_kind kind, size_t offset, size_t size,
    uint64_t sequence, const char *why)
{
	tell_count(w, kind, offset, size, sequence, 0, why);
}

/* Could `body` be the start of a record whose write did not finish? */
static bool
is_piece(struct str body, bool taken)
{
	uint32_t length = 0;

	if (!taken || body.n < 4)
		return true;
	for (size_t i = 0; i < 4; i++)
		length |= (uint32_t)(uint8_t)body.p[i] << (8 * i);
	return length > body.n;
}

static void
region_add(
    struct verify_walk *w, size_t begin, struct str frame, bool piece, const char *why)
{
	struct region *r = &w->region;

	if (!r->open)
		*r = (struct region){ .open = true, .begin = begin, .why = why };
	/* A cut seal may leave one extra zero byte; more of them are a block that never
	 * reached the disk. */
	if (!piece || (frame.n == 0 && r->empty))
		r->whole = true;
	r->empty = frame.n == 0;
}

static bool
seal_fits(struct verify_walk *w, const struct record *seal, size_t end)
{
	size_t begin = w->region.begin;
	uint8_t digest[SHA256_BYTES];
	struct sha256 s;

	if (!seal->at.set || !seal->size.set || !seal->digest.set || seal->at.n != begin ||
	    seal->size.n != end - begin)
		return false;
	sha256_init(&s);
	sha256_put(&s, str_cut(w->bytes, begin, end));
	sha256_done(&s, digest);
	return memcmp(digest, seal->digest.b, sizeof digest) == 0;
}

/* A complete record starts at `at`: classify the bytes before it. */
static void
region_close(struct verify_walk *w, const struct record *r, size_t at)
{
	struct region *g = &w->region;
	bool seal = r->kind == RECORD_SEAL;
	/* One zero byte ends the region; the writer of the seal added it. */
	size_t end = at - 1, size = end - g->begin;

	if (!g->open) {
		if (seal)
			tell(w, FAULT_SEAL, at, 0, r->sequence, "no record before it");
		return;
	}
	if (seal && seal_fits(w, r, end)) {
		tell(w, g->whole ? FAULT_DAMAGED : NOTE_SEALED, g->begin, size, r->sequence,
		    g->why);
	} else {
		tell(w, seal ? FAULT_SEAL : FAULT_BYTES, g->begin, size, r->sequence,
		    g->why);
		w->v->lost = true;
	}
	g->open = false;
}

/* Check which file the first record says it belongs to. */
static void
check_start(struct verify_walk *w, const struct record *r, size_t at)
{
	struct journal_verify *v = w->v;
	bool fits = r->kind == RECORD_START && r->file.set && r->previous.set;

	if (!fits || (w->number && r->file.n != w->number)) {
		tell(w, FAULT_START, at, 0, r->sequence, "not the start of this file");
		v->lost = true;
	}
	if (!fits)
		return;
	if (v->number && r->file.n != v->number + 1)
		tell(w, FAULT_FILE, at, 0, r->sequence, "the previous file is missing");
	if (v->first == 0)
		v->first = r->file.n;
	v->number = r->file.n;
	v->oldest = r->oldest.set ? r->oldest.n : 0;
	if (!v->started) {
		memcpy(v->head.chain, r->previous.b, sizeof v->head.chain);
		v->head.sequence = r->sequence - 1;
		v->started = true;
	}
}

/* Report given heads that fall between two records or have another chain. */
static void
check_heads(struct verify_walk *w, const struct record *r)
{
	struct journal_verify *v = w->v;

	for (; v->heads_at < v->heads_n; v->heads_at++) {
		const struct journal_head *head = &v->heads[v->heads_at];

		if (head->sequence > r->sequence)
			return;
		if (v->records == 0 && head->sequence < r->sequence)
			continue;
		if (head->sequence < r->sequence ||
		    memcmp(head->chain, r->chain, sizeof r->chain) != 0)
			tell(w, FAULT_HEAD, 0, 0, head->sequence, NULL);
	}
}

static void
check_chain(struct verify_walk *w, const struct record *r, struct str body, size_t at)
{
	struct journal_verify *v = w->v;
	uint64_t next = v->head.sequence + 1;
	uint8_t chain[SHA256_BYTES];
	bool fits;

	record_chain(body, v->head.chain, chain);
	fits = memcmp(chain, r->chain, sizeof chain) == 0;
	if (v->started && r->sequence < next)
		tell(w, FAULT_ORDER, at, 0, r->sequence, NULL);
	else if (v->lost)
		;
	else if (r->sequence > next)
		tell_count(w, FAULT_MISSING, at, 0, r->sequence, r->sequence - next, NULL);
	else if (!fits)
		tell(w, FAULT_CHAIN, at, 0, r->sequence, NULL);
	v->lost = false;
	v->started = true;
	v->head.sequence = r->sequence;
	memcpy(v->head.chain, r->chain, sizeof r->chain);
	check_heads(w, r);
	if (v->has_seen && v->seen.sequence == r->sequence &&
	    memcmp(v->seen.chain, r->chain, sizeof r->chain) == 0)
		v->seen_found = true;
}

static void
check_record(
    struct verify_walk *w, struct str body, const struct record_head *head, size_t at)
{
	struct err e = { 0 };
	struct record r = { 0 };

	if (record_decode(body, &r, &e)) {
		r = (struct record){ .kind = head->kind, .sequence = head->sequence };
		memcpy(r.chain, head->chain, sizeof r.chain);
		tell(w, NOTE_UNREADABLE, at, 0, r.sequence, e.why);
	}
	region_close(w, &r, at);
	if (w->records == 0)
		check_start(w, &r, at);
	else if (r.kind == RECORD_START)
		tell(w, FAULT_START, at, 0, r.sequence, "not the first record of its file");
	check_chain(w, &r, body, at);
	w->records++;
	w->v->records++;
}

/* Check the frame at `at`; `ended`: its zero byte is there. */
static void
check_frame(struct verify_walk *w, size_t at, struct str frame, bool ended)
{
	struct arena *a = w->v->scratch;
	size_t used = a->used, n = 0;
	struct record_head head;
	struct err e = { .why = "not a frame" };
	bool fits = frame.n <= frame_room(RECORD_MAX), taken;
	char *out = fits ? arena_alloc(a, frame.n) : NULL;

	taken = out && frame_take(frame, out, &n);
	if (taken && record_check(str_of(out, n), &head, &e) == 0) {
		check_record(w, str_of(out, n), &head, at);
		if (!ended)
			tell(w, FAULT_TORN, at + frame.n, 0, head.sequence,
			    "only its last byte is missing");
	} else {
		region_add(w, at, frame, fits && is_piece(str_of(out, n), taken), e.why);
	}
	arena_back(a, used);
}

/* Return the offset of the first frame. */
static size_t
check_magic(struct verify_walk *w)
{
	struct str magic = str_of(JOURNAL_MAGIC, sizeof JOURNAL_MAGIC);
	size_t zero = str_find(w->bytes, '\0');

	if (str_starts(w->bytes, magic))
		return magic.n;
	tell(w, FAULT_MAGIC, 0, zero, w->v->head.sequence, NULL);
	w->v->lost = true;
	return zero < w->bytes.n && zero <= 2 * magic.n ? zero + 1 : 0;
}

void
journal_verify_file(
    struct journal_verify *v, struct str name, uint64_t number, struct str bytes)
{
	struct verify_walk w = { .v = v, .name = name, .bytes = bytes, .number = number };
	size_t at = check_magic(&w);

	while (at < bytes.n) {
		size_t n = str_find(str_skip(bytes, at), '\0');

		check_frame(&w, at, str_cut(bytes, at, at + n), at + n < bytes.n);
		at += n + 1;
	}
	if (w.region.open) {
		tell(&w, w.region.whole ? FAULT_BYTES : FAULT_TORN, w.region.begin,
		    bytes.n - w.region.begin, v->head.sequence, w.region.why);
		v->lost = true;
	}
	if (w.records == 0)
		tell(&w, FAULT_START, 0, 0, v->head.sequence, "no record in this file");
	v->files++;
	v->bytes += bytes.n;
}

void
journal_verify_end(struct journal_verify *v, bool all)
{
	struct verify_walk w = { .v = v, .name = STR("") };

	if (v->files == 0)
		tell(&w, FAULT_ABSENT, 0, 0, 0, NULL);
	if (all && v->first > v->oldest && v->oldest)
		tell(&w, FAULT_FILE, 0, 0, 0, "the oldest file is missing");
	else if (v->first > 1)
		tell(&w, NOTE_OLDER, 0, 0, 0, NULL);
	if (v->has_seen && !v->seen_found)
		tell(&w, FAULT_HEAD, 0, 0, v->seen.sequence, NULL);
	for (; v->heads_at < v->heads_n; v->heads_at++)
		tell(&w, FAULT_HEAD, 0, 0, v->heads[v->heads_at].sequence, NULL);
}

int
journal_verify(
    struct journal *j, struct arena *a, struct journal_verify *v, struct err *reterr)
{
	cleanup_journal_list struct journal_list list = { 0 };
	bool grows = false;
	int err = journal_list(j, a, &list, reterr);

	for (size_t i = 0; !err && i < list.n; i++) {
		const struct journal_name *name = &list.v[i];
		cleanup_journal_file struct journal_file file = { 0 };
		struct verify_walk w = { .v = v, .name = name->name };

		if (name->bad) {
			tell(&w, FAULT_FILE, 0, 0, 0, "it was set aside");
			continue;
		}
		err = journal_read(j, name, &file, reterr);
		if (!err)
			journal_verify_file(v, name->name, name->number, file.bytes);
		grows = name->number == 0;
	}
	if (err)
		return err;
	if (list.n && !grows) {
		struct verify_walk w = { .v = v, .name = STR(JOURNAL_NAME) };

		tell(&w, FAULT_FILE, 0, 0, v->head.sequence, "the newest file is missing");
	}
	journal_verify_end(v, true);
	return 0;
}
