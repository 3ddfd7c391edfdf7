#include "decide/judge.h"

bool
command_owns_file(const struct command *c, const struct file_effect *f)
{
	return span_within(f->at, c->at) &&
	       (str_eq(f->by, c->program) || str_is(f->by, "redirection"));
}

/* The clause `on`: an allow needs all paths to match, a deny or ask any. */
static enum match
match_on(const struct matching *m, const struct rule *r, const struct command *c)
{
	bool allow = r->verdict == VERDICT_ALLOW, any = false;
	enum match all = MATCH_CERTAIN, best = MATCH_NO;

	if (r->on.n == 0)
		return MATCH_CERTAIN;
	for (const struct file_effect *f = m->effects->files; f; f = f->next) {
		enum match one;

		if (!command_owns_file(c, f))
			continue;
		any = true;
		one = match_paths(m, r, r->on, f);
		all = match_min(all, one);
		best = match_max(best, one);
	}
	if (!any)
		return MATCH_NO;
	return allow ? all : best;
}

static enum match
match_in(const struct matching *m, const struct rule *r, const struct command *c)
{
	enum match all = MATCH_CERTAIN, best = MATCH_NO;

	if (r->in.n == 0)
		return MATCH_CERTAIN;
	if (c->cwd->unknown)
		return MATCH_POSSIBLE;
	for (size_t i = 0; i < c->cwd->n; i++) {
		enum match one = match_any_path(m, r->in, c->cwd->at[i].path, true);

		all = match_min(all, one);
		best = match_max(best, one);
	}
	if (all == MATCH_CERTAIN)
		return MATCH_CERTAIN;
	return best == MATCH_NO ? MATCH_NO : MATCH_POSSIBLE;
}

/* ---- conditions */

enum match
match_conditions(const struct matching *m, const struct rule *r)
{
	const struct decide_input *in = m->in;
	enum match best = MATCH_NO;

	if (r->until && in->now > r->until)
		return MATCH_NO;
#define WHEN(NAME, word, test)                                                             \
	if ((r->when & WHEN_##NAME) && !(test))                                            \
		return MATCH_NO;
#include "policy/when.list"
#undef WHEN
	if (!(r->when & WHEN_BRANCH))
		return MATCH_CERTAIN;
	if (!in->branch.p)
		return MATCH_POSSIBLE;
	for (size_t i = 0; i < r->branches.n; i++) {
		struct field f = { .kind = FIELD_STR, .text = in->branch };
		enum match one =
		    pattern_word(in->policy, patterns_at(in->policy, r->branches, i), f);

		best = match_max(best, one);
	}
	return best;
}

/* ---- extra conditions of an allow: exactly this program, nothing unknown to the table */

static enum match
allow_doubts(const struct matching *m, const struct rule *r, const struct command *c)
{
	const struct know_scan *s = c->scan;
	struct str name = c->argc ? c->argv[0].text : STR("");
	bool path = str_find(name, '/') < name.n;
	const struct pattern *first =
	    r->words.n ? patterns_at(m->in->policy, r->words, 0) : NULL;

	/* A command given as a path matches only if the rule spells that path, or the bare
	 * name is found at the same file. */
	if (path && !(first && pattern_spells(m, first, name)) &&
	    (!c->found.p || c->found_writable))
		return MATCH_POSSIBLE;
	if (!path && !c->builtin && !c->function &&
	    (c->found_writable || !m->effects->looked))
		return MATCH_POSSIBLE;
	/* A function's body is judged; its name proves nothing. */
	if (c->function)
		return MATCH_POSSIBLE;
	/* A rule that spells out the whole command needs no further check. */
	if (match_verbatim(m, r, c))
		return MATCH_CERTAIN;
	if (s && s->unknown_option < c->argc)
		return MATCH_POSSIBLE;
	if (s && s->unsure < c->argc && s->worst > s->class)
		return MATCH_POSSIBLE;
	if (!match_covers_raised(m, r, c))
		return MATCH_POSSIBLE;
	return MATCH_CERTAIN;
}

/* The clause `net`: the command connects to no other host. */
static enum match
match_hosts(const struct matching *m, const struct rule *r, const struct command *c)
{
	const struct policy *p = m->in->policy;

	for (const struct net_effect *n = m->effects->nets; n; n = n->next) {
		struct str host = command_host(c, n);
		enum match best = MATCH_NO;

		if (!span_within(n->at, c->at) || !str_eq(n->by, c->program))
			continue;
		for (size_t i = 0; host.n && i < r->net.n; i++)
			best = match_max(
			    best, pattern_host(p, patterns_at(p, r->net, i), host, true));
		if (best != MATCH_CERTAIN)
			return MATCH_POSSIBLE;
	}
	return MATCH_CERTAIN;
}

enum match
match_command(const struct matching *m, const struct rule *r, const struct command *c)
{
	enum match all = match_conditions(m, r);

	if (c->argc == 0)
		return MATCH_NO;
	if (all && !match_verbatim(m, r, c)) {
		all = match_min(all, match_words(m, r, c));
		if (all)
			all = match_min(all, match_exact(m, r, c));
	}
	if (all && r->verdict == VERDICT_ALLOW && !r->exact && !match_is_all(m, r, c))
		return MATCH_NO;
	if (all)
		all = match_min(all, match_options(m, r, c));
	if (all)
		all = match_min(all, match_on(m, r, c));
	if (all)
		all = match_min(all, match_in(m, r, c));
	if (all && r->verdict == VERDICT_ALLOW && r->net.n)
		all = match_min(all, match_hosts(m, r, c));
	if (all == MATCH_CERTAIN && r->verdict == VERDICT_ALLOW)
		all = allow_doubts(m, r, c);
	return all;
}

/* ---- hosts and variables */

enum match
match_net(const struct matching *m, const struct rule *r, const struct net_effect *n)
{
	enum match best = MATCH_NO;

	for (size_t i = 0; i < r->objects.n; i++) {
		best = match_max(best,
		    pattern_host(m->in->policy, patterns_at(m->in->policy, r->objects, i),
			n->host, n->known));
	}
	return match_min(match_conditions(m, r), best);
}

enum match
match_env(const struct matching *m, const struct rule *r, const struct env_change *e)
{
	struct field name = { .kind = FIELD_STR, .text = e->name };
	enum match best = MATCH_NO;

	for (size_t i = 0; i < r->objects.n; i++) {
		enum match one = pattern_word(
		    m->in->policy, patterns_at(m->in->policy, r->objects, i), name);

		best = match_max(best, one);
	}
	return match_min(match_conditions(m, r), best);
}
