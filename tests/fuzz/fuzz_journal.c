/*
 * tests/fuzz/fuzz_journal.c: bytes of a journal that anybody may have written, and text
 * that is redacted.
 */
#include "base/json/json.h"
#include "fuzz.h"
#include "journal/journal.h"
#include "journal/redact/redact.h"

static char memory[3][8 << 20];
static uint64_t told[2];

static void
count(void *context, const struct journal_fault *f)
{
	struct str bytes = *(const struct str *)context;
	bool note = journal_fault_is_note(f->kind);

	MUST(f->offset <= bytes.n && f->size <= bytes.n - f->offset);
	MUST(journal_fault_name(f->kind) && journal_fault_text(f->kind));
	told[note]++;
}

/* Every record that is read is written back as the same bytes, and shown as JSON. */
static void
check_record(const struct record *r)
{
	struct arena a;
	const struct json *v;
	struct str body;
	struct record again;
	struct buf b;
	uint8_t chain[SHA256_BYTES];

	arena_init(&a, memory[1], sizeof memory[1]);
	MUST(record_encode(&a, r, &body, NULL) == 0);
	record_finish(body, r->sequence, r->time, r->chain, chain);
	MUST(record_decode(body, &again, NULL) == 0);
	MUST(again.sequence == r->sequence && again.time == r->time);
	MUST(str_eq(again.command, r->command) && again.flags == r->flags);
	buf_init(&b, &a);
	record_put_json(&b, r);
	MUST(!b.full && str_find(buf_str(&b), '\n') == b.n);
	/* A NUL in a text is kept, and no strict reader takes its escape. */
	if (json_read(&a, buf_str(&b), &(struct json_opts){ .surrogate_bytes = true }, &v,
		NULL) == 0)
		MUST(json_get(v, STR("chain")));
	buf_init(&b, &a);
	record_put_line(&b, r);
	MUST(b.full || str_find(buf_str(&b), '\n') == b.n);
}

static uint64_t
read_back(struct str bytes)
{
	struct arena a;
	struct record r;
	size_t at = bytes.n, before = at + 1;
	uint64_t n = 0;

	arena_init(&a, memory[0], sizeof memory[0]);
	for (; journal_previous(&a, bytes, &at, &r); n++) {
		MUST(at < before);
		before = at;
		check_record(&r);
		arena_reset(&a);
	}
	return n;
}

static void
check_journal(struct str bytes)
{
	struct arena a;
	struct journal_tail tail, part;
	struct journal_verify v = { .tell = count, .context = &bytes, .scratch = &a };
	uint64_t n = read_back(bytes), from = fuzz_hash(bytes) % (bytes.n + 1);

	told[0] = told[1] = 0;
	arena_init(&a, memory[2], sizeof memory[2]);
	journal_verify_file(&v, STR("x"), 0, bytes);
	MUST(a.used == 0);
	MUST(v.faults == told[0] && v.notes == told[1] && v.records >= n);
	MUST(journal_find_tail(&a, bytes, 0, &tail));
	MUST(tail.found == (v.records > 0));
	if (tail.found) {
		MUST(tail.end <= bytes.n && tail.head.sequence == v.head.sequence);
		MUST(memcmp(tail.head.chain, v.head.chain, SHA256_BYTES) == 0);
	}
	/* The end alone says the same, or that it does not know. */
	if (from && journal_find_tail(&a, str_skip(bytes, from), from, &part))
		MUST(part.found && part.end == tail.end && part.open == tail.open &&
		     part.head.sequence == tail.head.sequence);
}

static void
check_redaction(struct str text)
{
	struct arena a, small;
	struct str once, twice, other = STR("untouched");
	int r;

	arena_init(&a, memory[0], sizeof memory[0]);
	MUST(redact_text(&a, text, &once, NULL) == 0);
	MUST(redact_text(&a, once, &twice, NULL) == 0);
	/* Where nothing is found, nothing is found again. */
	if (once.p == text.p)
		MUST(twice.p == text.p && str_eq(once, text));
	fuzz_arena(&small, fuzz_hash(text) % (a.peak + 64));
	r = redact_text(&small, text, &other, NULL);
	MUST(r == 0 ? str_eq(other, once)
		    : r == CORDON_ENOMEM && str_eq(other, STR("untouched")));
	fuzz_arena_done(&small);
}

/* The first record of the input, framed and finished so that it is whole: else a fuzzer
 * would never come past the checksum. */
static void
check_made(struct str data)
{
	static char frame[1 << 16];
	struct str body;
	uint8_t zero[SHA256_BYTES] = { 0 }, chain[SHA256_BYTES];
	size_t n = data.n;

	if (n < RECORD_HEADER || n > 4096)
		return;
	memcpy(frame + 32768, data.p, n);
	memset(frame + 32768 + n, 0, RECORD_TRAILER);
	n += RECORD_TRAILER;
	for (size_t i = 0; i < 4; i++)
		frame[32768 + i] = (char)(n >> 8 * i);
	body = str_of(frame + 32768, n);
	record_finish(body, 1, 1, zero, chain);
	memcpy(frame, JOURNAL_MAGIC, sizeof JOURNAL_MAGIC);
	n = sizeof JOURNAL_MAGIC + frame_put(body, frame + sizeof JOURNAL_MAGIC);
	check_journal(str_of(frame, n));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = str_of((const char *)data, size);

	check_journal(text);
	check_made(text);
	check_redaction(text);
	return 0;
}
