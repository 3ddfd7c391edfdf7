/* look/blast: what a destructive command would delete. */
#include "look/unsaved/blast.h"
#include "scratch.h"

#define GIT "git -c user.name=t -c user.email=t@example.org -c init.defaultBranch=main "

/* The text for a person; @ is the top directory. */
static struct str
told(const struct scratch *s, const char *text, struct blast *b)
{
	struct look_opts o = opts(s);
	struct effects e = effects_of(s, text, &o);
	struct buf out;

	assert_int_equal(blast_look(s->a, &e, &o, b, NULL), 0);
	buf_init(&out, s->a);
	blast_put(&out, b);
	return buf_str(&out);
}

static void
test_plain(void **state)
{
	struct scratch *s = *state;
	struct blast b;

	assert_str(told(s, "ls sub", &b), STR(""));
	assert_str(told(s, "rm -rf nothing", &b), STR(""));
	assert_str(told(s, "rm a", &b),
	    about(s, "  @/w/a: 1 file, 2 bytes\n"
		     "    none of it is known to be in a repository\n"));
	put(s, "w/sub/g", "12345\n");
	assert_str(told(s, "rm -rf sub sub/", &b),
	    about(s, "  @/w/sub: 2 files, 8 bytes\n"
		     "    none of it is known to be in a repository\n"));
	assert_int_equal(b.n, 1);
	assert_str(told(s, "rm -rf \"$x\"", &b),
	    STR("  files whose names are not known before it runs\n"));
	assert_true(b.unknown);
}

static void
test_sizes(void **state)
{
	static const struct {
		const char *size;
		const char *shown;
	} rows[] = {
		{ "999", "999 bytes" },
		{ "1000", "1.0 kB" },
		{ "12345", "12 kB" },
		{ "1250000", "1.2 MB" },
		{ "77000000", "77 MB" },
		{ "3000000000", "3.0 GB" },
	};
	struct scratch *s = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct blast b;
		struct buf command, want;

		buf_init(&command, s->a);
		buf_puts(&command, "truncate -s ");
		buf_puts(&command, rows[i].size);
		buf_puts(&command, " a");
		buf_putc(&command, '\0');
		assert_int_equal(sh(s, command.p), 0);
		buf_init(&want, s->a);
		buf_puts(&want, "  @/w/a: 1 file, ");
		buf_puts(&want, rows[i].shown);
		buf_puts(&want, "\n    none of it is known to be in a repository\n");
		buf_putc(&want, '\0');
		assert_str(told(s, "rm a", &b), about(s, want.p));
	}
}

/* More rows than are shown. */
static void
test_more(void **state)
{
	struct scratch *s = *state;
	struct blast b;

	assert_int_equal(
	    sh(s, "touch f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 f15 f16"
		  " f17"),
	    0);
	told(s, "rm f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 f15 f16 f17", &b);
	assert_int_equal(b.n, BLAST_ROWS);
	assert_true(b.more);
}

static void
repository(const struct scratch *s)
{
	put(s, "w/.gitignore", "*.o\n");
	assert_int_equal(sh(s, GIT "init -q . && git add . && " GIT "commit -qm one"), 0);
}

static void
test_worktree(void **state)
{
	struct scratch *s = *state;
	struct blast b;

	repository(s);
	assert_str(told(s, "rm -rf sub", &b), about(s, "  @/w/sub: 1 file, 2 bytes\n"
						       "    everything is committed\n"));
	put(s, "w/sub/f", "more than before\n");
	put(s, "w/sub/new", "n\n");
	put(s, "w/sub/x.o", "o\n");
	assert_str(told(s, "rm -rf sub", &b),
	    about(s, "  @/w/sub: 3 files, 21 bytes\n"
		     "    in no commit: 1 untracked file, 1 changed file\n"));
	assert_str(told(s, "git clean -fdx", &b),
	    about(s, "  @/w (git worktree): 5 files, 27 bytes\n"
		     "    in no commit: 1 untracked file, 1 changed file\n"
		     "    not on any remote: main\n"));
	assert_true(b.rows[0].repository);
	assert_str(told(s, "truncate -s 0 sub/new", &b),
	    about(s, "  @/w/sub/new (overwritten): 1 file, 2 bytes\n"
		     "    in no commit: 1 untracked file\n"));
}

static void
test_refs(void **state)
{
	struct scratch *s = *state;
	struct str *names, shown, path = at_str(s, "w/.git");
	bool more = false;
	struct blast b;
	size_t n;

	repository(s);
	assert_int_equal(sh(s, "for b in b1 b2 b3 b4 b5 b6; do git branch $b; done"), 0);
	put(s, "w/a", "changed\n");
	assert_int_equal(sh(s, GIT "stash -q"), 0);
	/* Seven branches, of which five are named, in the order of the directory. */
	shown = told(s, "git reset --hard HEAD~1", &b);
	assert_true(str_starts(shown, about(s, "  @/w (git worktree): 3 files, 8 bytes\n"
					       "    everything is committed\n"
					       "    not on any remote: ")));
	assert_true(str_ends(shown, STR(", ...\n    1 stash\n")));
	assert_int_equal(b.rows[0].unpushed_n, 7);
	/*
	 * A commit that a remote branch has is not lost; packed refs count like loose ones.
	 */
	assert_int_equal(
	    sh(s, "git update-ref refs/remotes/origin/main HEAD && git pack-refs"
		  " --all && git branch loose"),
	    0);
	assert_int_equal(refs_unpushed(s->a, path, &names, &n, &more), 0);
	assert_int_equal(n, 0);
	put(s, "w/sub/f", "again\n");
	assert_int_equal(sh(s, GIT "commit -qam two"), 0);
	assert_int_equal(refs_unpushed(s->a, path, &names, &n, &more), 0);
	assert_int_equal(n, 1);
	assert_str(names[0], STR("main"));
	assert_int_equal(refs_stashes(s->a, path, &more), 1);
	/* Delete the whole repository, with its git directory. */
	told(s, "rm -rf @/w", &b);
	assert_int_equal(b.n, 1);
	assert_true(b.rows[0].git_inside);
	assert_int_equal(b.rows[0].stashes, 1);
	assert_int_equal(b.rows[0].unpushed_n, 1);
	told(s, "rm -rf .git", &b);
	assert_int_equal(b.rows[0].unpushed_n, 1);
	assert_false(b.rows[0].refs_more || more);
}

/* The limit of branches, and one more; and unreadable refs. */
static void
test_many_refs(void **state)
{
	struct scratch *s = *state;
	struct blast b;

	repository(s);
	assert_int_equal(sh(s, "seq 1999 | sed \"s,^,$(git rev-parse HEAD) refs/heads/p,\" "
			       ">.git/packed-refs"),
	    0);
	told(s, "rm -rf .git", &b);
	assert_int_equal(b.rows[0].unpushed_n, 2000);
	assert_false(b.rows[0].refs_more);
	assert_int_equal(
	    sh(s, "echo $(git rev-parse HEAD) refs/heads/q >>.git/packed-refs"), 0);
	assert_true(str_ends(told(s, "rm -rf .git", &b),
	    STR(", ...\n    and branches or stashes that were not checked\n")));
	assert_int_equal(b.rows[0].unpushed_n, 2000);
	assert_int_equal(sh(s, "truncate -s 8388609 .git/packed-refs"), 0);
	assert_true(str_ends(told(s, "rm -rf .git", &b),
	    STR("main\n    and branches or stashes that were not checked\n")));
}

/* With less memory: an error, or the same result. */
static void
test_memory(void **state)
{
	struct scratch *s = *state;
	struct look_opts o = opts(s);
	struct effects e;
	size_t used, failed = 0;

	repository(s);
	e = effects_of(s, "rm -rf sub; git clean -fdx", &o);
	used = s->a->used;
	for (size_t n = 0; n < 200000; n += 1500) {
		struct arena small = *s->a;
		struct blast b;
		int r;

		small.limit = used + n;
		r = blast_look(&small, &e, &o, &b, NULL);
		assert_true(r == 0 || r == CORDON_ENOMEM);
		failed += r != 0;
	}
	assert_true(failed > 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, scratch_new, scratch_end)

int
main(void)
{
	const struct CMUnitTest tests[] = { TEST(test_plain), TEST(test_sizes),
		TEST(test_more), TEST(test_worktree), TEST(test_refs), TEST(test_many_refs),
		TEST(test_memory) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
