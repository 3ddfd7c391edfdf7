/* The list of files that other programs execute later: its entries, and its text for
 * people. */
#include "../cm.h"
#include "broker/guard/guard.h"
#include "broker/report/report.h"
#include "run/run.h"

#define SIZE ((size_t)8 << 20)

static struct str writable[] = { STR_INIT("/ws") };
static const struct plan plan = { .writable = writable, .writable_n = 1 };
static const struct run_policy policy;

static struct broker *
begin(struct arena *a)
{
	struct broker *br = ARENA_NEW(a, struct broker);

	assert_non_null(br);
	br->a = a;
	br->policy = &policy;
	br->plan = &plan;
	br->dropped = arena_array(a, DROPPED_MAX, sizeof *br->dropped);
	return br;
}

static struct target
at(const char *path, bool exists)
{
	struct target p = { .parent = -1, .object = -1, .exists = exists };

	p.path_n = strlen(path);
	memcpy(p.path, path, p.path_n + 1);
	return p;
}

static void
make(struct broker *br, const char *path, bool existed)
{
	struct target p = at(path, existed);

	dropped_check(br, &p);
}

static struct str
report(struct arena *a, const struct broker *br, bool json)
{
	struct run_result r = { .dropped_lost = br->dropped_lost };
	struct buf b;

	r.dropped = br->dropped;
	r.dropped_n = br->dropped_n;
	buf_init(&b, a);
	if (json)
		run_report(&r, VERDICT_CONFINE, &b);
	else
		run_print_violations(&r, &b);
	buf_putc(&b, '\0');
	assert_false(b.full);
	return buf_str(&b);
}

static const struct row {
	const char *path;
	bool existed;
	char told; /* 'p': to people and in JSON; 'j': in JSON alone; '-': not at all */
} rows[] = {
	{ "/ws/main.c", false, '-' },
	{ "/ws/sub/AGENTS.md", false, 'p' },
	{ "/ws/agents.MD", false, 'p' },
	{ "/ws/Makefile", false, 'j' },
	{ "/ws/a/Makefile", true, 'p' },
	{ "/ws/.github/workflows/deep/x.yml", false, 'p' },
	{ "/ws/.github/other/x.yml", false, '-' },
	{ "/ws/workflows/x.yml", false, '-' },
	{ "/ws/.cargo/config.toml", false, 'p' },
	{ "/ws/.cargo/config.toml/x", false, '-' },
	{ "/ws/x/config.toml", false, '-' },
	{ "/ws/env/lib/site-packages/x.pth", false, 'p' },
	{ "/ws/.pth", false, '-' },
	{ "/ws/node_modules/a/.npmrc", false, 'j' },
	{ "/ws/node_modules/a/AGENTS.md", true, 'j' },
	{ "/ws/eslint.config.mjs", false, 'p' },
};

static void
test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		cleanup_arena struct arena *a = arena_new(SIZE);
		struct broker *br = begin(a);
		bool json, people;

		make(br, rows[i].path, rows[i].existed);
		make(br, rows[i].path, true);
		json = strstr(report(a, br, true).p, rows[i].path);
		people = strstr(report(a, br, false).p, rows[i].path);
		if (json != (rows[i].told != '-') || people != (rows[i].told == 'p') ||
		    br->dropped_n != json)
			fail_msg("%s: json %d, people %d", rows[i].path, json, people);
	}
}

/* A file that existed, was removed and created again counts as changed. */
static void
test_gone(void **state)
{
	cleanup_arena struct arena *a = arena_new(SIZE);
	struct broker *br = begin(a);
	struct target p = at("/ws/Makefile", true);

	(void)state;
	dropped_check_removed(br, &p);
	assert_null(strstr(report(a, br, true).p, "Makefile"));
	make(br, "/ws/Makefile", false);
	assert_non_null(strstr(report(a, br, false).p, "'/ws/Makefile': make runs"));
	assert_int_equal(br->dropped_quiet_n, 0);
	/* A file that the run itself created is ordinary work. */
	make(br, "/ws/b/Makefile", false);
	p = at("/ws/b/Makefile", true);
	dropped_check_removed(br, &p);
	make(br, "/ws/b/Makefile", false);
	assert_null(strstr(report(a, br, false).p, "/ws/b/"));
	assert_non_null(strstr(report(a, br, true).p, "/ws/b/Makefile"));
}

static struct str
numbered(struct arena *a, const char *head, size_t i)
{
	struct buf b;

	buf_init(&b, a);
	buf_puts(&b, head);
	buf_putu(&b, i);
	buf_puts(&b, "/package.json");
	return buf_str(&b);
}

/* Ordinary work does not crowd out the rest. */
static void
test_quiet_bound(void **state)
{
	cleanup_arena struct arena *a = arena_new(SIZE);
	struct broker *br = begin(a);

	(void)state;
	for (size_t i = 0; i < DROPPED_MAX; i++)
		dropped_add_as(br, numbered(a, "/ws/", i), "why", true);
	assert_int_equal(br->dropped_n, DROPPED_QUIET_MAX);
	assert_int_equal(br->dropped_lost, DROPPED_MAX - DROPPED_QUIET_MAX);
	assert_non_null(strstr(report(a, br, true).p, "\"planted_lost\":512}"));
	make(br, "/ws/AGENTS.md", false);
	assert_non_null(strstr(report(a, br, false).p, "/ws/AGENTS.md"));
}

/* Renaming back and forth all day takes no more memory, and lists nothing twice. */
static void
test_moved(void **state)
{
	cleanup_arena struct arena *a = arena_new(SIZE);
	struct broker *br = begin(a);
	struct str near = STR("/ws/a"), far = STR("/ws/a/much/longer/name");

	(void)state;
	for (size_t i = 0; i < 500; i++)
		dropped_add_as(br, numbered(a, "/ws/a/", i), "why", false);
	for (size_t i = 0; i < 1000; i++) {
		dropped_moved(br, near, far, false);
		assert_str(
		    br->dropped[1].path, STR("/ws/a/much/longer/name/1/package.json"));
		dropped_moved(br, far, near, false);
	}
	assert_str(br->dropped[499].path, STR("/ws/a/499/package.json"));
	dropped_add_as(br, STR("/ws/b/1/package.json"), "why", false);
	dropped_moved(br, near, STR("/ws/b"), false);
	assert_int_equal(br->dropped_n, 500);
	dropped_add_as(br, STR("/ws/b/7/package.json"), "why", false);
	assert_int_equal(br->dropped_n, 500);
	dropped_add_as(br, STR("/ws/c/x"), "why", false);
	dropped_moved(br, STR("/ws/b"), STR("/ws/c"), true);
	dropped_add_as(br, STR("/ws/b/x"), "why", false);
	dropped_add_as(br, STR("/ws/c/7/package.json"), "why", false);
	assert_int_equal(br->dropped_n, 501);
}

/* People get one line for each reason, and sixteen at most. */
static void
test_lines(void **state)
{
	static const char whys[20][3] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
		"k", "l", "m", "n", "o", "p", "q", "r", "s", "t" };
	cleanup_arena struct arena *a = arena_new(SIZE);
	struct broker *br = begin(a);
	struct str text;
	size_t lines = 0;

	(void)state;
	for (size_t i = 0; i < 100; i++)
		dropped_add_as(br, numbered(a, "/ws/", i), whys[i % 20], false);
	text = report(a, br, false);
	for (size_t i = 0; i < text.n; i++)
		lines += text.p[i] == '\n';
	assert_int_equal(lines, 17);
	assert_non_null(strstr(text.p, "changed '/ws/1/package.json', "
				       "'/ws/21/package.json', '/ws/41/package.json' and 2 "
				       "more: b\n"));
	assert_non_null(strstr(text.p, "more such files: 20 (--json-report lists them)\n"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_quiet_bound),
		cmocka_unit_test(test_moved),
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
