/* Expand the directories of settings: ~ and @project become absolute. */
#include "decide/judge.h"

static bool
join(struct arena *a, struct str front, struct str rest, struct str *ret)
{
	struct buf b;

	buf_init(&b, a);
	buf_put(&b, front);
	buf_put(&b, rest);
	*ret = buf_str(&b);
	return !b.full;
}

bool
decide_path_entry(struct arena *a, struct str e, const struct pattern_base *base,
    struct str *v, size_t *n)
{
	static const struct str project = STR_INIT("@project"), home = STR_INIT("@home");
	size_t skip = e.n && e.p[0] == '~' ? 1 : home.n;

	if (str_starts(e, project)) {
		for (size_t k = 0; k < base->roots_n; k++)
			if (!join(a, base->roots[k], str_skip(e, project.n), &v[(*n)++]))
				return false;
		return true;
	}
	if (str_starts(e, STR("~")) || str_starts(e, home))
		return !base->home.p || join(a, base->home, str_skip(e, skip), &v[(*n)++]);
	if (e.n && e.p[0] == '/')
		v[(*n)++] = e;
	return true;
}

bool
decide_paths(struct arena *a, const struct policy *p, enum policy_list list,
    const struct pattern_base *base, struct str **ret, size_t *ret_n)
{
	size_t n = 0, cap = 0;
	struct str *v;

	while (policy_entry(p, list, cap).p)
		cap++;
	v = arena_array(a, cap * (base->roots_n + 1), sizeof *v);
	if (!v)
		return false;
	for (size_t i = 0; i < cap; i++)
		if (!decide_path_entry(a, policy_entry(p, list, i), base, v, &n))
			return false;
	*ret = v;
	*ret_n = n;
	return true;
}

bool
decide_shapes(struct arena *a, const struct policy *p, struct analyse_shapes *ret)
{
	struct policy_shape one;
	struct analyse_shape *v;
	size_t n = 0;

	while (policy_shape(p, n, &one))
		n++;
	*ret = (struct analyse_shapes){ NULL, 0 };
	if (n == 0)
		return true;
	v = arena_array(a, n, sizeof *v);
	for (size_t i = 0; v && i < n && policy_shape(p, i, &one); i++)
		v[i] = (struct analyse_shape){ one.words, one.data };
	*ret = (struct analyse_shapes){ v, v ? n : 0 };
	return v != NULL;
}
