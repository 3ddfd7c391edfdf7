/* The image: accessors, refusal of damaged images, growth. */
#include "help.h"

#include "base/json/json.h"
#include "policy/image/image.h"
#include <time.h>

static const char sample[] =
    "mode use_allowlist\n"
    "network off except a.org @npm\n"
    "writable ~/.cache/pip\n"
    "safe @read jq\n"
    "wrapper direnv exec DIR CMD...\n"
    "data ee check --cmd STR\n"
    "set @npm registry.npmjs.org *.npmjs.com\n"
    "allow git {status,log} without -c\n"
    "ask git push\n"
    "deny git push with --force because \"no\" try \"git push\"\n"
    "ask g* x\n"
    "allow /usr/bin/git fetch\n"
    "deny read ~/.ssh/id_* /etc/shadow\n"
    "deny net evil.org\n"
    "allow {rm,git} in @project when worktree branch main until 2030-01-01\n"
    "test \"git push -f\" deny\n"
    "test 'ls' allow\n";

static struct str
text_of_sample(void)
{
	return str_of(sample, sizeof sample - 1);
}

/* ---- look-up */

struct list {
	size_t v[32], n;
};

static void
collect(void *context, size_t rule)
{
	struct list *l = context;

	assert_true(l->n < COUNT(l->v));
	l->v[l->n++] = rule;
}

static void
check_list(const struct list *got, const size_t *want, size_t n)
{
	assert_int_equal(got->n, n);
	assert_memory_equal(got->v, want, n * sizeof *want);
}

static void
test_look_up(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	const struct policy *p = policy_of(a, LAYER_USER, text_of_sample(), NULL);
	struct list git = { 0 }, rm = { 0 }, other = { 0 }, all = { 0 }, read = { 0 };

	(void)state;
	assert_non_null(p);
	policy_commands(p, STR("git"), collect, &git);
	check_list(&git, (const size_t[]){ 0, 1, 2, 3, 4, 7 }, 6);
	policy_commands(p, STR("rm"), collect, &rm);
	check_list(&rm, (const size_t[]){ 3, 7 }, 2);
	policy_commands(p, STR("nothing"), collect, &other);
	check_list(&other, (const size_t[]){ 3 }, 1);
	policy_commands(p, (struct str){ 0 }, collect, &all);
	check_list(&all, (const size_t[]){ 0, 1, 2, 3, 4, 7 }, 6);
	policy_effects(p, RULE_READ, collect, &read);
	check_list(&read, (const size_t[]){ 5 }, 1);
}

static void
test_rule(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	const struct policy *p = policy_of(a, LAYER_USER, text_of_sample(), NULL);
	struct policy_shape shape;
	struct policy_test test;
	struct rule r;

	(void)state;
	policy_rule(p, 2, &r);
	assert_int_equal(r.verdict, VERDICT_DENY);
	assert_int_equal(r.effect, RULE_COMMAND);
	assert_int_equal(r.line, 10);
	assert_str(r.file, STR("rules"));
	assert_str(
	    r.text, STR("deny git push with --force because \"no\" try \"git push\""));
	assert_str(r.because, STR("no"));
	assert_str(r.instead, STR("git push"));
	assert_int_equal(r.words.n, 2);
	assert_int_equal(r.with.n, 1);
	assert_str(pattern_text(p, patterns_at(p, r.words, 1)), STR("push"));
	assert_null(patterns_at(p, r.words, 2));
	policy_rule(p, 7, &r);
	assert_int_equal(r.when, WHEN_WORKTREE | WHEN_BRANCH);
	assert_int_equal(r.branches.n, 1);
	assert_null(r.because.p);
	assert_true(policy_shape(p, 0, &shape) && !shape.data);
	assert_str(shape.words, STR("direnv exec DIR CMD..."));
	assert_true(policy_shape(p, 1, &shape) && shape.data);
	assert_false(policy_shape(p, 2, &shape));
	assert_true(policy_test(p, 1, &test));
	assert_str(test.command, STR("ls"));
	assert_int_equal(test.expected, VERDICT_ALLOW);
	assert_int_equal(test.line, 17);
	assert_false(policy_test(p, 2, &test));
	assert_str(policy_entry(p, LIST_SAFE, 0), STR("@read"));
	assert_str(policy_entry(p, LIST_WRITABLE, 0), STR("~/.cache/pip"));
	assert_null(policy_entry(p, LIST_WRITABLE, 1).p);
	assert_null(policy_entry(p, LISTS, 0).p);
	check_round_trip(a, p);
}

static void
test_json(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	const struct policy *p = policy_of(a, LAYER_USER, text_of_sample(), NULL);
	const struct json *v, *rules;
	struct buf b;

	(void)state;
	buf_init(&b, a);
	policy_print_json(p, &b);
	assert_int_equal(json_read(a, buf_str(&b), NULL, &v, NULL), 0);
	rules = json_get(v, STR("rules"));
	assert_int_equal(rules->count, 8);
	assert_str(json_get(rules->first, STR("verdict"))->text, STR("allow"));
	assert_int_equal(json_get(v, STR("tests"))->count, 2);
	v = json_get(json_get(v, STR("settings")), STR("mode"));
	assert_str(json_get(v, STR("layer"))->text, STR("user"));
}

/* ---- damage */

static struct str
image_of(struct arena *a, struct str text)
{
	struct policy_source s = {
		.layer = LAYER_USER, .file = STR("rules"), .text = text
	};
	struct buf b;

	buf_init(&b, a);
	assert_int_equal(policy_compile(a, &s, 1, &b, NULL), 0);
	return buf_str(&b);
}

/* An image at the end of a heap block, so that reading past it is detected. */
static char *
heap_copy(struct str s)
{
	char *copy = malloc(s.n ? s.n : 1);

	assert_non_null(copy);
	memcpy(copy, s.p, s.n);
	return copy;
}

static void
mend(char *image, size_t n)
{
	struct image_head h;

	memcpy(&h, image, sizeof h);
	h.sum = image_sum(str_of(image, n), n);
	memcpy(image, &h, sizeof h);
}

static void
use(const struct policy *p, struct arena *a)
{
	struct list ignored;
	struct buf b;
	struct rule r;

	buf_init(&b, a);
	policy_print(p, &b);
	policy_print_json(p, &b);
	for (size_t i = 0; i < policy_rule_count(p); i++)
		policy_rule(p, i, &r);
	ignored.n = 0;
	policy_commands(p, STR("git"), collect, &ignored);
}

/* Every byte is covered by the sum. */
static void
test_every_byte(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM), *b = arena_new(1 << 20);
	struct str image = image_of(a, text_of_sample());
	char *copy = heap_copy(image);
	const struct policy *p = NULL;

	(void)state;
	for (size_t i = 0; i < image.n; i++) {
		for (int bit = 0; bit < 8; bit += 3) {
			copy[i] ^= (char)(1 << bit);
			arena_reset(b);
			assert_int_equal(
			    policy_open(b, str_of(copy, image.n), &p), CORDON_EINVAL);
			copy[i] ^= (char)(1 << bit);
		}
	}
	assert_int_equal(policy_open(b, str_of(copy, image.n), &p), 0);
	free(copy);
}

/* An image of another version is refused, even if it is intact. */
static void
test_version(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM), *b = arena_new(1 << 20);
	struct str image = image_of(a, text_of_sample());
	char *copy = heap_copy(image);
	const struct policy *p = NULL;

	(void)state;
	for (uint32_t version = 0; version < IMAGE_VERSION + 5; version++) {
		struct image_head h;

		memcpy(&h, copy, sizeof h);
		h.version = version;
		memcpy(copy, &h, sizeof h);
		mend(copy, image.n);
		arena_reset(b);
		assert_int_equal(policy_open(b, str_of(copy, image.n), &p),
		    version == IMAGE_VERSION ? 0 : CORDON_EINVAL);
	}
	free(copy);
}

/* A damaged image with a matching checksum is refused or harmless. */
static void
test_every_byte_mended(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM), *b = arena_new(1 << 20);
	struct str image = image_of(a, text_of_sample());
	const struct policy *p = NULL;
	size_t taken = 0;

	(void)state;
	for (size_t i = 0; i < image.n; i++) {
		static const char flips[] = { 1, (char)0x80, (char)0xff };
		char *copy = heap_copy(image);

		for (size_t k = 0; k < sizeof flips; k++) {
			copy[i] ^= flips[k];
			mend(copy, image.n);
			arena_reset(b);
			if (policy_open(b, str_of(copy, image.n), &p) == 0) {
				use(p, b);
				taken++;
			}
			copy[i] ^= flips[k];
		}
		free(copy);
	}
	assert_true(taken < image.n * 3);
}

static void
test_truncated(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM), *b = arena_new(1 << 20);
	struct str image = image_of(a, text_of_sample());
	const struct policy *p = NULL;

	(void)state;
	for (size_t n = 0; n < image.n; n++) {
		char *copy = heap_copy(str_cut(image, 0, n));

		arena_reset(b);
		assert_int_equal(policy_open(b, str_of(copy, n), &p), CORDON_EINVAL);
		free(copy);
	}
	assert_null(p);
}

/* Images work at any alignment. */
static void
test_unaligned(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct str image = image_of(a, text_of_sample());
	char *copy = malloc(image.n + 8);
	const struct policy *p = NULL;

	(void)state;
	assert_non_null(copy);
	for (size_t at = 0; at < 8; at++) {
		memcpy(copy + at, image.p, image.n);
		assert_int_equal(policy_open(a, str_of(copy + at, image.n), &p), 0);
		check_round_trip(a, p);
	}
	free(copy);
}

/* The same sources give the same bytes. */
static void
test_same(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM), *b = arena_new(ROOM);

	(void)state;
	memset(b->mem, 0xa5, 1 << 20);
	assert_str(image_of(a, text_of_sample()), image_of(b, text_of_sample()));
}

static void
test_empty(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	const struct policy *p = NULL;
	struct list none = { 0 };
	struct buf b;

	(void)state;
	buf_init(&b, a);
	assert_int_equal(policy_compile(a, NULL, 0, &b, NULL), 0);
	assert_int_equal(policy_open(a, buf_str(&b), &p), 0);
	policy_commands(p, STR("git"), collect, &none);
	assert_int_equal(none.n, 0);
	assert_int_equal(policy_settings(p)->mode, MODE_USE_ALLOWLIST);
	assert_int_equal(policy_settings(p)->by_default, VERDICT_CONFINE);
	assert_int_equal(policy_settings(p)->sandbox, SANDBOX_WORKSPACE_READWRITE);
	assert_int_equal(policy_settings(p)->protect, 0);
	assert_true(policy_settings(p)->autorun);
	assert_false(policy_settings(p)->network);
	check_round_trip(a, p);
}

static void
test_shell_disabled(void **state)
{
	static const struct {
		const char *line;
		bool disabled;
	} cases[] = {
		{ "deny *", true },
		{ "deny * because \"no shell here\"", true },
		{ "deny * with -f", false },
		{ "deny * *", false },
		{ "deny * when headless", false },
		{ "deny * until 2030-01-01", false },
		{ "ask *", false },
		{ "deny \"*\"", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		cleanup_arena struct arena *a = arena_new(ROOM);
		const struct policy *p =
		    policy_of(a, LAYER_USER, str_from_c(cases[i].line), NULL);

		assert_int_equal(policy_settings(p)->shell_disabled, cases[i].disabled);
	}
}

/* With less memory: the same image, or CORDON_ENOMEM; never a step beyond the end. */
static void
test_no_memory(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct str image = image_of(a, text_of_sample());
	size_t taken = 0, most = a->peak + 1024;

	(void)state;
	for (size_t limit = 0; limit < most; limit += limit < 4096 ? 16 : 251) {
		cleanup_arena struct arena *small = arena_new(limit);
		struct policy_source s = {
			.layer = LAYER_USER, .file = STR("rules"), .text = text_of_sample()
		};
		struct policy_error e = { 0 };
		const struct policy *p;
		struct buf b;
		int r;

		buf_init(&b, small);
		r = policy_compile(small, &s, 1, &b, &e);
		assert_true(r == 0 || r == CORDON_ENOMEM);
		if (r) {
			assert_true(e.why.n > 0);
			continue;
		}
		assert_str(buf_str(&b), image);
		r = policy_open(small, buf_str(&b), &p);
		assert_true(r == 0 || r == CORDON_ENOMEM);
		taken++;
	}
	assert_true(taken > 0);
}

/* ---- ten thousand rules */

static void
count(void *context, size_t rule)
{
	(void)rule;
	++*(size_t *)context;
}

static void
put_rules(struct buf *b, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++) {
		buf_puts(b, i % 2 ? "deny program" : "allow program");
		buf_putu(b, i / 2);
		buf_puts(b, " sub with -f\n");
	}
	buf_puts(b, "ask *-x\n");
}

static double
seconds_of_look_ups(const struct policy *p)
{
	clock_t start = clock();
	size_t n = 0;

	for (int i = 0; i < 200000; i++)
		policy_commands(p, STR("program77"), count, &n);
	assert_int_equal(n, 3 * 200000);
	return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static void
test_many(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct policy_error e = { 0 };
	const struct policy *few, *many;
	struct buf b;
	double little, much;

	(void)state;
	buf_init(&b, a);
	put_rules(&b, 200);
	few = policy_of(a, LAYER_USER, buf_str(&b), &e);
	buf_init(&b, a);
	put_rules(&b, 10000);
	many = policy_of(a, LAYER_USER, buf_str(&b), &e);
	assert_non_null(few);
	assert_non_null(many);
	assert_int_equal(policy_rule_count(many), 10001);
	little = seconds_of_look_ups(few);
	much = seconds_of_look_ups(many);
	/*
	 * Fifty times the rules take the same time to probe.  Generous, for a busy machine.
	 */
	assert_true(much < little * 5 + 0.05);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_look_up),
		cmocka_unit_test(test_rule),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_every_byte),
		cmocka_unit_test(test_version),
		cmocka_unit_test(test_every_byte_mended),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_unaligned),
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_shell_disabled),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
