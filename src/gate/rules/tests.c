/* `test` lines: analyse and decide each command by names alone. */
#include "gate/rules/lexical.h"
#include "gate/rules/load.h"

bool
tests_use(enum layer tested, enum layer other)
{
	if (other == LAYER_BUILTIN || tested == LAYER_ADMIN)
		return true;
	/* A project's rules cannot break the tests of higher layers. */
	return other <= tested && (other != LAYER_PROJECT || tested == LAYER_PROJECT);
}

static void
run_one(struct arena *a, const struct policy *p, const struct policy_test *t,
    const struct layers_request *q, struct decision *ret)
{
	const struct str root = q->root.p ? q->root : STR("/project");
	const struct str home = q->home.p ? q->home : STR("/home/user");
	struct effects effects = { 0 };
	struct lexical lexical = { .policy = p,
		.text = t->command,
		.cwd = root,
		.home = home,
		.roots = &root,
		.roots_n = 1,
		.now = q->now };

	lexical_decide(a, &lexical, &effects, ret);
}

void
tests_run(struct arena *a, const struct policy *p, enum layer layer,
    const struct layers_request *q, test_visitor *each, void *context)
{
	size_t kept = a->used;
	struct test_failure f;

	for (size_t i = 0; policy_test(p, i, &f.test); i++) {
		struct decision d;

		if (f.test.layer != layer)
			continue;
		run_one(a, p, &f.test, q, &d);
		f.found = d.verdict;
		f.looser = d.verdict > f.test.expected;
		f.reason = d.reason;
		each(context, &f, d.verdict == f.test.expected);
		arena_back(a, kept);
	}
}
