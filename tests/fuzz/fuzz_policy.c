/*
 * tests/fuzz/fuzz_policy.c: rules files and compiled policies.
 *
 * The first byte says what the rest is: an image (0xff), or rules, cut into the
 * layers by form feeds.
 */
#include "base/json/json.h"
#include "fuzz.h"
#include "policy/image/image.h"

static char memory[4][64 << 20];

/* ---- every accessor, whatever the image says */

struct seen {
	const struct policy *p;
	size_t last, n;
};

static void
visit(void *context, size_t rule)
{
	struct seen *s = context;

	MUST(rule < policy_rule_count(s->p));
	MUST(s->n == 0 || rule > s->last);
	s->last = rule;
	s->n++;
}

static const struct str words[] = { STR_INIT(""), STR_INIT("git"), STR_INIT("-f"),
	STR_INIT("/home/u/.ssh/id_rsa"), STR_INIT("/"), STR_INIT("/w/a/build/x"),
	STR_INIT("example.org:443"), STR_INIT("[::1]:80"), STR_INIT("LD_PRELOAD"),
	STR_INIT("github:list"), STR_INIT("/w/a/../b"), STR_INIT("127.1") };

static void
match_one(const struct policy *p, const struct pattern *x, struct str word)
{
	struct str root = STR("/w/a");
	struct pattern_base base = { .home = STR("/home/u"), .roots = &root, .roots_n = 1 };
	struct pattern_base nothing = { 0 };
	struct field f = { .kind = FIELD_STR, .text = word };
	enum match exact = pattern_word(p, x, f), one, path, tree;

	f.kind = FIELD_ONE;
	one = pattern_word(p, x, f);
	/* What is known of a word never excludes what it turns out to be. */
	MUST(!exact || one);
	MUST(one != MATCH_CERTAIN || exact == MATCH_CERTAIN);
	f.kind = FIELD_MANY;
	MUST(pattern_word(p, x, f) != MATCH_CERTAIN);
	path = pattern_path(p, x, word, true, &base);
	tree = pattern_tree(p, x, word, &base);
	MUST(tree != MATCH_CERTAIN || path == MATCH_CERTAIN);
	MUST(path != MATCH_CERTAIN || tree);
	MUST(!path || pattern_path(p, x, word, false, &base));
	pattern_path(p, x, word, true, &nothing);
	pattern_host(p, x, word, true);
	MUST(x->n == 0 || pattern_host(p, x, word, false));
}

static void
match_list(const struct policy *p, struct patterns list)
{
	for (size_t i = 0; i < list.n; i++) {
		const struct pattern *x = patterns_at(p, list, i);

		MUST(pattern_text(p, x).p);
		for (size_t k = 0; k < sizeof words / sizeof *words; k++)
			match_one(p, x, words[k]);
		match_one(p, x, pattern_text(p, x));
		for (size_t k = 0; pattern_alternative(p, x, k, NULL).p; k++)
			match_one(p, x, pattern_alternative(p, x, k, NULL));
	}
}

static void
use_rules(const struct policy *p)
{
	struct seen all = { .p = p };

	for (size_t i = 0; i < policy_rule_count(p); i++) {
		struct rule r;

		policy_rule(p, i, &r);
		MUST(r.text.p && r.file.p && r.layer < LAYERS);
		match_list(p, r.words);
		match_list(p, r.with);
		match_list(p, r.without);
		match_list(p, r.on);
		match_list(p, r.in);
		match_list(p, r.objects);
		match_list(p, r.branches);
		match_list(p, r.net);
		match_list(p, r.writable);
	}
	policy_commands(p, (struct str){ 0 }, visit, &all);
	for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
		struct seen some = { .p = p };

		policy_commands(p, words[k], visit, &some);
		MUST(some.n <= policy_rule_count(p));
	}
	for (int e = 0; e <= RULE_MCP; e++) {
		struct seen some = { .p = p };

		policy_effects(p, (enum rule_effect)e, visit, &some);
	}
}

static void
use(const struct policy *p, struct buf *text)
{
	struct policy_origin origin;
	struct policy_shape shape;
	struct policy_test test;
	struct policy_inert inert;
	struct arena a;
	struct buf json;
	const struct json *v;

	MUST(policy_settings(p)->mode <= MODE_RUN_EVERYTHING);
	for (int l = 0; l < LISTS; l++) {
		for (size_t i = 0; policy_entry(p, (enum policy_list)l, i).p; i++) {
			struct patterns one = {
				policy_entry_pattern(p, (enum policy_list)l, i), 1
			};

			match_list(p, one);
			MUST(policy_entry_origin(p, (enum policy_list)l, i, &origin));
		}
	}
	for (size_t i = 0; policy_shape(p, i, &shape); i++)
		MUST(shape.words.p);
	for (size_t i = 0; policy_test(p, i, &test); i++)
		MUST(test.command.p && test.expected <= VERDICT_ALLOW);
	for (size_t i = 0; policy_inert(p, i, &inert); i++)
		MUST(inert.text.p);
	policy_origin(p, "mode", &origin);
	use_rules(p);
	policy_print(p, text);
	arena_init(&a, memory[3], sizeof memory[3]);
	buf_init(&json, &a);
	policy_print_json(p, &json);
	if (json.n < (4 << 20))
		MUST(json_read(&a, buf_str(&json),
			 &(struct json_opts){ .surrogate_bytes = true }, &v, NULL) == 0);
}

/* ---- images */

/* Checked as it is, and once more with a head and a sum that pass. */
static void
check_image(struct str bytes)
{
	const struct policy *p = NULL;
	struct arena a, b;
	struct buf text;
	char *copy;

	for (int mended = 0; mended < 2; mended++) {
		fuzz_arena(&a, bytes.n + 4096);
		copy = malloc(bytes.n + 1);
		MUST(copy);
		memcpy(copy, bytes.p, bytes.n);
		if (mended && bytes.n >= sizeof(struct image_head)) {
			struct image_head h;

			memcpy(&h, copy, sizeof h);
			memcpy(h.magic, IMAGE_MAGIC, 8);
			h.mark = IMAGE_MARK;
			h.version = IMAGE_VERSION;
			h.bytes = bytes.n;
			memcpy(copy, &h, sizeof h);
			h.sum = image_sum(str_of(copy, bytes.n), bytes.n);
			memcpy(copy, &h, sizeof h);
		}
		if (policy_open(&a, str_of(copy, bytes.n), &p) == 0) {
			arena_init(&b, memory[2], sizeof memory[2]);
			buf_init(&text, &b);
			use(p, &text);
		}
		free(copy);
		fuzz_arena_done(&a);
	}
}

/* A few bytes changed, at places that the input decides. */
static void
damage(struct str image, uint64_t h)
{
	char *copy = malloc(image.n);

	MUST(copy);
	for (int round = 0; round < 4; round++) {
		size_t cut = round == 3 ? h % image.n : image.n;

		memcpy(copy, image.p, image.n);
		for (int i = 0; i < 3; i++) {
			h = h * 6364136223846793005u + 1442695040888963407u;
			copy[h % image.n] ^= (char)(1u << (h >> 40 & 7));
			if (round == 1)
				break;
		}
		check_image(str_of(copy, cut));
	}
	free(copy);
}

/* ---- rules */

static size_t
cut(struct str text, unsigned flags, struct policy_source *v)
{
	static const enum layer layers[] = { LAYER_USER, LAYER_PROJECT, LAYER_ADMIN,
		LAYER_SESSION, LAYER_BUILTIN };
	size_t n = 0;

	while (n < 5) {
		size_t end = n < 4 ? str_find(text, '\f') : text.n;

		v[n] = (struct policy_source){ .layer = layers[n],
			.trusted = flags & 1,
			.printed = n == 0 && flags & 2,
			.file = STR("some file"),
			.text = str_cut(text, 0, end) };
		n++;
		if (end == text.n)
			break;
		text = str_skip(text, end + 1);
	}
	return n;
}

static int
compile(struct arena *a, const struct policy_source *v, size_t n, struct str *ret,
    struct policy_error *e)
{
	struct buf out;
	int r;

	buf_init(&out, a);
	r = policy_compile(a, v, n, &out, e);
	*ret = buf_str(&out);
	return r;
}

static void
check_small(const struct policy_source *v, size_t n, struct str want, int r, size_t limit)
{
	struct policy_error e;
	struct arena a;
	struct str got;
	int s;

	fuzz_arena(&a, limit);
	s = compile(&a, v, n, &got, &e);
	MUST(s == r || s == CORDON_ENOMEM);
	MUST(s || str_eq(want, got));
	fuzz_arena_done(&a);
}

static void
check_rules(struct str text, unsigned flags)
{
	struct policy_source v[5], again = { .layer = LAYER_USER, .printed = true };
	size_t n = cut(text, flags, v);
	struct policy_error e = { 0 };
	const struct policy *p = NULL;
	struct str image, second;
	struct arena a, b;
	struct buf out, out2;
	int r;

	arena_init(&a, memory[0], sizeof memory[0]);
	r = compile(&a, v, n, &image, &e);
	check_small(v, n, image, r, fuzz_hash(text) % (a.peak + 64));
	if (r) {
		MUST(e.source < n && e.line > 0 && e.column > 0 && e.why.n > 0);
		MUST(e.column <= e.line_text.n + 1);
		return;
	}
	MUST(policy_open(&a, image, &p) == 0);
	arena_init(&b, memory[1], sizeof memory[1]);
	buf_init(&out, &b);
	use(p, &out);
	MUST(!out.full);
	damage(image, fuzz_hash(text));

	/* Printed, read and printed again: the same. */
	again.text = buf_str(&out);
	arena_init(&a, memory[0], sizeof memory[0]);
	r = compile(&a, &again, 1, &second, &e);
	MUST(r == 0);
	MUST(policy_open(&a, second, &p) == 0);
	buf_init(&out2, &b);
	policy_print(p, &out2);
	MUST(str_eq(buf_str(&out), buf_str(&out2)));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = str_of((const char *)data + 1, size - 1);

	if (size == 0)
		return 0;
	if (data[0] == 0xff)
		check_image(rest);
	else
		check_rules(rest, data[0]);
	return 0;
}
