/*
 * look/listing.h: a whole tree, listed once, by as many threads as there are processors.
 *
 * MUST
 * 1. Go through no link, also when a name on the way becomes one meanwhile.
 * 2. Leave out nothing in silence but what we may not list, what has gone, and what lies
 *    in git's own directories.
 * 3. Show it in the same order whoever has listed what.
 */
#pragma once
#include "base/str.h"

struct listing;

/* Of `root`, a path without links.  NULL: *ret_why has a static reason. */
struct listing *listing_make(struct str root, const char **ret_why);
void listing_free(struct listing *l); /* takes NULL */
struct str listing_root(const struct listing *l);

/*
 * Told of everything below the root, directories before what lies in them.  `path` is
 * relative to the root and ends with a NUL; its last name starts at `name`.  True: go into
 * this directory.  listing_walk is false when some path was too long to be shown.
 */
typedef bool listing_visitor(void *context, struct str path, size_t name, bool directory);
bool listing_walk(const struct listing *l, listing_visitor *each, void *context);
