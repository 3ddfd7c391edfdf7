#include "gate/rules/lexical.h"

static bool
touch(struct arena *a, const struct lexical *q, struct effects *ret)
{
	struct file_effect *file = ARENA_NEW(a, struct file_effect);

	if (!file)
		return false;
	*file = (struct file_effect){
		.op = q->op, .known = q->path.n > 0, .path = q->path, .by = STR("tool")
	};
	*ret = (struct effects){ .files = file };
	return true;
}

void
lexical_decide(struct arena *a, const struct lexical *q, struct effects *ret_effects,
    struct decision *ret)
{
	struct decide_text how = { .cwd = q->cwd, .home = q->home };
	struct decide_input in = { .text = q->text,
		.policy = q->policy,
		.base = { q->home, q->roots, q->roots_n },
		.now = q->now,
		.interactive = true,
		.sandbox = !q->file_tool,
		.file_tool = q->file_tool,
		.hook = VERDICT_ALLOW };

	if (!q->file_tool) {
		(void)decide_by_name(a, &in, &how, ret_effects, ret);
		return;
	}
	if (touch(a, q, ret_effects)) {
		effects_assume(ret_effects, q->roots, q->roots_n);
		in.effects = ret_effects;
	}
	decide(a, &in, ret);
}
