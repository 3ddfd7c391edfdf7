/* The cursor dialect: protections, file tools, MCP tools, workspace folders;
 * rows 3.5, 3.14, 3.21. */
#include "cursor_help.h"

/* ---- protections: row 3.21 */

#define WS "\"cwd\":\"/w\",\"roots\":[\"/w\"],"

static void
test_dotFilesProtection(void **state)
{
#define OFF                                                                                \
	WS "\"approvalSettings\":{\"dotFilesProtection\":false,\"allowedCommands\":["      \
	   "\"echo\"]},"
#define ON WS "\"approvalSettings\":{\"allowedCommands\":[\"echo\",\"touch .env\"]},"
	static const struct row rows[] = {
		{ "{" ON "\"command\":\"echo x > .env\"}", "ask -" },
		{ "{" ON "\"command\":\"echo x > a/.b/c\"}", "ask -" },
		{ "{" ON "\"tool\":\"write\",\"path\":\".env\"}", "ask -" },
		{ "{" ON "\"tool\":\"edit\",\"path\":\"/w/.github/x\"}", "ask -" },
	};
	static const struct row off[] = {
		{ "{" OFF "\"command\":\"echo x > .env\"}", "run [" },
		{ "{" ON "\"command\":\"echo < .env > a.b\"}", "run [" },
		{ "{" ON "\"command\":\"touch .env\"}",
		    "run [" }, /* an entry names the file */
		{ "{" ON "\"tool\":\"read\",\"path\":\".env\"}", "run -" },
		{ "{" OFF "\"tool\":\"write\",\"path\":\".env\"}", "run -" },
	};
#undef ON
#undef OFF

	(void)state;
	CHECK(rows, NULL);
	CHECK(off, NULL);
}

static void
test_outsideWorkspaceProtection(void **state)
{
#define ON WS "\"approvalSettings\":{\"allowedCommands\":[\"echo\",\"cd\",\"tee\"]},"
#define OFF                                                                                \
	WS "\"approvalSettings\":{\"outsideWorkspaceProtection\":false,"                   \
	   "\"allowedCommands\":"                                                          \
	   "[\"echo\",\"cd\"]},"
	static const struct row rows[] = {
		{ "{" ON "\"command\":\"echo x > /etc/x\"}", "ask -" },
		{ "{" ON "\"command\":\"cd .. && echo x > y\"}", "ask -" },
		{ "{" ON "\"command\":\"echo x | tee /w2/y\"}", "ask -" },
		{ "{" ON "\"command\":\"echo x > $f\"}", "ask [" }, /* where is not known */
		{ "{" ON "\"tool\":\"write\",\"path\":\"/etc/x\"}", "ask -" },
		{ "{" ON "\"tool\":\"delete\",\"path\":\"../x\"}", "ask -" },
		{ "{" ON "\"tool\":\"write\",\"path\":\"a/../../x\"}", "ask -" },
	};
	static const struct row fine[] = {
		{ "{" ON "\"command\":\"echo x > a/b\"}", "run [" },
		{ "{" ON "\"command\":\"echo x > /tmp/y\"}", "run [" },
		{ "{" ON "\"command\":\"echo x >/dev/null 2>&1\"}", "run [" },
		{ "{" ON "\"userPolicy\":{\"type\":\"WORKSPACE_READWRITE\","
		  "\"additionalReadwritePaths\":[\"/cache\"]},\"command\":\"echo x > "
		  "/cache/y\"}",
		    "run [" },
		{ "{" OFF "\"command\":\"echo x > /etc/x\"}", "run [" },
		{ "{" ON "\"tool\":\"read\",\"path\":\"/etc/x\"}", "run -" },
		{ "{" ON "\"tool\":\"write\",\"path\":\"/w/x\"}", "run -" },
	};
#undef ON
#undef OFF

	(void)state;
	CHECK(rows, NULL);
	CHECK(fine, NULL);
}

static void
test_deleteFileProtection_of_a_tool(void **state)
{
	static const struct row rows[] = {
		{ "{" WS "\"tool\":\"delete\",\"path\":\"x\"}", "run -" },
		{ "{" WS "\"approvalSettings\":{\"deleteFileProtection\":true},\"tool\":"
		  "\"delete\","
		  "\"path\":\"x\"}",
		    "ask -" },
		{ "{\"mode\":\"ask_every_time\"," WS "\"tool\":\"delete\",\"path\":\"x\"}",
		    "ask -" },
		{ "{\"approvalSettings\":{\"isDisabledByAdmin\":true}," WS
		  "\"tool\":\"write\",\"path\":\"x\"}",
		    "ask -" },
		{ "{\"tool\":\"write\",\"path\":\"x\"}", "ask -" }, /* relative to what? */
	};

	(void)state;
	CHECK(rows, NULL);
}

static int
look_ignored(
    void *context, struct arena *a, const struct cursor_input *in, struct effects *e)
{
	(void)a;
	(void)in;
	e->looked = true;
	for (struct file_effect *f = e->files; f; f = f->next) {
		f->fact.where = WHERE_INSIDE;
		f->fact.ignored = str_eq(f->path, STR("/w/secret"));
	}
	return *(const int *)context;
}

static void
test_ignored_file(void **state)
{
	static const struct {
		const char *command;
		int fails;
		bool runs;
	} cases[] = {
		{ "cat secret", 0, false },
		{ "cat other", 0, true },
		{ "cat other", CORDON_EIO, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		int fails = cases[i].fails;
		struct cursor_input in = { .command = str_from_c(cases[i].command),
			.mode = MODE_RUN_EVERYTHING,
			.where = { .cwd = STR("/w") },
			.look = look_ignored,
			.context = &fails };
		struct cursor_result r;

		cursor_decide(arena, &in, &r);
		assert_int_equal(r.runs, cases[i].runs);
	}
}

/* ---- MCP: row 3.5 */

#define MCP "\"tool\":\"mcp\",\"server\":\"github\",\"name\":\"push\"}"

static void
test_mcpToolsProtection(void **state)
{
#define OPEN "\"mcpToolsProtection\":false"
	static const struct row rows[] = {
		{ "{" MCP, "ask [\"github:push\"]" },
		{ "{\"mode\":\"run_everything\"," MCP, "ask [\"github:push\"]" },
		{ "{\"approvalSettings\":{\"mcpAllowedTools\":[\"*:*\"]}," MCP, "ask [" },
		{ "{\"approvalSettings\":{" OPEN "}," MCP, "ask [\"github:push\"]" },
		{ "{\"approvalSettings\":{" OPEN
		  ",\"mcpAllowedTools\":[\"github:pull\"]}," MCP,
		    "ask [" },
		{ "{\"mode\":\"ask_every_time\",\"approvalSettings\":{" OPEN
		  ",\"mcpAllowedTools\":[\"github:push\"]}," MCP,
		    "ask -" },
		{ "{\"mode\":\"run_everything\",\"autoRunControls\":{"
		  "\"enableRunEverything\":true,"
		  "\"mcpToolsProtection\":false}," MCP,
		    "ask -" },
		{ "{\"approvalSettings\":{" OPEN
		  ",\"mcpAllowedTools\":[\"*:*\"]},\"tool\":\"mcp\","
		  "\"server\":\"a:b\",\"toolName\":\"c\"}",
		    "ask -" },
		{ "{\"mode\":\"run_everything\",\"approvalSettings\":{" OPEN
		  ",\"isAdminControlled\":true,\"enableRunEverything\":true}," MCP,
		    "ask -" },
		{ "{\"tool\":\"mcp\",\"path\":\"github:push\"}", "ask [\"github:push\"]" },
	};
	static const struct row fine[] = {
		{ "{\"approvalSettings\":{\"mcpAllowedTools\":[\"github:push\"]}," MCP,
		    "run -" },
		{ "{\"approvalSettings\":{\"mcpAllowedTools\":[\"github:*\"]}," MCP,
		    "run -" },
		{ "{\"approvalSettings\":{\"mcpAllowedTools\":[\"*:push\"]}," MCP,
		    "run -" },
		{ "{\"approvalSettings\":{" OPEN ",\"mcpAllowedTools\":[\"*:*\"]}," MCP,
		    "run -" },
		{ "{\"mode\":\"run_everything\",\"approvalSettings\":{" OPEN "}," MCP,
		    "run -" },
		{ "{\"autoRunControls\":{\"mcpToolAllowlist\":[\"github:push\"]}," MCP,
		    "run -" },
	};
#undef OPEN

	(void)state;
	CHECK(rows, NULL);
	CHECK(fine, "step MCP tool");
}

static void
test_browserFeatures_and_playwrightProtection(void **state)
{
#define OWN                                                                                \
	"\"tool\":\"mcp\",\"server\":\"cursor-ide-browser\",\"toolName\":\"browser_"       \
	"click\"}"
#define OTHER "\"tool\":\"mcp\",\"server\":\"playwright\",\"toolName\":\"click\"}"
	static const struct row rows[] = {
		{ "{" OWN, "run -" },
		{ "{\"approvalSettings\":{\"playwrightProtection\":true}," OWN, "ask -" },
		{ "{\"approvalSettings\":{\"browserFeatures\":false}," OWN, "ask -" },
		{ "{\"mode\":\"run_everything\",\"approvalSettings\":{"
		  "\"playwrightProtection\":true,"
		  "\"mcpToolsProtection\":false,\"mcpAllowedTools\":[\"playwright:*\"]}"
		  "," OTHER,
		    "ask -" },
		{ "{\"mode\":\"run_everything\",\"approvalSettings\":{\"browserFeatures\":"
		  "false,"
		  "\"mcpToolsProtection\":false}," OTHER,
		    "ask -" },
		{ "{" OTHER, "ask -" },
		{ "{\"approvalSettings\":{\"mcpAllowedTools\":[\"playwright:click\"]}"
		  "," OTHER,
		    "run -" },
		{ "{\"autoRunControls\":{\"mcpToolAllowlist\":[\"playwright:click\"]}"
		  "," OTHER,
		    "ask -" },
	};
#undef OWN
#undef OTHER

	(void)state;
	CHECK(rows, NULL);
}

/* ---- enrichment: row 3.14 */

static void
test_workspace_folders(void **state)
{
#define POLICY "\"userPolicy\":{\"type\":\"WORKSPACE_READWRITE\",\"disableTmpWrite\":true},"
	struct got g = request("{" POLICY "\"roots\":[\"/a/\",\"/b\"],\"command\":\"ls\"}");

	(void)state;
	assert_true(holds(g.text, "\"additionalReadwritePaths\":[\"/a\",\"/b\"]"));
	assert_true(holds(g.text, "\"disableTmpWrite\":true"));
	g = request("{" POLICY "\"roots\":[\"/a\"],\"command\":\"ls\"}");
	assert_true(holds(g.text, "\"additionalReadwritePaths\":[]"));
#undef POLICY
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dotFilesProtection),
		cmocka_unit_test(test_outsideWorkspaceProtection),
		cmocka_unit_test(test_deleteFileProtection_of_a_tool),
		cmocka_unit_test(test_ignored_file),
		cmocka_unit_test(test_mcpToolsProtection),
		cmocka_unit_test(test_browserFeatures_and_playwrightProtection),
		cmocka_unit_test(test_workspace_folders),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
