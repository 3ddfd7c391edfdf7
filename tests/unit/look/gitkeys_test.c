#include "../cm.h"
#include "base/buf.h"
#include "look/git/gitkeys.h"

#define WEB "[remote \"web\"]\nurl = https://good.example/x\n"

static const struct {
	const char *before, *after;
	const char *key; /* NULL: allowed */
	enum gitkeys_why why;
} cases[] = {
	{ "", "", NULL, 0 },
	{ "", "[user]\nname = x\n", NULL, 0 },
	{ "[user]\nname = x\n", "", NULL, 0 },
	{ "", "[core]\npager = x\n", "core.pager", GITKEYS_RUNS },
	{ "[core]\npager = x\n", "[core]\npager = x\n[user]\nname = y\n", NULL, 0 },
	{ "[core]\npager = x\n", "[core]\npager = y\n", "core.pager", GITKEYS_RUNS },
	{ "[core]\npager = x\n", "", "core.pager", GITKEYS_RUNS },
	{ "", "[core]\nfsmonitor = true\n", NULL, 0 },
	{ "", "[core]\nfsmonitor = x\n", "core.fsmonitor", GITKEYS_RUNS },
	{ "", "[http]\nproxy = x\n", "http.proxy", GITKEYS_UNKNOWN },
	{ "", "[http \"https://x/\"]\nsslVerify = no\n", "http.https://x/.sslverify",
	    GITKEYS_UNKNOWN },
	{ "", "[gc]\nrecentObjectsHook = x\n", "gc.recentobjectshook", GITKEYS_RUNS },
	{ "", "[url \"e\"]\ninsteadOf = x\n", "url.e.insteadof", GITKEYS_UNKNOWN },
	{ "", "[user \"x\"]\nname = y\n", "user.x.name", GITKEYS_UNKNOWN },
	{ "", "[color \"branch\"]\ncurrent = red\n", NULL, 0 },
	{ "", WEB, "remote.web.url", GITKEYS_HOST },
	{ WEB, WEB "[remote \"b\"]\nurl = git@good.example:y\n", NULL, 0 },
	{ WEB, WEB "[remote \"b\"]\nurl = ssh://u@good.example/y\n", NULL, 0 },
	{ WEB, WEB "[remote \"b\"]\nurl = ../y\n", NULL, 0 },
	{ WEB, "[remote \"web\"]\nurl = ../y\n", "remote.web.url", GITKEYS_HOST },
	{ WEB, WEB "[remote \"b\"]\nurl = git@evil.example:y\n", "remote.b.url",
	    GITKEYS_HOST },
	{ WEB, WEB "[remote \"b\"]\nurl = ext::sh\n", "remote.b.url", GITKEYS_HOST },
	{ WEB, WEB "[remote \"b\"]\nurl = -x\n", "remote.b.url", GITKEYS_HOST },
	{ WEB, WEB "pushurl = x\n", "remote.web.pushurl", GITKEYS_UNKNOWN },
	{ WEB "pushurl = x\n", WEB, "remote.web.pushurl", GITKEYS_UNKNOWN },
	{ WEB "pushurl = x\n", "", NULL, 0 },
	{ WEB "pushurl = x\n",
	    "[remote \"b\"]\nurl = https://good.example/x\npushurl = x\n", NULL, 0 },
	{ WEB "pushurl = x\n",
	    "[remote \"b\"]\nurl = https://good.example/x\npushurl = y\n",
	    "remote.b.pushurl", GITKEYS_UNKNOWN },
	{ "", "[submodule \"s\"]\nupdate = none\n", NULL, 0 },
	{ "", "[submodule \"s\"]\nupdate = !x\n", "submodule.s.update", GITKEYS_RUNS },
	{ "", "[submodule \"s\"]\nurl = https://any.example/\n", NULL, 0 },
	{ "", "[submodule \"s\"]\nurl = ext::x\n", "submodule.s.url", GITKEYS_HOST },
	{ "", "[core]\nworktree = ../good\n", NULL, 0 },
	{ "", "[core]\nworktree = ../bad\n", "core.worktree", GITKEYS_RUNS },
	{ "[core]\nworktree = x\n", "", NULL, 0 },
	{ "", "[core\n", "", GITKEYS_UNREADABLE },
	{ "", "[a012345678901234567890123456789012345678901234567890123456789]\nb = c\n",
	    "a012345678901234567890123456789012345678901234567890123456789.b",
	    GITKEYS_UNKNOWN },
};

static bool
is_good(void *context, struct str value)
{
	(void)context;
	return str_is(value, "../good");
}

static void
test_changes(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		cleanup_arena struct arena *a = arena_new((size_t)4 << 20);
		struct gitkeys_refusal r;
		bool fine = gitkeys_allow(a, str_from_c(cases[i].before),
		    str_from_c(cases[i].after), false, is_good, NULL, &r);

		if (fine != !cases[i].key ||
		    (!fine && (!str_is(r.key, cases[i].key) || r.why != cases[i].why)))
			fail_msg("%zu: %s: %d %.*s", i, cases[i].after, (int)r.why,
			    (int)r.key.n, r.key.p);
	}
}

/* The first remote of a repository that the run created is allowed, the second is not. */
static void
test_fresh(void **state)
{
	static const char first[] = "[remote \"a\"]\nurl = https://a.org/x\n",
			  second[] = "[remote \"a\"]\nurl = https://a.org/x\n"
				     "[remote \"b\"]\nurl = https://b.org/x\n",
			  runs[] = "[remote \"a\"]\nurl = https://a.org/x\n"
				   "[core]\npager = x\n";
	cleanup_arena struct arena *a = arena_new((size_t)4 << 20);
	struct gitkeys_refusal r;

	(void)state;
	assert_true(gitkeys_allow(a, STR(""), str_from_c(first), true, is_good, NULL, &r));
	assert_false(
	    gitkeys_allow(a, STR(""), str_from_c(first), false, is_good, NULL, &r));
	assert_false(gitkeys_allow(
	    a, str_from_c(first), str_from_c(second), true, is_good, NULL, &r));
	assert_false(gitkeys_allow(a, STR(""), str_from_c(runs), true, is_good, NULL, &r));
}

/* The limit of compared entries, and one more. */
static void
test_many(void **state)
{
	(void)state;
	for (int more = 0; more < 2; more++) {
		cleanup_arena struct arena *a = arena_new((size_t)8 << 20);
		struct gitkeys_refusal r;
		struct buf b;

		buf_init(&b, a);
		buf_puts(&b, "[user]\n");
		for (int i = 0; i < 4096 + more; i++)
			buf_puts(&b, "name = x\n");
		assert_false(b.full);
		assert_int_equal(
		    gitkeys_allow(a, STR(""), buf_str(&b), false, NULL, NULL, &r), !more);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_fresh),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
