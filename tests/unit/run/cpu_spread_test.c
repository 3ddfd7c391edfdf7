#define _GNU_SOURCE
#include "../cm.h"
#include "run/session/cpu_spread.h"
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static cpu_set_t
of(pid_t pid)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	assert_int_equal(sched_getaffinity(pid, sizeof set, &set), 0);
	return set;
}

/* All allowed CPUs but one, then all again, for a process that is not us. */
static void
test_put(void **state)
{
	cpu_set_t all = of(0), aside, after;
	struct cpu_spread x;
	pid_t child;

	(void)state;
	if (CPU_COUNT(&all) < 2)
		skip();
	cpu_spread_find(&x);
	assert_true(x.bytes > 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		alarm(60); /* in case we fail before it is killed */
		pause();
		_exit(0);
	}
	cpu_spread_away(&x, child);
	aside = of(child);
	assert_int_equal(CPU_COUNT(&aside), CPU_COUNT(&all) - 1);
	CPU_OR(&aside, &aside, &all);
	assert_true(CPU_EQUAL(&aside, &all));
	assert_int_equal(cpu_spread_reset(&x, child), 0);
	after = of(child);
	assert_true(CPU_EQUAL(&after, &all));
	after = of(0);
	assert_true(CPU_EQUAL(&after, &all));
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	/* the process is gone: the reset fails */
	assert_true(cpu_spread_reset(&x, child) < 0);
}

/* With one CPU nothing is moved, and nothing is done. */
static void
test_one(void **state)
{
	cpu_set_t all = of(0), one, after;
	struct cpu_spread x;

	(void)state;
	CPU_ZERO(&one);
	for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, &one);
	assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
	cpu_spread_find(&x);
	assert_int_equal(x.bytes, 0);
	cpu_spread_away(&x, 0);
	assert_int_equal(cpu_spread_reset(&x, 0), 0);
	after = of(0);
	assert_true(CPU_EQUAL(&after, &one));
	assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_put),
		cmocka_unit_test(test_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
