/* The built-in policy is well formed, and its patterns match what they should. */
#include "help.h"

static const struct str roots[] = { STR_INIT("/w") };
static const struct pattern_base base = {
	.home = STR_INIT("/home/u"), .roots = roots, .roots_n = 1
};

struct question {
	const struct policy *p;
	struct str path;
	enum verdict strictest;
};

static void
judge(void *context, size_t rule)
{
	struct question *q = context;
	struct rule r;

	policy_rule(q->p, rule, &r);
	for (size_t i = 0; i < r.objects.n; i++)
		if (pattern_path(q->p, patterns_at(q->p, r.objects, i), q->path, true,
			&base) == MATCH_CERTAIN)
			q->strictest = verdict_min(q->strictest, r.verdict);
}

static const struct policy *
builtin(struct arena *a)
{
	struct policy_error e = { 0 };
	const struct policy *p = policy_of(a, LAYER_BUILTIN, policy_builtin(), &e);

	if (!p)
		fail_msg("%zu:%zu: %.*s", e.line, e.column, (int)e.why.n, e.why.p);
	return p;
}

static void
test_paths(void **state)
{
	static const struct {
		enum rule_effect effect;
		const char *path;
		enum verdict want; /* ALLOW: no rule */
	} cases[] = {
		{ RULE_READ, "/home/u/.ssh/id_rsa", VERDICT_DENY },
		{ RULE_READ, "/home/u/.ssh/deploy.pem", VERDICT_DENY },
		{ RULE_READ, "/home/u/.ssh/known_hosts", VERDICT_ALLOW },
		{ RULE_READ, "/home/u/.gnupg/private-keys-v1.d/x.key", VERDICT_DENY },
		{ RULE_READ, "/home/u/.aws/credentials", VERDICT_DENY },
		{ RULE_READ, "/home/u/.config/gcloud/credentials.db", VERDICT_DENY },
		{ RULE_READ, "/home/u/.docker/config.json", VERDICT_DENY },
		{ RULE_READ, "/home/u/.kube/config", VERDICT_DENY },
		{ RULE_READ, "/home/u/.npmrc", VERDICT_DENY },
		{ RULE_READ, "/w/.npmrc", VERDICT_ALLOW },
		{ RULE_READ, "/home/u/.config/gh/hosts.yml", VERDICT_DENY },
		{ RULE_READ, "/home/u/.claude/.credentials.json", VERDICT_DENY },
		{ RULE_READ, "/home/u/.password-store/a/b.gpg", VERDICT_DENY },
		{ RULE_READ, "/home/u/.config/Bitwarden CLI/data.json", VERDICT_DENY },
		{ RULE_READ, "/home/u/x/passwords.kdbx", VERDICT_DENY },
		{ RULE_READ, "/home/u/.mozilla/firefox/p/logins.json", VERDICT_DENY },
		{ RULE_READ, "/etc/shadow", VERDICT_DENY },
		{ RULE_READ, "/etc/passwd", VERDICT_ALLOW },
		{ RULE_READ, "/proc/1/environ", VERDICT_DENY },
		{ RULE_READ, "/dev/nvme0n1", VERDICT_DENY },
		{ RULE_READ, "/dev/urandom", VERDICT_ALLOW },
		{ RULE_READ, "/w/src/main.c", VERDICT_ALLOW },
		{ RULE_WRITE, "/w/src/main.c", VERDICT_ALLOW },
		{ RULE_WRITE, "/dev/null", VERDICT_ALLOW },
		{ RULE_WRITE, "/dev/sda1", VERDICT_DENY },
		{ RULE_WRITE, "/dev/mapper/root", VERDICT_DENY },
		{ RULE_WRITE, "/proc/sysrq-trigger", VERDICT_DENY },
		{ RULE_WRITE, "/etc/cordon/rules", VERDICT_DENY },
		{ RULE_WRITE, "/w/.cordon/rules", VERDICT_DENY },
		{ RULE_WRITE, "/home/u/.config/cordon/rules", VERDICT_DENY },
		{ RULE_DELETE, "/home/u/.config/cordon", VERDICT_DENY },
		{ RULE_WRITE, "/w/.claude/settings.json", VERDICT_DENY },
		{ RULE_WRITE, "/w/.claude/commands/x.md", VERDICT_ALLOW },
		{ RULE_WRITE, "/w/.cursor/hooks.json", VERDICT_DENY },
		{ RULE_WRITE, "/home/u/.codex/config.toml", VERDICT_DENY },
		{ RULE_WRITE, "/w/.cursorignore", VERDICT_DENY },
		{ RULE_WRITE, "/home/u/.ssh/authorized_keys", VERDICT_DENY },
		{ RULE_WRITE, "/home/u/.ssh/config", VERDICT_ASK },
		{ RULE_WRITE, "/w/.git/hooks/pre-commit", VERDICT_ASK },
		{ RULE_WRITE, "/w/.git/config", VERDICT_ASK },
		{ RULE_WRITE, "/w/.git/index", VERDICT_ALLOW },
		{ RULE_WRITE, "/etc/sudoers.d/x", VERDICT_DENY },
		{ RULE_DELETE, "/", VERDICT_DENY },
		{ RULE_DELETE, "/home/u", VERDICT_DENY },
		{ RULE_DELETE, "/home", VERDICT_DENY },
		{ RULE_DELETE, "/home/u/x", VERDICT_ALLOW },
		{ RULE_DELETE, "/usr", VERDICT_DENY },
		{ RULE_DELETE, "/w/build", VERDICT_ALLOW },
		{ RULE_DELETE, "/w/.git", VERDICT_ASK },
	};
	cleanup_arena struct arena *a = arena_new(ROOM);
	const struct policy *p = builtin(a);

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct question q = { p, str_from_c(cases[i].path), VERDICT_ALLOW };

		policy_effects(p, cases[i].effect, judge, &q);
		if (q.strictest != cases[i].want)
			fail_msg("%s: %d", cases[i].path, q.strictest);
	}
}

/* Design, section 4. */
static void
test_settings(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	const struct policy *p = builtin(a);
	const struct policy_settings *s = policy_settings(p);
	struct policy_test t;
	size_t n = 0;

	(void)state;
	assert_int_equal(s->mode, MODE_USE_ALLOWLIST);
	assert_int_equal(s->by_default, VERDICT_CONFINE);
	assert_int_equal(s->sandbox, SANDBOX_WORKSPACE_READWRITE);
	assert_false(s->network);
	assert_true(s->git_writes && s->tmp_write && s->autorun);
	assert_false(s->read_workspace || s->shell_disabled);
	assert_int_equal(s->protect, PROTECT_DESTROY | PROTECT_SUDO | PROTECT_DOTFILES |
					 PROTECT_OUTSIDE | PROTECT_MCP | PROTECT_ENV);
	assert_str(policy_entry(p, LIST_SAFE, 0), STR("@read"));
	assert_str(policy_entry(p, LIST_IGNORE, 0), STR(".cordonignore"));
	while (policy_test(p, n, &t))
		n++;
	assert_true(n > 30);
	check_round_trip(a, p);
}

/* The built-in policy has no allow rule: know/ decides what is harmless. */
static void
test_no_allow(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	const struct policy *p = builtin(a);
	struct policy_inert t;
	struct rule r;

	(void)state;
	for (size_t i = 0; i < policy_rule_count(p); i++) {
		policy_rule(p, i, &r);
		assert_int_not_equal(r.verdict, VERDICT_ALLOW);
	}
	assert_false(policy_inert(p, 0, &t));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_no_allow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
