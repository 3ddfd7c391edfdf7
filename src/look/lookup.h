/* look/lookup.h: internal: the lookup context: facts about this machine, each found once
 * and cached. */
#pragma once
#include "base/ignore/ignore.h"
#include "look/created_names.h"
#include "look/look.h"
#include "look/resolve.h"
#include "look/root.h"

enum path_grant_kind { /* for one path, the later kind counts */
	PATH_GRANT_TMP,
	PATH_GRANT_READABLE,
	PATH_GRANT_WRITABLE,
	PATH_GRANT_ROOT,
};

struct path_grant {
	struct str path; /* real, or as written when it is missing */
	enum path_grant_kind kind;
};

/* The ignore files of one directory. */
struct ignore_dir {
	struct str path;                  /* real */
	const struct ignore_list **lists; /* in the order of the options */
	size_t n;
	bool broken; /* a file could not be read: everything counts as ignored */
	struct ignore_dir *next;
};

struct repository {
	struct str dir; /* the directory that was looked up */
	bool found;
	struct git_dirs dirs;
	const char *why;
	struct repository *next;
};

/* Whether the user could have changed a directory, or one above it. */
struct user_writable {
	struct str dir;
	bool could;
	struct user_writable *next;
};

/* The result of a PATH lookup from one directory. */
struct hit {
	struct str word, cwd, found;
	bool writable;
	struct hit *next;
};

/* A file of git's configuration; .text.p == NULL: there is none. */
struct git_text {
	struct str path, text;
	struct git_text *next;
};

/* The hooks in a directory that git would run. */
struct git_hooks {
	struct str dir;
	bool any, index; /* index: post-index-change, which reading commands run as well */
	struct git_hooks *next;
};

struct lookup {
	struct arena *a;
	const struct look_opts *o;
	struct path_grant *grants;
	size_t grant_n;
	struct str home; /* real path, set by lookup_home() */
	bool home_known, around;
	bool user_known, root_user; /* set by found.c */
	struct ignore_dir *ignores;
	struct ignore_dir *git_ignores; /* .gitignore and info/exclude, for unsaved work */
	struct repository *repositories;
	struct user_writable *user_writable;
	struct hit *hits;
	struct git_text *texts;
	struct git_hooks *hooks;
	bool full; /* the arena is full */
};

int lookup_init(
    struct lookup *g, struct arena *a, const struct look_opts *o, struct err *reterr);

/* The innermost grant that contains `real`; NULL: none does. */
const struct path_grant *lookup_grant(struct lookup *g, struct str real);
/* The home, resolved; .p == NULL: unknown. */
struct str lookup_home(struct lookup *g);
/* The repository of a real directory, cached. */
const struct repository *lookup_repository(struct lookup *g, struct str dir);

/* Fill in the facts about a path, except `unsaved` and those about everything below it. */
void lookup_fact(
    struct lookup *g, const struct resolved *r, enum look_use use, struct place_fact *ret);

/* ignored.c: true if an ignore file of the policy matches the path; `root` contains it. */
bool lookup_ignored(struct lookup *g, struct str root, struct str real, bool directory);
/*
 * Set whether anything below the directory is ignored or secret; true if that is unknown.
 */
void lookup_below(
    struct lookup *g, struct str root, struct str real, struct place_fact *to);
/* True if .gitignore or .git/info/exclude matches the path. */
bool lookup_git_ignored(
    struct lookup *g, const struct git_dirs *dirs, struct str real, bool directory);

/* unsaved.c: true if deleting it would lose work that no commit and no index has. */
bool lookup_unsaved(struct lookup *g, const struct resolved *r);
/* rebuilt.c: true if it is build output that a tool can recreate, or lies in some. */
bool lookup_rebuilt(struct lookup *g, const struct resolved *r);
/* True if this dot name is build output, not settings. */
bool rebuilt_is_name(struct str name);

/* among.c: add an effect for each file that a glob matches now. */
void lookup_list_among(struct lookup *g, struct effects *e);
/* True if it lies in a temporary directory of the policy. */
bool lookup_is_temporary(struct lookup *g, struct str real);

/* found.c */
void lookup_find_program(struct lookup *g, const struct effects *e, struct command *c);
/* The host that git's configuration names: the URL of the remote, if needed and known;
 * `elsewhere`: other hosts than the command names. */
struct git_goes {
	struct str url;
	bool elsewhere;
};
/* gitruns.c: why the repository makes git run code; static text or NULL. */
const char *lookup_git_runs(
    struct lookup *g, const struct command *c, struct git_goes *ret);

/* tree.c: call `each` for everything below `dir`, at most `max` entries. */
enum tree_step { TREE_GO, TREE_SKIP, TREE_STOP }; /* SKIP: do not enter this directory */
typedef enum tree_step tree_visitor(void *context, struct str path, bool directory);
enum tree_end { TREE_DONE, TREE_STOPPED, TREE_TOO_MUCH };
enum tree_end tree_walk(
    struct arena *a, struct str dir, size_t max, tree_visitor *each, void *context);
