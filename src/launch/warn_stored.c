/* Warn about a hidden file that git stores: its text can be read from the objects. */
#include "base/hash.h"
#include "base/path.h"
#include "base/show.h"
#include "launch/launch_internal.h"
#include "look/git/gitindex.h"

struct looking {
	struct arena *a;
	const struct plan *plan;
	struct str worktree;
	struct str first; /* the first hidden file that was found */
	size_t n;
	uint32_t *slots;
	size_t mask;
};

/* Hash table of hidden paths; a slot has the index of a mount plus one. */
static bool
fill(struct looking *l)
{
	size_t n = 16;

	while (n < 2 * l->plan->mounts_n)
		n *= 2;
	l->slots = arena_array(l->a, n, sizeof *l->slots);
	l->mask = n - 1;
	if (!l->slots)
		return false;
	memset(l->slots, 0, n * sizeof *l->slots);
	for (size_t i = 0; i < l->plan->mounts_n; i++) {
		size_t at;

		if (l->plan->mounts[i].kind != PLAN_HIDDEN)
			continue;
		at = hash32(HASH32_START, str_from_c(l->plan->mounts[i].path));
		for (at &= l->mask; l->slots[at]; at = (at + 1) & l->mask)
			;
		l->slots[at] = (uint32_t)i + 1;
	}
	return true;
}

static bool
is_one(const struct looking *l, uint32_t hash, struct str path)
{
	for (size_t at = hash & l->mask; l->slots[at]; at = (at + 1) & l->mask)
		if (str_is(path, l->plan->mounts[l->slots[at] - 1].path))
			return true;
	return false;
}

/* True if the path or a directory above it is hidden. */
static bool
is_hidden(const struct looking *l, struct str path)
{
	uint32_t hash = HASH32_START;

	for (size_t i = 0; i < path.n; i++) {
		if (path.p[i] == '/' && i && is_one(l, hash, str_cut(path, 0, i)))
			return true;
		hash = hash32_byte(hash, path.p[i]);
	}
	return is_one(l, hash, path);
}

static bool
see(void *context, const struct index_entry *e)
{
	struct looking *l = context;
	size_t used = l->a->used;
	struct str path;

	if (path_join(l->a, l->worktree, e->name, &path, NULL))
		return false;
	if (is_hidden(l, path) && l->n++ == 0)
		l->first = path;
	else
		arena_back(l->a, used);
	return true;
}

void
launch_warn_stored(struct arena *a, const struct plan *plan)
{
	for (size_t i = 0; plan->ignores && i < plan->git_n; i++) {
		struct looking l = {
			.a = a, .plan = plan, .worktree = plan->git[i].worktree
		};
		struct buf b;

		if (!fill(&l))
			return;
		(void)index_read(a, plan->git[i].gitdir, see, &l);
		if (l.n == 0)
			continue;
		buf_init(&b, a);
		buf_puts(&b, "cordon: '");
		show_put(&b, l.first, 0);
		buf_puts(&b,
		    "' is hidden, but git stores it: its text can be read from the "
		    "repository's objects");
		if (l.n > 1) {
			buf_puts(&b, " (and ");
			buf_putu(&b, l.n - 1);
			buf_puts(&b, " more)");
		}
		buf_putc(&b, '\n');
		(void)write_all(2, buf_str(&b));
	}
}
