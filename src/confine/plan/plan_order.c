/* The order of the mounts of a plan, and checks of the whole list. */
#include "base/path.h"
#include "confine/plan/plan_internal.h"

static size_t
depth(const char *path)
{
	size_t n = 0;

	for (; *path; path++)
		n += *path == '/' && path[1] != '\0';
	return n;
}

static bool
comes_before(const struct plan_mount *x, const struct plan_mount *y)
{
	size_t dx = depth(x->path), dy = depth(y->path);

	return dx != dy ? dx < dy : x->kind < y->kind;
}

/* Sort with the most specific last.  Merge sort: stable, and there may be many masks. */
static void
merge_sort(struct plan_mount *v, struct plan_mount *spare, size_t n)
{
	size_t half = n / 2, i = 0, j = half, k = 0;

	if (n < 2)
		return;
	merge_sort(v, spare, half);
	merge_sort(v + half, spare, n - half);
	while (i < half || j < n)
		spare[k++] =
		    j == n || (i < half && !comes_before(&v[j], &v[i])) ? v[i++] : v[j++];
	memcpy(v, spare, n * sizeof *v);
}

/* An overlay can only lie on a directory, and not inside another overlay. */
static int
check_review(struct planning *p)
{
	for (size_t i = 0; i < p->n && p->plan->review; i++) {
		struct str path = str_from_c(p->mounts[i].path);

		if (p->mounts[i].kind != PLAN_WRITABLE)
			continue;
		if (!p->mounts[i].directory)
			return plan_refuse(p, FIELD_READWRITE,
			    "--review is for directories, not for a file", path);
		for (size_t k = 0; k < i; k++)
			if (p->mounts[k].kind == PLAN_WRITABLE &&
			    path_is_within(str_from_c(p->mounts[k].path), path))
				return plan_refuse(p, FIELD_READWRITE,
				    "--review: a writable path lies in another one", path);
	}
	return 0;
}

int
plan_finish(struct planning *p)
{
	struct plan_mount *spare = arena_array(p->a, p->n + 1, sizeof *spare);
	bool inside = false;

	if (!spare)
		return CORDON_ENOMEM;
	merge_sort(p->mounts, spare, p->n);
	p->plan->mounts = p->mounts;
	p->plan->mounts_n = p->n;
	if (check_review(p))
		return CORDON_EREFUSED;
	for (size_t i = 0; i < p->n && !inside; i++)
		inside = (p->mounts[i].kind == PLAN_WRITABLE ||
			     p->mounts[i].kind == PLAN_READABLE ||
			     p->mounts[i].kind == PLAN_READONLY) &&
			 path_is_within(str_from_c(p->mounts[i].path), p->in->cwd);
	if (!inside)
		return plan_refuse(p, FIELD_TYPE,
		    "the working directory is outside the roots", p->in->cwd);
	return 0;
}
