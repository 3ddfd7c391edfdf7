/* The limits of watched and of deferred execs; one more is refused with EAGAIN. */
#include "../cm.h"
#include "broker/exec/exec_gate.h"

static struct broker *
new_supervisor(struct arena *a)
{
	struct broker *br = ARENA_NEW(a, struct broker);

	br->a = a;
	br->listener = -1;
	return br;
}

static void
test_execs(void **state)
{
	cleanup_arena struct arena *a = arena_new((size_t)1 << 20);
	struct broker *br = new_supervisor(a);
	const struct exec_argv words = { .bytes = STR_INIT("ls\0-l") };
	const struct stat st = { .st_ino = 7 };

	(void)state;
	for (pid_t tid = 1; tid <= EXECS_MAX; tid++)
		assert_true(exec_watch_add(br, tid, tid, &words, &st));
	assert_int_equal(br->execs_n, EXECS_MAX);
	assert_false(exec_watch_add(br, EXECS_MAX + 1, EXECS_MAX + 1, &words, &st));
	assert_null(exec_watch_find(br, EXECS_MAX + 1));
	/* An exec that ended frees its entry. */
	exec_stopped(br, 5, 0);
	assert_null(exec_watch_find(br, 5));
	assert_true(exec_watch_add(br, EXECS_MAX + 1, EXECS_MAX + 1, &words, &st));
	assert_str(exec_watch_find(br, EXECS_MAX + 1)->argv, words.bytes);
	while (br->execs_n)
		exec_watch_remove(br, br->execs[0].tid);
}

static void
test_held(void **state)
{
	cleanup_arena struct arena *a = arena_new((size_t)1 << 20);
	struct broker *br = new_supervisor(a);
	const struct exec_argv words = { .bytes = STR_INIT("ls\0-l") };
	const struct stat st = { .st_ino = 7 };
	struct call c = { .br = br, .n = { .pid = 8 } };

	(void)state;
	assert_true(exec_watch_add(br, 7, 1, &words, &st));
	/* An exec of another process is served at once. */
	assert_false(exec_defer(&c, 2));
	assert_int_equal(br->deferred_n, 0);
	assert_true(exec_defer(&c, 1));
	assert_int_equal(br->deferred_n, 1);
	while (br->deferred_n < DEFERRED_MAX)
		assert_true(exec_defer(&c, 1));
	/* The call is answered, and not stored. */
	assert_true(exec_defer(&c, 1));
	assert_int_equal(br->deferred_n, DEFERRED_MAX);
	/* The same task again: its exec has ended. */
	c.n.pid = 7;
	br->deferred_n = 0;
	assert_false(exec_defer(&c, 1));
	assert_int_equal(br->execs_n, 0);
	/* After the end nothing is deferred any more; these calls have no caller. */
	assert_true(exec_watch_add(br, 7, 1, &words, &st));
	c.n.pid = 8;
	assert_true(exec_defer(&c, 1));
	exec_watch_remove(br, 7);
	assert_int_equal(br->deferred_n, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_execs),
		cmocka_unit_test(test_held),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
