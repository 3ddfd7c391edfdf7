/* The cursor dialect: seed 003's xOh, step by step; rows 3.6 to 3.13 of the checklist. */
#include "cursor_help.h"

#define RW "{\"type\":\"WORKSPACE_READWRITE\"}"
#define RW_NET "{\"type\":\"WORKSPACE_READWRITE\",\"networkAccess\":true}"
#define RO "{\"type\":\"WORKSPACE_READONLY\"}"
#define NONE "{\"type\":\"INSECURE_NONE\",\"networkAccess\":true}"
#define EVERYTHING "\"mode\":\"run_everything\","
#define SANDBOX "\"sandboxEnabled\":true,\"userPolicy\":" RW ","
#define ALLOW(list) "\"approvalSettings\":{\"allowedCommands\":[" list "]},"
#define BLOCK(list) "\"approvalSettings\":{\"blockedCommands\":[" list "]},"
#define Q(settings, command) "{" settings "\"command\":\"" command "\"}"

/* ---- $Jt: row 3.6 */

static void
test_Jt(void **state)
{
	static const struct {
		const char *text, *pattern;
		bool want;
	} cases[] = {
		{ "rm -rf /", "rm", true },
		{ "rmdir foo", "rm", false },
		{ "git push", "git", true },
		{ "git push", "git push", true },
		{ "git pushx", "git push", false },
		{ "  rm x  ", "rm", true },
		{ "rm", "rm", true },
		{ "rm\tx", "rm", true },
		{ "rm\nx", "rm", true },
		{ "rm\xc2\xa0x", "rm", true }, /* NBSP is \s */
		{ "rm;x", "rm", false },
		{ "a.b x", "a.b", true }, /* every character stands for itself */
		{ "axb x", "a.b", false },
		{ "x", ".*", false },
		{ "", "", true },
		{ "x", "", false },
		{ "x", "x ", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(
		    cursor_matches(str_from_c(cases[i].text), str_from_c(cases[i].pattern)),
		    cases[i].want);
}

/* ---- xOh: row 3.7 */

static void
effective(const char *line, const char *want)
{
	struct got g = request(line);

	if (!holds(g.text, want))
		fail_msg("%s: no %s in %.*s", line, want, (int)g.text.n, g.text.p);
}

static void
test_xOh_step_1_merge(void **state)
{
	(void)state;
	effective(Q("\"userPolicy\":" RW ",\"requestedPolicy\":" NONE ",", "ls"),
	    "{\"type\":\"WORKSPACE_READWRITE\",\"networkAccess\":false,");
	effective(Q("\"userPolicy\":" RW_NET ",\"requestedPolicy\":" RO ",", "ls"),
	    "{\"type\":\"WORKSPACE_READONLY\",\"networkAccess\":false,");
	effective(Q("\"userPolicy\":" RO ",", "ls"), "{\"type\":\"WORKSPACE_READONLY\",");
	effective(
	    Q("\"requestedPolicy\":" RO ",", "ls"), "{\"type\":\"WORKSPACE_READONLY\",");
	effective(Q("", "ls"), "{\"type\":\"UNSPECIFIED\",");
	/* An agent's request adds nothing, even if the user sets nothing. */
	effective(
	    Q("\"userPolicy\":" RW ",\"requestedPolicy\":{\"type\":\"WORKSPACE_READWRITE\","
	      "\"additionalReadwritePaths\":[\"/etc\"],\"networkAllow\":[\"a.org\"]},",
		"ls"),
	    "\"networkAllow\":[],\"additionalReadwritePaths\":[],");
}

static void
test_xOh_step_2_disabled_by_admin(void **state)
{
	static const struct row rows[] = {
		{ Q(EVERYTHING "\"approvalSettings\":{\"isDisabledByAdmin\":true,"
			       "\"allowedCommands\":[\"ls\"]},",
		      "ls"),
		    "ask -" },
	};

	(void)state;
	CHECK(rows, "step 2 admin");
}

/* Never a bare run: MUST 4. */
static void
test_xOh_step_3_parse_failure(void **state)
{
	static const struct row rows[] = {
		{ Q(EVERYTHING, "if"), "run -" },
		{ Q(EVERYTHING, "echo 'a"), "run -" },
		{ Q("", "if"), "ask -" },
		{ Q(ALLOW("\"if\""), "if"), "ask -" },
		{ Q(EVERYTHING BLOCK("\"rm\""), "if"), "ask -" },
		{ Q(EVERYTHING "\"approvalSettings\":{\"isAdminControlled\":true},", "if"),
		    "ask -" },
		{ Q(EVERYTHING "\"approvalSettings\":{\"isAdminControlled\":true,"
			       "\"enableRunEverything\":true},",
		      "if"),
		    "run -" },
	};

	(void)state;
	CHECK(rows, "step 3 parse");
	effective(Q(EVERYTHING, "if"),
	    "{\"type\":\"WORKSPACE_READWRITE\",\"networkAccess\":false,");
	effective(Q(EVERYTHING "\"userPolicy\":" NONE ",", "if"),
	    "{\"type\":\"WORKSPACE_READWRITE\",\"networkAccess\":false,");
	effective(Q(EVERYTHING "\"userPolicy\":" RW_NET ",", "if"),
	    "{\"type\":\"WORKSPACE_READWRITE\",\"networkAccess\":true,");
	assert_int_equal(request(Q(EVERYTHING, "if")).verdict, VERDICT_CONFINE);
}

/* Row 3.13: no allow lifts it.  MUST 2 and 3. */
static void
test_xOh_step_4_blocked(void **state)
{
#define LIFTED                                                                             \
	EVERYTHING "\"approvalSettings\":{\"allowedCommands\":[\"rm\",\"bash\",\"env\"],"  \
		   "\"blockedCommands\":[\"rm\",\"git push\"]},"
	static const struct row rows[] = {
		{ Q(LIFTED, "rm x"), "ask -" }, { Q(LIFTED, "ls && rm x"), "ask -" },
		{ Q(LIFTED, "bash -c 'rm x'"), "ask -" },
		{ Q(LIFTED, "env -i rm x"), "ask -" }, { Q(LIFTED, "/bin/rm x"), "ask -" },
		{ Q(LIFTED, "\\\\rm x"), "ask -" }, { Q(LIFTED, "'r'm x"), "ask -" },
		{ Q(LIFTED, "echo $(rm x)"), "ask -" },
		{ Q(LIFTED, "echo `rm x`"), "ask -" },
		{ Q(LIFTED, "find . -exec rm {} +"), "ask -" },
		{ Q(LIFTED, "git -C . push"), "ask -" }, { Q(LIFTED, "git $x"), "ask -" },
		{ Q(LIFTED, "$x y"), "ask -" }, { Q(LIFTED, "eval \\\"$x\\\""), "ask -" },
		{ Q(EVERYTHING BLOCK("\"echo secret\""), "echo $x"),
		    "ask -" }, /* could be */
	};
	static const struct row others[] = {
		{ Q(LIFTED, "rmdir foo"), "run -" },
		{ Q(LIFTED, "git status"), "run -" },
		{ Q(LIFTED, "echo rm"), "run -" },
	};
#undef LIFTED

	(void)state;
	CHECK(rows, "step 4 blocklist: ");
	CHECK(others, "step 6 run everything");
}

/* Row 3.8: like a parse failure. */
static void
test_xOh_step_5_no_commands(void **state)
{
	static const struct row rows[] = {
		{ Q(EVERYTHING, ""), "run -" }, { Q(EVERYTHING, "# nothing"), "run -" },
		{ Q(EVERYTHING, "X=1"), "run -" },
		{ Q(EVERYTHING BLOCK("\"rm\""), "X=1"), "ask -" },
		{ Q(EVERYTHING "\"approvalSettings\":{\"isAdminControlled\":true},", "X=1"),
		    "ask -" },
		{ Q(ALLOW("\"ls\""), ""), "ask -" },
		{ Q(ALLOW("\"ls\""), "> out"), "ask -" },
		{ Q(ALLOW("\"[\""), "[ -f x ]"), "ask -" }, /* no command to the original */
	};

	(void)state;
	CHECK(rows, "step 5 no command");
	effective(Q(EVERYTHING, "# x"), "{\"type\":\"WORKSPACE_READWRITE\",");
	assert_int_equal(request(Q(EVERYTHING, "X=1")).verdict, VERDICT_CONFINE);
}

/* Row 3.9: rm and sudo pass. */
static void
test_xOh_step_6_run_everything(void **state)
{
	static const struct row rows[] = {
		{ Q(EVERYTHING, "rm -rf x"), "run -" },
		{ Q(EVERYTHING, "sudo rm x"), "run -" },
		{ Q(EVERYTHING "\"approvalSettings\":{\"deleteFileProtection\":true},",
		      "rm x"),
		    "run -" },
		{ Q(EVERYTHING "\"approvalSettings\":{\"isAdminControlled\":true,"
			       "\"enableRunEverything\":true},",
		      "sudo ls"),
		    "run -" },
	};
	static const struct row refused[] = {
		{ Q(EVERYTHING "\"approvalSettings\":{\"isAdminControlled\":true},",
		      "sudo ls"),
		    "ask -" },
		{ Q("", "sudo ls"), "ask -" },
	};

	(void)state;
	CHECK(rows, "step 6 run everything");
	CHECK(refused, "step 8 sudo");
	effective(Q(EVERYTHING, "rm -rf x"), "{\"type\":\"UNSPECIFIED\","); /* as it was */
	assert_int_equal(request(Q(EVERYTHING, "rm x")).verdict, VERDICT_ALLOW);
}

/* Row 3.10. */
static void
test_xOh_step_7_delete_protection(void **state)
{
#define KEEP(list)                                                                         \
	SANDBOX "\"approvalSettings\":{\"deleteFileProtection\":true,"                     \
		"\"allowedCommands\":[" list "]},"
	static const struct row rows[] = {
		{ Q(KEEP(""), "rm x"), "ask -" },
		{ Q(KEEP(""), "ls; rm x"), "ask -" },
		{ Q(KEEP("\"ls\",\"rmdir\""), "rm x"), "ask -" },
		{ Q(KEEP("\"rm -rf build\""), "rm x"), "ask -" }, /* only what it covers */
		{ Q(KEEP("\"env\""), "env rm x"), "ask -" },
		{ Q(KEEP("\"sh\""), "sh -c 'rm x'"), "ask -" },
		{ Q(KEEP("\"rm\""), "/tmp/rm x"), "ask -" }, /* another program */
		{ Q(KEEP(""), "find . -delete"), "ask -" },
		{ Q(KEEP(""), "unlink x"), "ask -" },
	};
	static const struct row lifted[] = {
		{ Q(KEEP("\"rm\""), "rm x"), "run [\"rm\"]" },
		{ Q(KEEP("\"rm -rf build\""), "rm -rf build"), "run [\"rm\"]" },
		{ Q(KEEP("\"find\""), "find . -delete"), "run [\"find\"]" },
		{ Q(KEEP("\"rmdir\""), "rmdir x"), "run [\"rmdir\"]" },
		{ Q(KEEP("\"mv\""), "mv a b"), "run [\"mv\"]" },
	};
	static const struct row off[] = {
		{ Q(SANDBOX, "rm x"), "run -" },
		{ Q(KEEP(""), "mv a b"), "run -" }, /* neither loses a file */
		{ Q(KEEP(""), "rmdir x"), "run -" },
	};
#undef KEEP

	(void)state;
	CHECK(rows, "step 7 rm: ");
	CHECK(lifted, "step 11 allowed");
	CHECK(off, "step 12 sandbox");
}

/* Never lifted: MUST 3. */
static void
test_xOh_step_8_sudo(void **state)
{
#define SU SANDBOX ALLOW("\"sudo\",\"sudo ls\",\"ls\",\"env\",\"doas\",\"su\"")
	static const struct row rows[] = {
		{ Q(SU, "sudo ls"), "ask -" },
		{ Q(SU, "ls && sudo ls"), "ask -" },
		{ Q(SU, "env sudo ls"), "ask -" },
		{ Q(SU, "/usr/bin/sudo ls"), "ask -" },
		{ Q(SU, "\\\"sudo\\\" ls"), "ask -" },
		{ Q(SU, "X=1 sudo ls"), "ask -" },
		{ Q(SU, "doas ls"), "ask -" },
		{ Q(SU, "su -c ls"), "ask -" },
	};
#undef SU

	(void)state;
	CHECK(rows, "step 8 sudo: ");
}

static void
test_xOh_step_9_no_allowlist(void **state)
{
	static const struct row rows[] = {
		{ Q("", "ls -la"), "ask [\"ls\"]" },
		{ Q("\"safeCommands\":[\"ls\"],", "ls -la | wc"), "ask [\"ls\",\"wc\"]" },
		{ Q("\"approvalSettings\":{\"isAdminControlled\":true},", "ls"),
		    "ask [\"ls\"]" },
	};

	(void)state;
	CHECK(rows, "step 9 no allowlist");
}

/* MUST 2: the text and the argv, of a wrapper and of what it runs. */
static void
test_xOh_step_10_filter(void **state)
{
#define LIST "\"safeCommands\":[\"wc\"]," ALLOW("\"ls\",\"git status\",\"env ls\",\"echo\"")
	static const struct row rows[] = {
		{ Q(LIST, "ls; npm test"), "ask [\"npm\"]" },
		{ Q(LIST, "git push"), "ask [\"git\"]" },
		{ Q(LIST, "./ls"), "ask [\"./ls\"]" },
		{ Q(LIST, "'ls' -l"), "ask [\"'ls'\"]" },
		{ Q(LIST, "X=1 ls"), "ask [\"X=1 ls\"]" },
		{ Q(LIST, "env ls -l | env wc"), "ask [\"env wc\"]" },
		{ Q(LIST, "ls $(npm test)"), "ask [\"npm\"]" },
		{ Q(LIST, "ls \\\"`npm test`\\\""), "ask [\"npm\"]" },
		{ Q(LIST, "PAGER=x; ls"), "ask []" },
		{ Q(LIST, "LD_PRELOAD=x; ls"), "ask []" },
		{ Q(LIST, "$x"), "ask []" },
		{ Q(LIST, "ls() { npm test; }; ls"), "ask [\"npm\"]" },
	};
#undef LIST

	(void)state;
	CHECK(rows, "step 10 filter: ");
}

static void
test_xOh_step_11_all_allowed(void **state)
{
#define LIST "\"safeCommands\":[\"wc\"]," ALLOW("\"ls\",\"git status\",\"env ls\",\"echo\"")
	static const struct row rows[] = {
		{ Q(LIST, "ls -la | wc -l"), "run [\"ls\",\"wc\"]" },
		{ Q(LIST, "git status --short"), "run [\"git\"]" },
		{ Q(LIST, "env ls -l"), "run [\"env ls -l\",\"ls\"]" },
		{ Q(LIST, "echo \\\"$(ls)\\\" `ls`"), "run [\"ls\",\"echo\"]" },
		{ Q(LIST, "[ -f x ] && ls"), "run [\"ls\"]" },
		{ Q(LIST, "for f in *; do echo \\\"$f\\\"; done"), "run [\"echo\"]" },
		{ Q(LIST, "ls 2>/dev/null >out"), "run [\"ls\"]" },
	};
	static const struct row whole[] = {
		{ Q(ALLOW("\". ./env.sh\""), ". ./env.sh"), "run [\".\"]" },
		{ Q(ALLOW("\"sh -e b.sh\""), "sh -e b.sh"), "run [\"sh\"]" },
	};
	static const struct row part[] = {
		{ Q(ALLOW("\".\""), ". ./env.sh"), "ask [\". ./env.sh\"]" },
		{ Q(ALLOW("\"sh -e\""), "sh -e b.sh"), "ask [\"sh -e b.sh\"]" },
		{ Q(ALLOW("\"sh -e b.sh\""), "sh -e b.sh x"), "ask [\"sh -e b.sh x\"]" },
		{ Q(ALLOW("\"eval\""), "eval \\\"$x\\\""), "ask []" },
	};
#undef LIST

	(void)state;
	CHECK(rows, "step 11 allowed");
	CHECK(whole, "step 11 allowed");
	CHECK(part, "step 13 default");
}

/* Row 3.11. */
static void
test_xOh_step_12_sandbox(void **state)
{
#define GIT                                                                                \
	"\"sandboxEnabled\":true,\"compositeCommands\":[\"git\"],"                         \
	"\"userPolicy\":{\"type\":\"WORKSPACE_READWRITE\",\"blockGitWrites\":true},"
	static const struct row rows[] = {
		{ Q(SANDBOX, "npm test"), "run -" },
		{ Q(SANDBOX "\"requestedPolicy\":" RO ",", "npm test"), "run -" },
		{ Q("\"sandboxEnabled\":true,\"requestedPolicy\":" RW_NET ",", "npm test"),
		    "run -" },
		{ Q(SANDBOX, "$x"), "run -" },
		{ Q(GIT, "git status && npm test"), "run -" },
		{ Q(SANDBOX, "git commit -m x"), "run -" },
	};
	static const struct row refused[] = {
		{ Q(SANDBOX "\"requestedPolicy\":" RW_NET ",", "npm test"),
		    "ask [\"npm\"]" },
		{ Q(SANDBOX "\"requestedPolicy\":" NONE ",", "npm test"), "ask [\"npm\"]" },
		{ Q("\"sandboxEnabled\":true,", "npm test"), "ask [\"npm\"]" },
		{ Q("\"sandboxEnabled\":true,\"userPolicy\":" NONE ",", "npm test"),
		    "ask [\"npm\"]" },
		{ Q(GIT, "git commit -m x"), "ask [\"git commit\"]" },
		{ Q(GIT, "env git push"), "ask [\"env git push\",\"git push\"]" },
		{ Q(GIT
		      "\"cwd\":\"/w\",\"approvalSettings\":{\"dotFilesProtection\":false},",
		      "echo x > .git/config"),
		    "ask [\"echo\"]" },
		{ Q(GIT "\"requestedPolicy\":{\"type\":\"WORKSPACE_READWRITE\","
			"\"blockGitWrites\":false},",
		      "git tag v1"),
		    "ask [\"git tag\"]" },
	};
#undef GIT

	(void)state;
	CHECK(rows, "step 12 sandbox: the sandbox's policy is acceptable");
	CHECK(refused, "step 13 default");
	assert_int_equal(request(Q(SANDBOX, "npm test")).verdict, VERDICT_CONFINE);
}

static void
test_xOh_step_13_default(void **state)
{
	static const struct row rows[] = {
		{ Q(ALLOW("\"ls\""), "npm test"), "ask [\"npm\"]" },
		{ Q("\"approvalSettings\":{\"isAdminControlled\":true,\"allowedCommands\":["
		    "\"ls\"]},",
		      "npm test"),
		    "ask -" },
	};

	(void)state;
	CHECK(rows, "step 13 default");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_Jt),
		cmocka_unit_test(test_xOh_step_1_merge),
		cmocka_unit_test(test_xOh_step_2_disabled_by_admin),
		cmocka_unit_test(test_xOh_step_3_parse_failure),
		cmocka_unit_test(test_xOh_step_4_blocked),
		cmocka_unit_test(test_xOh_step_5_no_commands),
		cmocka_unit_test(test_xOh_step_6_run_everything),
		cmocka_unit_test(test_xOh_step_7_delete_protection),
		cmocka_unit_test(test_xOh_step_8_sudo),
		cmocka_unit_test(test_xOh_step_9_no_allowlist),
		cmocka_unit_test(test_xOh_step_10_filter),
		cmocka_unit_test(test_xOh_step_11_all_allowed),
		cmocka_unit_test(test_xOh_step_12_sandbox),
		cmocka_unit_test(test_xOh_step_13_default),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
