/* As many execs at once as are watched, and as many as wait for them; one more is refused
 * with EAGAIN. */
#include "../cm.h"
#include "broker/exec/gate.h"

static struct supervisor *
new_supervisor(struct arena *a)
{
	struct supervisor *s = ARENA_NEW(a, struct supervisor);

	s->a = a;
	s->listener = -1;
	return s;
}

static void
test_execs(void **state)
{
	cleanup_arena struct arena *a = arena_new((size_t)1 << 20);
	struct supervisor *s = new_supervisor(a);
	const struct exec_words words = { .bytes = STR_INIT("ls\0-l") };
	const struct stat st = { .st_ino = 7 };

	(void)state;
	for (pid_t tid = 1; tid <= EXECS_MAX; tid++)
		assert_true(watch_add(s, tid, tid, &words, &st));
	assert_int_equal(s->execs_n, EXECS_MAX);
	assert_false(watch_add(s, EXECS_MAX + 1, EXECS_MAX + 1, &words, &st));
	assert_null(watch_find(s, EXECS_MAX + 1));
	/* One that ended makes room. */
	gate_stopped(s, 5, 0);
	assert_null(watch_find(s, 5));
	assert_true(watch_add(s, EXECS_MAX + 1, EXECS_MAX + 1, &words, &st));
	assert_str(watch_find(s, EXECS_MAX + 1)->words, words.bytes);
	while (s->execs_n)
		watch_forget(s, s->execs[0].tid);
}

static void
test_held(void **state)
{
	cleanup_arena struct arena *a = arena_new((size_t)1 << 20);
	struct supervisor *s = new_supervisor(a);
	const struct exec_words words = { .bytes = STR_INIT("ls\0-l") };
	const struct stat st = { .st_ino = 7 };
	struct call c = { .s = s, .n = { .pid = 8 } };

	(void)state;
	assert_true(watch_add(s, 7, 1, &words, &st));
	/* Of another process: at once. */
	assert_false(watch_hold(&c, 2));
	assert_int_equal(s->held_n, 0);
	assert_true(watch_hold(&c, 1));
	assert_int_equal(s->held_n, 1);
	while (s->held_n < HELD_MAX)
		assert_true(watch_hold(&c, 1));
	/* Answered, and not kept. */
	assert_true(watch_hold(&c, 1));
	assert_int_equal(s->held_n, HELD_MAX);
	/* The same task again: its exec has ended. */
	c.n.pid = 7;
	s->held_n = 0;
	assert_false(watch_hold(&c, 1));
	assert_int_equal(s->execs_n, 0);
	/* When it ends nobody waits any more; these have no caller. */
	assert_true(watch_add(s, 7, 1, &words, &st));
	c.n.pid = 8;
	assert_true(watch_hold(&c, 1));
	watch_forget(s, 7);
	assert_int_equal(s->held_n, 0);
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
