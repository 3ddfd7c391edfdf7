/*
 * look/git/gitnames.h: names in git's directories.
 *
 * An allow-list: names that git itself writes in daily work are free, all others are not.
 * Case is ignored for protected names, but not for free ones.
 */
#pragma once
#include "base/str.h"

enum git_name {
	GIT_FREE,     /* git writes it: objects, refs, logs, its index, its state */
	GIT_PART,     /* a directory with protected names: must not be renamed */
	GIT_TODO,     /* the todo list of a rebase: its exec lines run code */
	GIT_OTHER,    /* git does not write it */
	GIT_CODE,     /* git runs it, or finds what it runs through it */
	GIT_BACKLINK, /* names the worktree of a linked worktree's git directory */
	GIT_CONFIG,   /* configuration: only harmless keys may change */
	GIT_LOCK,     /* the new configuration while git writes it */
};

/*
 * Classify a non-empty `path` relative to a git directory.  Submodules and linked worktrees
 * below it are followed: *ret_dir, unless NULL, is the length of the prefix that leads to
 * the directory with the name.
 */
enum git_name git_name(struct str path, size_t *ret_dir);

/* True if git creates hard links at this path: only for objects.  git never leaves a
 * symlink. */
bool git_name_is_linked(struct str path);

/* Why a name of this class is protected; static text, NULL for free names. */
const char *git_name_why(enum git_name name);
