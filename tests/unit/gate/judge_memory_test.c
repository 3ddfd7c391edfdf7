/* With less memory than it needs, no command is judged more loosely. */
#include "../decide/decide_help.h"
#include "../look/scratch.h"

static const char rules[] = "safe @read\nprotect destroy sudo outside dotfiles\n"
			    "deny read @project/secret/**\nask write @project/sub/**\n"
			    "ask read ~/keys/**\nallow git\nallow touch\nallow tool\n";

static const struct {
	const char *text;
	enum verdict want;
} cases[] = {
	{ "cat a", VERDICT_ALLOW },
	{ "cat < leads", VERDICT_DENY },
	{ "cat leads a sub/f", VERDICT_DENY },
	{ "touch sub/*", VERDICT_ASK },
	{ "cat @/home/keys/*", VERDICT_ASK },
	{ "rm a", VERDICT_ASK },
	{ "rm -rf sub", VERDICT_ASK },
	{ "rm *", VERDICT_DENY },
	{ "cat hidden", VERDICT_DENY },
	{ "grep -r x .", VERDICT_CONFINE },
	{ "tee out/x", VERDICT_ASK },
	{ "touch made; cp -r sub made", VERDICT_CONFINE },
	{ "git log", VERDICT_CONFINE },
	{ "x=rm; for i in 1 2; do $x -rf sub; done", VERDICT_ASK },
	{ "f() { sudo ls; }; f", VERDICT_ASK },
	{ "bash -c 'echo x > sub/f'", VERDICT_ASK },
	{ "tool", VERDICT_ALLOW },
	{ "read -r x < leads", VERDICT_DENY },
};

/* As gate/judge.c goes. */
static enum verdict
judged(struct arena *a, const struct scratch *s, const struct policy *p, struct str text)
{
	static const struct str names[] = { STR_INIT(".hides") };
	struct analyse_opts how = { s->w, s->home };
	struct look_opts o = opts(s);
	struct effects e = { 0 };
	struct decide_input in = { .text = text,
		.policy = p,
		.base = { s->home, &s->w, 1 },
		.interactive = true,
		.sandbox = true,
		.hook = VERDICT_ALLOW };
	struct decision d = { 0 };

	o.explicit_root = false;
	o.ignore = (struct look_list){ names, 1 };
	if (analyse(a, text, &how, &e, &in.error) == 0 && look(a, &e, &o, &in.error) == 0)
		in.effects = &e;
	decide(a, &in, &d);
	return d.verdict;
}

static void
starved(void **state)
{
	const struct scratch *s = *state;
	const struct policy *p = policy_of(s->a, LAYER_USER, rules);

	if (sh(s, "git init -q .") != 0)
		skip();
	assert_int_equal(
	    sh(s, "git config core.pager x && mkdir secret ../home/keys && "
		  "echo x > secret/k && ln -s secret/k leads && ln -s ../out out && "
		  "echo hidden > .hides && touch hidden ../home/keys/k"),
	    0);
	for (size_t i = 0; i < COUNT(cases); i++) {
		cleanup_arena struct arena *whole = arena_new((size_t)4 << 20);
		struct str text = about(s, cases[i].text);
		enum verdict got = judged(whole, s, p, text);
		size_t less = 0;

		if (got != cases[i].want)
			fail_msg("%s: %s", cases[i].text, verdict_name(got));
		for (size_t n = 0; n < whole->peak; n += n < 4096 ? 64 : 232) {
			cleanup_arena struct arena *a = arena_new(n);

			got = judged(a, s, p, text);
			less += got < cases[i].want;
			/* What cannot be judged is asked about. */
			if (got > cases[i].want && got > VERDICT_ASK)
				fail_msg("%s in %zu of %zu bytes: %s", cases[i].text, n,
				    whole->peak, verdict_name(got));
		}
		/* What needs memory was refused for the want of it. */
		assert_true(less > 0 || cases[i].want == VERDICT_DENY);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(starved, scratch_new, scratch_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
