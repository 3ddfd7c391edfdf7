/* A hidden file that git keeps: its text can be had from the objects. */
#include "base/path.h"
#include "base/show.h"
#include "cli/running.h"
#include "look/gitindex.h"

struct looking {
	struct arena *a;
	const struct plan *plan;
	struct str worktree;
	struct str first; /* the first that was found */
	size_t n;
};

static bool
is_hidden(const struct plan *plan, struct str path)
{
	for (size_t i = 0; i < plan->mounts_n; i++)
		if (plan->mounts[i].kind == PLAN_HIDDEN &&
		    path_is_within(str_from_c(plan->mounts[i].path), path))
			return true;
	return false;
}

static bool
see(void *context, const struct index_entry *e)
{
	struct looking *l = context;
	size_t used = l->a->used;
	struct str path;

	if (path_join(l->a, l->worktree, e->name, &path, NULL))
		return false;
	if (is_hidden(l->plan, path) && l->n++ == 0)
		l->first = path;
	else
		l->a->used = used;
	return true;
}

void
run_warn_stored(struct arena *a, const struct plan *plan)
{
	for (size_t i = 0; plan->watch_reads && i < plan->git_n; i++) {
		struct looking l = { a, plan, plan->git[i].worktree, { NULL, 0 }, 0 };
		struct buf b;

		(void)index_read(a, plan->git[i].gitdir, see, &l);
		if (l.n == 0)
			continue;
		buf_init(&b, a);
		buf_puts(&b, "cordon: '");
		show_put(&b, l.first, 0);
		buf_puts(&b, "' is hidden, but git keeps it: its text can be had from the "
			     "repository's objects");
		if (l.n > 1) {
			buf_puts(&b, " (so can that of ");
			buf_putu(&b, l.n - 1);
			buf_puts(&b, " more)");
		}
		buf_putc(&b, '\n');
		(void)write_all(2, buf_str(&b));
	}
}
