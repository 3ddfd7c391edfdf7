#include "../cm.h"
#include "base/limits.h"
#include "base/path.h"

static const struct {
	struct str dir, path;
	int want;
	struct str value;
} normal[] = {
	{ STR_INIT("/a/b"), STR_INIT("x"), 0, STR_INIT("/a/b/x") },
	{ STR_INIT("/a/b"), STR_INIT("./x"), 0, STR_INIT("/a/b/x") },
	{ STR_INIT("/a/b"), STR_INIT("."), 0, STR_INIT("/a/b") },
	{ STR_INIT("/a/b"), STR_INIT("./"), 0, STR_INIT("/a/b") },
	{ STR_INIT("/a/b"), STR_INIT("x//y/./z/"), 0, STR_INIT("/a/b/x/y/z") },
	{ STR_INIT("/a/b"), STR_INIT(".."), 0, STR_INIT("/a") },
	{ STR_INIT("/a/b"), STR_INIT("../x"), 0, STR_INIT("/a/x") },
	{ STR_INIT("/a/b"), STR_INIT("./.././../x"), 0, STR_INIT("/x") },
	{ STR_INIT("/a/b"), STR_INIT("../../../../x"), 0, STR_INIT("/x") },
	{ STR_INIT("/a/b"), STR_INIT("../.."), 0, STR_INIT("/") },
	/* MUST 1: nothing is folded after a name that may be a symlink. */
	{ STR_INIT("/a/b"), STR_INIT("c/../x"), 0, STR_INIT("/a/b/c/../x") },
	{ STR_INIT("/a/b"), STR_INIT("c/./../../x"), 0, STR_INIT("/a/b/c/../../x") },
	{ STR_INIT("/a/b"), STR_INIT("../c/../x"), 0, STR_INIT("/a/c/../x") },
	{ STR_INIT("/a/b"), STR_INIT("/c/../x"), 0, STR_INIT("/c/../x") },
	{ STR_INIT("/a/b"), STR_INIT("c/.."), 0, STR_INIT("/a/b/c/..") },
	{ STR_INIT("/a/l/.."), STR_INIT("x"), 0, STR_INIT("/a/l/../x") },
	{ STR_INIT("/a/l/.."), STR_INIT("../x"), 0, STR_INIT("/a/l/../../x") },
	{ STR_INIT("/a/b"), STR_INIT("/../x"), 0, STR_INIT("/x") },
	{ STR_INIT("/a/b"), STR_INIT("/./../../x"), 0, STR_INIT("/x") },
	{ STR_INIT("/a/b"), STR_INIT("/"), 0, STR_INIT("/") },
	{ STR_INIT("/a/b"), STR_INIT("//x"), 0, STR_INIT("/x") },
	{ STR_INIT("/a/b"), STR_INIT("..."), 0, STR_INIT("/a/b/...") },
	{ STR_INIT("/a/b"), STR_INIT("..x"), 0, STR_INIT("/a/b/..x") },
	{ STR_INIT("/a/b"), STR_INIT(".x"), 0, STR_INIT("/a/b/.x") },
	{ STR_INIT("/"), STR_INIT("x"), 0, STR_INIT("/x") },
	{ STR_INIT("/"), STR_INIT(".."), 0, STR_INIT("/") },
	{ STR_INIT("//a//./b/"), STR_INIT("x"), 0, STR_INIT("/a/b/x") },
	{ STR_INIT("not/absolute"), STR_INIT("/x"), 0, STR_INIT("/x") },
	{ STR_INIT("/a"), STR_INIT("\xff\n"), 0, STR_INIT("/a/\xff\n") },
	{ STR_INIT("a"), STR_INIT("x"), CORDON_EINVAL, STR_INIT("") },
	{ STR_INIT(""), STR_INIT("x"), CORDON_EINVAL, STR_INIT("") },
	{ STR_INIT("/a"), STR_INIT(""), CORDON_EINVAL, STR_INIT("") },
	{ STR_INIT("/a"), STR_INIT("x\0y"), CORDON_EINVAL, STR_INIT("") },
	{ STR_INIT("/a\0b"), STR_INIT("x"), CORDON_EINVAL, STR_INIT("") },
};

static void
test_normal(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(normal); i++) {
		cleanup_arena struct arena *a = arena_new(256);
		struct str got = STR("untouched");
		struct err e = { 0 };

		assert_int_equal(path_normal(a, normal[i].dir, normal[i].path, &got, &e),
		    normal[i].want);
		assert_str(got, normal[i].want ? STR("untouched") : normal[i].value);
		assert_int_equal(e.code, normal[i].want);
	}
}

/* MUST 2. */
static void
test_limits(void **state)
{
	char text[LIMIT_PATH + 1];
	cleanup_arena struct arena *a = arena_new(8 * LIMIT_PATH);
	struct str got;

	(void)state;
	memset(text, 'x', sizeof text);
	text[0] = '/';
	assert_int_equal(
	    path_normal(a, STR("/"), str_of(text, LIMIT_PATH - 1), &got, NULL), 0);
	assert_int_equal(got.n, LIMIT_PATH - 1);
	assert_int_equal(
	    path_normal(a, STR("/"), str_of(text, LIMIT_PATH), &got, NULL), CORDON_ELIMIT);
	assert_int_equal(
	    path_normal(a, str_of(text, LIMIT_PATH - 3), STR("a"), &got, NULL), 0);
	assert_int_equal(path_normal(a, str_of(text, LIMIT_PATH - 2), STR("a"), &got, NULL),
	    CORDON_ELIMIT);
	assert_int_equal(
	    path_normal(a, str_of(text, LIMIT_PATH), STR("a"), &got, NULL), CORDON_ELIMIT);
	assert_int_equal(
	    path_join(a, str_of(text, LIMIT_PATH - 3), STR("a"), &got, NULL), 0);
	assert_int_equal(path_join(a, str_of(text, LIMIT_PATH - 2), STR("a"), &got, NULL),
	    CORDON_ELIMIT);
	assert_int_equal(path_join(a, STR("a\0"), STR("a"), &got, NULL), CORDON_EINVAL);
	assert_int_equal(path_join(a, STR("a"), STR("\0"), &got, NULL), CORDON_EINVAL);
}

static void
test_memory(void **state)
{
	(void)state;
	for (size_t limit = 0; limit < 12; limit++) {
		cleanup_arena struct arena *a = arena_new(limit);
		struct str got = STR("untouched");
		int err = path_normal(a, STR("/a/b"), STR("../c"), &got, NULL);

		assert_int_equal(err, limit < 10 ? CORDON_ENOMEM : 0);
		assert_str(got, err ? STR("untouched") : STR("/a/c"));
		arena_reset(a);
		err = path_join(a, STR("/a/b"), STR("cd"), &got, NULL);
		assert_int_equal(err, limit < 7 ? CORDON_ENOMEM : 0);
	}
}

static const struct {
	struct str dir, name, value;
} joined[] = {
	{ STR_INIT("/a"), STR_INIT("b"), STR_INIT("/a/b") },
	{ STR_INIT("/a/"), STR_INIT("b"), STR_INIT("/a/b") },
	{ STR_INIT("/"), STR_INIT("b"), STR_INIT("/b") },
	{ STR_INIT(""), STR_INIT("b"), STR_INIT("b") },
	{ STR_INIT("/a"), STR_INIT(""), STR_INIT("/a/") },
};

static void
test_join(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(joined); i++) {
		cleanup_arena struct arena *a = arena_new(64);
		struct str got;

		assert_int_equal(
		    path_join(a, joined[i].dir, joined[i].name, &got, NULL), 0);
		assert_str(got, joined[i].value);
	}
}

static const struct {
	struct str root, path;
	bool within;
} within[] = {
	{ STR_INIT("/a"), STR_INIT("/a"), true },
	{ STR_INIT("/a"), STR_INIT("/a/b"), true },
	{ STR_INIT("/a"), STR_INIT("/ab"), false },
	{ STR_INIT("/a"), STR_INIT("/b"), false },
	{ STR_INIT("/a/b"), STR_INIT("/a"), false },
	{ STR_INIT("/"), STR_INIT("/a"), true },
	{ STR_INIT("/"), STR_INIT("/"), true },
	{ STR_INIT("/"), STR_INIT("a"), false },
	{ STR_INIT(""), STR_INIT("/a"), false },
	{ STR_INIT("a"), STR_INIT("a/b"), false },
	/* MUST 3. */
	{ STR_INIT("/a"), STR_INIT("/a/l/../x"), false },
	{ STR_INIT("/a"), STR_INIT("/a/l/../../etc"), false },
	{ STR_INIT("/a"), STR_INIT("/a/.."), false },
	{ STR_INIT("/a"), STR_INIT("/a/..x"), true },
	{ STR_INIT("/a"), STR_INIT("/a/x.."), true },
};

static const struct str not_plain[] = { STR_INIT(""), STR_INIT("/"), STR_INIT("a/b"),
	STR_INIT("/a/"), STR_INIT("//a"), STR_INIT("/a//b"), STR_INIT("/a/./b"),
	STR_INIT("/."), STR_INIT("/a/..") };

static void
test_within(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(within); i++)
		if (path_is_within(within[i].root, within[i].path) != within[i].within)
			fail_msg("case %zu", i);
	assert_false(path_has_dotdot(STR("/a/.../b")));
	assert_true(path_has_dotdot(STR("..")));
	assert_true(path_is_plain(STR("/a")));
	assert_true(path_is_plain(STR("/a/...b/.c")));
	for (size_t i = 0; i < COUNT(not_plain); i++)
		assert_false(path_is_plain(not_plain[i]));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_normal),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_within),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
