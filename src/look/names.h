/*
 * look/names.h: names that make other programs run code, or say what agents may do.
 *
 * One list for all who protect them: the facts of a command (guard.c), the supervisor
 * and the mounts of the sandbox (confine/guard.h), the look around after a run.  Letters
 * count without case: some file systems do not know it either.
 */
#pragma once
#include "base/str.h"

enum name_kind {
	NAME_FREE,
	NAME_OWN,      /* cordon's own directory */
	NAME_AGENT,    /* a directory of an agent's */
	NAME_TOOL,     /* a directory of an editor or tool that runs what is in it */
	NAME_IGNORE,   /* a file that says which files agents may not see */
	NAME_SETTINGS, /* a file with settings of an agent or tool */
	NAME_SHELL,    /* a file that a shell runs when it starts */
};

/* The first three are directories: what lies in them counts, too. */
enum name_kind name_kind(struct str name);
/* Static text; NULL for NAME_FREE. */
const char *name_why(enum name_kind kind);

enum git_name {
	GIT_FREE,
	GIT_CODE,   /* git runs it, or is led by it to what it runs */
	GIT_CONFIG, /* configuration: it may change where no key that runs code does */
	GIT_LOCK,   /* the new configuration while git writes it */
};

/* `path` is relative to a directory of git's (not empty); submodules and linked worktrees
 * below it are looked into: *ret_dir, unless NULL, is how much of `path` leads to the
 * directory that the name is in. */
enum git_name git_name(struct str path, size_t *ret_dir);

/* A directory of packages that others have made: nobody works in them. */
bool name_is_packages(struct str name);

/* The same name, letters without case; `name` is in lower case. */
bool name_is(struct str s, const char *name);
