/* The list of files that other programs run later: what is in it, and what people read. */
#include "../cm.h"
#include "broker/supervisor.h"

#define SIZE ((size_t)8 << 20)

static struct run_result result;
static struct str writable[] = { STR_INIT("/ws") };
static const struct plan plan = { .writable = writable, .writable_n = 1 };
static const struct run_request request;

static struct supervisor *
begin(struct arena *a)
{
	struct supervisor *s = ARENA_NEW(a, struct supervisor);

	assert_non_null(s);
	result = (struct run_result){ 0 };
	s->a = a;
	s->q = &request;
	s->plan = &plan;
	s->result = &result;
	s->planted = arena_array(a, PLANTED_MAX, sizeof *s->planted);
	return s;
}

static struct place_in
at(const char *path, bool exists)
{
	struct place_in p = { .parent = -1, .object = -1, .exists = exists };

	p.path_n = strlen(path);
	memcpy(p.path, path, p.path_n + 1);
	return p;
}

static void
make(struct supervisor *s, const char *path, bool existed)
{
	struct place_in p = at(path, existed);

	plant_look(s, &p);
}

static struct str
report(struct arena *a, const struct supervisor *s, bool json)
{
	struct run_result r = *s->result;
	struct buf b;

	r.planted = s->planted;
	r.planted_n = s->planted_n;
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
		struct supervisor *s = begin(a);
		bool json, people;

		make(s, rows[i].path, rows[i].existed);
		make(s, rows[i].path, true);
		json = strstr(report(a, s, true).p, rows[i].path);
		people = strstr(report(a, s, false).p, rows[i].path);
		if (json != (rows[i].told != '-') || people != (rows[i].told == 'p') ||
		    s->planted_n != json)
			fail_msg("%s: json %d, people %d", rows[i].path, json, people);
	}
}

/* What was there, went away and came again was changed. */
static void
test_gone(void **state)
{
	cleanup_arena struct arena *a = arena_new(SIZE);
	struct supervisor *s = begin(a);
	struct place_in p = at("/ws/Makefile", true);

	(void)state;
	plant_look_removed(s, &p);
	assert_null(strstr(report(a, s, true).p, "Makefile"));
	make(s, "/ws/Makefile", false);
	assert_non_null(strstr(report(a, s, false).p, "'/ws/Makefile': make runs"));
	assert_int_equal(s->planted_quiet_n, 0);
	/* One that the run itself has made is ordinary work. */
	make(s, "/ws/b/Makefile", false);
	p = at("/ws/b/Makefile", true);
	plant_look_removed(s, &p);
	make(s, "/ws/b/Makefile", false);
	assert_null(strstr(report(a, s, false).p, "/ws/b/"));
	assert_non_null(strstr(report(a, s, true).p, "/ws/b/Makefile"));
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
	struct supervisor *s = begin(a);

	(void)state;
	for (size_t i = 0; i < PLANTED_MAX; i++)
		plant_as(s, numbered(a, "/ws/", i), "why", true);
	assert_int_equal(s->planted_n, PLANTED_QUIET_MAX);
	assert_int_equal(result.planted_lost, PLANTED_MAX - PLANTED_QUIET_MAX);
	assert_non_null(strstr(report(a, s, true).p, "\"planted_lost\":512}"));
	make(s, "/ws/AGENTS.md", false);
	assert_non_null(strstr(report(a, s, false).p, "/ws/AGENTS.md"));
}

/* Renamed back and forth all day it needs no more memory, and nothing is listed twice. */
static void
test_moved(void **state)
{
	cleanup_arena struct arena *a = arena_new(SIZE);
	struct supervisor *s = begin(a);
	struct str near = STR("/ws/a"), far = STR("/ws/a/much/longer/name");

	(void)state;
	for (size_t i = 0; i < 500; i++)
		plant_as(s, numbered(a, "/ws/a/", i), "why", false);
	for (size_t i = 0; i < 1000; i++) {
		plant_moved(s, near, far, false);
		assert_str(
		    s->planted[1].path, STR("/ws/a/much/longer/name/1/package.json"));
		plant_moved(s, far, near, false);
	}
	assert_str(s->planted[499].path, STR("/ws/a/499/package.json"));
	plant_as(s, STR("/ws/b/1/package.json"), "why", false);
	plant_moved(s, near, STR("/ws/b"), false);
	assert_int_equal(s->planted_n, 500);
	plant_as(s, STR("/ws/b/7/package.json"), "why", false);
	assert_int_equal(s->planted_n, 500);
	plant_as(s, STR("/ws/c/x"), "why", false);
	plant_moved(s, STR("/ws/b"), STR("/ws/c"), true);
	plant_as(s, STR("/ws/b/x"), "why", false);
	plant_as(s, STR("/ws/c/7/package.json"), "why", false);
	assert_int_equal(s->planted_n, 501);
}

/* People read one line for each reason, and sixteen at most. */
static void
test_lines(void **state)
{
	static const char whys[20][3] = { "a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
		"k", "l", "m", "n", "o", "p", "q", "r", "s", "t" };
	cleanup_arena struct arena *a = arena_new(SIZE);
	struct supervisor *s = begin(a);
	struct str text;
	size_t lines = 0;

	(void)state;
	for (size_t i = 0; i < 100; i++)
		plant_as(s, numbered(a, "/ws/", i), whys[i % 20], false);
	text = report(a, s, false);
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
