/*
 * `grep -r x .` reads every file below `.`, including a .env if one exists.  Asking about
 * each such search because of a pattern like `**.env` would be useless; instead look/ walks
 * the tree and calls is_secret() for every name.
 */
#include "gate/secrets.h"

struct secrets {
	struct arena *a;
	const struct decide_input *in;
	const struct pattern **v;
	size_t n, room;
	bool known, full;
};

static void
see_rule(void *context, size_t rule)
{
	struct secrets *s = context;
	const struct policy *p = s->in->policy;
	struct rule r;

	policy_rule(p, rule, &r);
	for (size_t i = 0; r.verdict != VERDICT_ALLOW && i < r.objects.n; i++) {
		const struct pattern *x = patterns_at(p, r.objects, i);

		if (!str_starts(pattern_text(p, x), STR("**")))
			continue;
		if (s->n < s->room)
			s->v[s->n] = x;
		s->n++;
	}
}

/* Collect the patterns lazily: only a search of a tree needs them. */
static void
collect(struct secrets *s)
{
	s->known = true;
	policy_effects(s->in->policy, RULE_READ, see_rule, s);
	s->v = arena_array(s->a, s->n, sizeof *s->v);
	s->full = !s->v;
	if (s->full)
		return;
	s->room = s->n;
	s->n = 0;
	policy_effects(s->in->policy, RULE_READ, see_rule, s);
}

static bool
is_secret(void *context, struct str path)
{
	struct secrets *s = context;

	if (!s->known)
		collect(s);
	if (s->full)
		return true;
	for (size_t i = 0; i < s->n; i++)
		if (pattern_path(s->in->policy, s->v[i], path, true, &s->in->base) !=
		    MATCH_NO)
			return true;
	return false;
}

bool
secrets_watch(struct arena *a, const struct decide_input *in, struct look_secret *ret)
{
	struct secrets *s = ARENA_NEW(a, struct secrets);

	if (!s)
		return false;
	s->a = a;
	s->in = in;
	*ret = (struct look_secret){ is_secret, s };
	return true;
}
