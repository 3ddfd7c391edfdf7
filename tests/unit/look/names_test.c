/* The compiled list of protected and code-running names. */
#include "../cm.h"
#include "agents/setup/setup.h"
#include "look/names.h"

static const struct {
	const char *path;
	enum name_action action;
	enum name_kind kind;
	size_t n;
} rows[] = {
	{ "main.c", NAME_NONE, NAME_FREE, 0 },
	{ "", NAME_NONE, NAME_FREE, 0 },
	{ ".cordon", NAME_DENY, NAME_OWN, 7 },
	{ ".cordon/rules", NAME_DENY, NAME_OWN, 7 },
	{ ".Cordon/Rules", NAME_DENY, NAME_OWN, 7 },
	{ ".cordons", NAME_NONE, NAME_FREE, 0 },
	{ ".aiderignore", NAME_DENY, NAME_IGNORE, 12 },
	{ ".aiderignore/x", NAME_NONE, NAME_FREE, 0 },
	{ ".vscode/tasks.json", NAME_PROTECT, NAME_TOOL, 7 },
	{ "x.Code-Workspace", NAME_PROTECT, NAME_TOOL, 16 },
	{ ".code-workspace", NAME_NONE, NAME_FREE, 0 },
	{ "x.code-workspace/y", NAME_NONE, NAME_FREE, 0 },
	/* The strictest, then the longest. */
	{ ".claude/x.md", NAME_PROTECT, NAME_AGENT, 7 },
	{ ".claude/settings.json", NAME_DENY, NAME_AGENT, 21 },
	{ ".openhands/setup.sh", NAME_PROTECT, NAME_AGENT, 19 },
	/* Of several names. */
	{ ".github", NAME_NONE, NAME_FREE, 0 },
	{ ".github/hooks", NAME_DENY, NAME_AGENT, 13 },
	{ ".GITHUB/HOOKS/cordon.json", NAME_DENY, NAME_AGENT, 13 },
	{ ".github/workflows/x.yml", NAME_REPORT, NAME_CI, 17 },
	{ ".jj/repo/config.toml", NAME_PROTECT, NAME_VCS, 20 },
	{ ".jj/repo/store", NAME_NONE, NAME_FREE, 0 },
	{ "ftplugin/c.vim", NAME_REPORT, NAME_TOOL, 14 },
	{ "ftplugin/c.txt", NAME_NONE, NAME_FREE, 0 },
	{ "package.json", NAME_CHANGE, NAME_BUILD, 12 },
	/* Other spellings that a file system may treat as the same name. */
	{ "CLAUDE~1/x", NAME_PROTECT, NAME_AGENT, 8 },
	{ ".git\xc2\xadhub/hooks. ", NAME_DENY, NAME_AGENT, 17 },
	{ "GITHUB~1/hooks/x", NAME_DENY, NAME_AGENT, 14 },
};

static void
test_find(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct name_found f = name_find(str_from_c(rows[i].path));

		if (f.action != rows[i].action || f.kind != rows[i].kind ||
		    f.n != rows[i].n || (f.why != NULL) != (f.action != NAME_NONE))
			fail_msg("%s: action %d, kind %d, %zu bytes, %s", rows[i].path,
			    (int)f.action, (int)f.kind, f.n, f.why ? f.why : "-");
	}
}

static void
test_within(void **state)
{
	(void)state;
	assert_int_equal(
	    name_find_within(STR("a/b/.cargo/config.toml")).action, NAME_REPORT);
	assert_int_equal(name_find_within(STR("a/Makefile/b")).action, NAME_NONE);
	assert_int_equal(
	    name_find_within(STR(".github/workflows/.claude/settings.json")).action,
	    NAME_DENY);
	assert_int_equal(name_find_within(STR("")).action, NAME_NONE);
	assert_int_equal(name_kind(STR(".envrc")), NAME_SHELL);
	assert_int_equal(name_kind(STR("Makefile")), NAME_FREE);
}

static void
test_below(void **state)
{
	char rest[NAME_REST_SIZE];
	size_t at = 0;
	bool hooks = false, copilot = false;

	(void)state;
	while (name_below(STR(".GitHub"), NAME_PROTECT, &at, rest)) {
		hooks |= strcmp(rest, "hooks") == 0;
		copilot |= strcmp(rest, "copilot") == 0;
		assert_string_not_equal(rest, "workflows");
	}
	assert_true(hooks && copilot);
	at = 0;
	assert_true(name_below(STR(".jj"), NAME_PROTECT, &at, rest));
	assert_string_equal(rest, "repo/config.toml");
	at = 0;
	assert_true(name_below(STR(".jj/repo"), NAME_PROTECT, &at, rest));
	assert_string_equal(rest, "config.toml");
	at = 0;
	assert_false(name_below(STR(".jj/repo/config.toml"), NAME_PROTECT, &at, rest));
	assert_false(name_below(STR(".vscode"), NAME_PROTECT, &at, rest));
	assert_true(name_begins(STR("a/.hg"), NAME_PROTECT));
	assert_false(name_begins(STR("a/.hg"), NAME_DENY));
	assert_false(name_begins(STR(".hg/a"), NAME_PROTECT));
	assert_false(name_begins(STR(""), NAME_PROTECT));
}

/* Wherever cordon registers itself in a project, for whatever agent: no command and no file
 * tool may change it. */
static void
test_registrations(void **state)
{
	size_t seen = 0;

	(void)state;
	for (enum agent h = 0; h < AGENTS; h++) {
		const struct agent_file *t = &agent_profile(h)->files[SCOPE_PROJECT];

		if (t->form == FORM_NONE)
			continue;
		seen++;
		if (name_find_within(str_from_c(t->path)).action != NAME_DENY)
			fail_msg("%s: %s is not denied", agent_name(h), t->path);
	}
	assert_true(seen >= 9);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_within),
		cmocka_unit_test(test_below),
		cmocka_unit_test(test_registrations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
