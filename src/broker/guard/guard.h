/* broker/guard/guard.h: which objects may not be changed, read or replaced. confine/guard.h
 * judges names; here the run's own history and the file system are added. */
#pragma once
#include "broker/path/target.h"
#include "confine/guard.h"

/* ---- guarded.c: changes */

/* Why `t` may not be changed so; NULL: it may. */
const char *guarded_why(struct broker *br, const struct target *t, enum run_op op);
/* True if the run created what is at this path, or nothing is there yet. */
bool target_is_new(struct broker *br, const struct target *t);
/* The same for a path of `n` bytes that ends in a NUL. */
bool dir_is_new(struct broker *br, const char *path, size_t n);

/* ---- below.c: protected names of several components */

/* The directory `dir` lies, or comes to lie, at the path of `at`.  Returns why something in
 * it must not be there, or must stay; NULL: nothing.  A symlink may lead to anything; pass
 * NULL for one that is to be made. */
const char *below_guard(
    struct broker *br, const struct target *at, const struct target *dir, enum run_op op);
/* True if the directory `name` in `parent` has an entry that is protected at `path`. */
bool below_holds(int parent, const char *name, struct str path);
/* Write "dir/rest" to `to`. */
void below_name(char *to, const char *dir, const char *rest);

/* ---- created.c: directories that the run created */

/* Remember a directory that the supervisor has just created. */
void created_add(struct broker *br, int dir, const char *name);
/* True if the open directory is one of these. */
bool created_has(const struct broker *br, int fd);

/* ---- agreed.c: names outside that a person approved */

/* Reopen an approved name in the directory as it lies outside, and set t->agreed.
 * `removes`: the call takes the name away. */
void target_agree(struct broker *br, struct target *t, bool removes);

/* ---- aliases.c: hard links */

#define ALIASES_MAX 4096

struct aliases {
	struct inode_id *v;
	size_t n;
	bool full;
};

/* True if it is another name of a protected file. */
bool alias_is_protected(struct broker *br, const struct target *t);

/* ---- hidden.c: files that patterns hide */

/* True if it is hidden: by a cover, or by a pattern and the command did not create it. */
bool hidden_is(const struct broker *br, const struct target *t);
/* True if it is a directory with hidden files: renamed, they might be hidden no more. */
bool hidden_below(const struct broker *br, const struct target *t);
/* Remember that the command created it; `fd` is the open file, or -1. */
void hidden_add_own(struct broker *br, const struct target *t, int fd);
/* The index of `t` among the files that the command created, or their number. */
size_t hidden_find_own(const struct broker *br, const struct target *t);
/* Forget the file with this index. */
void hidden_remove_own(struct broker *br, size_t own);

/* ---- denied.c: files that rules forbid to read */

/* Why a rule forbids reading it; NULL: none does, or the command created it. */
const char *denied_why(struct broker *br, const struct target *t);
/* True if a rule forbids to read this path; *ret_why is valid until the next call. */
bool denied_path(struct broker *br, struct str path, struct str *ret_why);
/* Why it must not get another name: it cannot be read, or rules name files in it by its
 * path; NULL: it may. */
const char *denied_move(struct broker *br, const struct target *t);
/* True if the text of an open for reading leads to the system's own files: no rule matches.
 */
bool denied_is_far(const struct broker *br, struct str text);

/* ---- vacated.c: paths that protected names were moved or removed from */

/* The kinds of protected names that a vacated path held. */
enum vacated_found { VACATED_NAMES = 1, VACATED_GIT = 2, VACATED_ALL = 3 };

struct vacated {
	struct str path;
	unsigned found;
	uint64_t dev, ino; /* of the directory that was moved away; 0: it was removed */
};

/* True if protected names at `path` are not free although their directory is new. */
bool vacated_holds(const struct broker *br, struct str path, bool git);
/* True if the rename would bring protected names to a path that lost such names. */
bool vacated_refuses(
    struct broker *br, const struct target *from, const struct target *to, bool swap);
/* Before a directory is moved: the kinds of protected names in it. */
unsigned vacated_look(struct broker *br, const struct target *from);
/* Record the move before it happens.  False: that failed, and the move must not happen. */
bool vacated_moves(
    struct broker *br, const struct target *from, const struct target *to, unsigned found);
/* Record the move after it happened. */
void vacated_moved(
    struct broker *br, const struct target *from, const struct target *to, unsigned found);
/* Before a name is removed: record its path if it was protected.  False: that failed. */
bool vacated_removes(struct broker *br, const struct target *t);
/* Add an entry to the table. */
void vacated_put(struct broker *br, const struct vacated *entry);
/* vacated_file.c: append an entry to the file that outlives runs. */
bool vacated_save(struct broker *br, const struct vacated *v);
