/* look/git/gitkeys.h: tables of git's settings that make it run code, and of harmless ones.
 * A key in neither table is unknown and must not change. */
#pragma once
#include "look/git/gitconf.h"

enum gitkey_when {
	GITKEY_WRITES = 1,  /* only by commands that write */
	GITKEY_NETWORK = 2, /* only by commands that use the network */
	GITKEY_VALUE = 4,   /* only if the value is not a boolean */
	GITKEY_LEADS = 8,   /* names no program itself, but leads git to one: an alias, an
			       included file, another directory of hooks or files */
};

/* The row of an entry; `when` has bits of enum gitkey_when. */
struct gitkey {
	bool found;
	unsigned when;
};

struct gitkey gitkey_find(const struct gitconf_entry *e);
/* True if the value is a boolean as git reads it. */
bool gitkey_is_bool(const struct gitconf_entry *e);

/* The key as git prints it: "core.pager", "remote.origin.url"; empty: no memory. */
struct str gitkey_name(struct arena *a, const struct gitconf_entry *e);

/* Why a change of the configuration is refused. */
enum gitkeys_why {
	GITKEYS_UNREADABLE, /* one of the texts cannot be read, or there is no memory */
	GITKEYS_RUNS,       /* the key makes git run code */
	GITKEYS_UNKNOWN,    /* the key is not on the list of harmless keys */
	GITKEYS_HOST,       /* it names a new host */
};

struct gitkeys_refusal {
	enum gitkeys_why why;
	struct str key; /* "core.pager"; empty: unknown */
};

/* Callback: true if core.worktree with this value means the worktree of this repository. */
typedef bool gitkeys_worktree(void *context, struct str value);

/*
 * True if both texts differ only in harmless keys, or in whole sections of remotes,
 * branches and submodules that were removed or renamed.  `fresh`: the run created the
 * repository, so its first remote may have any host.
 */
bool gitkeys_allow(struct arena *a, struct str before, struct str after, bool fresh,
    gitkeys_worktree *is_worktree, void *context, struct gitkeys_refusal *ret);

/* The host of a URL, with its port; empty for a local path.  False: another kind of URL,
 * for which git may run code. */
bool gitkey_host(struct str address, struct str *ret);
