/* Walk commits and their ancestors. */
#include "look/git/gitrepo.h"

#define SLOTS ((size_t)1 << 15) /* more than three times GIT_WALK_MAX */

struct oid_set {
	struct git_oid *v;
	bool *used;
	size_t n;
};

static bool
seen_init(struct git_repo *r, struct oid_set *s)
{
	s->v = arena_array(r->store.a, SLOTS, sizeof *s->v);
	s->used = arena_array(r->store.a, SLOTS, sizeof *s->used);
	s->n = 0;
	return s->v && s->used;
}

static size_t
seen_slot(const struct oid_set *s, const struct git_oid *oid)
{
	size_t at = ((size_t)oid->v[0] << 16 | (size_t)oid->v[1] << 8 | oid->v[2]) % SLOTS;

	while (s->used[at] && !git_oid_eq(&s->v[at], oid))
		at = (at + 1) % SLOTS;
	return at;
}

static bool
seen_has(const struct oid_set *s, const struct git_oid *oid)
{
	return s->used[seen_slot(s, oid)];
}

/* Insert; false: already there, or GIT_WALK_MAX others are. */
static bool
seen_add(struct oid_set *s, const struct git_oid *oid)
{
	size_t at = seen_slot(s, oid);

	if (s->used[at] || s->n == GIT_WALK_MAX)
		return false;
	s->used[at] = true;
	s->v[at] = *oid;
	s->n++;
	return true;
}

/* ---- one commit */

/* The value of the next header line if it has this name. */
static bool
take_line(struct str *text, const char *name, struct str *ret)
{
	struct str line = str_cut(*text, 0, str_find(*text, '\n'));
	size_t n = strlen(name);

	if (!str_starts(line, str_from_c(name)) || line.n <= n || line.p[n] != ' ')
		return false;
	*ret = str_skip(line, n + 1);
	*text = str_skip(*text, line.n + 1);
	return true;
}

/* NAME <MAIL> SECONDS ZONE */
static uint64_t
read_time(struct str line)
{
	struct str rest = str_skip(line, str_rfind(line, '>') + 2);
	uint64_t v = 0;

	(void)str_take_number(&rest, UINT64_MAX, &v);
	return v;
}

static bool
parse_commit(struct str text, struct git_commit *ret)
{
	struct str line;

	if (!take_line(&text, "tree", &line) || !git_oid_read(line, &ret->tree))
		return false;
	ret->parents_n = 0;
	while (take_line(&text, "parent", &line))
		if (ret->parents_n == sizeof ret->parents / sizeof *ret->parents ||
		    !git_oid_read(line, &ret->parents[ret->parents_n++]))
			return false;
	ret->time = 0;
	if (take_line(&text, "author", &line) && take_line(&text, "committer", &line))
		ret->time = read_time(line);
	return true;
}

bool
git_commit_read(struct git_repo *r, const struct git_oid *oid, struct git_commit *ret)
{
	size_t mark = r->store.a->used;
	struct git_oid at = *oid;
	enum git_type type;
	struct str text, line;
	bool ok = false;

	for (int i = 0; i < 5 && git_read(&r->store, &at, &type, &text); i++) {
		if (type == OBJ_COMMIT)
			ok = parse_commit(text, ret);
		if (type != OBJ_TAG || !take_line(&text, "object", &line) ||
		    !git_oid_read(line, &at))
			break;
	}
	ret->oid = at;
	arena_back(r->store.a, mark);
	return ok;
}

/* ---- walks */

struct history_walk {
	struct oid_set seen;
	struct git_commit *v; /* still to be visited */
	size_t n;
	bool cut; /* some parents could not be read */
};

static bool
walk_init(struct git_repo *r, struct history_walk *w)
{
	*w = (struct history_walk){ 0 };
	w->v = arena_alloc(r->store.a, GIT_WALK_MAX * sizeof *w->v);
	return w->v && seen_init(r, &w->seen);
}

static void
walk_add(struct git_repo *r, struct history_walk *w, const struct git_oid *oid)
{
	if (seen_has(&w->seen, oid))
		return;
	if (seen_add(&w->seen, oid) && git_commit_read(r, oid, &w->v[w->n]))
		w->n++;
	else
		w->cut = true;
}

/* Take the newest waiting commit. */
static bool
walk_next(struct history_walk *w, struct git_commit *ret)
{
	size_t best = 0;

	if (w->n == 0)
		return false;
	for (size_t i = 1; i < w->n; i++)
		if (w->v[i].time > w->v[best].time)
			best = i;
	*ret = w->v[best];
	w->v[best] = w->v[--w->n];
	return true;
}

static void
walk_parents(struct git_repo *r, struct history_walk *w, const struct git_commit *c)
{
	for (size_t i = 0; i < c->parents_n; i++)
		walk_add(r, w, &c->parents[i]);
}

/* The time of the newest waiting commit; 0: none. */
static uint64_t
walk_time(const struct history_walk *w)
{
	uint64_t newest = 0;

	for (size_t i = 0; i < w->n; i++)
		if (w->v[i].time >= newest)
			newest = w->v[i].time + 1;
	return newest;
}

/* Walk both sides at once, newest first: a commit that both have seen when it is taken is
 * common. */
static bool
find_base(struct git_repo *r, const struct git_commit *x, const struct git_commit *y,
    struct git_commit *ret)
{
	struct history_walk w[2];

	if (!walk_init(r, &w[0]) || !walk_init(r, &w[1]))
		return false;
	walk_add(r, &w[0], &x->oid);
	walk_add(r, &w[1], &y->oid);
	while (w[0].n || w[1].n) {
		size_t side = walk_time(&w[1]) > walk_time(&w[0]);
		struct git_commit one;

		if (!walk_next(&w[side], &one))
			return false;
		if (seen_has(&w[!side].seen, &one.oid)) {
			*ret = one;
			return true;
		}
		walk_parents(r, &w[side], &one);
		if (w[side].cut)
			return false;
	}
	return false;
}

bool
git_merge_base(struct git_repo *r, const struct git_commit *x, const struct git_commit *y,
    struct git_commit *ret)
{
	size_t mark = r->store.a->used;
	bool ok = find_base(r, x, y, ret);

	arena_back(r->store.a, mark);
	return ok;
}

bool
git_range(struct git_repo *r, const struct git_commit *from, const struct git_commit *to,
    struct git_commit **ret, size_t *ret_n)
{
	struct git_commit base, at = *to;
	size_t n = 0;

	*ret = arena_alloc(r->a, GIT_RANGE_MAX * sizeof **ret);
	*ret_n = 0;
	if (!*ret || !git_merge_base(r, from, to, &base))
		return false;
	while (!git_oid_eq(&at.oid, &base.oid)) {
		if (n == GIT_RANGE_MAX || at.parents_n != 1)
			return false;
		(*ret)[n++] = at;
		*ret_n = n;
		if (!git_commit_read(r, &at.parents[0], &at))
			return false;
	}
	return true;
}

void
git_old_ancestors(
    struct git_repo *r, const struct git_commit *c, struct git_commit *v, size_t *n)
{
	size_t mark = r->store.a->used;
	struct git_commit one;
	struct history_walk w;

	if (walk_init(r, &w))
		walk_add(r, &w, &c->oid);
	while (*n < GIT_OLD_MAX && walk_next(&w, &one)) {
		if (git_is_old(&r->store, &one.oid))
			v[(*n)++] = one;
		else
			walk_parents(r, &w, &one);
	}
	arena_back(r->store.a, mark);
}
