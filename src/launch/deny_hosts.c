#include "launch/deny_hosts.h"

struct seeing {
	const struct policy *policy;
	bool denies;
};

static void
see_rule(void *context, size_t number)
{
	struct seeing *s = context;
	struct rule r;

	policy_rule(s->policy, number, &r);
	s->denies |= r.verdict == VERDICT_DENY;
}

int
launch_deny_hosts(struct arena *a, const struct decide_input *in, struct sandbox_policy *p)
{
	struct seeing s = { .policy = in->policy };
	struct str *all;

	if (!p->network_access || p->type == SANDBOX_INSECURE_NONE)
		return 0;
	policy_effects(in->policy, RULE_NET, see_rule, &s);
	if (!s.denies)
		return 0;
	all = arena_array(a, 1, sizeof *all);
	if (!all)
		return CORDON_ENOMEM;
	all[0] = STR("*");
	p->network_access = false;
	p->network_allow = (struct sandbox_list){ .given = true, .v = all, .n = 1 };
	return 0;
}
