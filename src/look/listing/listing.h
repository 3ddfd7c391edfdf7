/*
 * look/listing/listing.h: a whole tree, listed once, by as many threads as there are
 * processors.
 *
 * MUST
 * 1. Go through no link, also when a name on the way becomes one meanwhile.
 * 2. Leave out nothing in silence but what we may not list, what has gone, and what lies
 *    in git's own directories.
 * 3. Show it in the same order whoever has listed what.
 */
#pragma once
#include "base/str.h"
#include <stdint.h>

struct listing;

/* List `root`, a path without symlinks.  NULL: *ret_why has a static reason. */
struct listing *listing_make(struct str root, const char **ret_why);
void listing_free(struct listing *l); /* l may be NULL */
struct str listing_root(const struct listing *l);

/*
 * Callback for everything below the root, directories before their entries.  `path` is
 * relative to the root and ends with a NUL; its last component starts at `name`.
 * listing_walk() returns false if a path was too long.
 */
enum listing_step {
	LISTING_SKIP,
	LISTING_GO,    /* enter this directory */
	LISTING_COVER, /* do not enter it, and remember that until the next walk */
};
typedef enum listing_step listing_visitor(
    void *context, struct str path, size_t name, bool directory);
bool listing_walk(struct listing *l, listing_visitor *each, void *context);
/* The same, but of files only those with one of these names. */
bool listing_find(struct listing *l, const struct str *names, size_t n,
    listing_visitor *each, void *context);

/*
 * Callback for every file with several hard links: of those in directories that the last
 * walk covered, or of all others.  False: *ret_why has a static reason, and there was no
 * callback.
 */
struct listing_link {
	struct str path; /* below the root, with a NUL */
	uint64_t dev, ino, names;
};
typedef void listing_linked(void *context, const struct listing_link *link);
bool listing_links(struct listing *l, bool covered, listing_linked *each, void *context,
    const char **ret_why);
