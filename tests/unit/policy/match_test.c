/* Match patterns: tests/cases/policy/match.case, and run times. */
#include "base/path.h"
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
	bool path = str_is(kind, "path") || str_is(kind, "open") || str_is(kind, "tree") ||
		    str_is(kind, "way");
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
	if (str_is(kind, "way"))
		return pattern_way(p, x, text, &base) ? MATCH_POSSIBLE : MATCH_NO;
	if (str_starts(kind, STR("host")))
		return pattern_host(p, x, text, str_is(kind, "host"));
	if (str_is(kind, "word"))
		f.kind = FIELD_STR;
	else if (str_is(kind, "many"))
		f.kind = FIELD_MANY;
	f.number = str_is(kind, "number");
	return pattern_word(p, x, f);
}

static void
count_rule(void *context, size_t rule)
{
	(void)rule;
	++*(size_t *)context;
}

/* True if the place filter skipped a rule that matches. */
static bool
is_passed_over(const struct policy *p, struct str path, bool tree)
{
	struct path_place place = path_place(path, &base);
	size_t seen = 0;

	if (tree)
		place.names = place.lasts = UINT64_MAX;
	policy_files(p, RULE_READ, place, count_rule, &seen);
	return seen == 0;
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
	if (got && (str_is(kind, "path") || str_is(kind, "tree")) && !path_has_dotdot(text))
		assert_false(is_passed_over(p, text, str_is(kind, "tree")));
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

/* Unknown ~ and @project: a pattern with them may match. */
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

/* The result for a whole word agrees with that for its beginning. */
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

/* No pattern takes longer than the product of the lengths; elsewhere these took forever. */
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

/* Match every pattern with every path: the filter skips only pairs that do not match, and
 * many of them. */
static void
test_places(void **state)
{
	static const char *const patterns[] = { "/", "/.", "~", "~/.", "@project", "**",
		"/etc", "/etc/shadow", "/etc/*", "/*/x", "/?tc/shadow", "~/.ssh",
		"~/.ssh/id_*", "~/*", "~/*/x", "@project/build", "@project/*.c",
		"@project/**/*.pem", "@home/.env", "**/.env", "**/.env.*", "**/*.kdbx",
		"**/*k", "**/?env", "**/.git/hooks/**", "**/.cordon/", "**/a/b/**/c",
		"**/*/x", "**/x/.", "/{home,etc}/u", "{/etc,~/.ssh,**/.env}", "/home/*",
		"/home/u/.ssh/id_rsa", "/w/a/build", "/**/id_rsa", "~/**/id_rsa" };
	static const char *const paths[] = { "/", "/etc", "/etc/", "/etc/shadow", "/home",
		"/home/u", "/home/u/", "/home/u/.ssh", "/home/u/.ssh/id_rsa", "/home/u/x",
		"/home/u/a/x", "/home/u/.env", "/w", "/w/a", "/w/b", "/w/a/build",
		"/w/a/build/x", "/w/b/build", "/w/a/main.c", "/w/a/s/k.pem", "/w/a/.env",
		"/w/a/.env/x", "/w/a/.env.local", "/w/a/p.kdbx", "/w/a/k", "/w/a/.git",
		"/w/a/.git/hooks/pre", "/w/a/.cordon/rules", "/w/a/a/b/c", "/w/a/a/b/d/c",
		"/srv/x", "/x/x", "/x", "/home/v/.ssh/id_rsa", "/w/ab/build", "/./etc" };
	size_t over = 0, n = sizeof patterns / sizeof *patterns;

	(void)state;
	for (size_t i = 0; i < n; i++) {
		cleanup_arena struct arena *a = arena_new(ROOM);
		const struct pattern *x;
		const struct policy *p =
		    pattern_of(a, STR("path"), str_from_c(patterns[i]), &x);

		for (size_t k = 0; k < 2 * sizeof paths / sizeof *paths; k++) {
			struct str path = str_from_c(paths[k / 2]);
			bool passed = is_passed_over(p, path, k & 1);

			if (passed && (k & 1 ? pattern_tree(p, x, path, &base)
					     : pattern_path(p, x, path, true, &base)))
				fail_msg("%s is not asked about %s", patterns[i], path.p);
			over += passed;
		}
	}
	assert_true(over > n * sizeof paths / sizeof *paths);
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
		cmocka_unit_test(test_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
