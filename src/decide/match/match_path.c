/* Match rules about files: paths, and directory trees. */
#include "base/path.h"
#include "decide/match/match.h"

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
	*h = (struct path_hint){ path.p, path.n, !path_has_dotdot(path), PLACE_ANY, 0, 0 };
	if (h->sure)
		h->place = path_place(path, &m->in->base);
	if (path.n > 1 && path.p[0] == '/' && path.p[1] != '.')
		h->first = path.p[1];
	if (home.p && home.n > 1 && path.n > home.n + 1 && str_starts(path, home) &&
	    path.p[home.n] == '/')
		h->home = path.p[home.n + 1];
	return h;
}

/*
 * Most patterns cannot match: ~/.ssh/... for a file of a project, /etc/... for one in the
 * home. The first byte after the common prefix shows that.  A path that ends before it
 * proves nothing.
 */
static bool
is_elsewhere(const struct path_hint *h, struct str pattern)
{
	if (pattern.n > 2 && pattern.p[0] == '~' && pattern.p[1] == '/')
		return h->home && is_literal(pattern.p[2]) && h->home != pattern.p[2];
	return pattern.n > 1 && pattern.p[0] == '/' && is_literal(pattern.p[1]) &&
	       h->first && h->first != pattern.p[1];
}

enum match
match_any_path(const struct matching *m, struct patterns list, struct str path, bool known)
{
	const struct policy *p = m->in->policy;
	const struct path_hint *hint = hint_of(m, path);
	bool sure = known && hint->sure;
	enum match best = MATCH_NO;

	for (size_t i = 0; i < list.n && best != MATCH_CERTAIN; i++) {
		const struct pattern *x = patterns_at(p, list, i);

		if (sure && (is_elsewhere(hint, pattern_text(p, x)) ||
				!pattern_needs_no_more(p, x, hint->place.names)))
			continue;
		best = match_max(best, pattern_path(p, x, path, known, &m->in->base));
	}
	return best;
}

/*
 * A whole directory tree: an allow must cover all of it; for others anything inside counts.
 */
static enum match
any_tree(const struct matching *m, const struct rule *r, struct patterns list,
    struct str path, bool searched)
{
	const struct policy *p = m->in->policy;
	const struct path_hint *hint = hint_of(m, path);
	bool for_allow = r->verdict == VERDICT_ALLOW;
	enum match best = for_allow ? MATCH_NO : match_any_path(m, list, path, true);

	for (size_t i = 0; i < list.n && best != MATCH_CERTAIN; i++) {
		const struct pattern *x = patterns_at(p, list, i);
		struct str text = pattern_text(p, x);

		/*
		 * `**` patterns: look has searched the tree and found none of these names.
		 */
		if (searched && str_starts(text, STR("**")))
			continue;
		if (hint->sure && is_elsewhere(hint, text))
			continue;
		best = match_max(best, pattern_tree(p, x, path, &m->in->base));
	}
	return best;
}

/* True if the path stands for everything below it.  Programs that may recurse are mostly
 * given a file. */
static bool
match_is_tree(const struct matching *m, const struct file_effect *f)
{
	if (!f->tree || !f->known)
		return false;
	if (!m->effects->looked || f->fact.where == WHERE_UNKNOWN || f->fact.directory)
		return true;
	return f->op != FILE_READ && !f->fact.exists;
}

/* True if look could not resolve the path: /proc/self/cwd/x may be any file, and so may an
 * unreadable symlink.  A listing only names the directory. */
static bool
is_lost(const struct matching *m, const struct file_effect *f)
{
	return f->known && !f->names && m->effects->looked && !f->fact.real.p &&
	       f->fact.where == WHERE_UNKNOWN;
}

/* True if look has searched this tree and found no secret. */
static bool
is_searched(const struct matching *m, const struct file_effect *f)
{
	return f->op == FILE_READ && f->fact.where == WHERE_INSIDE && m->effects->looked &&
	       !f->fact.secret_below;
}

static struct path_place
place_of(const struct matching *m, struct str path)
{
	const struct path_hint *hint = hint_of(m, path);

	return hint->sure ? hint->place : PLACE_ANY;
}

struct path_place
match_place(const struct matching *m, const struct file_effect *f)
{
	struct path_place place, real;

	if (!f->known || is_lost(m, f))
		return PLACE_ANY;
	place = place_of(m, f->path);
	if (f->fact.real.p && !str_eq(f->path, f->fact.real)) {
		real = place_of(m, f->fact.real);
		place.starts |= real.starts;
		place.names |= real.names;
		place.lasts |= real.lasts;
	}
	if (match_is_tree(m, f) && !is_searched(m, f))
		place.names = place.lasts = UINT64_MAX;
	return place;
}

bool
match_is_elsewhere(const struct matching *m, size_t rule, const struct file_effect *f)
{
	const struct policy *p = m->in->policy;
	struct patterns list = policy_objects(p, rule);
	struct str paths[] = { f->path, f->fact.real };
	size_t n = f->fact.real.p && !str_eq(f->path, f->fact.real) ? 2 : 1;
	bool tree = match_is_tree(m, f);

	if (is_lost(m, f))
		return false;
	for (size_t k = 0; k < n; k++) {
		const struct path_hint *hint = hint_of(m, paths[k]);

		if (!f->known || !hint->sure)
			return false;
		for (size_t i = 0; i < list.n; i++) {
			const struct pattern *x = patterns_at(p, list, i);

			if (!is_elsewhere(hint, pattern_text(p, x)) &&
			    (tree || pattern_needs_no_more(p, x, hint->place.names)))
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
		return any_tree(m, r, list, path, is_searched(m, f));
	/* A glob such as /proc/[star]/environ matches whatever the star expands to. */
	if (!f->known && f->among.p && r->verdict != VERDICT_ALLOW &&
	    match_any_path(m, list, f->among, true) == MATCH_CERTAIN)
		return MATCH_CERTAIN;
	return match_any_path(m, list, path, f->known);
}

enum match
match_paths(const struct matching *m, const struct rule *r, struct patterns list,
    const struct file_effect *f)
{
	enum match written = file_matches(m, r, list, f->path, f), real = written;

	if (f->known && f->fact.real.p && !str_eq(f->fact.real, f->path))
		real = file_matches(m, r, list, f->fact.real, f);
	else if (is_lost(m, f))
		real = match_any_path(m, list, STR(""), false);
	if (r->verdict == VERDICT_ALLOW)
		return match_min(written, real);
	return match_max(written, real);
}

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
	return match_min(match_conditions(m, r), match_paths(m, r, r->objects, f));
}
