/* What patterns say of texts: tests/cases/policy/match.case, and times. */
#include "help.h"
#include <time.h>

static const struct str roots[] = { STR_INIT("/w/a"), STR_INIT("/w/b/") };
static const struct pattern_base base = {
	.home = STR_INIT("/home/u"), .roots = roots, .roots_n = 2
};

/* A policy whose first rule has the pattern. */
static const struct policy *
pattern_of(struct arena *a, struct str kind, struct str pattern, const struct pattern **ret)
{
	bool path = str_is(kind, "path") || str_is(kind, "open") || str_is(kind, "tree");
	bool host = str_starts(kind, STR("host"));
	struct policy_error e = { 0 };
	const struct policy *p;
	struct rule r;
	struct buf b;

	buf_init(&b, a);
	buf_puts(&b, path ? "deny read " : host ? "deny net " : "deny x ");
	buf_put(&b, pattern);
	buf_puts(&b, "\nset @npm *.example.net registry.npmjs.org\n");
	p = policy_of(a, LAYER_USER, buf_str(&b), &e);
	if (!p)
		fail_msg("%.*s: %.*s", (int)b.n, b.p, (int)e.why.n, e.why.p);
	policy_rule(p, 0, &r);
	*ret = path || host ? patterns_at(p, r.objects, 0) : patterns_at(p, r.words, 1);
	assert_non_null(*ret);
	return p;
}

static enum match
answer(const struct policy *p, const struct pattern *x, struct str kind, struct str text)
{
	struct field f = { .kind = FIELD_ONE, .text = text };

	if (str_is(kind, "path"))
		return pattern_path(p, x, text, true, &base);
	if (str_is(kind, "open"))
		return pattern_path(p, x, text, false, &base);
	if (str_is(kind, "tree"))
		return pattern_tree(p, x, text, &base);
	if (str_starts(kind, STR("host")))
		return pattern_host(p, x, text, str_is(kind, "host"));
	if (str_is(kind, "word"))
		f.kind = FIELD_STR;
	else if (str_is(kind, "many"))
		f.kind = FIELD_MANY;
	f.number = str_is(kind, "number");
	return pattern_word(p, x, f);
}

static bool
check_case(struct arena *a, struct str line)
{
	static const char *const names[] = { "no", "possible", "certain" };
	struct str head = line, want, kind, text;
	const struct pattern *x = NULL;
	const struct policy *p;
	enum match got;

	head.n = str_find(line, '|');
	text = str_skip(line, head.n + 2);
	want = next_word(&head);
	kind = next_word(&head);
	while (head.n && head.p[head.n - 1] == ' ')
		head.n--;
	p = pattern_of(a, kind, head, &x);
	got = answer(p, x, kind, text);
	if (str_is(want, names[got]))
		return true;
	print_error("%.*s: %s\n", (int)line.n, line.p, names[got]);
	return false;
}

static void
test_cases(void **state)
{
	cleanup_arena struct arena *files = arena_new(2 << 20), *a = arena_new(ROOM);
	struct str text = case_file(files, "match.case"), line;
	size_t n = 0, wrong = 0;

	(void)state;
	while (next_line(&text, &line)) {
		if (line.n == 0 || line.p[0] == '#')
			continue;
		arena_reset(a);
		wrong += check_case(a, line) ? 0 : 1;
		n++;
	}
	assert_true(n > 130);
	assert_int_equal(wrong, 0);
}

/* What ~ and @project stand for is not known: then a pattern with them may match. */
static void
test_no_base(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct pattern_base nothing = { 0 };
	const struct pattern *x;
	const struct policy *p = pattern_of(a, STR("path"), STR("~/.ssh"), &x);

	(void)state;
	assert_int_equal(pattern_path(p, x, STR("/x"), true, &nothing), MATCH_POSSIBLE);
	p = pattern_of(a, STR("path"), STR("@project"), &x);
	assert_int_equal(pattern_path(p, x, STR("/x"), true, &nothing), MATCH_POSSIBLE);
	p = pattern_of(a, STR("path"), STR("/y"), &x);
	assert_int_equal(pattern_path(p, x, STR("/x"), true, &nothing), MATCH_NO);
}

static void
test_alternatives(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	const struct pattern *x;
	const struct policy *p =
	    pattern_of(a, STR("word"), STR("{-f,\"--for ce\",-x*}"), &x);
	bool glob = true;

	(void)state;
	assert_str(pattern_alternative(p, x, 0, &glob), STR("-f"));
	assert_false(glob);
	assert_str(pattern_alternative(p, x, 1, NULL), STR("--for ce"));
	assert_str(pattern_alternative(p, x, 2, &glob), STR("-x\1"));
	assert_true(glob);
	assert_null(pattern_alternative(p, x, 3, &glob).p);
	assert_str(pattern_text(p, x), STR("{-f,\"--for ce\",-x*}"));
}

/* The answer of a whole word is never outside what its beginning allowed. */
static void
test_beginnings(void **state)
{
	static const char *const patterns[] = { "git", "*", "g*", "*t", "g?t", "{git,g*x}",
		"?*?", "*g*t*", "git-*-x" };
	static const char *const words[] = { "", "g", "git", "get", "gxt", "git-a-x", "gx",
		"xg", "gt" };

	(void)state;
	for (size_t i = 0; i < COUNT(patterns); i++) {
		cleanup_arena struct arena *a = arena_new(ROOM);
		const struct pattern *x;
		const struct policy *p =
		    pattern_of(a, STR("word"), str_from_c(patterns[i]), &x);

		for (size_t k = 0; k < COUNT(words); k++) {
			struct field whole = { .text = str_from_c(words[k]) }, part = whole;
			enum match exact = pattern_word(p, x, whole);

			part.kind = FIELD_ONE;
			for (size_t n = 0; n <= whole.text.n; n++) {
				enum match one;

				part.text.n = n;
				one = pattern_word(p, x, part);
				assert_true(!exact || one);
				assert_true(one != MATCH_CERTAIN || exact == MATCH_CERTAIN);
			}
		}
	}
}

/* No pattern takes more than the product of the lengths: these took for ever elsewhere. */
static void
test_hostile(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM), *texts = arena_new(1 << 20);
	const struct pattern *x;
	const struct policy *p;
	struct buf word, path;
	clock_t start = clock();

	(void)state;
	buf_init(&word, texts);
	for (int i = 0; i < 131071; i++)
		buf_putc(&word, 'a');
	buf_init(&path, texts);
	while (path.n < 4000)
		buf_puts(&path, "/aaaaaaaa");
	p = pattern_of(a, STR("word"), STR("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b"), &x);
	assert_int_equal(
	    pattern_word(p, x, (struct field){ .text = buf_str(&word) }), MATCH_NO);
	p = pattern_of(
	    a, STR("word"), STR("*aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"), &x);
	assert_int_equal(
	    pattern_word(p, x, (struct field){ .text = buf_str(&word) }), MATCH_NO);
	p = pattern_of(a, STR("path"),
	    STR("/**/*a*/**/*a*/**/*a*/**/*a*/**/*a*/**/*a*/**/*a*/**/*a*/**/*a*/**/*b"),
	    &x);
	assert_int_equal(pattern_path(p, x, buf_str(&path), true, &base), MATCH_NO);
	assert_int_equal(pattern_tree(p, x, buf_str(&path), &base), MATCH_POSSIBLE);
	assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_no_base),
		cmocka_unit_test(test_alternatives),
		cmocka_unit_test(test_beginnings),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
