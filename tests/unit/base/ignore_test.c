/* The matcher by hand; tests/oracle/ignore_oracle.py compares many more cases with git. */
#include "../cm.h"
#include "base/ignore/ignore.h"

static const struct {
	const char *patterns, *path;
	bool directory, want;
} cases[] = {
	{ "foo", "foo", false, true },
	{ "foo", "a/b/foo", false, true },
	{ "foo", "foo/x", false, true }, /* inside an ignored directory */
	{ "/foo", "a/foo", false, false },
	{ "foo/", "foo", false, false },
	{ "foo/", "foo", true, true },
	{ "foo/", "foo/x", false, true },
	{ "a/foo", "a/foo", false, true },
	{ "a/foo", "b/a/foo", false, false },
	{ "*.o", "x.o", false, true },
	{ "*.o", "a/x.o", false, true },
	{ "/*.o", "a/x.o", false, false },
	{ "*.o\n!x.o", "x.o", false, false },
	{ "!x.o\n*.o", "x.o", false, true },
	{ "d\n!d/x", "d/x", false, true }, /* `!` cannot include it again */
	{ "d/*\n!d/x", "d/x", false, false },
	{ "**/foo", "a/b/foo", false, true },
	{ "**/foo", "foo", false, true },
	{ "a/**/b", "a/b", false, true },
	{ "a/**/b", "a/x/y/b", false, true },
	{ "a/**", "a/x/y", false, true },
	{ "a/**", "a", true, false },
	{ "a/*b", "a/x/b", false, false },
	{ "[a-c]x", "bx", false, true },
	{ "[!a-c]x", "bx", false, false },
	{ "[[:digit:]]", "7", false, true },
	{ "[[:nope:]]", "7", false, false },
	{ "x[[:alpha:]]y", "xay", false, true },
	{ "x[[:alpha:]]y", "x1y", false, false },
	{ "x[[:alnum:]]y", "xZy", false, true },
	{ "x[[:alnum:]]y", "x_y", false, false },
	{ "x[[:blank:]]y", "x y", false, true },
	{ "x[[:blank:]]y", "xxy", false, false },
	{ "x[[:cntrl:]]y",
	    "x\x01"
	    "y",
	    false, true },
	{ "x[[:cntrl:]]y", "xxy", false, false },
	{ "x[[:graph:]]y", "xxy", false, true },
	{ "x[[:graph:]]y", "x y", false, false },
	{ "x[[:lower:]]y", "xay", false, true },
	{ "x[[:lower:]]y", "xAy", false, false },
	{ "x[[:upper:]]y", "xAy", false, true },
	{ "x[[:upper:]]y", "xay", false, false },
	{ "x[[:print:]]y", "x y", false, true },
	{ "x[[:print:]]y",
	    "x\x01"
	    "y",
	    false, false },
	{ "x[[:punct:]]y", "x!y", false, true },
	{ "x[[:punct:]]y", "xay", false, false },
	{ "x[[:space:]]y", "x\ty", false, true },
	{ "x[[:space:]]y", "xxy", false, false },
	{ "x[[:xdigit:]]y", "xfy", false, true },
	{ "x[[:xdigit:]]y", "xgy", false, false },
	{ "[[:alpha", "[[:alpha", false, false },
	{ "[a", "a", false, false },
	{ "[a\\", "a", false, false },
	{ "[a-", "a", false, false },
	{ "?.c", "x.c", false, true },
	{ "a/?/c", "a/b/c", false, true },
	{ "a/?/c", "a/bb/c", false, false },
	{ "[", "[", false, false },
	{ "a\\*b", "a*b", false, true },
	{ "a\\*b", "axb", false, false },
	{ "\\#x", "#x", false, true },
	{ "#x", "#x", false, false },
	{ "\\!x", "!x", false, true },
	{ "a  ", "a", false, true },
	{ "a\\ ", "a ", false, true },
	{ "a\r\nb", "a", false, true },
	{ "\xef\xbb\xbf"
	  "a",
	    "a", false, true },
	{ "a?c", "a/c", false, false },
	{ "\\", "\\", false, false },
	{ "", "a", false, false },
	{ "/", "a", true, false },
};

static struct ignore_hit
match(struct arena *a, const char *text, const char *path, bool directory, unsigned flags)
{
	struct ignore_file f = { STR(""), STR("x"), NULL };
	struct ignore_hit hit;

	assert_int_equal(ignore_compile(a, str_from_c(text), flags, &f.list, NULL), 0);
	ignore_match(&f, 1, str_from_c(path), directory, &hit);
	return hit;
}

static void
must_1_as_git(void **state)
{
	cleanup_arena struct arena *a = arena_new(1 << 20);

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		if (match(a, cases[i].patterns, cases[i].path, cases[i].directory, 0)
			.ignored != cases[i].want)
			fail_msg("<%s> and %s", cases[i].patterns, cases[i].path);
	assert_true(match(a, "FOO*", "foobar", false, IGNORE_CASE).ignored);
	assert_false(match(a, "FOO*", "foobar", false, 0).ignored);
	assert_int_equal(match(a, "x\n\n*.o", "a.o", false, 0).line, 3);
	assert_true(match(a, "d/", "d/e/f", false, 0).directory);
}

static void
nested_files(void **state)
{
	cleanup_arena struct arena *a = arena_new(1 << 16);
	struct ignore_file f[3] = { { STR(""), STR("x"), NULL },
		{ STR("sub"), STR("x"), NULL }, { STR("sub"), STR("y"), NULL } };
	struct ignore_hit hit;

	(void)state;
	assert_int_equal(ignore_compile(a, STR("*.o\n"), 0, &f[0].list, NULL), 0);
	assert_int_equal(ignore_compile(a, STR("!a.o\n/b\n"), 0, &f[1].list, NULL), 0);
	assert_int_equal(ignore_compile(a, STR("a.o\n"), 0, &f[2].list, NULL), 0);
	ignore_match(f, 2, STR("sub/a.o"), false, &hit);
	assert_false(hit.ignored);
	ignore_match(f, 2, STR("a.o"), false, &hit);
	assert_true(hit.ignored);
	ignore_match(f, 2, STR("sub/b"), false, &hit);
	assert_true(hit.ignored);
	ignore_match(f, 2, STR("b"), false, &hit);
	assert_false(hit.found);
	ignore_match(
	    f, 3, STR("sub/a.o"), false, &hit); /* the later file of one directory wins */
	assert_true(hit.ignored);
	assert_int_equal(hit.file, 2);
}

static void
must_2_no_pattern_takes_for_ever(void **state)
{
	cleanup_arena struct arena *a = arena_new(1 << 20);
	char text[2000], path[1000];

	(void)state;
	for (size_t i = 0; i + 1 < sizeof text; i += 2)
		memcpy(text + i, "a*", 2);
	text[sizeof text - 2] = 'b';
	text[sizeof text - 1] = '\0';
	memset(path, 'a', sizeof path);
	path[sizeof path - 1] = '\0';
	assert_false(match(a, text, path, false, 0).ignored);
	for (size_t i = 0; i + 3 < sizeof text; i += 3)
		memcpy(text + i, "**/", 3);
	text[sizeof text - 2] = 'b';
	assert_false(match(a, text, path, false, 0).ignored);
}

static void
too_many_patterns(void **state)
{
	enum { LINES = 1000001 };
	static char text[LINES];
	cleanup_arena struct arena *a = arena_new((size_t)64 << 20);
	const struct ignore_list *list = NULL;
	struct err e = { 0 };

	(void)state;
	memset(text, '\n', sizeof text);
	assert_int_equal(
	    ignore_compile(a, str_of(text, sizeof text), 0, &list, &e), CORDON_ELIMIT);
	assert_string_equal(e.why, "more than 1000000 patterns");
	assert_null(list);
}

static void
seed_3_15_mapping(void **state)
{
	static const char *const bad[] = { "", "[]", "{}",
		"{\"version\":2,\"root\":\"/\",\"files\":[]}",
		"{\"version\":1,\"root\":\"x\",\"files\":[]}",
		"{\"version\":1,\"root\":\"/\",\"files\":{}}",
		"{\"version\":1,\"root\":\"/\",\"files\":[1]}",
		"{\"version\":1,\"root\":\"/\",\"files\":[{\"dir\":\"\",\"name\":\"x\"}]}",
		"{\"version\":1,\"root\":\"/"
		"\",\"files\":[{\"dir\":\"..\",\"name\":\"x\",\"patterns\":\"\"}]}",
		"{\"version\":1,\"root\":\"/\",\"files\":[{\"dir\":\"/"
		"a\",\"name\":\"x\",\"patterns\":\"\"}]}",
		"{\"version\":1,\"root\":\"/"
		"\",\"files\":[{\"dir\":\"\",\"name\":\"x\",\"patterns\":1}]}",
		"{\"version\":1,\"root\":\"/\",\"files\":[],\"more\":1}" };
	cleanup_arena struct arena *a = arena_new(1 << 20);
	struct ignore_text texts[2] = { { STR(""), STR(".cursorignore"),
					    STR("*.o\n\"\xff\n") },
		{ STR("sub/d"), STR(".cursorignore"), STR("!a.o\n") } };
	struct ignore_file *files;
	struct ignore_hit hit;
	struct str root;
	struct buf b;
	size_t n;

	(void)state;
	buf_init(&b, a);
	ignore_put_json(&b, STR("/r"), texts, 2);
	assert_int_equal(ignore_read_json(a, buf_str(&b), 0, &root, &files, &n, NULL), 0);
	assert_str(root, STR("/r"));
	assert_int_equal(n, 2);
	ignore_match(files, n, STR("sub/d/a.o"), false, &hit);
	assert_true(hit.found && !hit.ignored);
	ignore_match(files, n, STR("\"\xff"), false, &hit);
	assert_true(hit.ignored);
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_int_not_equal(
		    ignore_read_json(a, str_from_c(bad[i]), 0, &root, &files, &n, NULL), 0);
}

static void
memory_runs_out(void **state)
{
	const struct ignore_list *list = NULL;
	int last = -1;

	(void)state;
	for (size_t n = 0; n < 16384 && last; n += 16) {
		cleanup_arena struct arena *a = arena_new(n);

		last = ignore_compile(a, STR("*.o\na/[x]*\nfoo\n"), 0, &list, NULL);
		assert_true(last == 0 || last == CORDON_ENOMEM);
	}
	assert_int_equal(last, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(must_1_as_git),
		cmocka_unit_test(nested_files),
		cmocka_unit_test(must_2_no_pattern_takes_for_ever),
		cmocka_unit_test(too_many_patterns), cmocka_unit_test(seed_3_15_mapping),
		cmocka_unit_test(memory_runs_out) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
