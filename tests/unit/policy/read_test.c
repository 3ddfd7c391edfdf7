/* Every production of the grammar: tests/cases/policy/grammar.case, and bytes that no text
 * file should contain. */
#include "help.h"
#include "policy/draft.h"

/* In a case, _ means a blank. */
static bool
why_has(struct arena *a, struct str why, struct str part)
{
	struct str copy = arena_copy(a, part);

	for (size_t i = 0; i < copy.n; i++)
		if (copy.p[i] == '_')
			((char *)(uintptr_t)copy.p)[i] = ' ';
	return str_has(why, copy) || str_has(why, part);
}

/* Print all differences, then fail. */
static size_t wrong;

static void
show_wrong(struct str line, const struct policy_error *e)
{
	wrong++;
	print_error("%.*s\n%zu:%zu: %.*s\n", (int)line.n, line.p, e->line, e->column,
	    (int)e->why.n, e->why.p);
}

static void
check_bad(struct arena *a, enum layer layer, struct str head, struct str line)
{
	struct policy_error e = { 0 };
	struct str column = next_word(&head);
	size_t want = 0;

	for (size_t i = 0; i < column.n; i++)
		want = want * 10 + (size_t)(column.p[i] - '0');
	if (policy_of(a, layer, line, &e))
		show_wrong(line, &(struct policy_error){ .why = STR("was taken") });
	else if (e.column != want || e.line != 1 || !why_has(a, e.why, next_word(&head)))
		show_wrong(line, &e);
	else
		assert_str(e.line_text, line);
}

static void
check_ok(struct arena *a, enum layer layer, struct str line)
{
	struct policy_error e = { 0 };
	const struct policy *p = policy_of(a, layer, line, &e);

	if (!p)
		show_wrong(line, &e);
	else
		check_round_trip(a, p);
}

/* In less memory it is the same image, or CORDON_ENOMEM with a reason. */
static void
check_memory(struct arena *a, enum layer layer, struct str line, size_t from)
{
	struct policy_source s = {
		.layer = layer, .trusted = true, .file = STR("rules"), .text = line
	};
	struct policy_error e = { 0 };
	struct buf whole;
	size_t peak;

	arena_reset(a);
	a->peak = 0;
	buf_init(&whole, a);
	if (policy_compile(a, &s, 1, &whole, &e))
		return;
	peak = a->peak;
	for (size_t limit = from; limit < peak; limit += 64) {
		cleanup_arena struct arena *small = arena_new(limit);
		struct buf image;
		int r;

		e = (struct policy_error){ 0 };
		buf_init(&image, small);
		r = policy_compile(small, &s, 1, &image, &e);
		if (r == 0)
			assert_str(buf_str(&image), buf_str(&whole));
		else
			assert_true(r == CORDON_ENOMEM && e.why.n > 0);
	}
}

static void
test_cases(void **state)
{
	cleanup_arena struct arena *files = arena_new(2 << 20), *a = arena_new(ROOM);
	struct str text = case_file(files, "grammar.case"), line;
	size_t n = 0;

	(void)state;
	while (next_line(&text, &line)) {
		size_t bar = str_find(line, '|');
		struct str head = line, word;
		enum layer layer = LAYER_USER;

		if (line.n == 0 || line.p[0] == '#')
			continue;
		assert_true(bar + 1 < line.n);
		head.n = bar;
		line = str_skip(line, bar + 2);
		arena_reset(a);
		word = next_word(&head);
		if (layer_find(str_cut(head, 0, str_find(head, ' ')), &layer))
			next_word(&head);
		if (str_is(word, "ok")) {
			check_ok(a, layer, line);
			check_memory(a, layer, line, n % 64);
		} else {
			check_bad(a, layer, head, line);
		}
		n++;
	}
	assert_true(n > 200);
	assert_int_equal(wrong, 0);
}

/* A set has at most 256 hosts. */
static void
test_many_hosts(void **state)
{
	(void)state;
	for (size_t n = 256; n <= 257; n++) {
		cleanup_arena struct arena *a = arena_new(ROOM);
		struct policy_error e = { 0 };
		struct buf text;

		buf_init(&text, a);
		for (size_t i = 0; i < n; i++) {
			if (i % 64 == 0)
				buf_puts(&text, i ? "\nset @x" : "set @x");
			buf_puts(&text, " h");
			buf_putu(&text, i);
			buf_puts(&text, ".org");
		}
		buf_puts(&text, "\ndeny net @x\n");
		assert_int_equal(
		    policy_of(a, LAYER_USER, buf_str(&text), &e) != NULL, n == 256);
		if (n > 256)
			assert_str(e.why, STR("more than 256 hosts in one word"));
	}
}

static void
test_bytes(void **state)
{
	static const struct {
		struct str text;
		size_t line, column; /* 0: good */
	} cases[] = {
		{ STR_INIT("deny git\r\nask ls\r\n"), 0, 0 },
		{ STR_INIT("\n\n"), 0, 0 },
		{ STR_INIT(""), 0, 0 },
		{ STR_INIT("deny git"), 0, 0 },
		{ STR_INIT("deny\tgit\t# caf\xc3\xa9\tx"), 0, 0 },
		{ STR_INIT("deny git\rx"), 1, 9 },
		{ STR_INIT("deny ls\ndeny a\0b"), 2, 7 },
		{ STR_INIT("deny \xff"), 1, 6 },
		{ STR_INIT("deny \xc3\xa9 \xc0\x80"), 1, 9 },
		{ STR_INIT("deny git pus\xe2\x80\x8bh"), 1, 13 },
		{ STR_INIT("deny \xe2\x80\xaegit"), 1, 6 },
		{ STR_INIT("deny\xc2\xa0git"), 1, 5 },
		{ STR_INIT("\xef\xbb\xbf"
			   "deny git"),
		    1, 1 },
		{ STR_INIT("deny g\x1bit"), 1, 7 },
		{ STR_INIT("deny git # \x1b[2J"), 1, 12 },
		{ STR_INIT("deny \"a\tb\""), 1, 8 },
		{ STR_INIT("mode use_allowlist\nmode use_allowlist"), 2, 1 },
		{ STR_INIT("network on\nnetwork off"), 2, 9 },
		{ STR_INIT("debug_dir /a\ndebug_dir /a"), 2, 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		cleanup_arena struct arena *a = arena_new(ROOM);
		struct policy_error e = { 0 };
		const struct policy *p = policy_of(a, LAYER_USER, cases[i].text, &e);

		if (e.line != cases[i].line || e.column != cases[i].column)
			fail_msg("case %zu: %zu:%zu %.*s", i, e.line, e.column,
			    (int)e.why.n, e.why.p);
		assert_true((p == NULL) == (cases[i].line > 0));
	}
}

/* Each limit is reached, and reported with a position. */
static void
test_limits(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM), *texts = arena_new(32 << 20);
	struct policy_error e = { 0 };
	struct buf b;

	(void)state;
	buf_init(&b, texts);
	buf_puts(&b, "deny ");
	while (b.n < 8192)
		buf_putc(&b, b.n % 8 ? 'x' : ' ');
	assert_null(policy_of(a, LAYER_USER, buf_str(&b), &e)); /* words */
	assert_int_equal(e.line, 1);
	b.n = 5;
	while (b.n < 8193)
		buf_putc(&b, 'x');
	assert_null(policy_of(a, LAYER_USER, buf_str(&b), &e)); /* bytes of a line */
	b.n = 5 + 1025;
	assert_null(policy_of(a, LAYER_USER, buf_str(&b), &e)); /* bytes of a word */
	b.n = 5 + 1024;
	assert_non_null(policy_of(a, LAYER_USER, buf_str(&b), &e));
	b.n = 0;
	buf_puts(&b, "deny read ");
	for (int i = 0; i < 60; i++)
		buf_puts(&b, "/x");
	assert_non_null(policy_of(a, LAYER_USER, buf_str(&b), &e));
	buf_puts(&b, "/x"); /* parts of a path */
	assert_null(policy_of(a, LAYER_USER, buf_str(&b), &e));
	b.n = 0;
	while (b.n <= POLICY_SOURCE_BYTES)
		buf_puts(&b, "# a comment that fills the file as comments do\n");
	assert_null(policy_of(a, LAYER_USER, buf_str(&b), &e));
	assert_true(e.why.n > 0);
}

static void
test_dates(void **state)
{
	static const struct {
		const char *line;
		int64_t until;
	} cases[] = {
		{ "allow ls until 1970-01-01", 86399 },
		{ "allow ls until 2000-02-29", 951868799 },
		{ "allow ls until 2026-12-01", 1796169599 },
		{ "allow ls until 2038-01-19", 2147558399 },
		{ "allow ls until 2100-03-01", 4107628799 },
		{ "allow ls until 9999-12-31", 253402300799 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		cleanup_arena struct arena *a = arena_new(ROOM);
		struct rule r;

		policy_rule(
		    policy_of(a, LAYER_USER, str_from_c(cases[i].line), NULL), 0, &r);
		assert_int_equal(r.until, cases[i].until);
	}
}

/* Within a layer the more specific rule wins: words, then options, then conditions. */
static void
test_specificity(void **state)
{
	static const struct {
		const char *less, *more;
	} cases[] = {
		{ "ask systemctl", "allow systemctl status" },
		{ "ask systemctl *", "allow systemctl status" },
		{ "ask *", "allow ls" },
		{ "ask git push", "deny git push with --force" },
		{ "ask git push with --force", "ask git push origin" },
		{ "ask rm", "allow rm on @project/build" },
		{ "ask rm on ~/x", "allow rm with -r" },
		{ "allow rm on @project", "ask rm on @project/build" },
		{ "allow ls", "ask ls when headless" },
		{ "allow ls", "allow ls exactly" },
		{ "ask write ~", "allow write ~/.cache" },
		{ "ask write ~/**", "allow write ~/.cache/**" },
		{ "ask write **/x", "allow write /a/b/x" },
		{ "ask net *", "allow net example.org" },
		{ "ask net *.example.org", "allow net www.example.org" },
		{ "ask read **", "allow read /a" },
		{ "ask read {/a/b,/a}", "allow read /a/b" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		cleanup_arena struct arena *a = arena_new(ROOM);
		struct rule less, more;

		policy_rule(
		    policy_of(a, LAYER_USER, str_from_c(cases[i].less), NULL), 0, &less);
		policy_rule(
		    policy_of(a, LAYER_USER, str_from_c(cases[i].more), NULL), 0, &more);
		if (less.specificity >= more.specificity)
			fail_msg("%s: %x, %s: %x", cases[i].less, less.specificity,
			    cases[i].more, more.specificity);
	}
}

/* Every keyword appears in an example. */
static void
shown(struct str text, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= text.n; i++) {
		bool begins = i == 0 || strchr(" \t\n", text.p[i - 1]);
		bool ends = i + n == text.n || strchr(" \t\n", text.p[i + n]);

		if (begins && ends && memcmp(text.p + i, word, n) == 0)
			return;
	}
	fail_msg("no example has the word %s", word);
}

/* The displays of the manual, but for the grammar, are rules. */
static void
test_manual(void **state)
{
	cleanup_arena struct arena *files = arena_new(2 << 20), *a = arena_new(ROOM);
	struct str text = repository_file(files, "man/cordon.rules.5"), line;
	struct policy_error e = { 0 };
	static const char clauses[] =
	    "allow\0ask\0deny\0test\0confine\0with\0without\0on\0in\0exactly\0when\0...\0"
	    "until\0because\0try\0except\0timeout\0";
	bool inside = false;
	size_t n = 0;
	struct buf b;

	(void)state;
	buf_init(&b, a);
	while (next_line(&text, &line)) {
		if (str_starts(line, STR(".Bd -literal -")))
			inside = true;
		else if (str_starts(line, STR(".Ed")))
			inside = false;
		else if (inside) {
			buf_put(&b, line);
			buf_putc(&b, '\n');
			n++;
		}
	}
	assert_true(n > 20);
	for (int i = 0; i < SETTINGS; i++)
		shown(buf_str(&b), setting_name((enum setting)i));
	for (const struct word_value *w = effect_words; w->word[0]; w++)
		shown(buf_str(&b), w->word);
	for (const struct word_value *w = when_words; w->word[0]; w++)
		shown(buf_str(&b), w->word);
	for (const char *w = clauses; *w; w += strlen(w) + 1)
		shown(buf_str(&b), w);
	if (!policy_of(a, LAYER_ADMIN, buf_str(&b), &e))
		fail_msg(
		    "%.*s\n%.*s", (int)e.line_text.n, e.line_text.p, (int)e.why.n, e.why.p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_many_hosts),
		cmocka_unit_test(test_manual),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_dates),
		cmocka_unit_test(test_specificity),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
