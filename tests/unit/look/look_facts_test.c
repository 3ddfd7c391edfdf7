/* PATH lookups, git's configuration, unsaved work, ignored trees. */
#include "scratch.h"

static const struct command *
first(const struct scratch *s, const char *text, const struct look_opts *o)
{
	struct effects e = effects_of(s, text, o);

	assert_non_null(e.commands);
	return e.commands;
}

static void
found_in_path(void **state)
{
	const struct scratch *s = *state;
	struct look_opts o = opts(s);
	const struct command *c = first(s, "ls", &o);

	assert_str(c->found, STR("/usr/bin/ls"));
	assert_false(c->found_writable);
	assert_null(first(s, "no-such-program", &o)->found.p);
	assert_null(first(s, "PATH=/x ls", &o)->found.p);
	/*
	 * A program placed earlier on PATH: by an earlier, an empty and a relative entry.
	 */
	put(s, "w/ls", "#!/bin/sh\n");
	assert_int_equal(chmod(at(s, "w/ls"), 0755), 0);
	o.path = STR(":/usr/bin");
	c = first(s, "ls", &o);
	assert_str(c->found, at_str(s, "w/ls"));
	assert_true(c->found_writable);
	o.path = STR(".:/usr/bin");
	assert_true(first(s, "ls", &o)->found_writable);
	o.path = STR("/usr/bin:");
	assert_false(first(s, "ls", &o)->found_writable);
	assert_true(first(s, "./ls", &o)->found_writable);
	assert_str(first(s, "./ls", &o)->found, at_str(s, "w/./ls"));
	/*
	 * The file does not exist yet but could be created; in the home only with approval.
	 */
	o.path = str_from_c(at(s, "home:/usr/bin"));
	c = first(s, "ls", &o);
	assert_str(c->found, STR("/usr/bin/ls"));
	assert_false(c->found_writable);
	/* Programs in the home belong to its owner. */
	put(s, "home/mine", "#!/bin/sh\n");
	assert_int_equal(chmod(at(s, "home/mine"), 0755), 0);
	c = first(s, "mine", &o);
	assert_str(c->found, at_str(s, "home/mine"));
	assert_true(c->found_writable);
	/* Inside the workspace, no approval would be needed. */
	o.path = str_from_c(at(s, "w/bin:/usr/bin"));
	assert_true(first(s, "ls", &o)->found_writable);
	assert_false(first(s, "/usr/bin/ls", &o)->found_writable);
}

static void
runs(const struct scratch *s, const char *config, const char *text, bool want)
{
	struct look_opts o = opts(s);
	const char *got;

	put(s, "w/.git/config", config);
	got = first(s, text, &o)->git_runs;
	if (!got != !want)
		fail_msg("%s with %s: %s", text, config, got ? got : "nothing");
}

static void
git_configuration(void **state)
{
	const struct scratch *s = *state;
	static const char plain[] = "[core]\n\tbare = false\n[user]\nname = x\n";

	if (sh(s, "git init -q . && rm -rf .git/hooks && mkdir .git/hooks") != 0)
		skip();
	runs(s, plain, "git status", false);
	runs(s, plain, "git -C sub log", false);
	runs(s, "[core]\nfsmonitor = ./x\n", "git status", true);
	runs(s, "[core]\nfsmonitor = true\n", "git status", false);
	runs(s, "[core]\nfsmonitor\n", "git status", false);
	runs(s, "[CORE]\n FSMonitor=\"./x y\" ; c\n", "git status", true);
	runs(s, "[core] pager = sh -c x\n", "git log", true);
	runs(s, "[core]\nsshCommand = x\n", "git fetch", true);
	runs(s, "[core]\nsshCommand = x\n", "git status", false);
	runs(s, "[diff]\nexternal = x\n", "git diff", true);
	runs(s, "[diff \"p\"]\ntextconv = x\n", "git diff", true);
	runs(s, "[diff.p]\ncommand = x\n", "git diff", true);
	runs(s, "[filter \"lfs\"]\nclean = x\n", "git status", true);
	runs(s, "[alias]\nzz = !x\n", "git status", false);
	runs(s, "[alias]\nzz = !x\n", "git zz", true);
	runs(s, "[credential \"https://x\"]\nhelper = x\n", "git push", true);
	runs(s, "[gpg]\nprogram = x\n", "git commit -m x", true);
	runs(s, "[include]\npath = ../a\n", "git status", true);
	runs(s, "[core\n", "git status", true);
	runs(s, "[core]\na = \\q\n", "git status", true);
	runs(s, "[core]\nworktree = /etc\n", "git status", true);
	runs(s, "[core]\nhooksPath = sub\n", "git commit -m x", false);
	runs(s, plain, "git -C $x status", true);
	runs(s, plain, "git --git-dir=x status", true);
	runs(s, plain, "git --version", false);
	/* hooks */
	put(s, "w/.git/hooks/pre-commit", "x");
	runs(s, plain, "git commit -m x", false);
	assert_int_equal(chmod(at(s, "w/.git/hooks/pre-commit"), 0755), 0);
	runs(s, plain, "git commit -m x", true);
	runs(s, plain, "git status", false);
	put(s, "w/sub/post-index-change", "x");
	assert_int_equal(chmod(at(s, "w/sub/post-index-change"), 0755), 0);
	runs(s, "[core]\nhooksPath = sub\n", "git status", true);
	runs(s, plain, "echo x > .git/config; git status", false); /* the first is echo */
}

/* The host that git connects to; NULL: unknown. */
static void
goes(const struct scratch *s, const char *config, const char *text, const char *want)
{
	struct look_opts o = opts(s);
	struct str got;

	put(s, "w/.git/config", config);
	got = first(s, text, &o)->git_url;
	if (want ? !str_is(got, want) : got.p != NULL)
		fail_msg("%s with %s: %.*s", text, config, (int)got.n, got.p ? got.p : "");
}

/* Bug 207: a second url, a pushurl or the branch's own remote was not read: git went
 * to an unjudged host. */
static void
git_goes_to(void **state)
{
	const struct scratch *s = *state;
	static const char a[] = "[remote \"origin\"]\nurl = a\n";
#define AND(more) "[remote \"origin\"]\nurl = a\n" more

	if (sh(s, "git init -q . && rm -rf .git/hooks && mkdir .git/hooks") != 0)
		skip();
	goes(s, a, "git fetch", "a");
	goes(s, a, "git fetch origin main", "a");
	goes(s, a, "git push", "a");
	goes(s, a, "git status", NULL);
	goes(s, a, "git fetch other", NULL);
	goes(s, a, "git fetch $x", NULL);
	goes(s, a, "git fetch --all", NULL);
	goes(s, a, "git fetch --multiple origin b", NULL);
	goes(s, a, "git push --repo=b", NULL);
	goes(s, a, "git -c remote.origin.url=b fetch", NULL);
	goes(s, a, "git submodule update", NULL);
	goes(s, a, "git archive --remote=b HEAD", NULL);
	goes(s, AND("url = b\n"), "git push", NULL);
	goes(s, AND("url = b\n"), "git fetch", NULL);
	goes(s, AND("pushurl = b\n"), "git push", NULL);
	goes(s, AND("pushurl = b\n"), "git fetch", "a");
	goes(s, AND("proxy = b\n"), "git fetch", NULL);
	goes(s, AND("[branch \"m\"]\nremote = origin\n"), "git fetch", "a");
	goes(s, AND("[branch \"m\"]\nremote = b\n"), "git fetch", NULL);
	goes(s, AND("[branch \"m\"]\nremote = b\n"), "git fetch origin", "a");
	goes(s, AND("[branch \"m\"]\npushRemote = b\n"), "git push", NULL);
	goes(s, AND("[remote]\npushDefault = b\n"), "git push", NULL);
	goes(s, AND("[remotes]\norigin = b c\n"), "git fetch origin", NULL);
	goes(s, AND("[fetch]\nall = true\n"), "git fetch", NULL);
	goes(s, AND("[url \"b\"]\ninsteadOf = a\n"), "git fetch", NULL);
	goes(s, AND("[url \"b\"]\ninsteadOf = c\n"), "git fetch", "a");
	goes(s, AND("[url \"b\"]\npushInsteadOf = a\n"), "git fetch", "a");
	goes(s, AND("[url \"b\"]\npushInsteadOf = a\n"), "git push", NULL);
	/* Text after the key that ended the reading was ignored. */
	goes(s, AND("[core]\nsshCommand = x\n[url \"b\"]\ninsteadOf = a\n"), "git fetch",
	    NULL);
#undef AND
}

static void
git_changed_by_the_text(void **state)
{
	const struct scratch *s = *state;
	struct look_opts o = opts(s);
	struct effects e =
	    effects_of(s, "git init; echo x > .git/hooks/pre-commit; git commit -m x", &o);

	for (const struct command *c = e.commands; c; c = c->next)
		if (str_is(c->program, "git"))
			assert_non_null(c->git_runs);
}

static bool
unsaved(const struct scratch *s, const char *text)
{
	struct look_opts o = opts(s);
	struct effects e = effects_of(s, text, &o);

	for (const struct file_effect *f = e.files; f; f = f->next)
		if (f->op == FILE_DELETE || f->op == FILE_TRUNCATE)
			return f->fact.unsaved;
	fail_msg("%s deletes nothing", text);
	return false;
}

static void
unsaved_work(void **state)
{
	const struct scratch *s = *state;
	static const char *const versions[] = { "2", "3", "4" };

	assert_true(unsaved(s, "rm a")); /* no git at all */
	assert_false(unsaved(s, "rm nope"));
	if (sh(s, "git init -q . && printf 'build\\n*.o\\n' > .gitignore && mkdir build && "
		  "touch build/x x.o && touch -d '1 hour ago' a sub/f && git add .") != 0)
		skip();
	for (size_t i = 0; i < COUNT(versions); i++) {
		assert_int_equal(sh(s, i == 0   ? "git update-index --index-version 2"
				       : i == 1 ? "git update-index --index-version 3"
						: "git update-index --index-version 4"),
		    0);
		assert_int_equal(sh(s, "sleep 0.02; touch .git/index"), 0);
		assert_false(unsaved(s, "rm a"));
		assert_false(unsaved(s, "truncate -s0 a"));
		assert_false(unsaved(s, "rm -rf sub"));
		assert_false(unsaved(s, "rm -rf build"));
		assert_false(unsaved(s, "rm x.o"));
	}
	put(s, "w/sub/new", "x");
	assert_true(unsaved(s, "rm sub/new"));
	assert_true(unsaved(s, "rm -rf sub"));
	assert_false(unsaved(s, "rm sub/f"));
	put(s, "w/a", "changed");
	assert_true(unsaved(s, "rm a"));
	assert_true(unsaved(s, "rm -rf .git"));
	put(s, "w/.git/index", "DIRC broken index file, longer than a header");
	assert_true(unsaved(s, "rm sub/f"));
}

/* Build output whose sources exist, in a repository and outside. */
static void
rebuilt(void **state)
{
	const struct scratch *s = *state;

	assert_int_equal(
	    sh(s, "mkdir -p node_modules/x target/d venv build .pytest_cache env && touch "
		  "node_modules/x/f target/d/f venv/f build/f .pytest_cache/f env/f"),
	    0);
	for (int git = 0; git < 2; git++) {
		assert_true(unsaved(s, "rm -rf node_modules"));
		assert_true(unsaved(s, "rm -rf target"));
		assert_true(unsaved(s, "rm -rf venv"));
		assert_false(unsaved(s, "rm -rf .pytest_cache"));
		put(s, "w/package.json", "{}");
		put(s, "w/Cargo.toml", "");
		put(s, "w/venv/pyvenv.cfg", "");
		put(s, "w/build/CMakeCache.txt", "");
		assert_false(unsaved(s, "rm -rf node_modules"));
		assert_false(unsaved(s, "rm node_modules/x/f"));
		assert_false(unsaved(s, "rm -rf target/d"));
		assert_false(unsaved(s, "rm -rf venv"));
		assert_true(unsaved(s, "rm -rf env"));
		assert_true(unsaved(s, "rm -rf build")); /* of no CMakeLists.txt */
		put(s, "w/CMakeLists.txt", "");
		assert_false(unsaved(s, "rm -rf build"));
		assert_true(unsaved(s, "rm package.json"));
		assert_true(unsaved(s, "rm -rf ."));
		assert_int_equal(sh(s, "rm package.json Cargo.toml venv/pyvenv.cfg "
				       "build/CMakeCache.txt CMakeLists.txt"),
		    0);
		if (!git && sh(s, "git init -q .") != 0)
			skip();
	}
	/* A tracked file is work. */
	put(s, "w/package.json", "{}");
	assert_int_equal(
	    sh(s, "git add node_modules && echo changed > node_modules/x/f"), 0);
	assert_true(unsaved(s, "rm -rf node_modules"));
}

/* If the grant itself lies in build output, its files are work. */
static void
rebuilt_around(void **state)
{
	const struct scratch *s = *state;
	struct look_opts o = opts(s);
	struct str roots[] = { at_str(s, "w/node_modules/own") };
	struct effects e;

	put(s, "w/package.json", "{}");
	folder(s, "w/node_modules");
	folder(s, "w/node_modules/own");
	put(s, "w/node_modules/own/f", "x");
	o.roots = (struct look_list){ roots, 1 };
	e = effects_of(s, "rm node_modules/own/f", &o);
	assert_true(e.files->fact.unsaved);
}

static void
ignored_trees(void **state)
{
	const struct scratch *s = *state;
	struct str names[] = { STR(".cursorignore") };
	struct look_opts o = opts(s);
	struct effects e;

	o.ignore = (struct look_list){ names, 1 };
	e = effects_of(s, "grep -r x sub", &o);
	assert_false(e.files->fact.ignored_below);
	put(s, "w/sub/.cursorignore", "f\n");
	for (const char *const *t = (const char *const[]){ "grep -r x sub", "rm -rf sub",
		 "cp -r sub d", NULL };
	     *t; t++) {
		e = effects_of(s, *t, &o);
		assert_true(e.files->fact.ignored_below);
		assert_false(e.files->fact.ignored);
	}
	e = effects_of(s, "cat sub/f", &o);
	assert_true(e.files->fact.ignored);
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, scratch_new, scratch_end)
	const struct CMUnitTest tests[] = {
		T(found_in_path),
		T(git_configuration),
		T(git_goes_to),
		T(git_changed_by_the_text),
		T(unsaved_work),
		T(rebuilt),
		T(rebuilt_around),
		T(ignored_trees),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
