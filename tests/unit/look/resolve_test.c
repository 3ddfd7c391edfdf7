/* Resolve paths, also when system calls fail. */
#include "base/limits.h"
#include "look/resolve.h"
#include "scratch.h"
#include <sys/resource.h>

static struct resolved
follow(const struct scratch *s, const char *path, unsigned flags)
{
	struct resolved r;

	assert_int_equal(look_resolve(s->a, str_from_c(path), flags, NULL, &r, NULL), 0);
	assert_true((r.real.p == NULL) == (r.why != NULL));
	return r;
}

static void
leads_to(const struct scratch *s, const char *path, const char *want)
{
	assert_str(follow(s, at(s, path), 0).real, at_str(s, want));
}

static void
must_1_links_are_read_and_dots_go_up_from_there(void **state)
{
	const struct scratch *s = *state;

	folder(s, "out/deep");
	point(s, "w/l", "../out/deep");
	point(s, "w/abs", at(s, "out/deep"));
	point(s, "w/two", "l");
	leads_to(s, "w/a", "w/a");
	leads_to(s, "w/./sub//../a", "w/a");
	leads_to(s, "w/l", "out/deep");
	leads_to(s, "w/l/..", "out");
	leads_to(s, "w/l/../v", "out/v");
	leads_to(s, "w/abs/../v", "out/v");
	leads_to(s, "w/two/../v", "out/v");
	leads_to(s, "w/two/", "out/deep");
	assert_str(follow(s, at(s, "w/two"), RESOLVE_NAME).real, at_str(s, "w/two"));
	assert_str(follow(s, at(s, "w/two/"), RESOLVE_NAME).real, at_str(s, "out/deep"));
	assert_str(follow(s, "/", 0).real, STR("/"));
	assert_str(follow(s, "/../..", 0).real, STR("/"));
	assert_true(follow(s, at(s, "w/l/../v"), 0).linked);
	assert_false(follow(s, at(s, "w/a"), 0).linked);
}

static void
must_2_what_does_not_exist(void **state)
{
	const struct scratch *s = *state;

	point(s, "w/dang", "../out/new/x");
	point(s, "w/l", "../out");
	leads_to(s, "w/no", "w/no");
	leads_to(s, "w/no/more/./x", "w/no/more/x");
	leads_to(s, "w/l/no", "out/no");
	leads_to(s, "w/dang", "out/new/x");
	leads_to(s, "w/dang/y", "out/new/x/y");
	leads_to(s, "w/a/b", "w/a/b"); /* a is a file */
	assert_false(follow(s, at(s, "w/no"), 0).exists);
	assert_null(follow(s, at(s, "w/no/../a"), 0).real.p);
	assert_null(follow(s, at(s, "w/dang/../a"), 0).real.p);
}

static void
must_3_links_of_proc(void **state)
{
	const struct scratch *s = *state;
	static const char *const paths[] = { "/proc/self/root", "/proc/self/cwd/a",
		"/proc/self/fd/0", "/dev/fd/0", "/dev/stdin", "/proc/self/exe",
		"/proc/self/root/etc", "/proc/1/root", "/proc/thread-self/cwd",
		"//proc//self/./root/etc" };

	for (size_t i = 0; i < COUNT(paths); i++)
		assert_null(follow(s, paths[i], 0).real.p);
	point(s, "w/p", "/proc/self/root");
	assert_null(follow(s, at(s, "w/p/etc"), 0).real.p);
	assert_str(follow(s, "/proc/version", 0).real, STR("/proc/version"));
}

static void
must_4_loops_and_long_chains(void **state)
{
	const struct scratch *s = *state;
	char name[] = "w/c00", target[] = "c00";

	point(s, "w/loop", "loop");
	point(s, "w/x", "y");
	point(s, "w/y", "x");
	assert_null(follow(s, at(s, "w/loop"), 0).real.p);
	assert_null(follow(s, at(s, "w/x/z"), 0).real.p);
	point(s, "w/c00", "a");
	for (int i = 1; i <= 41; i++) {
		target[1] = name[3];
		target[2] = name[4];
		name[3] = (char)('0' + i / 10);
		name[4] = (char)('0' + i % 10);
		point(s, name, target);
	}
	leads_to(s, "w/c39", "w/a"); /* 40 links, as the kernel allows */
	assert_null(follow(s, at(s, "w/c40"), 0).real.p);
}

static void
too_long(void **state)
{
	const struct scratch *s = *state;
	char text[LIMIT_PATH + 2];
	struct resolved r;

	memset(text, 'a', sizeof text);
	text[0] = '/';
	assert_int_equal(look_resolve(s->a, str_of(text, 300), 0, NULL, &r, NULL), 0);
	assert_null(r.real.p);
	for (size_t i = 0; i < sizeof text; i += 2)
		text[i] = '/';
	assert_int_equal(
	    look_resolve(s->a, str_of(text, LIMIT_PATH - 1), 0, NULL, &r, NULL), 0);
	assert_non_null(r.real.p);
	assert_int_equal(
	    look_resolve(s->a, str_of(text, LIMIT_PATH), 0, NULL, &r, NULL), 0);
	assert_null(r.real.p);
	assert_int_equal(look_resolve(s->a, STR("/a\0b"), 0, NULL, &r, NULL), 0);
	assert_null(r.real.p);
	assert_int_equal(look_resolve(s->a, STR("a"), 0, NULL, &r, NULL), 0);
	assert_null(r.real.p);
	/* Symlinks that make a path longer than the limit. */
	text[0] = '/';
	for (size_t i = 1; i < sizeof text; i++)
		text[i] = i % 200 == 0 ? '/' : 'n';
	text[4000] = '\0';
	point(s, "w/long", text);
	assert_int_equal(look_resolve(s->a, at_str(s, "w/long"), 0, NULL, &r, NULL), 0);
	assert_false(r.exists);
}

/* Run everything that reads files once; a failure must not leak or become "inside". */
static void
use_everything(const struct scratch *s)
{
	static const struct str names[] = { STR_INIT(".cursorignore") };
	struct look_opts o = opts(s);
	struct analyse_opts how = { s->w, s->home };
	struct effects e = { 0 };
	size_t used = s->a->used;

	o.ignore = (struct look_list){ names, 1 };
	assert_int_equal(
	    analyse(s->a,
		STR("rm -rf sub; git status; cp -r sub d; echo x > l/f; ls; cd k/l"), &how,
		&e, NULL),
	    0);
	(void)look(s->a, &e, &o, NULL);
	for (const struct file_effect *f = e.files; f; f = f->next)
		if (str_ends(f->path, STR("/l/f")))
			assert_int_not_equal(f->fact.where, WHERE_INSIDE);
	s->a->used = used;
}

static void
no_descriptors_left_emfile(void **state)
{
	const struct scratch *s = *state;
	struct rlimit old, none;
	size_t before;

	point(s, "w/l", "../out");
	put(s, "w/.cursorignore", "x\n");
	(void)sh(s, "git init -q . && git add a sub && mkdir d && cp -r sub d");
	use_everything(s);
	before = open_descriptors();
	use_everything(s);
	assert_int_equal(open_descriptors(), before);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	for (rlim_t n = 0; n < 12; n++) {
		none = (struct rlimit){ n, old.rlim_max };
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
		use_everything(s);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
		assert_int_equal(open_descriptors(), before);
	}
}

static void
memory_runs_out_everywhere(void **state)
{
	const struct scratch *s = *state;
	struct analyse_opts how = { s->w, s->home };
	struct look_opts o = opts(s);
	size_t before = open_descriptors();
	bool done = false;

	(void)sh(s, "git init -q . && git add a");
	for (size_t n = 1000; n < 200000 && !done; n += 97) {
		cleanup_arena struct arena *a = arena_new(n);
		struct effects e = { 0 };

		if (analyse(a, STR("rm -rf sub; git status; cp a b; cd ../out; ls"), &how,
			&e, NULL))
			continue;
		done = look(a, &e, &o, NULL) == 0;
		assert_int_equal(e.looked, done);
		if (!done)
			for (const struct chdir_effect *d = e.chdirs; d; d = d->next)
				assert_int_equal(d->fact.where, WHERE_UNKNOWN);
	}
	assert_true(done);
	assert_int_equal(open_descriptors(), before);
}

static void
eacces_is_unknown(void **state)
{
	const struct scratch *s = *state;
	pid_t pid;
	int status;

	if (geteuid() != 0)
		skip();
	folder(s, "w/shut");
	point(s, "w/shut/l", "../../out");
	assert_int_equal(chmod(at(s, "w/shut"), 0700), 0);
	assert_int_equal(chmod(s->top, 0755), 0);
	pid = fork();
	if (pid == 0) {
		struct resolved r;

		if (setuid(65534) != 0 ||
		    look_resolve(s->a, at_str(s, "w/shut/l/x"), 0, NULL, &r, NULL))
			_exit(2);
		_exit(r.real.p ? 1 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, scratch_new, scratch_end)
	const struct CMUnitTest tests[] = {
		T(must_1_links_are_read_and_dots_go_up_from_there),
		T(must_2_what_does_not_exist),
		T(must_3_links_of_proc),
		T(must_4_loops_and_long_chains),
		T(too_long),
		T(no_descriptors_left_emfile),
		T(memory_runs_out_everywhere),
		T(eacces_is_unknown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
