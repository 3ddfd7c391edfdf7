/*
 * os/replace.h: replace a file as a whole.
 *
 * MUST
 * 1. Write a temporary file in the same directory and rename it: a reader sees the old text
 *    or the new one.
 * 2. Leave no temporary file after an error.
 */
#pragma once
#include "base/str.h"
#include <stdbool.h>
#include <sys/types.h>

struct replace {
	mode_t mode; /* 0: 0600 */
	bool chown;  /* give the file to uid and gid */
	uid_t uid;
	gid_t gid;
	bool sync; /* fsync() the file before the rename */
};

/* Write `text` to `temporary`, then rename that to `name`; both are relative to `dir`. A
 * temporary file of a killed process is removed first. On failure return false and set
 * errno. `how` may be NULL. */
bool replace_at(int dir, const char *temporary, const char *name, struct str text,
    const struct replace *how);
