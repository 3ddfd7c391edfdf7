/* tests/fuzz/fuzz_analyse.c: the whole way from text to the line of JSON. */
#include "analyse/analyse.h"
#include "base/buf.h"
#include "base/json/json.h"
#include "base/limits.h"
#include "fuzz.h"

static char memory[3][16 << 20];

/* Every "range" lies inside the text. */
static void
check_ranges(const struct json *v, size_t n)
{
	int64_t from, to;

	for (const struct json *m = v->first; m; m = m->next) {
		if (v->kind == JSON_OBJECT && str_is(m->key, "range")) {
			MUST(m->kind == JSON_ARRAY && m->count == 2);
			MUST(json_int(m->first, &from) == 0);
			MUST(json_int(m->first->next, &to) == 0);
			MUST(0 <= from && from <= to && (uint64_t)to <= n);
		} else {
			check_ranges(m, n);
		}
	}
}

static bool
is_empty(const struct json *v, const char *list)
{
	const struct json *m = json_get(v, str_from_c(list));

	MUST(m && m->kind == JSON_ARRAY);
	return m->count == 0;
}

static void
check_line(struct str line, struct str text, int r)
{
	struct arena a;
	const struct json *v, *ok, *error;
	struct err e;

	MUST(str_find(line, '\n') == line.n);
	arena_init(&a, memory[2], sizeof memory[2]);
	MUST(json_read(&a, line, &(struct json_opts){ .surrogate_bytes = true }, &v, &e) ==
	     0);
	ok = json_get(v, STR("ok"));
	error = json_get(v, STR("error"));
	MUST(ok && ok->kind == JSON_BOOL && ok->truth == (r == 0));
	MUST(error && error->kind == (r ? JSON_STRING : JSON_NULL));
	MUST(json_get(v, STR("commands")) && json_get(v, STR("unknown")));
	if (r)
		MUST(is_empty(v, "commands") && is_empty(v, "chdir") &&
		     is_empty(v, "files") && is_empty(v, "env") && is_empty(v, "unknown"));
	check_ranges(v, text.n);
}

static void
check_opts(struct str text, const struct analyse_opts *opts)
{
	struct arena big, small;
	struct buf one, two;
	int r, s;

	arena_init(&big, memory[0], LIMIT_ARENA);
	buf_init(&one, &big);
	r = analyse_json(&big, text, opts, &one);
	MUST(r <= 0);
	if (one.full) {
		MUST(r == CORDON_ENOMEM);
		return;
	}
	check_line(buf_str(&one), text, r);

	arena_init(&small, memory[1], LIMIT_ARENA);
	buf_init(&two, &small);
	s = analyse_json(&small, text, opts, &two);
	MUST(s == r && str_eq(buf_str(&one), buf_str(&two)));

	fuzz_arena(&small, fuzz_hash(text) % (big.peak + 64));
	buf_init(&two, &small);
	s = analyse_json(&small, text, opts, &two);
	MUST(s == r || s == CORDON_ENOMEM);
	if (s == CORDON_ENOMEM && !two.full && two.n)
		check_line(buf_str(&two), text, s);
	else if (s == r && r != CORDON_ENOMEM)
		MUST(str_eq(buf_str(&one), buf_str(&two)));
	fuzz_arena_done(&small);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = str_of((const char *)data, size);

	check_opts(text, &(struct analyse_opts){ STR("/w/c"), STR("/home/u") });
	check_opts(text, &(struct analyse_opts){ { NULL, 0 }, { NULL, 0 } });
	return 0;
}
