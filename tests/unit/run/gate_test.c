/* As many execs at once as are watched, and one more: it is not begun. */
#include "../cm.h"
/* The table is the file's own. */
#include "run/gate.c"

static void
test_execs(void **state)
{
	cleanup_arena struct arena *a = arena_new((size_t)1 << 20);
	struct supervisor *s = ARENA_NEW(a, struct supervisor);
	const struct exec_words words = { .bytes = STR_INIT("ls\0-l") };
	const struct stat st = { .st_ino = 7 };

	(void)state;
	s->a = a;
	for (pid_t tid = 1; tid <= EXECS_MAX; tid++)
		assert_true(remember(s, tid, &words, &st));
	assert_int_equal(s->execs_n, EXECS_MAX);
	assert_false(remember(s, EXECS_MAX + 1, &words, &st));
	assert_null(find_watched(s, EXECS_MAX + 1));
	/* One that begins another takes its own place again. */
	assert_true(remember(s, 3, &words, &st));
	assert_int_equal(s->execs_n, EXECS_MAX);
	/* One that ended makes room. */
	gate_stopped(s, 5, 0);
	assert_null(find_watched(s, 5));
	assert_true(remember(s, EXECS_MAX + 1, &words, &st));
	assert_str(find_watched(s, EXECS_MAX + 1)->words, words.bytes);
	while (s->execs_n)
		forget(s, &s->execs[0]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_execs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
