/* What one run is told of is bounded; what is beyond a bound is said, and never forgotten.
 */
#include "../cm.h"
#include "broker/supervisor.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define ROOM ((size_t)4 << 20)

static struct run_result result;
static const struct plan plan;

/* A supervisor without a run: the tables alone. */
static struct supervisor *
begin(struct arena *a, const struct run_request *q)
{
	struct supervisor *s = ARENA_NEW(a, struct supervisor);

	assert_non_null(s);
	result = (struct run_result){ 0 };
	s->a = a;
	s->q = q;
	s->plan = &plan;
	s->result = &result;
	s->own_fds = -1;
	s->violations = arena_array(a, VIOLATIONS_MAX, sizeof *s->violations);
	s->planted = arena_array(a, PLANTED_MAX, sizeof *s->planted);
	s->learned = arena_array(a, VIOLATIONS_MAX, sizeof *s->learned);
	s->reached = arena_array(a, REACHED_MAX, sizeof *s->reached);
	return s;
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
says(struct arena *a, const struct supervisor *s, const char *what)
{
	struct run_result r = *s->result;
	struct buf b;

	r.violations = s->violations;
	r.violations_n = s->violations_n;
	r.planted = s->planted;
	r.planted_n = s->planted_n;
	buf_init(&b, a);
	run_print_violations(&r, &b);
	buf_putc(&b, '\0');
	return strstr(b.p, what) != NULL;
}

static void
test_violations(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct supervisor *s = begin(a, &(struct run_request){ 0 });
	struct buf b;

	(void)state;
	for (size_t i = 0; i < VIOLATIONS_MAX; i++)
		violate_by(s, STR("cp"), RUN_WRITE, numbered(a, "/f", i), NULL);
	assert_int_equal(s->violations_n, VIOLATIONS_MAX);
	assert_false(says(a, s, "not listed"));
	/* One that is known is counted, also when there is no room. */
	violate_by(s, STR("cp"), RUN_WRITE, STR("/f0"), NULL);
	assert_int_equal(s->violations[0].count, 2);
	assert_int_equal(result.violations_lost, 0);
	violate_by(s, STR("cp"), RUN_WRITE, STR("/beyond"), NULL);
	assert_int_equal(s->violations_n, VIOLATIONS_MAX);
	assert_true(says(a, s, "refused as well, and not listed: 1 call\n"));
	violate_by(s, STR("cp"), RUN_DELETE, STR("/f0"), NULL);
	assert_true(says(a, s, "refused as well, and not listed: 2 calls\n"));
	buf_init(&b, a);
	run_report(&result, VERDICT_CONFINE, &b);
	buf_putc(&b, '\0');
	assert_non_null(strstr(b.p, "\"violations\":[],\"violations_lost\":2,"));
}

static void
test_reached(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct supervisor *s = begin(a, &(struct run_request){ 0 });

	(void)state;
	for (size_t i = 0; i < REACHED_MAX; i++)
		reached(s, STR("curl"), numbered(a, "h", i));
	reached(s, STR("curl"), STR("h0"));
	assert_int_equal(s->reached_n, REACHED_MAX);
	assert_int_equal(result.reached_lost, 0);
	reached(s, STR("curl"), STR("beyond"));
	assert_int_equal(s->reached_n, REACHED_MAX);
	assert_int_equal(result.reached_lost, 1);
}

static void
test_learned(void **state)
{
	static const struct str own = STR_INIT("/ws");
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct supervisor *s =
	    begin(a, &(struct run_request){ .learn = &own, .learn_n = 1 });

	(void)state;
	for (size_t i = 0; i < VIOLATIONS_MAX; i++)
		learn(s, RUN_WRITE, numbered(a, "/f", i));
	learn(s, RUN_WRITE, STR("/f0"));
	learn(s, RUN_WRITE, STR("/ws/f"));
	assert_int_equal(s->learned_n, VIOLATIONS_MAX);
	assert_false(result.learned_more);
	learn(s, RUN_WRITE, STR("/beyond"));
	assert_int_equal(s->learned_n, VIOLATIONS_MAX);
	assert_true(result.learned_more);
}

static void
test_planted(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct supervisor *s = begin(a, &(struct run_request){ 0 });

	(void)state;
	for (size_t i = 0; i < PLANTED_MAX; i++)
		plant_each(s, numbered(a, "/h", i), "why");
	assert_int_equal(s->planted_n, PLANTED_MAX);
	assert_true(says(a, s, "'/h0', '/h1', '/h2' and 1021 more: why\n"));
	/* It is listed already. */
	plant(s, STR("/h7"), "another");
	assert_false(says(a, s, "more such files"));
	plant_each(s, STR("/beyond"), "why");
	plant(s, STR("/beyond"), "why");
	assert_int_equal(s->planted_n, PLANTED_MAX);
	assert_true(says(a, s, "more such files: 2 (--json-report lists them)\n"));
}

/* A directory that git would take for a repository, as plant_look() meets it. */
static void
meet_repository(struct supervisor *s, int parent, size_t i)
{
	struct place_in p = { .parent = parent, .object = -1, .name = "config" };
	struct str path = numbered(s->a, "/r", i);
	static const struct str rest = STR_INIT("/.git/config");

	memcpy(p.path, path.p, path.n);
	memcpy(p.path + path.n, rest.p, rest.n);
	p.path_n = path.n + rest.n;
	plant_look(s, &p);
}

static void
test_repositories(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct supervisor *s = begin(a, &(struct run_request){ 0 });
	static const char *const names[] = { "HEAD", "config", "objects" };
	char dir[] = "/tmp/cordon-limits-XXXXXX";
	cleanup_fd int fd = -1;

	(void)state;
	assert_non_null(mkdtemp(dir));
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (size_t i = 0; i < COUNT(names); i++)
		assert_int_equal(mkdirat(fd, names[i], 0700), 0);
	for (size_t i = 0; i < REPOS_MAX; i++)
		meet_repository(s, fd, i);
	meet_repository(s, fd, 0);
	assert_int_equal(s->repos_n, REPOS_MAX);
	assert_int_equal(s->planted_n, 0);
	meet_repository(s, fd, REPOS_MAX);
	meet_repository(s, fd, REPOS_MAX + 1);
	assert_int_equal(s->repos_n, REPOS_MAX);
	assert_int_equal(s->planted_n, 2);
	assert_str(s->planted[0].path, STR("/r64/.git"));
	assert_str(s->planted[1].path, STR("/r65/.git"));
	assert_true(says(a, s, "one too many to look into"));
	for (size_t i = 0; i < COUNT(names); i++)
		assert_int_equal(unlinkat(fd, names[i], AT_REMOVEDIR), 0);
	assert_int_equal(rmdir(dir), 0);
}

/* ---- a file that the command made itself, though a pattern hides it */

static struct place_in
at(int dir, const char *name)
{
	struct place_in p = { .parent = dir, .object = -1 };
	struct str path = STR("/ws/x.env");

	memcpy(p.name, name, strlen(name) + 1);
	memcpy(p.path, path.p, path.n + 1);
	p.path_n = path.n;
	p.exists = fstatat(dir, name, &p.st, AT_SYMLINK_NOFOLLOW) == 0;
	return p;
}

/* The number of one that has gone is soon another one's, whom the person made. */
/* Bug 264: a run's own file was known by its inode number alone, which the host could
 * reuse for a hidden file. */
static void
test_own(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct supervisor *s = begin(a, &(struct run_request){ 0 });
	struct ignore_file file = { STR(""), STR("x"), NULL };
	const struct plan_ignore ignore = { STR("/ws"), &file, 1, NULL };
	const struct plan hides = { .ignores = &ignore, .watch_reads = true };
	char folder[] = "/tmp/cordon-own-XXXXXX";
	struct place_in p;
	int dir;

	(void)state;
	assert_int_equal(ignore_compile(a, STR("*.env\n"), 0, &file.list, NULL), 0);
	s->plan = &hides;
	s->own = arena_array(a, OWN_MAX, sizeof *s->own);
	assert_non_null(mkdtemp(folder));
	dir = open(folder, O_RDONLY | O_DIRECTORY);
	assert_int_equal(mknodat(dir, "x.env", S_IFREG | 0644, 0), 0);
	p = at(dir, "x.env");
	assert_true(hidden_is(s, &p));
	hidden_own(s, &p, -1);
	assert_int_equal(s->own_n, 1);
	assert_false(hidden_is(s, &p));
	s->own[0].birth.tv_nsec ^= 1;
	assert_true(hidden_is(s, &p));
	s->own[0].birth.tv_nsec ^= 1;
	assert_false(hidden_is(s, &p));
	hidden_gone(s, hidden_find_own(s, &p));
	assert_int_equal(s->own_n, 0);
	assert_true(hidden_is(s, &p));
	hidden_gone(s, hidden_find_own(s, &p));
	assert_int_equal(s->own_n, 0);
	assert_int_equal(unlinkat(dir, "x.env", 0), 0);
	assert_int_equal(rmdir(folder), 0);
	(void)close(dir);
}

/* ---- tasks: whoever is not known any more is asked again, and never mixed up */

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
	struct supervisor *s = begin(a, &(struct run_request){ 0 });
	char cwd[LIMIT_PATH];
	pid_t pids[TASKS];

	(void)state;
	for (mode_t i = 0; i < TASKS; i++)
		pids[i] = start_task(i);
	/* Each in its turn: none is known when it comes again. */
	for (mode_t i = 0; i < 3 * TASKS; i++) {
		s->call++;
		assert_true(task_base(s, pids[i % TASKS], AT_FDCWD, cwd, sizeof cwd) > 0);
		assert_int_equal(task_umask(s, pids[i % TASKS]), i % TASKS);
	}
	/* The same one again and again. */
	for (mode_t i = 0; i < TASKS_KNOWN; i++) {
		s->call++;
		assert_int_equal(task_umask(s, pids[5]), 5);
	}
	/* One that is about to change it is forgotten with all others: nothing is kept. */
	task_changes_umask(s, pids[0]);
	for (mode_t i = 1; i < TASKS; i++) {
		s->call++;
		assert_int_equal(task_umask(s, pids[i]), i);
	}
	for (size_t i = 0; i < TASKS_KNOWN; i++)
		assert_false(s->tasks[i].has_umask);
	task_end(s);
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
		cmocka_unit_test(test_planted),
		cmocka_unit_test(test_repositories),
		cmocka_unit_test(test_own),
		cmocka_unit_test(test_tasks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
