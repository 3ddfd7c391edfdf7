/* Layers, trust, locks and bounds: tests/cases/policy/layers.case. */
#include "help.h"

#define SOURCES 8

struct layers_case {
	struct str name;
	struct policy_source sources[SOURCES];
	size_t n;
	struct str wants; /* the expected lines */
};

static bool
is_want(struct str line)
{
	return line.n > 1 &&
	       (str_starts(line, STR("= ")) || str_starts(line, STR("+ ")) ||
		   str_starts(line, STR("! ")) || str_starts(line, STR("~ ")) ||
		   str_starts(line, STR("rules ")));
}

static void
add_source(struct layers_case *c, struct str head, const char *text)
{
	struct policy_source *s = &c->sources[c->n++];
	struct str name = next_word(&head);

	assert_true(c->n <= SOURCES);
	*s = (struct policy_source){ .trusted = !str_is(head, "untrusted"), .file = name };
	s->text = str_of(text, 0);
	assert_true(layer_find(name, &s->layer));
}

/* The next case of the file. */
static bool
take_case(struct str *text, struct layers_case *c)
{
	struct str line;
	bool inside = false;

	*c = (struct layers_case){ 0 };
	while (next_line(text, &line)) {
		if (str_starts(line, STR("== "))) {
			c->name = str_skip(line, 3);
			inside = true;
		} else if (!inside || line.n == 0) {
			if (inside)
				return true;
		} else if (str_starts(line, STR("-- "))) {
			add_source(c, str_skip(line, 3), line.p + line.n + 1);
		} else if (is_want(line)) {
			if (!c->wants.p)
				c->wants = str_of(line.p, 0);
			c->wants.n = (size_t)(line.p + line.n - c->wants.p);
		} else {
			struct str *s = &c->sources[c->n - 1].text;

			s->n = (size_t)(line.p + line.n - s->p);
		}
	}
	return inside;
}

/* ---- expected results, as the printed policy and the lists show them */

static const char *const lists[LISTS] = { "writable", "readable", "ignore", "root", "net",
	"composite", "safe", "mcp_allow", "lock", "before_shell", "after_shell",
	"debug_dir" };

static bool
list_has(const struct policy *p, struct str list, struct str entry)
{
	for (int l = 0; l < LISTS; l++) {
		if (!str_is(list, lists[l]))
			continue;
		for (size_t i = 0; policy_entry(p, (enum policy_list)l, i).p; i++)
			if (str_eq(policy_entry(p, (enum policy_list)l, i), entry))
				return true;
		return false;
	}
	fail_msg("no list %.*s", (int)list.n, list.p);
	return false;
}

static bool
has_inert(const struct policy *p, struct str why, struct str text)
{
	static const char *const names[INERTS] = { "untrusted", "project", "locked",
		"bound", "forbidden" };
	struct policy_inert t;

	for (size_t i = 0; policy_inert(p, i, &t); i++)
		if (str_is(why, names[t.why]) && str_eq(t.text, text))
			return true;
	return false;
}

/* `= mode run_everything user` is a printed line that begins so, and its origin. */
static bool
has_value(struct arena *a, const struct policy *p, struct str want)
{
	struct str word = str_cut(want, 0, str_find(want, ' ')), value = want, line;
	size_t last = str_rfind(want, ' ');
	struct str layer = str_skip(want, last + 1);
	enum layer l = LAYERS;
	struct buf b;
	struct str text;
	struct policy_origin origin = { 0 };
	char name[32] = "";

	memcpy(name, word.p, word.n);
	if (layer_find(layer, &l) || str_is(layer, "default"))
		value.n = last;
	buf_init(&b, a);
	policy_print(p, &b);
	text = buf_str(&b);
	while (next_line(&text, &line))
		if (str_starts(line, value) && line.p[value.n] == ' ' &&
		    (line.p[value.n + 1] == ' ' || line.p[value.n + 1] == '#'))
			return str_is(layer, "default") ? !policy_origin(p, name, &origin)
			       : l < LAYERS
				   ? policy_origin(p, name, &origin) && origin.layer == l
				   : true;
	return false;
}

static bool
check_want(struct arena *a, const struct policy *p, struct str want)
{
	struct str kind = next_word(&want), word = want;
	size_t n = 0;

	if (str_is(kind, "="))
		return has_value(a, p, want);
	word = next_word(&want);
	if (str_is(kind, "+"))
		return list_has(p, word, want);
	if (str_is(kind, "!"))
		return !list_has(p, word, want);
	if (str_is(kind, "~"))
		return has_inert(p, word, str_skip(want, 2));
	for (size_t i = 0; i < word.n; i++)
		n = n * 10 + (size_t)(word.p[i] - '0');
	return policy_rule_count(p) == n;
}

/* In less memory: the same image, or CORDON_ENOMEM with a reason. */
static void
check_memory(const struct layers_case *c, struct str image, size_t peak, size_t from)
{
	for (size_t limit = from; limit < peak; limit += 256) {
		cleanup_arena struct arena *small = arena_new(limit);
		struct policy_error e = { 0 };
		struct buf got;
		int r;

		buf_init(&got, small);
		r = policy_compile(small, c->sources, c->n, &got, &e);
		if (r == 0)
			assert_str(buf_str(&got), image);
		else
			assert_true(r == CORDON_ENOMEM && e.why.n > 0);
	}
}

static void
test_cases(void **state)
{
	cleanup_arena struct arena *files = arena_new(2 << 20), *a = arena_new(ROOM);
	struct str text = case_file(files, "layers.case"), want;
	struct layers_case c;
	size_t n = 0, wrong = 0;

	(void)state;
	for (; take_case(&text, &c); n++) {
		struct policy_error e = { 0 };
		const struct policy *p = NULL;
		struct buf image;

		arena_reset(a);
		a->peak = 0;
		buf_init(&image, a);
		if (policy_compile(a, c.sources, c.n, &image, &e))
			fail_msg("%.*s: source %zu, %zu:%zu: %.*s", (int)c.name.n, c.name.p,
			    e.source, e.line, e.column, (int)e.why.n, e.why.p);
		check_memory(&c, buf_str(&image), a->peak, n % 32 * 8);
		assert_int_equal(policy_open(a, buf_str(&image), &p), 0);
		assert_true(c.wants.n > 0);
		while (next_line(&c.wants, &want)) {
			if (check_want(a, p, want))
				continue;
			wrong++;
			print_error(
			    "%.*s: %.*s\n", (int)c.name.n, c.name.p, (int)want.n, want.p);
		}
		check_round_trip(a, p);
	}
	assert_true(n > 20);
	assert_int_equal(wrong, 0);
}

/* The administrator's read-only sandbox stays read-only, whatever a lower rule says; the
 * administrator's own rule counts. */
static void
test_readonly_by_admin(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct policy_source s[] = {
		{ .layer = LAYER_USER,
		    .trusted = true,
		    .file = STR("user"),
		    .text = STR("allow make sandbox readwrite") },
		{ .layer = LAYER_ADMIN,
		    .trusted = true,
		    .file = STR("admin"),
		    .text = STR("sandbox workspace_readonly\n"
				"allow npm sandbox readwrite") },
	};

	(void)state;
	for (size_t n = 1; n <= COUNT(s); n++) {
		const struct policy *p = NULL;
		struct policy_error e = { 0 };
		struct buf image;

		buf_init(&image, a);
		assert_int_equal(policy_compile(a, s, n, &image, &e), 0);
		assert_int_equal(policy_open(a, buf_str(&image), &p), 0);
		assert_int_equal(policy_rule_count(p), n);
		for (size_t i = 0; i < n; i++) {
			struct rule r;

			policy_rule(p, i, &r);
			assert_int_equal(r.sandbox, n == 1 || r.layer == LAYER_ADMIN
							? SANDBOX_WORKSPACE_READWRITE
							: SANDBOX_UNSPECIFIED);
		}
	}
}

/* The stricter of two files of one layer wins, in either order. */
static void
test_order(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct policy_source s[] = {
		{ .layer = LAYER_ADMIN, .file = STR("c"), .text = STR("allow c") },
		{ .layer = LAYER_USER,
		    .file = STR("a"),
		    .text = STR("mode use_allowlist\nallow a") },
		{ .layer = LAYER_USER,
		    .file = STR("b"),
		    .text = STR("mode ask_every_time\nallow b") },
		{ .layer = LAYER_USER,
		    .file = STR("d"),
		    .text = STR("mode run_everything") },
	};
	const struct policy *p = NULL;
	struct policy_origin origin;
	struct buf image;
	struct rule r;

	(void)state;
	buf_init(&image, a);
	assert_int_equal(policy_compile(a, s, COUNT(s), &image, NULL), 0);
	assert_int_equal(policy_open(a, buf_str(&image), &p), 0);
	assert_int_equal(policy_settings(p)->mode, MODE_ASK_EVERY_TIME);
	assert_true(policy_origin(p, "mode", &origin));
	assert_str(origin.file, STR("b"));
	assert_false(policy_origin(p, "nothing", &origin));
	assert_false(policy_origin(p, "default", &origin));
	policy_rule(p, 2, &r);
	assert_int_equal(r.layer, LAYER_ADMIN);
	assert_str(r.text, STR("allow c"));
}

/*
 * A comment that looks like an origin is ignored in a file that was not printed by cordon.
 */
static void
test_forged_origin(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct str text =
	    STR("allow ls # admin /etc/cordon/rules:1\nmode ask_every_time # default");
	const struct policy *p = policy_of(a, LAYER_USER, text, NULL);
	struct rule r;

	(void)state;
	policy_rule(p, 0, &r);
	assert_int_equal(r.layer, LAYER_USER);
	assert_int_equal(policy_settings(p)->mode, MODE_ASK_EVERY_TIME);
	assert_null(
	    policy_of(a, LAYER_USER, STR("autorun off # admin /etc/cordon/rules:1"), NULL));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_readonly_by_admin),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_forged_origin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
