#include "../cm.h"
#include "os/child.h"
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

static char *env[] = { (char *)"PATH=/usr/bin:/bin", NULL };
static pid_t group, watched;

static void
watch(pid_t pid)
{
	watched = pid;
	group = pid ? pid : group;
}

static enum child_end
run(struct arena *a, const char *script, unsigned ms, struct child_result *ret)
{
	char *argv[] = { (char *)"/bin/sh", (char *)"-c", (char *)(uintptr_t)script, NULL };
	struct child_call call = { .argv = argv,
		.env = env,
		.cwd = "/usr",
		.input = STR("hello"),
		.ms = ms,
		.max = 64,
		.watch = watch };
	enum child_end end = child_run(a, &call, ret);

	assert_int_equal(watched, 0);
	return end;
}

static void
test_output(void **state)
{
	cleanup_arena struct arena *a = arena_new(4096);
	struct child_result got;
	size_t used = a->used;

	(void)state;
	assert_int_equal(run(a, "cat; pwd; echo no >&2", 10000, &got), CHILD_EXITED);
	assert_true(str_is(got.output, "hello/usr\n"));
	assert_int_equal(got.status, 0);
	/* only the output stays in the arena */
	assert_true(a->used < used + 64);
	assert_int_equal(run(a, "exit 3", 10000, &got), CHILD_EXITED);
	assert_int_equal(WEXITSTATUS(got.status), 3);
	assert_int_equal(got.output.n, 0);
	assert_int_equal(run(a, "kill -9 $$", 10000, &got), CHILD_EXITED);
	assert_int_equal(WTERMSIG(got.status), SIGKILL);
}

static void
test_limits(void **state)
{
	cleanup_arena struct arena *a = arena_new(4096);
	cleanup_arena struct arena *small = arena_new(32);
	char *argv[] = { (char *)"/nowhere", NULL };
	struct child_call call = { .argv = argv, .env = env, .ms = 10000, .max = 64 };
	struct child_result got;

	(void)state;
	assert_int_equal(
	    run(a, "while :; do echo more; done", 10000, &got), CHILD_TOO_MUCH);
	/* a limit of 64 is reached by 64 bytes, not by 63 */
	assert_int_equal(run(a, "printf %064d 0", 10000, &got), CHILD_TOO_MUCH);
	assert_int_equal(run(a, "printf %063d 0", 10000, &got), CHILD_EXITED);
	assert_int_equal(got.output.n, 63);
	assert_int_equal(run(a, "sleep 100", 50, &got), CHILD_LATE);
	/* output closed, but still running */
	assert_int_equal(run(a, "exec >&-; sleep 100", 50, &got), CHILD_LATE);
	assert_int_equal(child_run(a, &call, &got), CHILD_NOT_STARTED);
	assert_int_equal(child_run(small, &call, &got), CHILD_NO_MEMORY);
}

/* Processes that the program left in its group are killed, too. */
static void
test_group(void **state)
{
	cleanup_arena struct arena *a = arena_new(4096);
	struct child_result got;
	int status = 0;

	(void)state;
	/* become the parent of processes that the program leaves */
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
	assert_int_equal(run(a, "sleep 100 >&- & echo x", 10000, &got), CHILD_EXITED);
	assert_true(group > 0);
	assert_int_equal(waitpid(-group, &status, 0) > 0, true);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_output),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
