/* One command text to one decision, without a look at the machine. */
#include "analyse/analyse.h"
#include "decide/decide.h"

bool
decide_analyse(struct arena *a, struct decide_input *in, const struct decide_text *q,
    struct effects *ret)
{
	struct analyse_opts where = { .cwd = q->cwd, .home = q->home };
	struct analyse_shapes shapes;

	if (!decide_shapes(a, in->policy, &shapes)) {
		in->error.why = "there is no memory for what the policy declares";
		return false;
	}
	return (q->argv ? analyse_argv : analyse_with)(
		   a, in->text, &where, shapes, ret, &in->error) == 0;
}

bool
decide_by_name(struct arena *a, struct decide_input *in, const struct decide_text *q,
    struct effects *ret_effects, struct decision *ret)
{
	bool known = decide_analyse(a, in, q, ret_effects);

	if (known) {
		if (!q->blind)
			effects_assume(ret_effects, in->base.roots, in->base.roots_n);
		in->effects = ret_effects;
	}
	decide(a, in, ret);
	return known;
}
