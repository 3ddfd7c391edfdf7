/* Activation and the trust gate (4.1, 4.2, 4.7), and git's directories. */
#include "look/root.h"
#include "scratch.h"

static int
find(const struct scratch *s, struct root_request q, struct root_answer *ret)
{
	struct err e = { 0 };
	int err;

	if (!q.cwd.p)
		q.cwd = s->w;
	q.home = s->home;
	err = root_find(s->a, &q, ret, &e);
	assert_true(err == 0 || e.why);
	return err;
}

static void
seed_4_1_activation(void **state)
{
	const struct scratch *s = *state;
	struct str out = s->out, sub = at_str(s, "w/sub");
	struct root_answer r;

	assert_int_equal(find(s, (struct root_request){ .variable = s->out }, &r), 0);
	assert_str(r.roots[0], s->out);
	assert_true(r.explicit_root);
	assert_int_equal(find(s, (struct root_request){ .flags = { &out, 1 } }, &r), 0);
	assert_str(r.roots[0], s->out);
	assert_true(r.explicit_root);
	assert_int_equal(
	    find(
		s, (struct root_request){ .request = { &sub, 1 }, .variable = s->out }, &r),
	    0);
	assert_str(r.roots[0], sub);
	/*
	 * Without a root: the git worktree of the working directory, else that directory.
	 */
	assert_int_equal(find(s, (struct root_request){ .cwd = sub }, &r), 0);
	assert_str(r.roots[0], sub);
	assert_false(r.explicit_root);
	assert_int_equal(sh(s, "git init -q ."), 0);
	assert_int_equal(find(s, (struct root_request){ .cwd = sub }, &r), 0);
	assert_str(r.roots[0], s->w);
	assert_true(r.git);
	assert_str(r.dirs.gitdir, at_str(s, "w/.git"));
}

static void
seed_4_2_trust_gate(void **state)
{
	const struct scratch *s = *state;
	struct str sub = at_str(s, "w/sub");
	struct root_answer r;

	assert_int_equal(sh(s, "git init -q ."), 0);
	/* trusted: the variable counts */
	assert_int_equal(find(s, (struct root_request){ .variable = s->out }, &r), 0);
	assert_str(r.roots[0], s->out);
	assert_null(r.warning);
	/* untrusted: it may narrow, but not move; enforcement stays, with a warning */
	assert_int_equal(
	    find(s, (struct root_request){ .variable = s->out, .untrusted = true }, &r), 0);
	assert_str(r.roots[0], s->w);
	assert_non_null(r.warning);
	assert_int_equal(
	    find(s, (struct root_request){ .variable = sub, .untrusted = true }, &r), 0);
	assert_str(r.roots[0], sub);
	assert_non_null(r.warning);
	assert_int_equal(find(s, (struct root_request){ .untrusted = true }, &r), 0);
	assert_str(r.roots[0], s->w);
	assert_non_null(r.warning);
	/* not through a symlink either */
	point(s, "w/l", "../out");
	assert_int_equal(
	    find(s,
		(struct root_request){ .variable = at_str(s, "w/l"), .untrusted = true },
		&r),
	    0);
	assert_str(r.roots[0], s->w);
}

static void
seed_4_7_empty_and_invalid_root(void **state)
{
	const struct scratch *s = *state;
	const struct str bad[] = { STR(""), STR("relative"), STR("."), at_str(s, "nope"),
		at_str(s, "w/a"), STR("/proc/self/cwd"), STR("a\0b") };
	struct root_answer r = { .n = 77 };

	for (size_t i = 0; i < COUNT(bad); i++) {
		assert_int_not_equal(
		    find(s, (struct root_request){ .variable = bad[i] }, &r), 0);
		assert_int_not_equal(
		    find(s, (struct root_request){ .flags = { &bad[i], 1 } }, &r), 0);
		assert_int_not_equal(
		    find(s, (struct root_request){ .request = { &bad[i], 1 } }, &r), 0);
	}
	assert_int_equal(r.n, 77); /* untouched */
	/* check and explain judge a missing one by its name */
	assert_int_equal(
	    find(s,
		(struct root_request){ .variable = at_str(s, "nope"), .missing_ok = true },
		&r),
	    0);
	assert_str(r.roots[0], at_str(s, "nope"));
}

static void
slash_and_home(void **state)
{
	const struct scratch *s = *state;
	struct str slash = STR("/"), home = s->home, link = at_str(s, "w/h"),
		   above = str_from_c(s->top);
	struct root_answer r;

	point(s, "w/h", "../home");
	assert_int_not_equal(find(s, (struct root_request){ .variable = slash }, &r), 0);
	assert_int_not_equal(find(s, (struct root_request){ .variable = home }, &r), 0);
	assert_int_not_equal(find(s, (struct root_request){ .variable = link }, &r), 0);
	assert_int_not_equal(find(s, (struct root_request){ .variable = above }, &r), 0);
	assert_int_not_equal(
	    find(s, (struct root_request){ .request = { &home, 1 } }, &r), 0);
	assert_int_not_equal(find(s, (struct root_request){ .cwd = home }, &r), 0);
	assert_int_not_equal(find(s, (struct root_request){ .cwd = slash }, &r), 0);
	assert_int_equal(find(s, (struct root_request){ .flags = { &slash, 1 } }, &r), 0);
	assert_int_equal(find(s, (struct root_request){ .flags = { &home, 1 } }, &r), 0);
}

static void
unreadable_root(void **state)
{
	const struct scratch *s = *state;
	struct root_answer r;
	pid_t pid;
	int status;

	if (geteuid() != 0)
		skip();
	folder(s, "w/shut");
	assert_int_equal(chmod(at(s, "w/shut"), 0700), 0);
	assert_int_equal(chmod(s->top, 0755), 0);
	pid = fork();
	if (pid == 0) {
		struct root_request q = { .variable = at_str(s, "w/shut"), .cwd = s->w };

		if (setuid(65534) != 0)
			_exit(2);
		_exit(root_find(s->a, &q, &r, NULL) == CORDON_EINVAL ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
linked_worktree(void **state)
{
	const struct scratch *s = *state;
	struct root_answer r;
	struct look_opts o = opts(s);
	struct str wt = at_str(s, "out/wt");
	struct place_fact f;
	struct lookup *g;

	if (sh(s, "git init -q . && git -c user.name=a -c user.email=b commit -q "
		  "--allow-empty -m m && "
		  "git worktree add -q ../out/wt") != 0)
		skip();
	assert_int_equal(find(s, (struct root_request){ .cwd = wt }, &r), 0);
	assert_str(r.roots[0], wt);
	assert_true(r.git && r.dirs.linked);
	assert_str(r.dirs.commondir, at_str(s, "w/.git"));
	assert_str(r.dirs.gitdir, at_str(s, "w/.git/worktrees/wt"));
	/* git works there, but hooks and configuration stay protected. */
	o.roots = (struct look_list){ &wt, 1 };
	assert_int_equal(look_open(s->a, &o, &g, NULL), 0);
	assert_int_equal(
	    look_fact(g, at_str(s, "w/.git/hooks/x"), LOOK_WRITE, &f, NULL), 0);
	assert_int_equal(f.where, WHERE_OUTSIDE);
	assert_non_null(f.guarded);
	assert_non_null(protected_path(at_str(s, "w/.git/config"), 0, &r.dirs, s->home));
	assert_non_null(protected_path(at_str(s, "out/wt/.git"), wt.n, &r.dirs, s->home));
	/* So are cordon's own directories at home. */
	/* Bug 209: these were never protected: their names were compared as roots. */
	assert_non_null(
	    protected_path(at_str(s, "home/.config/cordon/rules"), 0, NULL, s->home));
	assert_non_null(
	    protected_path(at_str(s, "home/.local/state/cordon"), 0, NULL, s->home));
	assert_null(protected_path(at_str(s, "home/.config/cordon2/x"), 0, NULL, s->home));
	assert_null(
	    protected_path(at_str(s, "out/.config/cordon/rules"), 0, NULL, s->home));
	/* A .git file that names a directory which does not point back is not believed. */
	put(s, "out/.git", "gitdir: ../w/.git/worktrees/wt\n");
	assert_int_equal(find(s, (struct root_request){ .cwd = s->out }, &r), 0);
	assert_str(r.roots[0], s->out);
	assert_false(r.git);
	assert_non_null(r.warning);
	put(s, "out/.git", "gitdir: /nonexistent\n");
	assert_int_equal(find(s, (struct root_request){ .cwd = s->out }, &r), 0);
	assert_false(r.git);
}

/* In less memory: the same root, or CORDON_ENOMEM with a reason; never another place. */
static void
memory(void **state)
{
	const struct scratch *s = *state;
	struct str sub = at_str(s, "w/sub"), gone = at_str(s, "w/sub/gone");
	const struct root_request requests[] = {
		{ .cwd = sub },
		{ .cwd = sub, .variable = s->out },
		{ .cwd = sub, .variable = s->w, .untrusted = true },
		{ .cwd = s->w, .projects = { &sub, 1 } },
		{ .cwd = s->w, .flags = { &gone, 1 }, .missing_ok = true },
	};

	assert_int_equal(sh(s, "git init -q ."), 0);
	for (size_t i = 0; i < COUNT(requests); i++) {
		cleanup_arena struct arena *whole = arena_new(1 << 20);
		struct root_request q = requests[i];
		struct root_answer want, got;

		q.home = s->home;
		assert_int_equal(root_find(whole, &q, &want, NULL), 0);
		for (size_t n = 0; n < whole->peak; n += 8) {
			cleanup_arena struct arena *a = arena_new(n);
			struct err e = { 0 };
			int err = root_find(a, &q, &got, &e);

			if (err)
				assert_true(err == CORDON_ENOMEM && e.why);
			else if (!str_eq(got.roots[0], want.roots[0]))
				fail_msg("%zu: %.*s in %zu bytes", i, (int)got.roots[0].n,
				    got.roots[0].p, n);
		}
	}
}

int
main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, scratch_new, scratch_end)
	const struct CMUnitTest tests[] = {
		T(seed_4_1_activation),
		T(seed_4_2_trust_gate),
		T(seed_4_7_empty_and_invalid_root),
		T(slash_and_home),
		T(unreadable_root),
		T(linked_worktree),
		T(memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
