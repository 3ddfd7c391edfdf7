/* look/git/gitkeys.h: which of git's settings make it run code, and which are harmless: as
 * data.  A key of neither list is unknown, and does not change. */
#pragma once
#include "look/git/gitconf.h"

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

/* As git prints it: "core.pager", "remote.origin.url"; empty without memory. */
struct str gitkey_name(struct arena *a, const struct gitconf_entry *e);

/* Why a change of the configuration is refused. */
enum gitkeys_why {
	GITKEYS_UNREADABLE, /* one of the texts cannot be read, or there is no memory */
	GITKEYS_RUNS,       /* git runs code by this key */
	GITKEYS_UNKNOWN,    /* it is not on the list of harmless keys */
	GITKEYS_HOST,       /* it names a host that the configuration did not name */
};

struct gitkeys_refusal {
	enum gitkeys_why why;
	struct str key; /* "core.pager"; empty: none can be named */
};

/* core.worktree of this value means the worktree that leads to this very repository. */
typedef bool gitkeys_worktree(void *context, struct str value);

/* Only keys that are known to be harmless differ in both texts, or whole sections of
 * remotes, branches and submodules have gone or have another name.  `fresh`: the run made
 * the repository, whose first remote may have any host. */
bool gitkeys_allow(struct arena *a, struct str before, struct str after, bool fresh,
    gitkeys_worktree *is_worktree, void *context, struct gitkeys_refusal *ret);

/* The host of an address, with its port; empty for a path on this machine.  False: it is
 * an address of another kind, by which git may run code. */
bool gitkey_host(struct str address, struct str *ret);
