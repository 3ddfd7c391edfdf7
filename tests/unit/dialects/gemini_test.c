/*
 * The gemini dialect.  Requests and answers are in tests/cases/gemini; names here carry
 * the number of the promise that they keep.  Argument: that folder, if it is not below
 * the current one.
 */
#include "../cm.h"
#include "dialects/gemini/gemini.h"
#include <stdio.h>

#define ROOM ((size_t)4 << 20)

static const char *folder = "tests/cases/gemini";
static const struct analyse_opts where = { STR_INIT("/w"), STR_INIT("/home/u") };

/* {"id":7, and then the members of an object. */
static struct str
with_id(struct arena *a, struct str object)
{
	struct buf b;

	buf_init(&b, a);
	buf_puts(&b, "{\"id\":7,");
	buf_put(&b, str_skip(object, 1));
	assert_false(b.full);
	return buf_str(&b);
}

/*
 * The answer with too little memory: refused, asked about, or a substitution is reported.
 */
static bool
is_closed(struct str request, struct str answer)
{
	static const struct str closed[] = { STR_INIT("{\"id\":7,\"error\":"),
		STR_INIT("{\"id\":7,\"result\":{\"error\":"),
		STR_INIT("{\"id\":7,\"result\":{\"confirmations\":[\"exec\",\"exec\"") };

	for (size_t i = 0; i < COUNT(closed); i++)
		if (str_starts(answer, closed[i]))
			return true;
	for (size_t i = 0; i < answer.n; i++)
		if (str_starts(str_skip(answer, i), STR("memory")))
			return true;
	return str_starts(request, STR("{\"id\":7,\"fn\":\"detect")) &&
	       str_is(answer, "{\"id\":7,\"result\":true}");
}

/* With less memory: an error that is reported, never another answer. */
static void
check_memory(struct str request, struct str want, size_t peak)
{
	cleanup_arena struct arena *a = arena_new(peak);

	for (size_t n = 0; n < peak; n += 16 + peak / 200) {
		struct buf out;

		arena_reset(a);
		a->limit = n;
		buf_init(&out, a);
		if (gemini_request(a, request, &where, &out, NULL) || out.full)
			continue;
		if (!str_eq(buf_str(&out), want) && !is_closed(request, buf_str(&out)))
			fail_msg("%.*s: %.*s in %u bytes", (int)request.n, request.p,
			    (int)out.n, out.p, (unsigned)n);
	}
}

static void
check_line(struct str line)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	const struct json *v = NULL;
	struct str request, want;
	struct buf out;

	assert_int_equal(json_read(a, line, NULL, &v, NULL), 0);
	assert_non_null(json_get(v, STR("request")));
	assert_non_null(json_get(v, STR("answer")));
	request = with_id(a, json_source(line, json_get(v, STR("request"))));
	want = with_id(a, json_source(line, json_get(v, STR("answer"))));
	buf_init(&out, a);
	assert_int_equal(gemini_request(a, request, &where, &out, NULL), 0);
	if (!str_eq(buf_str(&out), want))
		print_error("%.*s\n", (int)request.n, request.p);
	assert_str(buf_str(&out), want);
	check_memory(request, want, a->peak);
}

static void
check_file(const char *name)
{
	static char line[16384];
	char path[4096];
	FILE *file;
	size_t seen = 0;

	assert_in_range(snprintf(path, sizeof path, "%s/%s", folder, name), 1, 4095);
	file = fopen(path, "r");
	if (!file)
		fail_msg("cannot read %s: start in the root of the repository", path);
	while (fgets(line, sizeof line, file)) {
		size_t n = strlen(line);

		assert_true(n > 0 && line[n - 1] == '\n');
		if (n == 1 || line[0] == '#')
			continue;
		check_line(str_of(line, n - 1));
		seen++;
	}
	assert_int_equal(fclose(file), 0);
	assert_true(seen > 0);
}

static void
rows_1_2_1_5_1_11_examples(void **state)
{
	(void)state;
	check_file("examples.jsonl");
}

static void
rows_1_2_1_3_1_4_check(void **state)
{
	(void)state;
	check_file("check.jsonl");
}

static void
rows_1_1_1_19_functions(void **state)
{
	(void)state;
	check_file("functions.jsonl");
}

static void
rows_1_6_1_13_1_14_1_15_config(void **state)
{
	(void)state;
	check_file("config.jsonl");
}

static void
bad_json_has_no_id(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	enum verdict verdict = VERDICT_ALLOW;
	struct buf out;

	(void)state;
	buf_init(&out, a);
	assert_int_equal(gemini_request(a, STR("{\"id\":1,"), NULL, &out, &verdict), 0);
	assert_true(str_starts(buf_str(&out), STR("{\"id\":null,\"error\":\"")));
	assert_int_equal(verdict, VERDICT_DENY);
}

/* An invalid request is an error and a denial. */
static void
bad_requests(void **state)
{
	static const struct {
		const char *line, *why;
	} cases[] = {
		{ "[]", "a request must be an object" },
		{ "{\"fn\":\"mergeExcludeTools\",\"approvalMode\":\"wild\"}",
		    "approvalMode must be default, auto_edit or yolo" },
		{ "{\"fn\":\"escapeShellArg\",\"args\":[\"a\",\"fish\"]}",
		    "shell must be bash, cmd or powershell" },
		{ "{\"fn\":\"detectCommandSubstitution\",\"args\":[1]}", "" },
		{ "{\"fn\":\"detectCommandSubstitution\",\"args\":[\"ls\",1]}", "" },
		{ "{\"fn\":\"getShellConfiguration\",\"args\":[1]}", "" },
		{ "{\"fn\":\"noSuchFunction\",\"args\":[]}", "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		cleanup_arena struct arena *a = arena_new(ROOM);
		enum verdict verdict = VERDICT_ALLOW;
		struct buf out;
		struct str got;

		buf_init(&out, a);
		assert_int_equal(
		    gemini_request(a, str_from_c(cases[i].line), NULL, &out, &verdict), 0);
		got = buf_str(&out);
		if (!str_starts(got, STR("{\"id\":null,\"error\":\"")) ||
		    !str_starts(str_skip(got, 20), str_from_c(cases[i].why)))
			fail_msg("%s: %.*s", cases[i].line, (int)got.n, got.p);
		assert_int_equal(verdict, VERDICT_DENY);
	}
}

static void
verdicts(void **state)
{
	static const struct {
		const char *line;
		enum verdict want;
	} cases[] = {
		{ "{\"command\":\"ls\"}", VERDICT_ALLOW },
		{ "{\"command\":\"ls\",\"sessionAllowlist\":[]}", VERDICT_ASK },
		{ "{\"command\":\"ls\",\"sessionAllowlist\":[],\"interactive\":false}",
		    VERDICT_DENY },
		{ "{\"command\":\"ls\",\"excludeTools\":[\"ShellTool\"]}", VERDICT_DENY },
		{ "{\"fn\":\"SHELL_TOOL_NAMES\"}", VERDICT_ALLOW },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		cleanup_arena struct arena *a = arena_new(ROOM);
		enum verdict verdict;
		struct buf out;

		buf_init(&out, a);
		assert_int_equal(
		    gemini_request(a, str_from_c(cases[i].line), NULL, &out, &verdict), 0);
		assert_int_equal(verdict, cases[i].want);
	}
}

static void
row_1_8_trace(void **state)
{
	static const char want[] =
	    "original:  bash -c  \"rm x\" && ls\n"
	    "normalised: bash -c \"rm x\" && ls\n"
	    "without its wrapper: \"rm x\" && ls\n"
	    "split: [\"bash -c  \\\"rm x\\\"\",\"ls\"]\n"
	    "roots: [\"bash\",\"ls\"]\n"
	    "session allowlist: [\"run_shell_command(ls)\",\"ShellTool(ls)\"]\n"
	    "parsed: yes\n"
	    "gate 0, substitution: none\n"
	    "gate 1, shell disabled: no\n"
	    "gate 2, block entries: [\"ShellTool(rm)\"]\n"
	    "gate 3, every command in core: no\n"
	    "gate 4, mode: default deny: session and core list\n"
	    "gate 4, core entries: []\n"
	    "as the original splits: denied, soft: Command(s) not on the global or session "
	    "allowlist. Disallowed commands: \"bash -c \\\"rm x\\\"\"\n"
	    "as the shell reads: denied, hard: Command 'bash -c \"rm x\"' is blocked by "
	    "configuration\n"
	    "result: denied, and approval cannot change it\n"
	    "block reason: Command 'bash -c \"rm x\"' is blocked by configuration\n"
	    "disallowed commands: [\"bash -c \\\"rm x\\\"\"]\n"
	    "in other words: The security policy blocked the command: Command 'bash -c "
	    "\"rm x\"' is blocked by configuration\n";
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct gemini_config c = { 0 };
	struct buf out;

	(void)state;
	gemini_add(a, &c.exclude, STR("ShellTool(rm)"));
	gemini_add(a, &c.session, STR("ls"));
	buf_init(&out, a);
	assert_int_equal(
	    gemini_explain(a, STR(" bash -c  \"rm x\" && ls"), &c, &out), VERDICT_DENY);
	assert_str(buf_str(&out), str_from_c(want));
}

static void
row_1_14_library(void **state)
{
	cleanup_arena struct arena *a = arena_new(ROOM);
	struct gemini_permit *all = NULL;
	struct gemini_config c = { 0 };
	struct gemini_result r = { 0 };

	(void)state;
	assert_null(gemini_permits(all, STR("ShellTool")));
	assert_int_equal(gemini_permit_add(a, &all, STR("ShellTool"), STR("ls")), 0);
	assert_null(gemini_permits(all, STR("other")));
	c.session = *gemini_permits(all, STR("sHELLtOOL"));
	gemini_check(a, STR("ls && id"), &c, NULL, &r);
	assert_false(r.all_allowed);
	assert_int_equal(gemini_permit_add(a, &all, STR("SHELLTOOL"), STR("id")), 0);
	c.session = *gemini_permits(all, STR("shelltool"));
	gemini_check(a, STR("ls && id"), &c, NULL, &r);
	assert_true(r.all_allowed);
}

/* With too little memory the answer is an error or a denial, never an allow. */
/* Bug 223: with too little memory `ls 2>&1` was split into `ls 2>` and `1`, and a
 * substitution was missed. */
static void
closed_without_memory(void **state)
{
	static const struct str line = STR_INIT(
	    "{\"id\":1,\"command\":\"bash -c 'rm x' && ls | cat; id\",\"excludeTools\":"
	    "[\"ShellTool(rm,mv)\"],\"coreTools\":[\"ShellTool\"],\"sessionAllowlist\":["
	    "\"a\"]}");

	(void)state;
	for (size_t limit = 0; limit < 40000; limit += 48) {
		cleanup_arena struct arena *a = arena_new(limit);
		enum verdict verdict = VERDICT_ALLOW;
		struct buf out;

		buf_init(&out, a);
		if (gemini_request(a, line, NULL, &out, &verdict) == 0)
			assert_non_null(out.p);
		assert_int_equal(verdict, VERDICT_DENY);
	}
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_1_2_1_5_1_11_examples),
		cmocka_unit_test(rows_1_2_1_3_1_4_check),
		cmocka_unit_test(rows_1_1_1_19_functions),
		cmocka_unit_test(rows_1_6_1_13_1_14_1_15_config),
		cmocka_unit_test(row_1_8_trace),
		cmocka_unit_test(row_1_14_library),
		cmocka_unit_test(bad_json_has_no_id),
		cmocka_unit_test(bad_requests),
		cmocka_unit_test(verdicts),
		cmocka_unit_test(closed_without_memory),
	};

	if (argc > 1)
		folder = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
