#include "cli/run_paths.h"
#include "base/show.h"

struct seeing {
	const struct policy *policy;
	bool any;
};

static void
see_own(void *context, size_t number)
{
	struct seeing *s = context;
	struct rule r;

	policy_rule(s->policy, number, &r);
	s->any |= r.layer > LAYER_BUILTIN;
}

void
run_paths_init(struct run_paths *p, const struct decide_input *in, bool agreed)
{
	struct seeing s = { in->policy, false };

	policy_effects(in->policy, RULE_WRITE, see_own, &s);
	policy_effects(in->policy, RULE_DELETE, see_own, &s);
	*p = (struct run_paths){ .in = in, .asks = agreed, .any = s.any };
}

/* ---- changes */

static void
put_why(struct run_paths *p, const struct rule *r, struct str *ret)
{
	struct arena a;
	struct buf b;

	arena_init(&a, p->why, sizeof p->why);
	buf_init(&b, &a);
	buf_puts(&b, "a rule forbids it (");
	buf_puts(&b, layer_name(r->layer));
	buf_puts(&b, " policy, line ");
	buf_putu(&b, r->line);
	buf_putc(&b, ')');
	if (r->because.p) {
		buf_puts(&b, ": ");
		show_put(&b, r->because, 0);
	}
	*ret = b.full ? STR("a rule forbids it") : buf_str(&b);
}

static enum run_path_answer
ask_rules(struct run_paths *p, enum file_op op, struct str path, struct str *ret_why)
{
	struct rule r;

	if (!decide_path(p->in, op, path, &r) || r.layer == LAYER_BUILTIN)
		return RUN_PATH_SILENT;
	if (r.verdict == VERDICT_ALLOW)
		return RUN_PATH_LIFTED;
	if (r.verdict == VERDICT_ASK && p->asks)
		return RUN_PATH_SILENT;
	put_why(p, &r, ret_why);
	return RUN_PATH_REFUSED;
}

enum run_path_answer
run_paths_judge(void *paths, enum run_op op, struct str path, struct str *ret_why)
{
	struct run_paths *p = paths;
	enum run_path_answer gone, there;

	if (op == RUN_DELETE)
		return ask_rules(p, FILE_DELETE, path, ret_why);
	if (op != RUN_RENAME)
		return ask_rules(p, FILE_WRITE, path, ret_why);
	/* One name goes away and one comes: it may be either. */
	gone = ask_rules(p, FILE_DELETE, path, ret_why);
	if (gone == RUN_PATH_REFUSED)
		return gone;
	there = ask_rules(p, FILE_WRITE, path, ret_why);
	return there == RUN_PATH_LIFTED && gone != RUN_PATH_LIFTED ? RUN_PATH_SILENT
								   : there;
}
