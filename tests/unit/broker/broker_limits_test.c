/* The tables of a run have limits; what does not fit is counted, and never forgotten. */
#include "../cm.h"
#include "broker/guard/guard.h"
#include "broker/report/report.h"
#include "run/run.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define ROOM ((size_t)4 << 20)

static const struct plan plan;

/* A broker without a run: the tables alone. */
static struct broker *
begin(struct arena *a, const struct run_policy *policy)
{
	struct broker *br = ARENA_NEW(a, struct broker);

	assert_non_null(br);
	br->a = a;
	br->policy = policy;
	br->plan = &plan;
	br->own_fds = -1;
	br->violations = arena_array(a, VIOLATIONS_MAX, sizeof *br->violations);
	br->dropped = arena_array(a, DROPPED_MAX, sizeof *br->dropped);
	br->learned = arena_array(a, VIOLATIONS_MAX, sizeof *br->learned);
	br->reached = arena_array(a, REACHED_MAX, sizeof *br->reached);
	return br;
}

static struct str
numbered(struct arena *a, const char *head, size_t i)
{
	struct buf b;

	buf_init(&b, a);
	buf_puts(&b, head);
	buf_putu(&b, i);
	return buf_str(&b);
}

static bool
says(struct arena *a, const struct broker *br, const char *what)
{
	struct run_result r = { .violations_lost = br->violations_lost,
		.dropped_lost = br->dropped_lost };
	struct buf b;

	r.violations = br->violations;
	r.violations_n = br->violations_n;
	r.dropped = br->dropped;
	r.dropped_n = br->dropped_n;
	buf_init(&b, a);
	run_print_violations(&r, &b);
	buf_putc(&b, '\0');
	return strstr(b.p, what) != NULL;
}

static void
test_violations(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct broker *br = begin(a, &(struct run_policy){ 0 });
	struct buf b;

	(void)state;
	for (size_t i = 0; i < VIOLATIONS_MAX; i++)
		violation_add_by(br, STR("cp"), RUN_WRITE, numbered(a, "/f", i), NULL);
	assert_int_equal(br->violations_n, VIOLATIONS_MAX);
	assert_false(says(a, br, "not listed"));
	/* A known entry is counted, also when the table is full. */
	violation_add_by(br, STR("cp"), RUN_WRITE, STR("/f0"), NULL);
	assert_int_equal(br->violations[0].count, 2);
	assert_int_equal(br->violations_lost, 0);
	violation_add_by(br, STR("cp"), RUN_WRITE, STR("/beyond"), NULL);
	assert_int_equal(br->violations_n, VIOLATIONS_MAX);
	assert_true(says(a, br, "refused as well, but not listed: 1 call\n"));
	violation_add_by(br, STR("cp"), RUN_DELETE, STR("/f0"), NULL);
	assert_true(says(a, br, "refused as well, but not listed: 2 calls\n"));
	buf_init(&b, a);
	run_report(&(struct run_result){ .violations_lost = br->violations_lost },
	    VERDICT_CONFINE, &b);
	buf_putc(&b, '\0');
	assert_non_null(strstr(b.p, "\"violations\":[],\"violations_lost\":2,"));
}

static void
test_reached(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct broker *br = begin(a, &(struct run_policy){ 0 });

	(void)state;
	for (size_t i = 0; i < REACHED_MAX; i++)
		reached_add(br, STR("curl"), numbered(a, "h", i));
	reached_add(br, STR("curl"), STR("h0"));
	assert_int_equal(br->reached_n, REACHED_MAX);
	assert_int_equal(br->reached_lost, 0);
	reached_add(br, STR("curl"), STR("beyond"));
	assert_int_equal(br->reached_n, REACHED_MAX);
	assert_int_equal(br->reached_lost, 1);
}

static void
test_learned(void **state)
{
	static const struct str own = STR_INIT("/ws");
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct broker *br = begin(a, &(struct run_policy){ .learn = &own, .learn_n = 1 });

	(void)state;
	for (size_t i = 0; i < VIOLATIONS_MAX; i++)
		learned_add(br, RUN_WRITE, numbered(a, "/f", i));
	learned_add(br, RUN_WRITE, STR("/f0"));
	learned_add(br, RUN_WRITE, STR("/ws/f"));
	assert_int_equal(br->learned_n, VIOLATIONS_MAX);
	assert_false(br->learned_more);
	learned_add(br, RUN_WRITE, STR("/beyond"));
	assert_int_equal(br->learned_n, VIOLATIONS_MAX);
	assert_true(br->learned_more);
}

static void
test_dropped(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct broker *br = begin(a, &(struct run_policy){ 0 });

	(void)state;
	for (size_t i = 0; i < DROPPED_MAX; i++)
		dropped_add_each(br, numbered(a, "/h", i), "why");
	assert_int_equal(br->dropped_n, DROPPED_MAX);
	assert_true(says(a, br, "'/h0', '/h1', '/h2' and 1021 more: why\n"));
	/* The path is listed already. */
	dropped_add(br, STR("/h7"), "another");
	assert_false(says(a, br, "more such files"));
	dropped_add_each(br, STR("/beyond"), "why");
	dropped_add(br, STR("/beyond"), "why");
	assert_int_equal(br->dropped_n, DROPPED_MAX);
	assert_true(says(a, br, "more such files: 2 (--json-report lists them)\n"));
}

/* A directory that git would take for a repository, as dropped_check() meets it. */
static void
meet_repository(struct broker *br, int parent, size_t i)
{
	struct target p = { .parent = parent, .object = -1, .name = "config" };
	struct str path = numbered(br->a, "/r", i);
	static const struct str rest = STR_INIT("/.git/config");

	memcpy(p.path, path.p, path.n);
	memcpy(p.path + path.n, rest.p, rest.n);
	p.path_n = path.n + rest.n;
	dropped_check(br, &p);
}

static void
test_repositories(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct broker *br = begin(a, &(struct run_policy){ 0 });
	static const char *const names[] = { "HEAD", "config", "objects" };
	char dir[] = "/tmp/cordon-limits-XXXXXX";
	cleanup_fd int fd = -1;

	(void)state;
	assert_non_null(mkdtemp(dir));
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (size_t i = 0; i < COUNT(names); i++)
		assert_int_equal(mkdirat(fd, names[i], 0700), 0);
	for (size_t i = 0; i < REPOS_MAX; i++)
		meet_repository(br, fd, i);
	meet_repository(br, fd, 0);
	assert_int_equal(br->repos_n, REPOS_MAX);
	assert_int_equal(br->dropped_n, 0);
	meet_repository(br, fd, REPOS_MAX);
	meet_repository(br, fd, REPOS_MAX + 1);
	assert_int_equal(br->repos_n, REPOS_MAX);
	assert_int_equal(br->dropped_n, 2);
	assert_str(br->dropped[0].path, STR("/r64/.git"));
	assert_str(br->dropped[1].path, STR("/r65/.git"));
	assert_true(says(a, br, "too many repositories to check it"));
	for (size_t i = 0; i < COUNT(names); i++)
		assert_int_equal(unlinkat(fd, names[i], AT_REMOVEDIR), 0);
	assert_int_equal(rmdir(dir), 0);
}

/* ---- a file that the command created itself, although a pattern hides it */

static struct target
at(int dir, const char *name)
{
	struct target p = { .parent = dir, .object = -1 };
	struct str path = STR("/ws/x.env");

	memcpy(p.name, name, strlen(name) + 1);
	memcpy(p.path, path.p, path.n + 1);
	p.path_n = path.n;
	p.exists = fstatat(dir, name, &p.st, AT_SYMLINK_NOFOLLOW) == 0;
	return p;
}

/* The inode number of a removed file is soon reused, by a file of the host. */
/* Bug 264: a run's own file was known by its inode number alone, which the host could
 * reuse for a hidden file. */
static void
test_own(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct broker *br = begin(a, &(struct run_policy){ 0 });
	struct ignore_file file = { STR(""), STR("x"), NULL };
	const struct plan_ignore ignore = { STR("/ws"), &file, 1, NULL };
	const struct plan hides = { .ignores = &ignore, .watch_reads = true };
	char folder[] = "/tmp/cordon-own-XXXXXX";
	struct target p;
	int dir;

	(void)state;
	assert_int_equal(ignore_compile(a, STR("*.env\n"), 0, &file.list, NULL), 0);
	br->plan = &hides;
	br->own = arena_array(a, OWN_MAX, sizeof *br->own);
	assert_non_null(mkdtemp(folder));
	dir = open(folder, O_RDONLY | O_DIRECTORY);
	assert_int_equal(mknodat(dir, "x.env", S_IFREG | 0644, 0), 0);
	p = at(dir, "x.env");
	assert_true(hidden_is(br, &p));
	hidden_add_own(br, &p, -1);
	assert_int_equal(br->own_n, 1);
	assert_false(hidden_is(br, &p));
	br->own[0].birth.tv_nsec ^= 1;
	assert_true(hidden_is(br, &p));
	br->own[0].birth.tv_nsec ^= 1;
	assert_false(hidden_is(br, &p));
	hidden_remove_own(br, hidden_find_own(br, &p));
	assert_int_equal(br->own_n, 0);
	assert_true(hidden_is(br, &p));
	hidden_remove_own(br, hidden_find_own(br, &p));
	assert_int_equal(br->own_n, 0);
	assert_int_equal(unlinkat(dir, "x.env", 0), 0);
	assert_int_equal(rmdir(folder), 0);
	(void)close(dir);
}

/* ---- tasks: a task that was forgotten is looked up again, and never mixed up */

#define TASKS (2 * TASKS_KNOWN + 1)

static pid_t
start_task(mode_t mask)
{
	int ready[2];
	pid_t pid;
	char c;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		(void)umask(mask);
		if (write(ready[1], "", 1) == 1)
			for (;;)
				(void)pause();
		_exit(1);
	}
	assert_true(pid > 0);
	assert_int_equal(read(ready[0], &c, 1), 1);
	(void)close(ready[0]);
	(void)close(ready[1]);
	return pid;
}

static void
test_tasks(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct broker *br = begin(a, &(struct run_policy){ 0 });
	char cwd[LIMIT_PATH];
	pid_t pids[TASKS];

	(void)state;
	for (mode_t i = 0; i < TASKS; i++)
		pids[i] = start_task(i);
	/* Each in its turn: none is known when it comes again. */
	for (mode_t i = 0; i < 3 * TASKS; i++) {
		br->call++;
		assert_true(task_base(br, pids[i % TASKS], AT_FDCWD, cwd, sizeof cwd) > 0);
		assert_int_equal(task_umask(br, pids[i % TASKS]), i % TASKS);
	}
	/* The same task again and again. */
	for (mode_t i = 0; i < TASKS_KNOWN; i++) {
		br->call++;
		assert_int_equal(task_umask(br, pids[5]), 5);
	}
	/* A task that is about to change its umask is forgotten with all others. */
	task_changes_umask(br, pids[0]);
	for (mode_t i = 1; i < TASKS; i++) {
		br->call++;
		assert_int_equal(task_umask(br, pids[i]), i);
	}
	for (size_t i = 0; i < TASKS_KNOWN; i++)
		assert_false(br->tasks[i].has_umask);
	task_end(br);
	for (size_t i = 0; i < TASKS; i++) {
		(void)kill(pids[i], SIGKILL);
		assert_int_equal(waitpid(pids[i], NULL, 0), pids[i]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_violations),
		cmocka_unit_test(test_reached),
		cmocka_unit_test(test_learned),
		cmocka_unit_test(test_dropped),
		cmocka_unit_test(test_repositories),
		cmocka_unit_test(test_own),
		cmocka_unit_test(test_tasks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
