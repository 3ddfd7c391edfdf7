#include "../cm.h"
#include "agents/agents.h"

/* Who sends it, by its keys. */
static void
test_detect(void **state)
{
	static const struct {
		char text[200];
		int agent; /* -1: nobody */
	} cases[] = {
		{ "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"tool_name\":"
		  "\"X\"}",
		    AGENT_CLAUDE },
		{ "{\"cursor_version\":\"3\",\"hook_event_name\":\"stop\"}", AGENT_CURSOR },
		{ "{\"hook_event_name\":\"Stop\",\"session_id\":\"s\",\"turn_id\":\"1\"}",
		    AGENT_CODEX },
		{ "{\"hook_event_name\":\"BeforeTool\",\"tool_name\":\"x\",\"timestamp\":"
		  "\"t\"}",
		    AGENT_GEMINI },
		{ "{\"toolName\":\"x\",\"toolArgs\":\"{}\"}", AGENT_COPILOT },
		{ "{\"hook_event_name\":\"PreToolUse\",\"timestamp\":\"t\",\"tool_name\":"
		  "\"x\"}",
		    AGENT_COPILOT },
		{ "{\"toolName\":\"x\",\"input\":{}}", AGENT_PI },
		{ "{\"tool\":\"x\",\"args\":{}}", AGENT_OPENCODE },
		{ "{\"agent_action_name\":\"pre_user_prompt\"}", AGENT_WINDSURF },
		{ "{\"clineVersion\":\"3\",\"hookName\":\"TaskStart\"}", AGENT_CLINE },
		{ "{\"toolCall\":{},\"hook_event_name\":\"x\",\"session_id\":\"s\"}", -1 },
		{ "{\"hook_event_name\":\"pre_tool_call\",\"session_id\":\"s\"}", -1 },
		{ "{}", -1 },
		{ "[]", -1 },
		{ "null", -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		cleanup_arena struct arena *a = arena_new(1 << 16);
		struct agent_call call;
		struct err e = { 0 };
		int err =
		    agent_read(a, AGENT_AUTO, false, str_from_c(cases[i].text), &call, &e);

		assert_int_equal(err == 0, cases[i].agent >= 0);
		if (err)
			assert_non_null(e.why);
		else
			assert_int_equal(call.agent, cases[i].agent);
	}
}

static size_t
touches(const struct agent_call *call)
{
	size_t n = 0;

	for (const struct agent_touch *t = call->touches; t; t = t->next)
		n++;
	return n;
}

/* Every line that some reader of patches could take for a marker counts. */
static void
test_patch(void **state)
{
	static const struct {
		char patch[200];
		int n; /* -1: refused */
	} cases[] = {
		{ "*** Begin Patch\\n*** Add File: a\\n+x\\n*** End Patch", 1 },
		{ "*** Begin Patch\\n*** Update File: a\\n*** Move to: b\\n*** End Patch",
		    2 },
		{ "*** Begin Patch\\n  *** Delete File: a  \\r\\n*** End Patch", 1 },
		{ "*** Begin Patch\\n*** Update File: a\\n+*** Add File: b\\n*** End Patch",
		    1 },
		{ "*** Begin Patch\\n*** Update File: a\\n *** Add File: b\\n*** End Patch",
		    2 },
		{ "*** Begin Patch\\n*** Update File: a\\n*** End of File\\n*** End Patch",
		    1 },
		{ "*** Begin Patch\\n*** Rename File: a\\n*** End Patch", -1 },
		{ "*** Begin Patch\\n*** Add File:\\n*** End Patch", -1 },
		{ "*** Begin Patch\\n*** End Patch", -1 },
		{ "*** Add File: a\\n+x", -1 },
		{ "--- a\\n+++ b", -1 },
		{ "", -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		cleanup_arena struct arena *a = arena_new(1 << 16);
		struct agent_call call;
		struct buf b;
		int err;

		buf_init(&b, a);
		buf_puts(&b, "{\"hook_event_name\":\"PreToolUse\",\"tool_name\":"
			     "\"apply_patch\",\"tool_input\":{\"command\":\"");
		buf_puts(&b, cases[i].patch);
		buf_puts(&b, "\"}}");
		err = agent_read(a, AGENT_CODEX, false, buf_str(&b), &call, NULL);
		assert_int_equal(err == 0, cases[i].n >= 0);
		if (!err)
			assert_int_equal(touches(&call), cases[i].n);
	}
}

/* The refusal needs nothing, and every answer can be made of it: OOM at every size. */
static void
test_memory(void **state)
{
	static const struct str text = STR_INIT(
	    "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"cwd\":\"/\","
	    "\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\",\"x\":[1,{}]}}");
	bool worked = false;

	(void)state;
	for (size_t limit = 0; limit < 8192; limit += 16) {
		cleanup_arena struct arena *a = arena_new(limit);
		struct agent_answer answer = { .verdict = VERDICT_DENY,
			.reason = STR("because") };
		struct agent_bytes out;
		struct agent_call call;

		if (agent_read(a, AGENT_CLAUDE, false, text, &call, NULL))
			continue;
		if (!agent_write(a, &call, &answer, &out))
			continue;
		worked = true;
		assert_int_equal(out.status, 2);
		assert_true(str_is(out.err, "because\n"));
	}
	assert_true(worked);
	for (int h = 0; h <= AGENTS; h++) {
		struct agent_bytes out = agent_refusal((enum agent)h);

		assert_true(out.out.n > 0 || (out.err.n > 0 && out.status == 2));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_detect),
		cmocka_unit_test(test_patch), cmocka_unit_test(test_memory) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
