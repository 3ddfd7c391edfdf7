/* The cursor dialect: modes, approval settings, the form of an answer; rows 3.4 and 3.5. */
#include "cursor_help.h"

/* ---- DT: row 3.4 */

static void
test_DT_auto_run_modes(void **state)
{
	(void)state;
	assert_int_equal(cursor_mode(false, false), MODE_ASK_EVERY_TIME);
	assert_int_equal(cursor_mode(false, true), MODE_ASK_EVERY_TIME);
	assert_int_equal(cursor_mode(true, false), MODE_USE_ALLOWLIST);
	assert_int_equal(cursor_mode(true, true), MODE_RUN_EVERYTHING);
}

static void
test_modes_in_a_request(void **state)
{
#define LS "\"approvalSettings\":{\"allowedCommands\":[\"ls\"]},"
	static const struct row rows[] = {
		{ "{\"mode\":\"ask_every_time\"," LS "\"command\":\"ls\"}", "ask -" },
		{ "{\"mode\":\"use_allowlist\"," LS "\"command\":\"ls\"}", "run [\"ls\"]" },
		{ "{\"mode\":\"use_allowlist\"," LS "\"command\":\"rm x\"}",
		    "ask [\"rm\"]" },
		{ "{\"mode\":\"run_everything\"," LS "\"command\":\"rm x\"}", "run -" },
		{ "{" LS "\"command\":\"ls\"}", "run [\"ls\"]" },
		{ "{\"isAutoRun\":false," LS "\"command\":\"ls\"}", "ask -" },
		{ "{\"isFullAutoRun\":true," LS "\"command\":\"ls\"}", "ask -" },
		{ "{\"isAutoRun\":true," LS "\"command\":\"ls\"}", "run [\"ls\"]" },
		{ "{\"isAutoRun\":true,\"isFullAutoRun\":true," LS "\"command\":\"rm x\"}",
		    "run -" },
		/* If the answers disagree, the stricter counts. */
		{ "{\"mode\":\"run_everything\",\"isAutoRun\":true," LS
		  "\"command\":\"rm x\"}",
		    "ask [\"rm\"]" },
		{ "{\"mode\":\"ask_every_time\",\"isAutoRun\":true,\"isFullAutoRun\":"
		  "true," LS "\"command\":\"ls\"}",
		    "ask -" },
	};
#undef LS

	(void)state;
	CHECK(rows, NULL);
}

/* ---- fN: row 3.5 */

static struct cursor_settings
settings(const char *text)
{
	struct cursor_settings s = { 0 };
	const struct json *v = NULL;
	const char *wrong;

	assert_int_equal(json_read(arena, str_from_c(text), NULL, &v, NULL), 0);
	wrong = cursor_read_settings(arena, v, &s);
	if (wrong)
		fail_msg("%s: %s", text, wrong);
	return s;
}

static void
test_fN_defaults(void **state)
{
	static const char *empty[] = { "{}", "{\"composerState\":{}}",
		"{\"approvalSettings\":{}}",
		"{\"composerState\":{\"yoloCommandAllowlist\":null,"
		"\"yoloDotFilesDisabled\":null,"
		"\"somethingElse\":1}}",
		"{\"autoRunControls\":null}", "{\"autoRunControls\":{\"enabled\":false}}" };

	(void)state;
	for (size_t i = 0; i < COUNT(empty); i++) {
		struct cursor_settings s = settings(empty[i]);

		assert_false(s.admin_controlled || s.disabled_by_admin);
		assert_true(s.browser_features);
		assert_int_equal(s.allowed.n + s.blocked.n + s.mcp_allowed.n, 0);
		assert_false(s.delete_protection);
		assert_true(
		    s.dotfiles_protection && s.outside_protection && s.mcp_protection);
		assert_false(s.enable_run_everything || s.playwright_protection);
	}
}

static void
test_fN_composerState(void **state)
{
	struct cursor_settings s = settings(
	    "{\"composerState\":{\"yoloCommandAllowlist\":[\"ls\",\"git\"],"
	    "\"yoloCommandDenylist\":[\"rm\"],\"yoloDeleteFileDisabled\":true,"
	    "\"yoloDotFilesDisabled\":false,\"yoloOutsideWorkspaceDisabled\":false,"
	    "\"yoloEnableRunEverything\":true,\"mcpAllowedTools\":[\"a:b\"],"
	    "\"yoloMcpToolsDisabled\":false,\"playwrightProtection\":true}}");

	(void)state;
	assert_int_equal(s.allowed.n, 2);
	assert_str(s.allowed.v[1], STR("git"));
	assert_str(s.blocked.v[0], STR("rm"));
	assert_str(s.mcp_allowed.v[0], STR("a:b"));
	assert_true(
	    s.delete_protection && s.enable_run_everything && s.playwright_protection);
	assert_false(s.dotfiles_protection || s.outside_protection || s.mcp_protection);
	assert_false(s.admin_controlled);
}

static void
test_fN_autoRunControls(void **state)
{
	struct cursor_settings s = settings(
	    "{\"composerState\":{\"yoloCommandAllowlist\":[\"rm\"],\"yoloCommandDenylist\":"
	    "[\"dd\"],"
	    "\"yoloEnableRunEverything\":true,\"mcpAllowedTools\":[\"a:b\"],"
	    "\"yoloDeleteFileDisabled\":true},\"autoRunControls\":{\"enabled\":true,"
	    "\"allowed\":[\"ls\"],\"blocked\":[\"curl\"],\"mcpToolAllowlist\":[\"c:d\"],"
	    "\"browserProtection\":true}}");

	(void)state;
	assert_true(s.admin_controlled);
	assert_false(s.disabled_by_admin);
	assert_int_equal(s.allowed.n, 1); /* the user's allowlist is gone */
	assert_str(s.allowed.v[0], STR("ls"));
	assert_int_equal(s.blocked.n, 2); /* the user's blocklist is not */
	assert_int_equal(s.mcp_allowed.n, 1);
	assert_str(s.mcp_allowed.v[0], STR("c:d"));
	assert_false(s.enable_run_everything); /* forced off */
	assert_true(s.delete_protection && s.playwright_protection && s.outside_protection);
	/* An administrator who leaves nothing to run automatically has switched auto-run
	 * off. */
	assert_true(settings("{\"autoRunControls\":{}}").disabled_by_admin);
	assert_true(settings("{\"autoRunControls\":{\"allowed\":[\"ls\"],"
			     "\"isDisabledByAdmin\":true}}")
			.disabled_by_admin);
	assert_false(settings("{\"autoRunControls\":{\"enableRunEverything\":true}}")
			 .disabled_by_admin);
}

/* MUST 6 */
static void
test_refused(void **state)
{
	static const char *lines[] = {
		"",
		"[]",
		"{",
		"{}",
		"{\"command\":1}",
		"{\"command\":\"ls\",\"allow\":[\"ls\"]}",
		"{\"command\":\"ls\",\"mode\":\"yolo\"}",
		"{\"command\":\"ls\",\"mode\":2}",
		"{\"command\":\"ls\",\"isAutoRun\":1}",
		"{\"command\":\"ls\",\"sandboxEnabled\":\"yes\"}",
		"{\"command\":\"ls\",\"safeCommands\":\"ls\"}",
		"{\"command\":\"ls\",\"compositeCommands\":[1]}",
		"{\"command\":\"ls\",\"approvalSettings\":[]}",
		"{\"command\":\"ls\",\"approvalSettings\":{\"blockedCommand\":[\"rm\"]}}",
		"{\"command\":\"ls\",\"approvalSettings\":{\"allowedCommands\":\"ls\"}}",
		"{\"command\":\"ls\",\"approvalSettings\":{\"isDisabledByAdmin\":\"\"}}",
		"{\"command\":\"ls\",\"approvalSettings\":{},\"composerState\":{}}",
		"{\"command\":\"ls\",\"composerState\":{\"yoloCommandDenyList\":[\"rm\"]}}",
		"{\"command\":\"ls\",\"autoRunControls\":{\"denied\":[\"rm\"]}}",
		"{\"command\":\"ls\",\"userPolicy\":{\"type\":\"OPEN\"}}",
		"{\"command\":\"ls\",\"requestedPolicy\":[]}",
		"{\"command\":\"ls\",\"cwd\":\"w\"}",
		"{\"command\":\"ls\",\"roots\":\"/w\"}",
		"{\"command\":\"ls\",\"roots\":[\"w\"]}",
		"{\"command\":\"ls\",\"tool\":\"shell\"}",
		"{\"tool\":\"write\"}",
		"{\"tool\":\"mcp\",\"server\":\"a\"}",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		struct got g = request(lines[i]);

		if (!str_starts(g.text, STR("{\"error\":\"")))
			fail_msg("taken: %s -> %.*s", lines[i], (int)g.text.n, g.text.p);
		assert_int_equal(g.verdict, VERDICT_DENY);
	}
}

/* ---- the answer's form */

static void
test_answer(void **state)
{
	static const struct {
		bool batch;
		const char *line, *want;
	} cases[] = {
		{ true, "{\"id\":[1,\"a\"],\"command\":\"ls -l\"}",
		    "{\"id\":[1,\"a\"],\"needApproval\":true,\"candidatesForAllowlist\":["
		    "\"ls\"],"
		    "\"effectivePolicy\":{\"type\":\"UNSPECIFIED\",\"networkAccess\":false,"
		    "\"networkAllow\":[],\"additionalReadwritePaths\":[],"
		    "\"additionalReadonlyPaths\":[],\"blockGitWrites\":false,"
		    "\"disableTmpWrite\":false,\"ignoreMappingJson\":null,"
		    "\"debugOutputDir\":null}}" },
		{ true, "{\"command\":1}",
		    "{\"id\":null,\"error\":\"command, path, server, name and directories "
		    "must be "
		    "strings\"}" },
		{ true, "{\"id\":7,\"command\":\"ls\",\"userPolicy\":{\"x\":1}}",
		    "{\"id\":7,\"error\":\"userPolicy: an unknown key\"}" },
		{ true, "nonsense", NULL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct cursor_opts opts = { .batch = cases[i].batch };
		struct buf out;

		arena_reset(arena);
		buf_init(&out, arena);
		assert_int_equal(
		    cursor_request(arena, str_from_c(cases[i].line), &opts, &out, NULL), 0);
		if (cases[i].want)
			assert_str(buf_str(&out), str_from_c(cases[i].want));
		else
			assert_true(
			    str_starts(buf_str(&out), STR("{\"id\":null,\"error\":\"")));
	}
}

static void
test_command(void **state)
{
	struct cursor_opts opts = { .has_mode = true, .mode = MODE_RUN_EVERYTHING };
	enum verdict verdict = VERDICT_DENY;
	struct buf out;

	(void)state;
	buf_init(&out, arena);
	assert_int_equal(cursor_command(arena, STR("rm x"), &opts, &out, &verdict), 0);
	assert_true(str_starts(
	    buf_str(&out), STR("{\"needApproval\":false,\"effectivePolicy\":{")));
	assert_int_equal(verdict, VERDICT_ALLOW);
	opts.has_mode = false;
	buf_init(&out, arena);
	assert_int_equal(cursor_command(arena, STR("rm x"), &opts, &out, &verdict), 0);
	assert_int_equal(verdict, VERDICT_ASK);
}

/* With any amount of memory, an answer that runs is complete. */
static void
test_no_memory(void **state)
{
	static const char line[] =
	    "{\"command\":\"ls | wc; npm ci\",\"userPolicy\":{\"type\":"
	    "\"WORKSPACE_READWRITE\",\"additionalReadwritePaths\":[\"/a\"]},"
	    "\"requestedPolicy\":{\"type\":\"WORKSPACE_READONLY\"},"
	    "\"approvalSettings\":{\"allowedCommands\":[\"ls\",\"wc\",\"npm\"],"
	    "\"blockedCommands\":[\"rm\"]}}";
	static char mem[1 << 18];
	struct got whole = request(line);
	size_t n = 0;
	bool same = false;

	(void)state;
	assert_int_equal(whole.verdict, VERDICT_ALLOW);
	for (; n < sizeof mem && !same; n += 48) {
		enum verdict verdict = VERDICT_ALLOW;
		struct cursor_opts opts = { 0 };
		struct arena small;
		struct buf out;
		int r;

		arena_init(&small, mem, n);
		buf_init(&out, &small);
		r = cursor_request(&small, str_from_c(line), &opts, &out, &verdict);
		same = r == 0 && str_eq(buf_str(&out), whole.text);
		if (!same)
			assert_true(verdict == VERDICT_DENY || verdict == VERDICT_ASK);
	}
	assert_true(same);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_DT_auto_run_modes),
		cmocka_unit_test(test_modes_in_a_request),
		cmocka_unit_test(test_fN_defaults),
		cmocka_unit_test(test_fN_composerState),
		cmocka_unit_test(test_fN_autoRunControls),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_answer),
		cmocka_unit_test(test_command),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
