/*
 * Lists of a policy as sets: a list means every path or host that lies inside one of its
 * entries.  The normal form of a set is its outermost entries, sorted.
 */
#include "base/path.h"
#include "policy/sandbox/sandbox.h"

/* An absolute path without `..`; anything else contains only itself. */
static bool
is_plain_path(struct str p)
{
	return str_starts(p, STR("/")) && !path_has_dotdot(p);
}

static bool
path_within(struct str outer, struct str inner)
{
	if (str_eq(outer, inner))
		return true;
	return is_plain_path(outer) && is_plain_path(inner) && path_is_within(outer, inner);
}

static bool
within(enum sandbox_kind kind, struct str outer, struct str inner)
{
	return kind == SANDBOX_HOSTS ? sandbox_host_within(outer, inner)
				     : path_within(outer, inner);
}

/* Normalise an entry; text without a normal form stays as it is.  .p == NULL: out of
 * memory. */
static struct str
normal(struct arena *a, enum sandbox_kind kind, struct str s)
{
	struct str out = s;
	int r = 0;

	if (kind == SANDBOX_HOSTS) {
		out = sandbox_host_normal(a, s);
		return out.p ? out : s;
	}
	if (str_starts(s, STR("/")))
		r = path_normal(a, STR("/"), s, &out, NULL);
	return r == CORDON_ENOMEM ? (struct str){ NULL, 0 } : out;
}

struct set {
	enum sandbox_kind kind;
	struct str *v;
	size_t n, cap;
};

static bool
set_init(struct arena *a, struct set *s, enum sandbox_kind kind, size_t cap)
{
	cap = cap < SANDBOX_LIST_MAX ? cap : SANDBOX_LIST_MAX;
	*s = (struct set){ .kind = kind, .cap = cap };
	s->v = arena_array(a, cap, sizeof *s->v);
	return s->v != NULL;
}

/* Insert an entry; keeps the set sorted, without entries inside others. */
static int
set_put(struct set *s, struct str entry)
{
	size_t kept = 0, at;

	for (size_t i = 0; i < s->n; i++)
		if (within(s->kind, s->v[i], entry))
			return 0;
	for (size_t i = 0; i < s->n; i++)
		if (!within(s->kind, entry, s->v[i]))
			s->v[kept++] = s->v[i];
	s->n = kept;
	if (s->n == s->cap)
		return CORDON_ELIMIT;
	for (at = s->n; at > 0 && str_cmp(s->v[at - 1], entry) > 0; at--)
		s->v[at] = s->v[at - 1];
	s->v[at] = entry;
	s->n++;
	return 0;
}

static int
set_put_all(struct arena *a, struct set *s, const struct sandbox_list *list)
{
	int r = 0;

	for (size_t i = 0; i < list->n && !r; i++) {
		struct str entry = normal(a, s->kind, list->v[i]);

		r = entry.p ? set_put(s, entry) : CORDON_ENOMEM;
	}
	return r;
}

static struct sandbox_list
set_list(const struct set *s)
{
	return (struct sandbox_list){ .given = true, .v = s->v, .n = s->n };
}

/* Build the normal form of a list. */
static int
form(struct arena *a, enum sandbox_kind kind, const struct sandbox_list *x, struct set *ret)
{
	if (!set_init(a, ret, kind, x->n))
		return CORDON_ENOMEM;
	return set_put_all(a, ret, x);
}

/* The meet of two entries; empty: none. */
static struct str
common(struct arena *a, enum sandbox_kind kind, struct str x, struct str y)
{
	if (kind == SANDBOX_HOSTS)
		return sandbox_host_meet(a, x, y);
	return path_within(x, y) ? y : path_within(y, x) ? x : STR("");
}

static int
meet_sets(struct arena *a, const struct set *x, const struct set *y, struct set *ret)
{
	size_t most =
	    x->n && y->n > SANDBOX_LIST_MAX / x->n ? SANDBOX_LIST_MAX : x->n * y->n;
	int r = 0;

	if (!set_init(a, ret, x->kind, most))
		return CORDON_ENOMEM;
	for (size_t i = 0; i < x->n; i++)
		for (size_t k = 0; k < y->n && !r; k++) {
			struct str both = common(a, x->kind, x->v[i], y->v[k]);

			if (!both.p)
				return CORDON_ENOMEM;
			if (both.n)
				r = set_put(ret, both);
		}
	return r;
}

int
sandbox_list_meet(struct arena *a, enum sandbox_kind kind, const struct sandbox_list *x,
    const struct sandbox_list *y, struct sandbox_list *ret)
{
	struct set sx, sy, both;
	int r;

	if (!x->given || !y->given) {
		const struct sandbox_list *one = x->given ? x : y;

		if (!one->given) {
			*ret = (struct sandbox_list){ 0 };
			return 0;
		}
		r = form(a, kind, one, &both);
	} else if ((r = form(a, kind, x, &sx)) == 0 && (r = form(a, kind, y, &sy)) == 0)
		r = meet_sets(a, &sx, &sy, &both);
	if (!r)
		*ret = set_list(&both);
	return r;
}

int
sandbox_list_join(struct arena *a, enum sandbox_kind kind, const struct sandbox_list *x,
    const struct sandbox_list *y, struct sandbox_list *ret)
{
	struct set s;
	int r;

	if (!x->given && !y->given) {
		*ret = (struct sandbox_list){ 0 };
		return 0;
	}
	if (!set_init(a, &s, kind, x->n + y->n))
		return CORDON_ENOMEM;
	if ((r = set_put_all(a, &s, x)) || (r = set_put_all(a, &s, y)))
		return r;
	*ret = set_list(&s);
	return 0;
}

bool
sandbox_list_within(struct arena *a, enum sandbox_kind kind, const struct sandbox_list *x,
    const struct sandbox_list *y)
{
	struct set sx, sy;

	if (!y->given || !x->given)
		return !y->given;
	if (form(a, kind, x, &sx) || form(a, kind, y, &sy))
		return false;
	for (size_t i = 0; i < sx.n; i++) {
		size_t k = 0;

		while (k < sy.n && !within(kind, sy.v[k], sx.v[i]))
			k++;
		if (k == sy.n)
			return false;
	}
	return true;
}
