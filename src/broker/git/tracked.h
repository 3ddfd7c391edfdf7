/*
 * broker/git/tracked.h: guarded files that git tracks, when a checkout, merge, rebase,
 * stash or reset changes them.
 *
 * MUST
 * 1. Let a guarded file become only what an earlier commit holds under the same name
 *    (look/git/gitmoves.h), or what it was when this run first replaced it.
 * 2. Put no file in place that anybody can still write to: git writes to a file without a
 *    name.  It is linked in place when its hash is right and a lease shows that nobody has
 *    it open for writing; without a lease a copy is put there.
 * 3. Decide when git takes index.lock, before it has changed anything: git either gets the
 *    lock and may change all of these files, or gets neither.
 */
#pragma once
#include "broker/git/git.h"
#include "look/git/gitrepo.h"

enum tracked_call { TRACKED_MKDIR, TRACKED_UNLINK, TRACKED_RMDIR, TRACKED_RENAME };

/* Handle an open for writing, or a call that changes names, below a writable path.  True:
 * the call was answered. */
bool tracked_open(struct call *c, const struct target *p, uint64_t flags, mode_t mode);
bool tracked_names(struct call *c, enum tracked_call what, const struct target *from,
    const struct target *to);
/* A change of a guarded name was refused to this process: it must not complete its
 * index. */
void tracked_refused(struct broker *br, pid_t pid);
/* Put files in place that git has closed; needs br->tracked. */
void tracked_settle(struct broker *br);
/* Drop files that git opened and did not complete. */
void tracked_end(struct broker *br);

/* ---- the parts */

#define TRACKED_FILE_MAX ((size_t)1 << 20)

#define TRACKED_MAX 1024
#define TRACKED_LOCKS 16
#define TRACKED_OPEN 64

struct tracked_file {
	struct str path;
	struct git_file to;
};

struct tracked_lock {
	struct str path, worktree;
	pid_t process; /* that holds the lock; 0: none */
	bool refused;
};

struct tracked_pending {
	struct str path;
	int dir, file; /* its directory; the file that git writes to */
	mode_t mode;
};

struct tracked {
	struct tracked_file files[TRACKED_MAX]; /* allowed contents */
	size_t files_n;
	struct tracked_lock locks[TRACKED_LOCKS];
	struct tracked_pending pending[TRACKED_OPEN];
	size_t pending_n;
};

/* Allow this content for the path.  False: the table is full. */
bool tracked_add(struct broker *br, struct str path, const struct git_file *to);
bool tracked_allows(const struct broker *br, struct str path, const struct git_file *to);
/* tracked_put.c: allow the current content to come back (git stash). */
void tracked_keep(
    struct broker *br, struct arena *a, int dir, const char *name, struct str path);
/* Put the file in place if its content is allowed and nobody can write to it any more;
 * `last`: now or never, as a copy if need be. */
bool tracked_put(struct broker *br, const struct tracked_pending *f, bool last);
/* tracked_find.c: git wants to lock the index at `p`.  Returns 0 or the errno to refuse it
 * with. */
int tracked_find(struct call *c, const struct target *p, struct str *ret_worktree);
