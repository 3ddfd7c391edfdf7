/* tests/fuzz/fuzz_parse.c: the parser on any bytes, in any amount of memory. */
#include "../tools/walk.h"
#include "base/buf.h"
#include "base/json/json.h"
#include "base/limits.h"
#include "fuzz.h"
#include "parse/parse.h"
#include "parse/print.h"

static char memory[4][16 << 20];
static unsigned char sum;

static void
check_span(struct walk *w, struct str source, struct span at)
{
	(void)w;
	MUST(at.start <= at.end && at.end <= source.n);
}

/* Touches every byte, for the sanitizer. */
static void
check_text(struct walk *w, struct str text)
{
	(void)w;
	for (size_t i = 0; i < text.n; i++)
		sum ^= (unsigned char)text.p[i];
}

/* The tree as one line of JSON, which our own reader must take. */
static struct str
printed(int which, const struct list *top)
{
	struct arena a;
	struct buf b;
	const struct json *v;
	struct err e;

	arena_init(&a, memory[which], sizeof memory[which]);
	buf_init(&b, &a);
	tree_print_json(&b, top);
	if (b.full || b.n > LIMIT_JSON)
		return str_of(NULL, 0);
	arena_init(&a, memory[3], sizeof memory[3]);
	int r = json_read(
	    &a, buf_str(&b), &(struct json_opts){ .surrogate_bytes = true }, &v, &e);
	/* A tree may be deeper than the JSON of an answer ever is. */
	MUST(r == 0 || r == CORDON_ELIMIT || r == CORDON_ENOMEM);
	return buf_str(&b);
}

static int
check_dialect(struct str text, enum dialect dialect)
{
	const struct parse_opts opts = { .dialect = dialect };
	struct walk walk = { .span = check_span, .text = check_text, .source = text };
	struct list *top = NULL, *again = NULL;
	struct err e = { 0, 0, NULL }, f = { 0, 0, NULL };
	struct arena big, small;
	struct str one, two;
	int r, s;

	arena_init(&big, memory[0], LIMIT_ARENA);
	r = parse(&big, text, &opts, &top, &e);
	MUST(r <= 0 && (r == 0) == (top != NULL));
	if (r)
		MUST(e.code == r && e.at <= text.n && e.why && err_text(r));
	else
		walk_list(&walk, top);
	MUST(walk.deepest <= 8 * LIMIT_NESTING);

	/* With less memory: the same answer or none. */
	fuzz_arena(&small, fuzz_hash(text) % (big.peak + 64));
	s = parse(&small, text, &opts, &again, &f);
	MUST(s == r || s == CORDON_ENOMEM);
	MUST(s == 0 || again == NULL);
	if (s == r && r)
		MUST(f.at == e.at && f.why == e.why);
	if (s == 0) {
		one = printed(1, top);
		two = printed(2, again);
		MUST(str_eq(one, two));
	}
	fuzz_arena_done(&small);
	return r;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = str_of((const char *)data, size);
	int bash = check_dialect(text, DIALECT_BASH);
	int sh = check_dialect(text, DIALECT_SH);

	/* The subset is one. */
	MUST(sh != 0 || bash == 0);
	return 0;
}
