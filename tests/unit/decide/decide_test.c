/* decide: the gates on small policies, by names alone; and the same through the library. */
#include "cordon.h"
#include "decide/json.h"
#include "decide_help.h"

struct setup {
	const char *rules;
	bool explicit_root, headless, no_sandbox;
};

static void
judge(struct arena *a, const struct setup *s, const char *text, struct decision *ret)
{
	struct analyse_opts where = { root, home };
	struct effects e = { 0 };
	struct decide_input in = { .text = str_from_c(text),
		.policy = policy_of(a, LAYER_USER, s->rules),
		.base = { home, &root, 1 },
		.explicit_root = s->explicit_root,
		.interactive = !s->headless,
		.sandbox = !s->no_sandbox,
		.hook = VERDICT_ALLOW,
		.trace = true };

	if (analyse(a, in.text, &where, &e, &in.error) == 0) {
		effects_assume(&e, &root, 1);
		in.effects = &e;
	}
	decide(a, &in, ret);
}

#define SAFE "safe @read\nprotect destroy sudo dotfiles outside env\n"

static const struct {
	struct setup s;
	const char *text, *want;
	enum gate gate;
} rows[] = {
	/* Gate 1. */
	{ { SAFE, .headless = false }, "echo 'x", "ask", GATE_PARSE },
	{ { SAFE, .headless = true }, "echo 'x", "deny", GATE_PARSE },
	{ { "mode run_everything\ndeny x\n", .headless = false }, "echo 'x", "ask",
	    GATE_PARSE },
	{ { "mode run_everything\n", .headless = false }, "echo 'x", "confine",
	    GATE_PARSE },
	/* Gate 3, certain and possible. */
	{ { SAFE "deny git push\n", .headless = false }, "git push", "deny", GATE_DENY },
	{ { SAFE "deny git push\n", .headless = false }, "git $x", "confine",
	    GATE_SANDBOX },
	{ { SAFE "deny git push\n", .no_sandbox = true }, "git $x", "ask", GATE_SANDBOX },
	{ { SAFE "deny git push\nallow git push\n", .headless = false }, "git push", "deny",
	    GATE_DENY },
	{ { SAFE "deny read /etc/x\n", .headless = false }, "cat /etc/x", "deny",
	    GATE_DENY },
	{ { SAFE "deny read /etc/x\n", .headless = false }, "cat \"$f\"", "confine",
	    GATE_DENY },
	{ { SAFE "deny read /home/u/k/**\n", .headless = false }, "cat /home/u/*",
	    "confine", GATE_DENY },
	/* Gate 4. */
	{ { SAFE, .explicit_root = true }, "cd \"$x\"", "deny", GATE_CONTAIN },
	{ { SAFE, .explicit_root = false }, "cd \"$x\"", "confine", GATE_CONTAIN },
	{ { SAFE, .explicit_root = true }, "echo x > /etc/x", "deny", GATE_CONTAIN },
	{ { SAFE, .explicit_root = false }, "echo x > /etc/x", "ask", GATE_CONTAIN },
	/* Gate 5. */
	{ { SAFE, .headless = false }, "rm x", "ask", GATE_PROTECT },
	{ { SAFE "allow rm\n", .headless = false }, "rm x", "allow", GATE_ALLOW },
	{ { SAFE "allow sudo\n", .headless = false }, "sudo ls", "ask", GATE_PROTECT },
	{ { SAFE, .headless = false }, "LD_PRELOAD=x ls", "ask", GATE_PROTECT },
	{ { SAFE, .headless = false }, "echo x > .a", "ask", GATE_PROTECT },
	/* Gates 6 and 7: the more specific, then the stricter. */
	{ { SAFE "ask ls\n", .headless = false }, "ls", "ask", GATE_ASK },
	{ { SAFE "ask git\nallow git push\n", .headless = false }, "git push", "allow",
	    GATE_ALLOW },
	{ { SAFE "allow git\nask git push\n", .headless = false }, "git push", "ask",
	    GATE_ASK },
	{ { SAFE "allow make exactly\n", .headless = false }, "make", "allow", GATE_ALLOW },
	/* A rule that spells out all words matches that command, with options and their
	 * values. */
	{ { SAFE "allow \"rm\" \"-rf\" \"x\" exactly\n", .headless = false }, "rm -rf x",
	    "allow", GATE_ALLOW },
	{ { SAFE "allow \"rm\" \"-rf\" \"x\" exactly\n", .headless = false }, "rm -rf x y",
	    "ask", GATE_PROTECT },
	{ { SAFE "allow \"rm\" \"-rf\" \"x\" exactly\n", .headless = false }, "rm -r x",
	    "ask", GATE_PROTECT },
	{ { SAFE "allow \"rm\" \"-rf\" \"x\" exactly\n", .headless = false },
	    "rm -rf \"$x\"", "ask", GATE_PROTECT },
	{ { SAFE "allow \"git\" \"commit\" \"-m\" \"a b\" exactly\n", .headless = false },
	    "git commit -m 'a b'", "allow", GATE_ALLOW },
	{ { SAFE "allow make exactly\n", .headless = false }, "make all", "confine",
	    GATE_SANDBOX },
	{ { SAFE "allow make\n", .headless = false }, "make; tool", "confine",
	    GATE_SANDBOX },
	{ { SAFE "allow make\n", .headless = false }, "./make", "confine", GATE_SANDBOX },
	/* Gates 8 and 9. */
	{ { SAFE "mode ask_every_time\n", .headless = false }, "ls", "ask", GATE_MODE },
	{ { "mode run_everything\ndefault deny\n", .headless = false }, "tool", "confine",
	    GATE_SANDBOX },
	{ { "default deny\n", .headless = false }, "tool", "deny", GATE_SANDBOX },
	{ { SAFE, .headless = false }, "tool", "confine", GATE_SANDBOX },
	{ { SAFE, .no_sandbox = true }, "tool", "ask", GATE_SANDBOX },
	/* Only the table: it counts where the policy enables it. */
	{ { SAFE, .headless = false }, "ls | wc -l", "allow", GATE_ALLOW },
	{ { "default confine\n", .headless = false }, "ls", "confine", GATE_SANDBOX },
	{ { SAFE, .headless = false }, "", "allow", GATE_NONE },
};

static void
test_gates(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cleanup_arena struct arena *a = arena_new(8 << 20);
		struct decision d;

		judge(a, &rows[i].s, rows[i].text, &d);
		if (strcmp(verdict_name(d.verdict), rows[i].want) || d.gate != rows[i].gate)
			print_error("row %zu: %s: %s, gate %s\n", i, rows[i].text,
			    verdict_name(d.verdict), gate_name(d.gate));
		assert_string_equal(verdict_name(d.verdict), rows[i].want);
		assert_int_equal(d.gate, rows[i].gate);
	}
}

/* With any memory limit, the answer is no looser than with enough memory. */
static void
test_memory(void **state)
{
	const struct setup s = { .rules = SAFE "deny git push\n" };

	(void)state;
	for (size_t spare = 0; spare < 6000; spare += 37) {
		cleanup_arena struct arena *a = arena_new(8 << 20);
		const struct policy *p = policy_of(a, LAYER_USER, s.rules);
		struct analyse_opts where = { root, home };
		struct effects e = { 0 };
		struct decide_input in = { .text = STR("ls; git push; rm x > y"),
			.policy = p,
			.base = { home, &root, 1 },
			.interactive = true,
			.sandbox = true,
			.hook = VERDICT_ALLOW };
		struct decision d;

		assert_int_equal(analyse(a, in.text, &where, &e, NULL), 0);
		effects_assume(&e, &root, 1);
		in.effects = &e;
		a->limit = a->used + spare;
		decide(a, &in, &d);
		assert_int_equal(d.verdict, VERDICT_DENY);
	}
}

static void
test_hooks(void **state)
{
	cleanup_arena struct arena *a = arena_new(8 << 20);
	struct effects e = { 0 };
	struct decide_input in = { .text = STR(""),
		.policy = policy_of(a, LAYER_USER, SAFE),
		.effects = &e,
		.interactive = true,
		.sandbox = true,
		.hook = VERDICT_DENY };
	struct decision d;

	(void)state;
	decide(a, &in, &d);
	assert_int_equal(d.verdict, VERDICT_DENY);
	assert_true(str_is(d.reason, "Command execution was blocked by a hook"));
}

static void
test_library(void **state)
{
	struct cordon *c = cordon_new();
	struct cordon_policy *p = NULL;
	const char rules[] = "allow make\n", broken[] = "allow make\nalow\n";
	struct cordon_source source = { .size = sizeof source,
		.layer = CORDON_LAYER_USER,
		.name = "mine",
		.name_len = 4,
		.text = rules,
		.text_len = sizeof rules - 1 };
	struct cordon_policy_opts opts = {
		.size = sizeof opts, .sources = &source, .sources_n = 1
	};
	struct cordon_check_opts how = {
		.size = sizeof how, .flags = CORDON_BY_NAME, .cwd = "/w", .cwd_len = 2
	};
	const char *json;
	size_t n;
	int verdict;

	(void)state;
	assert_int_equal(cordon_policy_new(c, &opts, &p), 0);
	assert_int_equal(cordon_check(c, p, "make", 4, &how, &verdict, &json, &n), 0);
	assert_int_equal(verdict, CORDON_ALLOW);
	assert_int_equal(strlen(json), n);
	assert_int_equal(cordon_check(c, p, "git push", 8, &how, &verdict, &json, &n), 0);
	assert_int_equal(verdict, CORDON_ASK);
	assert_int_equal(cordon_check(c, p, "make", 4, NULL, &verdict, &json, &n), 0);
	assert_int_equal(verdict, CORDON_CONFINE); /* no facts are known */
	how.mode = 9;
	assert_int_equal(
	    cordon_check(c, p, "ls", 2, &how, &verdict, &json, &n), CORDON_FAIL_INPUT);
	assert_int_equal(verdict, CORDON_DENY);
	cordon_policy_free(p);
	source.text = broken;
	source.text_len = sizeof broken - 1;
	assert_int_equal(cordon_policy_new(c, &opts, &p), CORDON_FAIL_POLICY);
	assert_true(strncmp(cordon_error(c), "mine:2:1: ", 10) == 0);
	cordon_policy_free(NULL);
	cordon_free(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_gates),
		cmocka_unit_test(test_memory), cmocka_unit_test(test_hooks),
		cmocka_unit_test(test_library) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
