/* MUST 1 to 3 of confine/probe/probe.h: trials, what they leave, what is cached. */
#define _GNU_SOURCE
#include "../cm.h"
#include "confine/cgroup.h"
#include "confine/enter_internal.h"
#include "confine/probe/probe.h"
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void
write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	(void)close(fd);
}

static size_t
count_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	size_t n = 0;

	while (readdir(d))
		n++;
	(void)closedir(d);
	return n;
}

static void
every_item_has_words(void **state)
{
	struct probe p = { 0 };

	(void)state;
	for (enum probe_what w = 0; w < PROBES; w++) {
		assert_non_null(probe_name(w));
		p.v[w].state = PROBE_FAILS;
		assert_non_null(probe_means(&p, w));
		assert_non_null(probe_advice(&p, w));
		p.v[w].state = PROBE_WORKS;
		assert_non_null(probe_means(&p, w));
		assert_null(probe_advice(&p, w));
	}
}

static void
fields_follow_the_trials(void **state)
{
	enum probe_what missing;
	struct probe p = { 0 };

	(void)state;
	for (enum plan_field f = 0; f < FIELDS; f++)
		assert_int_equal(probe_field(&p, f).state, PLAN_REFUSED);
	for (enum probe_what w = 0; w < PROBES; w++)
		p.v[w] = (struct probe_item){ PROBE_WORKS, 0, 7 };
	for (enum plan_field f = 0; f < FIELDS; f++)
		assert_int_equal(probe_field(&p, f).state, PLAN_ENFORCED);
	assert_false(probe_is_bare(&p));
	p.v[PROBE_LANDLOCK].state = PROBE_FAILS;
	assert_int_equal(probe_field(&p, FIELD_PROTECTED).state, PLAN_REFUSED);
	assert_int_equal(probe_field(&p, FIELD_IGNORE).state, PLAN_ENFORCED);
	p.v[PROBE_LANDLOCK].state = PROBE_WORKS;
	p.v[PROBE_MOUNT].state = PROBE_FAILS;
	assert_true(probe_is_bare(&p) && probe_is_enough(&p, &missing));
	assert_int_equal(probe_field(&p, FIELD_TYPE).state, PLAN_ENFORCED);
	assert_int_equal(probe_field(&p, FIELD_IGNORE).state, PLAN_REFUSED);
	assert_int_equal(probe_field(&p, FIELD_NETWORK_ALLOW).state, PLAN_REFUSED);
	p.v[PROBE_LANDLOCK].detail = 5;
	assert_false(probe_is_bare(&p) || probe_is_enough(&p, &missing));
	p.v[PROBE_LANDLOCK].detail = 6;
	p.v[PROBE_NOTIFY].state = PROBE_FAILS;
	assert_false(probe_is_bare(&p));
}

static void
nothing_is_left(void **state)
{
	size_t before = count_descriptors();
	struct probe p;

	(void)state;
	probe_all(&p);
	assert_int_equal(count_descriptors(), before);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(access("/tmp/lower", F_OK), -1);
}

/* A trial that was not made counts as failed. */
static void
nothing_tried_is_not_enough(void **state)
{
	struct probe p = { 0 };
	enum probe_what missing = PROBES;

	(void)state;
	assert_false(probe_is_enough(&p, &missing));
	assert_int_equal(missing, PROBE_USER);
}

/* Inside: user 0 of its own namespace, in which no further one can be made. */
static int
probe_where_none_can_be_made(void)
{
	struct probe p;

	write_file("/proc/sys/user/max_user_namespaces", "0");
	probe_all(&p);
	for (enum probe_what w = PROBE_USER; w <= PROBE_IPC; w++)
		if (p.v[w].state == PROBE_WORKS)
			return 1;
	return p.userns_switched_off && p.v[PROBE_OVERLAY].state == PROBE_FAILS ? 0 : 2;
}

static int
without_namespaces(void)
{
	int ends[2], status;
	char go;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = (pid_t)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		_exit(read(ends[0], &go, 1) == 1 ? probe_where_none_can_be_made() : 77);
	assert_true(pid > 0);
	if (enter_map_users(pid) == 0)
		assert_int_equal(write(ends[1], "", 1), 1);
	(void)close(ends[1]);
	(void)close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
missing_namespaces_are_found(void **state)
{
	int r = without_namespaces();

	(void)state;
	if (r == 77)
		skip();
	assert_int_equal(r, 0);
}

static void
only_a_yes_is_remembered(void **state)
{
	char dir[] = "/var/tmp/cordon-probe-XXXXXX", path[64];
	enum probe_what missing;
	const char *why = NULL;
	struct probe p;
	struct stat st;

	(void)state;
	assert_non_null(mkdtemp(dir));
	(void)snprintf(path, sizeof path, "%s/probe", dir);
	probe_all(&p);
	if (probe_is_enough(&p, &missing)) {
		write_file(path, "1 another boot\n");
		assert_true(probe_can_confine(dir, &why));
		assert_int_equal(stat(path, &st), 0);
		assert_true(st.st_size > 40);
		assert_true(probe_can_confine(dir, &why));
	} else {
		assert_false(probe_can_confine(dir, &why));
		assert_non_null(why);
		assert_int_equal(stat(path, &st), -1);
	}
	(void)unlink(path);
	assert_int_equal(rmdir(dir), 0);
}

static void
cgroup_lines(void **state)
{
	(void)state;
	assert_true(str_is(cgroup_line(STR("5:pids:/x\n0::/a/b\n")), "/a/b"));
	assert_true(str_is(cgroup_line(STR("0::/\n")), "/"));
	assert_null(cgroup_line(STR("5:pids:/x\n")).p);
	assert_null(cgroup_line(STR("")).p);
	assert_null(cgroup_line(STR("10::/x\n")).p);
}

/* Before 6.14 there is one value for the machine. */
static void
releases_with_their_own_pid_max(void **state)
{
	(void)state;
	assert_true(proc_has_own_pid_max(STR("6.14.0-rc1")));
	assert_true(proc_has_own_pid_max(STR("6.18.44-x")));
	assert_true(proc_has_own_pid_max(STR("7.0")));
	assert_true(proc_has_own_pid_max(STR("10.2.1")));
	assert_false(proc_has_own_pid_max(STR("6.13.12")));
	assert_false(proc_has_own_pid_max(STR("6.1.0-54-cloud-amd64")));
	assert_false(proc_has_own_pid_max(STR("5.19.0")));
	assert_false(proc_has_own_pid_max(STR("6.")));
	assert_false(proc_has_own_pid_max(STR("7")));
	assert_false(proc_has_own_pid_max(STR("x.14")));
	assert_false(proc_has_own_pid_max(STR("")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_item_has_words),
		cmocka_unit_test(fields_follow_the_trials),
		cmocka_unit_test(nothing_is_left),
		cmocka_unit_test(nothing_tried_is_not_enough),
		cmocka_unit_test(missing_namespaces_are_found),
		cmocka_unit_test(only_a_yes_is_remembered),
		cmocka_unit_test(cgroup_lines),
		cmocka_unit_test(releases_with_their_own_pid_max),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
