#include "base/path.h"
#include "decide/judge.h"

bool
file_of(const struct command *c, const struct file_effect *f)
{
	return span_within(f->at, c->at) &&
	       (str_eq(f->by, c->program) || str_is(f->by, "redirection"));
}

/* ---- paths */

static enum match
match_max(enum match x, enum match y)
{
	return x > y ? x : y;
}

static bool
is_literal(char c)
{
	return c == '.' || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9');
}

static const struct path_hint *
hint_of(const struct matching *m, struct str path)
{
	struct path_hint *h = m->hint;
	struct str home = m->in->base.home;

	if (h->path == path.p && h->n == path.n)
		return h;
	*h = (struct path_hint){ path.p, path.n, !path_has_dotdot(path), UINT64_MAX, 0, 0 };
	if (h->sure && path.n && path.p[0] == '/' && home.p && m->in->base.roots_n)
		h->bits = path_bits(path);
	if (path.n > 1 && path.p[0] == '/' && path.p[1] != '.')
		h->first = path.p[1];
	if (home.p && home.n > 1 && path.n > home.n + 1 && str_starts(path, home) &&
	    path.p[home.n] == '/')
		h->home = path.p[home.n + 1];
	return h;
}

/*
 * Most patterns name a place that is not where the path is: ~/.ssh/... for a file of a
 * project, /etc/... for one in the home.  The first byte behind the common beginning
 * shows that.  Nothing is said of what the path does not reach.
 */
static bool
is_elsewhere(const struct path_hint *h, struct str pattern)
{
	if (pattern.n > 2 && pattern.p[0] == '~' && pattern.p[1] == '/')
		return h->home && is_literal(pattern.p[2]) && h->home != pattern.p[2];
	return pattern.n > 1 && pattern.p[0] == '/' && is_literal(pattern.p[1]) &&
	       h->first && h->first != pattern.p[1];
}

static enum match
any_path(const struct matching *m, struct patterns list, struct str path, bool known)
{
	const struct policy *p = m->in->policy;
	const struct path_hint *hint = hint_of(m, path);
	bool sure = known && hint->sure;
	enum match best = MATCH_NO;

	for (size_t i = 0; i < list.n && best != MATCH_CERTAIN; i++) {
		const struct pattern *x = patterns_at(p, list, i);

		if (sure && (is_elsewhere(hint, pattern_text(p, x)) ||
				!pattern_needs_no_more(p, x, hint->bits)))
			continue;
		best = match_max(best, pattern_path(p, x, path, known, &m->in->base));
	}
	return best;
}

/* A tree taken whole: for allow all of it must be covered, else anything in it counts. */
static enum match
any_tree(const struct matching *m, const struct rule *r, struct patterns list,
    struct str path, bool searched)
{
	const struct policy *p = m->in->policy;
	const struct path_hint *hint = hint_of(m, path);
	bool for_allow = r->verdict == VERDICT_ALLOW;
	enum match best = for_allow ? MATCH_NO : any_path(m, list, path, true);

	for (size_t i = 0; i < list.n && best != MATCH_CERTAIN; i++) {
		const struct pattern *x = patterns_at(p, list, i);
		struct str text = pattern_text(p, x);

		/* Names that are meant wherever they stand: look has seen all that lies in
		 * this tree, and none of it is one of them. */
		if (searched && str_starts(text, STR("**")))
			continue;
		if (hint->sure && is_elsewhere(hint, text))
			continue;
		best = match_max(best, pattern_tree(p, x, path, &m->in->base));
	}
	return best;
}

/* Programs that may go into a directory are given a file most of the time. */
bool
match_is_tree(const struct matching *m, const struct file_effect *f)
{
	if (!f->tree || !f->known)
		return false;
	if (!m->effects->looked || f->fact.where == WHERE_UNKNOWN || f->fact.directory)
		return true;
	return f->op != FILE_READ && !f->fact.exists;
}

bool
match_is_elsewhere(const struct matching *m, size_t rule, const struct file_effect *f)
{
	const struct policy *p = m->in->policy;
	struct patterns list = policy_objects(p, rule);
	struct str paths[] = { f->path, f->fact.real };
	size_t n = f->fact.real.p && !str_eq(f->path, f->fact.real) ? 2 : 1;
	bool tree = match_is_tree(m, f);

	for (size_t k = 0; k < n; k++) {
		const struct path_hint *hint = hint_of(m, paths[k]);

		if (!f->known || !hint->sure)
			return false;
		for (size_t i = 0; i < list.n; i++) {
			const struct pattern *x = patterns_at(p, list, i);

			if (!is_elsewhere(hint, pattern_text(p, x)) &&
			    (tree || pattern_needs_no_more(p, x, hint->bits)))
				return false;
		}
	}
	return true;
}

static enum match
file_matches(const struct matching *m, const struct rule *r, struct patterns list,
    struct str path, const struct file_effect *f)
{
	if (match_is_tree(m, f))
		return any_tree(m, r, list, path,
		    f->op == FILE_READ && f->fact.where == WHERE_INSIDE &&
			m->effects->looked && !f->fact.secret_below);
	return any_path(m, list, path, f->known);
}

/* Both as it is written and where links lead: a deny on either counts. */
static enum match
path_matches(const struct matching *m, const struct rule *r, struct patterns list,
    const struct file_effect *f)
{
	enum match written = file_matches(m, r, list, f->path, f), real = written;

	if (f->known && f->fact.real.p && !str_eq(f->fact.real, f->path))
		real = file_matches(m, r, list, f->fact.real, f);
	if (r->verdict == VERDICT_ALLOW)
		return match_min(written, real);
	return match_max(written, real);
}

/* `on`: for allow all paths, for deny and ask any of them. */
static enum match
match_on(const struct matching *m, const struct rule *r, const struct command *c)
{
	bool allow = r->verdict == VERDICT_ALLOW, any = false;
	enum match all = MATCH_CERTAIN, best = MATCH_NO;

	if (r->on.n == 0)
		return MATCH_CERTAIN;
	for (const struct file_effect *f = m->effects->files; f; f = f->next) {
		enum match one;

		if (!file_of(c, f))
			continue;
		any = true;
		one = path_matches(m, r, r->on, f);
		all = match_min(all, one);
		best = one > best ? one : best;
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
		enum match one = any_path(m, r->in, c->cwd->at[i].path, true);

		all = match_min(all, one);
		best = one > best ? one : best;
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

		best = one > best ? one : best;
	}
	return best;
}

/* ---- allow needs more: the very program, and nothing that the table does not know */

static bool
spells(const struct policy *p, const struct pattern *x, struct str name)
{
	struct str spelt;

	for (size_t i = 0; x && (spelt = pattern_alternative(p, x, i, NULL)).p; i++)
		if (str_eq(spelt, name))
			return true;
	return false;
}

static enum match
allow_doubts(const struct matching *m, const struct rule *r, const struct command *c)
{
	const struct know_scan *s = c->scan;
	struct str name = c->argc ? c->argv[0].text : STR("");
	bool path = str_find(name, '/') < name.n;
	const struct pattern *first =
	    r->words.n ? patterns_at(m->in->policy, r->words, 0) : NULL;

	/* A path is meant only by who spells it, or where it leads to what a name means. */
	if (path && !spells(m->in->policy, first, name) &&
	    (!c->found.p || c->found_writable))
		return MATCH_POSSIBLE;
	if (!path && !c->builtin && !c->function &&
	    (c->found_writable || !m->effects->looked))
		return MATCH_POSSIBLE;
	/* A function may do anything: its body is judged, its name says nothing. */
	if (c->function)
		return MATCH_POSSIBLE;
	/* Whoever spelt the whole command out knew what it is. */
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

/* A rule with hosts is about commands that go to no other. */
static enum match
match_hosts(const struct matching *m, const struct rule *r, const struct command *c)
{
	const struct policy *p = m->in->policy;

	for (const struct net_effect *n = m->effects->nets; n; n = n->next) {
		struct str host = host_of(n->host);
		enum match best = MATCH_NO;

		if (!span_within(n->at, c->at) || !str_eq(n->by, c->program))
			continue;
		if (str_is(n->by, "git") && str_find(n->host, ':') == n->host.n &&
		    str_find(n->host, '/') == n->host.n)
			host = c->git_url.p ? host_of(c->git_url) : STR("");
		for (size_t i = 0; n->known && host.n && i < r->net.n; i++)
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

/* ---- effects */

static bool
op_is(const struct rule *r, enum file_op op)
{
	switch (r->effect) {
	case RULE_READ:
		return op == FILE_READ || op == FILE_EXEC;
	case RULE_WRITE:
		return op == FILE_WRITE || op == FILE_APPEND || op == FILE_CREATE ||
		       op == FILE_TRUNCATE;
	case RULE_DELETE:
		return op == FILE_DELETE;
	case RULE_EXEC:
		return op == FILE_EXEC;
	case RULE_COMMAND:
	case RULE_NET:
	case RULE_ENV:
	case RULE_MCP:
		return false;
	}
	return false;
}

enum match
match_file(const struct matching *m, const struct rule *r, const struct file_effect *f)
{
	if (!op_is(r, f->op))
		return MATCH_NO;
	return match_min(match_conditions(m, r), path_matches(m, r, r->objects, f));
}

enum match
match_net(const struct matching *m, const struct rule *r, const struct net_effect *n)
{
	enum match best = MATCH_NO;

	for (size_t i = 0; i < r->objects.n; i++) {
		enum match one = pattern_host(m->in->policy,
		    patterns_at(m->in->policy, r->objects, i), n->host, n->known);

		best = one > best ? one : best;
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

		best = one > best ? one : best;
	}
	return match_min(match_conditions(m, r), best);
}
