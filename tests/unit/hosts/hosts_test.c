#include "../cm.h"
#include "agents/hosts.h"

/* Who sends it, by its keys. */
static void
test_detect(void **state)
{
	static const struct {
		char text[200];
		int host; /* -1: nobody */
	} cases[] = {
		{ "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"tool_name\":"
		  "\"X\"}",
		    HOST_CLAUDE },
		{ "{\"cursor_version\":\"3\",\"hook_event_name\":\"stop\"}", HOST_CURSOR },
		{ "{\"hook_event_name\":\"Stop\",\"session_id\":\"s\",\"turn_id\":\"1\"}",
		    HOST_CODEX },
		{ "{\"hook_event_name\":\"BeforeTool\",\"tool_name\":\"x\",\"timestamp\":"
		  "\"t\"}",
		    HOST_GEMINI },
		{ "{\"toolName\":\"x\",\"toolArgs\":\"{}\"}", HOST_COPILOT },
		{ "{\"hook_event_name\":\"PreToolUse\",\"timestamp\":\"t\",\"tool_name\":"
		  "\"x\"}",
		    HOST_COPILOT },
		{ "{\"toolName\":\"x\",\"input\":{}}", HOST_PI },
		{ "{\"tool\":\"x\",\"args\":{}}", HOST_OPENCODE },
		{ "{\"agent_action_name\":\"pre_user_prompt\"}", HOST_WINDSURF },
		{ "{\"clineVersion\":\"3\",\"hookName\":\"TaskStart\"}", HOST_CLINE },
		{ "{\"toolCall\":{},\"hook_event_name\":\"x\",\"session_id\":\"s\"}", -1 },
		{ "{\"hook_event_name\":\"pre_tool_call\",\"session_id\":\"s\"}", -1 },
		{ "{}", -1 },
		{ "[]", -1 },
		{ "null", -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		cleanup_arena struct arena *a = arena_new(1 << 16);
		struct host_call call;
		struct err e = { 0 };
		int err =
		    host_read(a, HOST_AUTO, false, str_from_c(cases[i].text), &call, &e);

		assert_int_equal(err == 0, cases[i].host >= 0);
		if (err)
			assert_non_null(e.why);
		else
			assert_int_equal(call.host, cases[i].host);
	}
}

static size_t
touches(const struct host_call *call)
{
	size_t n = 0;

	for (const struct host_touch *t = call->touches; t; t = t->next)
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
		struct host_call call;
		struct buf b;
		int err;

		buf_init(&b, a);
		buf_puts(&b, "{\"hook_event_name\":\"PreToolUse\",\"tool_name\":"
			     "\"apply_patch\",\"tool_input\":{\"command\":\"");
		buf_puts(&b, cases[i].patch);
		buf_puts(&b, "\"}}");
		err = host_read(a, HOST_CODEX, false, buf_str(&b), &call, NULL);
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
		struct host_answer answer = { .verdict = VERDICT_DENY,
			.reason = STR("because") };
		struct host_bytes out;
		struct host_call call;

		if (host_read(a, HOST_CLAUDE, false, text, &call, NULL))
			continue;
		if (!host_write(a, &call, &answer, &out))
			continue;
		worked = true;
		assert_int_equal(out.status, 2);
		assert_true(str_is(out.err, "because\n"));
	}
	assert_true(worked);
	for (int h = 0; h < HOSTS; h++) {
		struct host_bytes out = host_refusal((enum host)h);

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
