/*
 * look/git/gitrepo.h: read commits, trees and revisions without git.
 *
 * References and the index are the repository's current ones, which the command may have
 * written.  Only objects that gitobj.h calls old are certainly from before the run.
 */
#pragma once
#include "base/limits.h"
#include "look/git/objects/gitobj.h"

struct git_repo {
	struct git_store store;
	struct arena *a; /* results are allocated here */
	int gitdir, commondir;
};

struct git_commit {
	struct git_oid oid, tree;
	struct git_oid parents[16];
	size_t parents_n;
	uint64_t time;
};

/* A file in a tree; mode 0: no such file. */
struct git_file {
	unsigned mode;
	struct git_oid oid;
};

static inline bool
git_file_eq(const struct git_file *x, const struct git_file *y)
{
	return x->mode == y->mode && (x->mode == 0 || git_oid_eq(&x->oid, &y->oid));
}

bool git_commit_read(struct git_repo *r, const struct git_oid *oid, struct git_commit *ret);

/* ---- gitrev.c */

/* Find the commit that a revision names: references, abbreviated hashes, HEAD~2, x^2, -,
 * @{-1}, @{u}, stash@{1}.  False: no such commit, or a form that is not supported. */
bool git_rev(struct git_repo *r, struct str name, struct git_commit *ret);
/* Read a small text file of the git directory; empty: none. */
struct str git_text(struct git_repo *r, bool common, const char *name);
/* ---- gittree.c */

/* Find a file in a tree.  False: a tree on the path cannot be read. */
bool git_lookup(
    struct git_repo *r, const struct git_oid *tree, struct str path, struct git_file *ret);
/* Callback; return false to stop. */
typedef bool git_diff_visitor(
    void *context, struct str path, const struct git_file *from, const struct git_file *to);
/*
 * Visit each file that differs; false: something cannot be read, or the callback stopped.
 */
bool git_diff(struct git_repo *r, const struct git_oid *from, const struct git_oid *to,
    git_diff_visitor *each, void *context);

/* Visits each file of a tree, with no `from`. */
bool git_files(
    struct git_repo *r, const struct git_oid *tree, git_diff_visitor *each, void *context);

/* ---- githistory.c */

#define GIT_WALK_MAX 5000
#define GIT_RANGE_MAX 1000
#define GIT_OLD_MAX 64

/* Find the nearest common ancestor; false: none within GIT_WALK_MAX commits. */
bool git_merge_base(struct git_repo *r, const struct git_commit *x,
    const struct git_commit *y, struct git_commit *ret);
/* List the commits of `to` that `from` does not have, newest first, along first parents; at
 * most GIT_RANGE_MAX.  False: merges among them, or too many. */
bool git_range(struct git_repo *r, const struct git_commit *from,
    const struct git_commit *to, struct git_commit **ret, size_t *ret_n);
/* Add the newest old commits among `c` and its ancestors. */
void git_old_ancestors(
    struct git_repo *r, const struct git_commit *c, struct git_commit *v, size_t *n);
