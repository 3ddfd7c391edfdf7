/* look/gitconf, and all of look, on broken files and with every amount of memory. */
#include "look/git/gitconf.h"
#include "scratch.h"

#define GIT "git -c user.name=t -c user.email=t@example.org -c init.defaultBranch=main "

/* ---- the file */

static bool
put_entry(void *context, const struct gitconf_entry *e)
{
	struct buf *out = context;

	buf_put(out, e->section);
	buf_putc(out, '.');
	if (e->sub.p) {
		buf_put(out, e->sub);
		buf_putc(out, '.');
	}
	buf_put(out, e->name);
	if (e->has_value) {
		buf_putc(out, '=');
		buf_put(out, e->value);
	}
	buf_putc(out, '\n');
	return !str_is(e->name, "stop");
}

/* Each in the form of `git config --list`; NULL: git refuses it. */
static const struct {
	const char *text, *want;
} files[] = {
	{ "", "" },
	{ "\xef\xbb\xbf# c\n[a]\r\n\tb = c ; d\r\n", "a.b=c\n" },
	{ "[A \"B c\"]D=\" e \\\" \"f # g\n", "a.B c.d= e \" f\n" },
	{ "[a.B]\nc\nd=\n", "a.b.c\na.b.d=\n" },
	{ "[a]b=x\\ty\\nz\\b\\\\\n", "a.b=x\ty\nz\b\\\n" },
	{ "[a]b = c \\\n d\n", "a.b=c  d\n" },
	{ "[a]b = c \\\r\n d\n", "a.b=c  d\n" },
	{ "[a \"x\\\"y\\\\z\"]b=1\n", "a.x\"y\\z.b=1\n" },
	{ "; c\n[a]\nb\nc", "a.b\na.c\n" },
	{ "[a]\nb ; c\n", NULL },
	{ "[a]\nb # c\n", NULL },
	{ "[a]stop=1\nb=2\n", "a.stop=1\n" },
	{ "[a\nb=c\n", NULL },
	{ "[]\n", NULL },
	{ "[a \"b]\nc=d\n", NULL },
	{ "[a \"b\\", NULL },
	{ "[a]\n=b\n", NULL },
	{ "[a]\nb c\n", NULL },
	{ "[a]b=\"c\n", NULL },
	{ "[a]b=\\q\n", NULL },
};

/* Bug 224: an include.path that leads into the workspace was taken for a file from
 * elsewhere. */
static void
test_files(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(files); i++) {
		cleanup_arena struct arena *a = arena_new(1 << 16);
		struct err e = { 0, 0, NULL };
		struct buf out;
		int r;

		buf_init(&out, a);
		r = gitconf_read(a, str_from_c(files[i].text), put_entry, &out, &e);
		if ((r != 0) != (files[i].want == NULL))
			fail_msg("%s: %d", files[i].text, r);
		if (r)
			assert_non_null(e.why);
		else
			assert_str(buf_str(&out), str_from_c(files[i].want));
	}
}

/* Text that git accepts and ignores is an error here: a line outside sections, text after
 * the end. */
static void
test_stricter(void **state)
{
	cleanup_arena struct arena *a = arena_new(1 << 12);
	struct buf out;

	(void)state;
	buf_init(&out, a);
	assert_int_equal(
	    gitconf_read(a, STR("a = b\n"), put_entry, &out, NULL), CORDON_EINVAL);
	assert_int_equal(
	    gitconf_read(a, STR("[a]b=\\"), put_entry, &out, NULL), CORDON_EINVAL);
	assert_int_equal(out.n, 0);
}

/* git itself agrees on each, except where it stops early. */
static void
test_files_as_git(void **state)
{
	struct scratch *s = *state;

	for (size_t i = 0; i < COUNT(files); i++) {
		bool taken;

		put(s, "w/conf", files[i].text);
		taken = sh(s, "git config --list -f conf >listed 2>/dev/null") == 0;
		if (taken != (files[i].want != NULL))
			fail_msg("git: %s: %s", files[i].text, taken ? "taken" : "refused");
	}
}

/* ---- broken repositories */

static const struct {
	const char *make; /* run in a fresh repository */
	const char *text;
	bool sure; /* git certainly runs nothing */
} repositories[] = {
	{ "true", "git status", true },
	{ "echo '[core' >>.git/config", "git status", false },
	{ "git config core.fsmonitor /bin/x", "git status", false },
	{ "git config core.pager x", "git log", false },
	{ "touch own; git config include.path ../own", "git status", false },
	{ "ln -s ../w/own ../out/l; touch own; git config include.path \"$PWD/../out/l\"",
	    "git status", false },
	{ "git config include.path ~/nothing", "git status", true },
	{ "i=0; while [ $i -lt 40 ]; do git config --add include.path /nowhere$i; "
	  "i=$((i+1)); done",
	    "git status", false },
	{ "printf '#!/bin/sh\\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
	    "git commit -m x", false },
	{ "mkdir h; printf '#!/bin/sh\\n' >h/pre-commit; chmod +x h/pre-commit; git config"
	  " core.hooksPath h",
	    "git commit -m x", false },
	{ "mv .git ../out/g; echo 'gitdir: ../out/g' >.git", "git status", false },
	{ "mv .git ../out/g; echo 'gitdir: ../out/none' >.git", "git status", false },
	{ "mv .git ../out/g; echo 'nonsense' >.git", "git status", false },
	{ "rm .git/HEAD", "git status", false },
	{ "printf DIRC >.git/index", "rm a", true },
	{ "head -c 40 .git/index >x; mv x .git/index", "rm a", true },
};

static void
test_repositories(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(repositories); i++) {
		struct scratch *s;
		struct look_opts o;
		struct effects e;
		void *own;
		const char *runs;

		assert_int_equal(scratch_new(&own), 0);
		s = own;
		assert_int_equal(
		    sh(s, GIT "init -q . && git add a sub && " GIT "commit -qm one"), 0);
		assert_int_equal(sh(s, repositories[i].make), 0);
		o = opts(s);
		e = effects_of(s, repositories[i].text, &o);
		assert_non_null(e.commands);
		runs = e.commands->git_runs;
		if ((runs == NULL) != repositories[i].sure)
			fail_msg("%s: %s", repositories[i].make, runs ? runs : "nothing");
		assert_int_equal(scratch_end(&own), 0);
	}
}

/* ---- memory */

/* With less memory: an error, or the same result. */
static void
check_memory(const struct scratch *s, const char *text)
{
	cleanup_arena struct arena *own = arena_new((size_t)8 << 20);
	struct analyse_opts how = { s->w, s->home };
	struct look_opts o = opts(s);
	struct effects e;
	struct err err;
	size_t used, peak, failed = 0;
	int r;

	assert_int_equal(analyse(own, str_from_c(text), &how, &e, &err), 0);
	used = own->used;
	assert_int_equal(look(own, &e, &o, &err), 0);
	peak = own->peak;
	for (size_t n = used; n < peak; n += 64 + (peak - used) / 300) {
		arena_reset(own);
		own->limit = (size_t)8 << 20;
		assert_int_equal(analyse(own, str_from_c(text), &how, &e, &err), 0);
		own->limit = n > own->used ? n : own->used;
		r = look(own, &e, &o, &err);
		assert_true(r == 0 || r == CORDON_ENOMEM);
		failed += r != 0;
		/* A file that could not be examined is not called inside. */
		assert_true(r != 0 || e.looked);
		assert_false(r != 0 && e.looked);
	}
	assert_true(failed > 0);
}

static void
test_memory(void **state)
{
	static const char *const texts[] = {
		"ls -l a; cat sub/f",
		"cd sub && rm -rf ../a f* && echo x >new",
		"git status && git push origin main",
		"ln -s /etc l; cp a l/x; mv sub s2; rm s2/f",
		"mkdir -p x/y; touch x/y/z; rm -rf x",
		"./run.sh; /usr/bin/env ls; tar xf a.tar -C sub",
	};
	struct scratch *s = *state;

	point(s, "w/link", "../out");
	put(s, "w/run.sh", "#!/bin/sh\n");
	assert_int_equal(sh(s, GIT "init -q . && git add . && " GIT "commit -qm one && git"
				   " remote add origin https://example.org/x && chmod +x"
				   " run.sh"),
	    0);
	for (size_t i = 0; i < COUNT(texts); i++)
		check_memory(s, texts[i]);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_new, scratch_end)

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_files),
		cmocka_unit_test(test_stricter), TEST(test_files_as_git),
		cmocka_unit_test(test_repositories), TEST(test_memory) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
