/* look/ground.h: what one look knows of the machine, found out once and kept. */
#pragma once
#include "base/ignore/ignore.h"
#include "look/look.h"
#include "look/made.h"
#include "look/resolve.h"
#include "look/root.h"

enum grant_kind { /* of two for the same path the later one counts */
	GRANT_TMP,
	GRANT_READABLE,
	GRANT_WRITABLE,
	GRANT_ROOT,
};

struct grant {
	struct str path; /* real, or as written when it is missing */
	enum grant_kind kind;
};

/* The ignore files of one directory. */
struct ignore_dir {
	struct str path;                  /* real */
	const struct ignore_list **lists; /* in the order of the options */
	size_t n;
	bool broken; /* one could not be read: everything in it counts as ignored */
	struct ignore_dir *next;
};

struct repository {
	struct str dir; /* that was asked for */
	bool found;
	struct git_dirs dirs;
	const char *why;
	struct repository *next;
};

/* Could this directory, or a way to it, have been changed by the user? */
struct planted {
	struct str dir;
	bool could;
	struct planted *next;
};

/* What PATH has for a name, seen from a directory. */
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
	bool any, index; /* index: the one that looking runs, too */
	struct git_hooks *next;
};

struct ground {
	struct arena *a;
	const struct look_opts *o;
	struct grant *grants;
	size_t grant_n;
	struct str home; /* real; by ground_home() */
	bool home_known, around;
	bool user_known, root_user; /* by found.c */
	struct ignore_dir *ignores;
	struct ignore_dir *git_ignores; /* .gitignore and info/exclude, for unsaved work */
	struct repository *repositories;
	struct planted *planted;
	struct hit *hits;
	struct git_text *texts;
	struct git_hooks *hooks;
	bool full; /* the arena is */
};

int ground_init(
    struct ground *g, struct arena *a, const struct look_opts *o, struct err *reterr);

/* The grant that `real` lies in, the nearest; NULL outside of all. */
const struct grant *ground_grant(struct ground *g, struct str real);
/* The home, links followed; .p == NULL: unknown. */
struct str ground_home(struct ground *g);
/* The repository of a real directory, remembered. */
const struct repository *ground_repository(struct ground *g, struct str dir);

/* Facts about a path: everything but `unsaved` and those about what lies below. */
void ground_fact(
    struct ground *g, const struct resolved *r, enum look_use use, struct place_fact *ret);

/* ignored.c: does an ignore file of the policy name it?  `root` holds it. */
bool ground_ignored(struct ground *g, struct str root, struct str real, bool directory);
/* Is anything in the directory ignored, or secret?  True also where that cannot be told. */
void ground_below(
    struct ground *g, struct str root, struct str real, struct place_fact *to);
/* The same question to .gitignore and .git/info/exclude. */
bool ground_git_ignored(
    struct ground *g, const struct git_dirs *dirs, struct str real, bool directory);

/* unsaved.c: would something be lost that no commit and no index has? */
bool ground_unsaved(struct ground *g, const struct resolved *r);
/* rebuilt.c: it is, or lies in, what a tool makes anew. */
bool ground_rebuilt(struct ground *g, const struct resolved *r);
/* The same by a name with a dot alone: it is nobody's settings. */
bool rebuilt_is_name(struct str name);

/* among.c: what a pattern names now, as effects of their own. */
void ground_list_among(struct ground *g, struct effects *e);
/* It lies in the temporary directory that policy gives. */
bool ground_is_temporary(struct ground *g, struct str real);

/* found.c */
void ground_find_program(struct ground *g, const struct effects *e, struct command *c);
/* Where its configuration sends git: the address of the remote that is meant, if it is
 * needed and known; or elsewhere than is written. */
struct git_goes {
	struct str url;
	bool elsewhere;
};
/* gitruns.c: a static text, or NULL. */
const char *ground_git_runs(
    struct ground *g, const struct command *c, struct git_goes *ret);

/* tree.c: calls `each` for everything below `dir`; at most `max` entries. */
enum tree_step { TREE_GO, TREE_SKIP, TREE_STOP }; /* SKIP: not into this directory */
typedef enum tree_step tree_visitor(void *context, struct str path, bool directory);
enum tree_end { TREE_DONE, TREE_STOPPED, TREE_TOO_MUCH };
enum tree_end tree_walk(
    struct arena *a, struct str dir, size_t max, tree_visitor *each, void *context);
