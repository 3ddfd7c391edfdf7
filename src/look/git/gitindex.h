/* look/git/gitindex.h: read git's index. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdint.h>

struct index_entry {
	struct str name; /* relative to the worktree; valid during the callback */
	uint32_t mtime, mtime_ns, size, mode;
	bool odd;  /* in conflict, intent-to-add or sparse: nothing is certain */
	bool racy; /* as new as the index: a later change may be invisible */
};

typedef bool index_visitor(void *context, const struct index_entry *e); /* false: stop */

/* Visit all entries in order.  CORDON_EIO, CORDON_EINVAL: the index cannot be read or
 * trusted, and not all entries were visited.  0 also without an index. */
int index_read(struct arena *a, struct str gitdir, index_visitor *each, void *context);

/* True if `name` is `dir` or lies in it; an empty `dir` contains all. */
static inline bool
index_is_below(struct str dir, struct str name)
{
	return dir.n == 0 || str_eq(dir, name) ||
	       (name.n > dir.n && name.p[dir.n] == '/' && str_starts(name, dir));
}
