#include "confine/filter/filter_tree.h"

void
filter_put(struct filter *f, uint16_t code, uint8_t jt, uint8_t jf, uint32_t k)
{
	if (f->n < FILTER_MAX)
		f->v[f->n++] = (struct kernel_bpf){ code, jt, jf, k };
	else
		f->full = true;
}

void
filter_tree_begin(struct filter *f, const struct filter_table *t, struct filter_tree *ret)
{
	*ret = (struct filter_tree){ .first = f->n };
	for (unsigned i = 0; i <= FILTER_CALLS; i++) {
		uint8_t action = i < FILTER_CALLS ? t->action[i] : FILTER_ENOSYS;

		if (ret->n && ret->action[ret->n - 1] == action)
			continue;
		if (ret->n == FILTER_CALLS) {
			f->full = true;
			return;
		}
		ret->start[ret->n] = (uint16_t)i;
		ret->action[ret->n++] = action;
		ret->used[action] = true;
	}
	for (unsigned i = 1; i < ret->n; i++)
		filter_put(f, NOT_BELOW, 0, 0, 0);
}

/* The position where runs [lo, hi) are distinguished: `here`, or the only body that is
 * left. */
static unsigned
target(const struct filter_tree *tree, unsigned lo, unsigned hi, unsigned here)
{
	return hi - lo == 1 ? tree->at[tree->action[lo]] : here;
}

/* A jump is relative to the next instruction, and has eight bits. */
static uint8_t
distance(struct filter *f, unsigned from, unsigned to)
{
	unsigned d = to - from - 1;

	if (to <= from || d > 255)
		f->full = true;
	return (uint8_t)d;
}

/* Emit the hi - lo - 1 jumps for runs [lo, hi) at `here`; the lower half follows at
 * once. */
static void
split(struct filter *f, const struct filter_tree *tree, unsigned lo, unsigned hi,
    unsigned here)
{
	unsigned mid = lo + (hi - lo) / 2;
	unsigned below = here + 1, above = here + (mid - lo);
	struct kernel_bpf *b = &f->v[here];

	if (hi - lo < 2)
		return;
	b->k = tree->start[mid];
	b->jf = distance(f, here, target(tree, lo, mid, below));
	b->jt = distance(f, here, target(tree, mid, hi, above));
	split(f, tree, lo, mid, below);
	split(f, tree, mid, hi, above);
}

void
filter_tree_end(struct filter *f, const struct filter_tree *tree)
{
	if (!f->full)
		split(f, tree, 0, tree->n, tree->first);
}
