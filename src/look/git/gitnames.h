/*
 * look/git/gitnames.h: names in git's directories.
 *
 * An allow-list: what git itself writes in its daily work is free, and so is nothing else.
 * Letters count without case for the names that are protected, but not for the free ones.
 */
#pragma once
#include "base/str.h"

enum git_name {
	GIT_FREE,     /* git writes it: objects, refs, logs, its index, its state */
	GIT_PART,     /* a directory with protected names in it: it stays where it is */
	GIT_TODO,     /* the list of a rebase: its exec lines run code */
	GIT_OTHER,    /* git does not write it */
	GIT_CODE,     /* git runs it, or is led by it to what it runs */
	GIT_BACKLINK, /* leads from a linked worktree's git directory to the worktree */
	GIT_CONFIG,   /* configuration: it may change where only harmless keys do */
	GIT_LOCK,     /* the new configuration while git writes it */
};

/* Classify `path`, relative to a directory of git's (not empty).  Submodules and linked
 * worktrees below it are looked into: *ret_dir, unless NULL, is how much of `path` leads to
 * the directory that the name is in. */
enum git_name git_name(struct str path, size_t *ret_dir);

/* git makes hard links at this path: only where it keeps objects.  It never makes a
 * symlink that stays. */
bool git_name_is_linked(struct str path);

/* Static text: why a name of this class is protected; NULL for what is free. */
const char *git_name_why(enum git_name name);
