#include "gate/rules/lexical.h"
#include "analyse/analyse.h"

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
	struct analyse_opts opts = { q->cwd, q->home };
	struct decide_input in = { .text = q->text,
		.policy = q->policy,
		.base = { q->home, q->roots, q->roots_n },
		.now = q->now,
		.interactive = true,
		.sandbox = !q->file_tool,
		.file_tool = q->file_tool,
		.hook = VERDICT_ALLOW };
	struct analyse_shapes shapes;
	bool known = q->file_tool ? touch(a, q, ret_effects)
				  : decide_shapes(a, q->policy, &shapes) &&
					analyse_with(a, q->text, &opts, shapes, ret_effects,
					    &in.error) == 0;

	if (known) {
		effects_assume(ret_effects, q->roots, q->roots_n);
		in.effects = ret_effects;
	}
	decide(a, &in, ret);
}
