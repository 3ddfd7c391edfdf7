/*
 * look/listing/listing.h: list a whole tree once, with one thread for each processor.
 *
 * MUST
 * 1. Follow no symlink, even if a directory is replaced by one while listing.
 * 2. Skip silently only directories that we may not list or that are gone, and git's own.
 * 3. Report entries in the same order, whichever thread listed them.
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
