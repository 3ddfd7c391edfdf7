#include "../cm.h"
#include "agents/wrap.h"

static struct str
put(struct arena *a, const struct wrap *w)
{
	struct buf b;

	buf_init(&b, a);
	assert_true(wrap_put(&b, w));
	return buf_str(&b);
}

static struct wrap
frame(void)
{
	struct wrap w = { .program = STR("/usr/bin/cordon"), .command = STR("make") };

	wrap_add(&w, WRAP_FOR, STR("claude:0a1b"));
	wrap_add(&w, WRAP_PROJECT, STR("/home/u/my project"));
	wrap_add(&w, WRAP_UNTRUSTED, STR(""));
	return w;
}

static void
test_form(void **state)
{
	cleanup_arena struct arena *a = arena_new(1 << 16);
	struct wrap w = frame();

	(void)state;
	w.grant = STR("00ff");
	assert_true(str_is(put(a, &w),
	    "/usr/bin/cordon run --for claude:0a1b --project '/home/u/my project' "
	    "--untrusted --grant 00ff -c 'make'"));
}

/* What is written is read back, whatever is in it. */
static void
test_again(void **state)
{
	static const char texts[][40] = { "", "make", "it's", "''", "\\", "a\nb", "'\\''",
		"-c 'x'", " run -c ", "$(x) `y` \"z\" !!", "\xc3\xa9\x01\x7f" };
	cleanup_arena struct arena *a = arena_new(1 << 16);

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct wrap w = frame(), again;

		w.command = str_from_c(texts[i]);
		assert_true(wrap_read(a, put(a, &w), &again));
		assert_true(wrap_same(&w, &again));
		assert_true(str_eq(again.command, w.command));
		assert_null(again.grant.p);
	}
}

/* One byte more, less or other, and it is not known again. */
static void
test_any_other(void **state)
{
	static const char texts[][64] = { "/usr/bin/cordon run -c make",
		"/usr/bin/cordon run -c \"make\"", "/usr/bin/cordon run  -c 'make'",
		"/usr/bin/cordon run -c 'make' ", "/usr/bin/cordon run -c 'make'; rm x",
		"/usr/bin/cordon run -c 'make' 'x'", "'/usr/bin/cordon' run -c 'make'",
		"/usr/bin/cordon run -c 'make' > f", "cordon run -c 'make'",
		"/usr/bin/cordon run --rw / -c 'make'", "X=1 /usr/bin/cordon run -c 'make'",
		"/usr/bin/cordon run -c 'ma''ke'", "/usr/bin/cordon run -c 'make",
		"/usr/bin/cordon run -c 'make'\n" };
	cleanup_arena struct arena *a = arena_new(1 << 16);
	struct wrap got;

	(void)state;
	assert_true(wrap_read(a, STR("/usr/bin/cordon run -c 'make'"), &got));
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_false(wrap_read(a, str_from_c(texts[i]), &got));
}

static void
test_frames(void **state)
{
	struct wrap one = frame(), other = frame();

	(void)state;
	assert_true(wrap_same(&one, &other));
	other.options[0].value = STR("claude:ffff");
	assert_false(wrap_same(&one, &other));
	other = frame();
	wrap_add(&other, WRAP_POLICY, STR("/tmp/x"));
	assert_false(wrap_same(&one, &other));
	other = frame();
	other.program = STR("/tmp/cordon");
	assert_false(wrap_same(&one, &other));
	while (!other.full)
		wrap_add(&other, WRAP_ROOT, STR("/"));
	assert_false(wrap_same(&other, &other));
}

static void
test_shells(void **state)
{
	(void)state;
	assert_true(wrap_shell(STR("/usr/bin/zsh")));
	assert_true(wrap_shell(STR("sh")));
	assert_false(wrap_shell(STR("/usr/bin/fish")));
	assert_false(wrap_shell(STR("tcsh")));
	assert_false(wrap_shell(STR("")));
}

static void
test_nul(void **state)
{
	cleanup_arena struct arena *a = arena_new(1 << 12);
	struct wrap w = { .program = STR("/c"), .command = STR("a\0b") };
	struct buf b;

	(void)state;
	buf_init(&b, a);
	assert_false(wrap_put(&b, &w));
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_form),
		cmocka_unit_test(test_again), cmocka_unit_test(test_any_other),
		cmocka_unit_test(test_frames), cmocka_unit_test(test_shells),
		cmocka_unit_test(test_nul) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
