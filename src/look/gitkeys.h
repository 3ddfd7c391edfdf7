/* look/gitkeys.h: which of git's settings make it run code: one list, as data. */
#pragma once
#include "look/gitconf.h"

enum gitkey_when {
	GITKEY_WRITES = 1,  /* only by commands that write */
	GITKEY_NETWORK = 2, /* only by those that talk to others */
	GITKEY_VALUE = 4,   /* only if the value is no yes or no */
	GITKEY_LEADS = 8,   /* it is no program itself, but leads git to one: an alias, an
			       included file, another directory of hooks or files */
};

/* Some key that this entry is one of; `when` is of enum gitkey_when. */
struct gitkey {
	bool found;
	unsigned when;
};

struct gitkey gitkey_find(const struct gitconf_entry *e);
/* The value is a yes or no, in git's own words. */
bool gitkey_is_bool(const struct gitconf_entry *e);

/* The sequence of all entries that can run code is the same in both texts.  False also
 * when one of them cannot be read, or without memory; *ret_key then names the first that
 * differs ("core.pager"), or is empty. */
bool gitkeys_same(
    struct arena *a, struct str before, struct str after, struct str *ret_key);
