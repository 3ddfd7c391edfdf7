/* tests/fuzz/fuzz_json.c: the strict JSON reader and its writer. */
#include "base/buf.h"
#include "base/json/json.h"
#include "base/limits.h"
#include "fuzz.h"

static char memory[3][32 << 20];

static void
put_value(struct buf *b, const struct json *v)
{
	switch (v->kind) {
	case JSON_NULL:
		buf_puts(b, "null");
		break;
	case JSON_BOOL:
		json_put_bool(b, v->truth);
		break;
	case JSON_NUMBER:
		buf_put(b, v->text);
		break;
	case JSON_STRING:
		json_put_str(b, v->text);
		break;
	case JSON_ARRAY:
	case JSON_OBJECT:
		buf_putc(b, v->kind == JSON_ARRAY ? '[' : '{');
		for (const struct json *m = v->first; m; m = m->next) {
			if (m != v->first)
				buf_putc(b, ',');
			if (v->kind == JSON_OBJECT) {
				json_put_str(b, m->key);
				buf_putc(b, ':');
			}
			put_value(b, m);
		}
		buf_putc(b, v->kind == JSON_ARRAY ? ']' : '}');
		break;
	}
}

/* Places lie inside the parent's, in order; counts are right; NUL is nowhere. */
static void
check_value(const struct json *v, size_t from, size_t to, int depth)
{
	size_t n = 0, at = v->at;

	/* The limit counts values that hold others. */
	MUST(depth <= LIMIT_JSON_DEPTH || (v->count == 0 && depth == LIMIT_JSON_DEPTH + 1));
	MUST(from <= v->at && v->at < v->end && v->end <= to);
	MUST(v->kind != JSON_STRING || str_find(v->text, 0) == v->text.n);
	for (const struct json *m = v->first; m; m = m->next, n++) {
		MUST(v->kind == JSON_ARRAY || v->kind == JSON_OBJECT);
		MUST(v->kind != JSON_OBJECT || json_get(v, m->key) == m);
		check_value(m, at, v->end, depth + 1);
		at = m->end;
	}
	MUST(n == v->count);
}

static void
check_options(struct str text, const struct json_opts *opts)
{
	struct arena big, small;
	const struct json *v = NULL, *again = NULL;
	struct err e = { 0, 0, NULL }, f = { 0, 0, NULL };
	struct buf out, out2;
	int r, s;

	arena_init(&big, memory[0], sizeof memory[0]);
	r = json_read(&big, text, opts, &v, &e);
	MUST(r <= 0 && (r == 0) == (v != NULL));
	if (r) {
		MUST(e.code == r && e.at <= text.n && e.why);
	} else {
		check_value(v, 0, text.n, 1);
	}

	/* With less memory: the same answer or none, and never a third. */
	fuzz_arena(&small, fuzz_hash(text) % (big.peak + 64));
	s = json_read(&small, text, opts, &again, &f);
	MUST(s == r || s == CORDON_ENOMEM);
	MUST(s == 0 || again == NULL);
	if (s == r && r)
		MUST(f.at == e.at && f.why == e.why);
	fuzz_arena_done(&small);
	if (r)
		return;

	/* What is written is read back as the same. */
	arena_init(&small, memory[1], sizeof memory[1]);
	buf_init(&out, &small);
	put_value(&out, v);
	MUST(!out.full);
	arena_init(&big, memory[0], sizeof memory[0]);
	MUST(json_read(&big, buf_str(&out), &(struct json_opts){ .surrogate_bytes = true },
		 &v, &e) == 0);
	arena_init(&small, memory[2], sizeof memory[2]);
	buf_init(&out2, &small);
	put_value(&out2, v);
	MUST(str_eq(buf_str(&out), buf_str(&out2)));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = str_of((const char *)data, size);

	check_options(text, NULL);
	check_options(text, &(struct json_opts){ .comments = true });
	check_options(text, &(struct json_opts){ .surrogate_bytes = true });
	return 0;
}
