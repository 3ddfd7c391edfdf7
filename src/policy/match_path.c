/*
 * Match paths against patterns.
 *
 * MUST
 * 1. A path that continues unknown, or has `..`, may lead anywhere: it is never certainly
 *    outside a pattern, and certainly inside only if the pattern covers everything.
 * 2. A pattern whose ~ or @project is unknown may match.
 * 3. * and ? never match a slash.
 */
#include "base/path.h"
#include "policy/match.h"

/* ---- a state machine: one bit for each component that may come next */

struct path_parts {
	struct str v[DRAFT_PARTS];
	unsigned n;
	bool tree;
};

static bool
is_deep(struct str part)
{
	return part.n == 1 && part.p[0] == CODE_DEEP;
}

static void
split(const struct alternative *x, struct path_parts *parts)
{
	struct str rest = x->code;

	parts->n = 0;
	parts->tree = x->tree;
	while (rest.n > 0 && parts->n < DRAFT_PARTS) {
		rest = str_skip(rest, 1);
		parts->v[parts->n] = str_cut(rest, 0, str_find(rest, '/'));
		rest = str_skip(rest, parts->v[parts->n++].n);
	}
}

/* `**` may match nothing: add the component after it. */
static uint64_t
closure(const struct path_parts *parts, uint64_t states)
{
	for (unsigned i = 0; i < parts->n; i++)
		if (states >> i & 1 && is_deep(parts->v[i]))
			states |= (uint64_t)2 << i;
	return states;
}

static uint64_t
step(const struct path_parts *parts, uint64_t states, struct str part)
{
	uint64_t next = 0;

	for (unsigned i = 0; i < parts->n; i++) {
		if (!(states >> i & 1))
			continue;
		if (is_deep(parts->v[i]))
			next |= (uint64_t)1 << i;
		else if (pattern_glob(parts->v[i], part))
			next |= (uint64_t)2 << i;
	}
	/* A match that includes its tree also covers everything below. */
	if (parts->tree)
		next |= states & (uint64_t)1 << parts->n;
	return closure(parts, next);
}

static uint64_t
walk(const struct path_parts *parts, struct str rest)
{
	uint64_t states = closure(parts, 1);

	while (rest.n > 0 && states) {
		struct str part;

		rest = str_skip(rest, 1);
		part = str_cut(rest, 0, str_find(rest, '/'));
		rest = str_skip(rest, part.n);
		states = step(parts, states, part);
	}
	return states;
}

/* The question: does the pattern cover the path itself, its tree, or pass through it? */
enum question { ITSELF, TREE, WAY };

/* ---- the rest of a path after ~, a root or nothing */

/* True if `rest`, empty or starting with a slash, is `code` or lies below it. */
static bool
is_below(struct str code, struct str rest)
{
	return str_starts(rest, code) && (rest.n == code.n || rest.p[code.n] == '/');
}

/* The single component after a leading `**`, which is the common case; .p == NULL: there
 * are more. */
static struct str
name_anywhere(const struct alternative *x)
{
	struct str none = { NULL, 0 }, name = str_skip(x->code, 3);

	if (x->tree || x->code.n < 4 || x->code.p[1] != CODE_DEEP || x->code.p[2] != '/' ||
	    str_find(name, '/') < name.n || is_deep(name))
		return none;
	return name;
}

static enum match
rest_matches(const struct alternative *x, struct str rest)
{
	struct path_parts parts;
	struct str name;

	if (!x->glob) {
		if (x->tree ? is_below(x->code, rest) : str_eq(x->code, rest))
			return MATCH_CERTAIN;
		return MATCH_NO;
	}
	name = name_anywhere(x);
	if (name.p)
		return rest.n && pattern_glob(name, str_base(rest)) ? MATCH_CERTAIN
								    : MATCH_NO;
	split(x, &parts);
	return walk(&parts, rest) >> parts.n & 1 ? MATCH_CERTAIN : MATCH_NO;
}

static enum match
rest_tree(const struct alternative *x, struct str rest)
{
	struct path_parts parts;
	uint64_t states;

	if (!x->glob) {
		if (x->tree && is_below(x->code, rest))
			return MATCH_CERTAIN;
		return is_below(rest, x->code) ? MATCH_POSSIBLE : MATCH_NO;
	}
	split(x, &parts);
	states = walk(&parts, rest);
	if (parts.tree && states >> parts.n & 1)
		return MATCH_CERTAIN;
	return states ? MATCH_POSSIBLE : MATCH_NO;
}

/* True if the last component of `rest` matches and the pattern continues after it. */
static enum match
rest_way(const struct alternative *x, struct str rest)
{
	struct path_parts parts;
	uint64_t states;

	if (!x->glob)
		return rest.n && rest.n < x->code.n && is_below(rest, x->code)
			   ? MATCH_POSSIBLE
			   : MATCH_NO;
	split(x, &parts);
	states = walk(&parts, rest);
	for (unsigned i = 1; rest.n && i < parts.n; i++)
		if (states >> i & 1 && !is_deep(parts.v[i - 1]))
			return MATCH_POSSIBLE;
	return MATCH_NO;
}

static struct str
without_slash(struct str path)
{
	while (path.n > 0 && path.p[path.n - 1] == '/')
		path.n--;
	return path;
}

static enum match
under(const struct alternative *x, struct str dir, struct str path, enum question what)
{
	dir = without_slash(dir);
	if (is_below(dir, path)) {
		struct str rest = str_skip(path, dir.n);

		return what == ITSELF ? rest_matches(x, rest)
		       : what == TREE ? rest_tree(x, rest)
				      : rest_way(x, rest);
	}
	/* The tree contains the whole directory. */
	return what == TREE && is_below(path, dir) ? MATCH_POSSIBLE : MATCH_NO;
}

static enum match
under_roots(const struct alternative *x, struct str path, const struct pattern_base *base,
    enum question what)
{
	enum match best = base->roots_n || what == WAY ? MATCH_NO : MATCH_POSSIBLE;

	for (size_t i = 0; i < base->roots_n; i++) {
		enum match one = under(x, base->roots[i], path, what);

		best = one > best ? one : best;
	}
	return best;
}

static enum match
alternative_path(const struct alternative *x, struct str path,
    const struct pattern_base *base, enum question what)
{
	switch (x->anchor) {
	case ANCHOR_HOME:
		return base->home.p  ? under(x, base->home, path, what)
		       : what == WAY ? MATCH_NO
				     : MATCH_POSSIBLE;
	case ANCHOR_PROJECT:
		return under_roots(x, path, base, what);
	case ANCHOR_NONE:
	case ANCHORS:
		break;
	}
	return under(x, STR(""), path, what);
}

static bool
is_everything(const struct alternative *x)
{
	return x->anchor == ANCHOR_NONE && x->tree && x->code.n == 0;
}

/* Match a path that may lead anywhere. */
static enum match
somewhere(const struct policy *p, const struct pattern *x)
{
	for (const struct image_alternative *a = &p->alternatives[x->first],
					    *end = a + x->n;
	     a < end; a++)
		if (a->code.n == 0 && a->anchor == ANCHOR_NONE &&
		    (a->flags & ALTERNATIVE_TREE))
			return MATCH_CERTAIN;
	return x->n ? MATCH_POSSIBLE : MATCH_NO;
}

static enum match
best_of(const struct policy *p, const struct pattern *x, struct str path, bool known,
    const struct pattern_base *base, enum question what)
{
	enum match best = MATCH_NO;

	if (!known || path.n == 0 || path.p[0] != '/' || path_has_dotdot(path))
		return somewhere(p, x);
	path = without_slash(path);
	for (uint32_t i = 0; i < x->n && best != MATCH_CERTAIN; i++) {
		struct alternative alt = image_alternative(p, x->first + i);
		enum match one = is_everything(&alt)
				     ? MATCH_CERTAIN
				     : alternative_path(&alt, path, base, what);

		best = one > best ? one : best;
	}
	return best;
}

enum match
pattern_path(const struct policy *p, const struct pattern *x, struct str path, bool known,
    const struct pattern_base *base)
{
	return best_of(p, x, path, known, base, ITSELF);
}

enum match
pattern_tree(const struct policy *p, const struct pattern *x, struct str path,
    const struct pattern_base *base)
{
	return best_of(p, x, path, true, base, TREE);
}

bool
pattern_way(const struct policy *p, const struct pattern *x, struct str path,
    const struct pattern_base *base)
{
	return best_of(p, x, path, true, base, WAY) == MATCH_POSSIBLE;
}
