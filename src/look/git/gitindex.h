/* look/git/gitindex.h: what git's index knows of the files, without git. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdint.h>

struct index_entry {
	struct str name; /* relative to the worktree; valid during the visit */
	uint32_t mtime, mtime_ns, size, mode;
	bool odd; /* in conflict, only intended, or a directory left out: nothing is sure */
	bool racy; /* as new as the index: it may have changed since unseen */
};

typedef bool index_visitor(void *context, const struct index_entry *e); /* false: stop */

/* Visits all entries in order.  CORDON_EIO, CORDON_EINVAL when it cannot be read or
 * trusted (then what was visited may be less than all); 0 also when there is none. */
int index_read(struct arena *a, struct str gitdir, index_visitor *each, void *context);

/* `name` is `dir`, or lies in it; an empty one has them all. */
static inline bool
index_is_below(struct str dir, struct str name)
{
	return dir.n == 0 || str_eq(dir, name) ||
	       (name.n > dir.n && name.p[dir.n] == '/' && str_starts(name, dir));
}
