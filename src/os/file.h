/* os/file.h: read small files whole, and stat them. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "os/fd.h"
#include <sys/stat.h>
#include <unistd.h>

/*
 * Read a regular file of at most `max` bytes. Return 0, or CORDON_EIO if the file cannot be
 * opened or read, is not a regular file or grew meanwhile (*missing: there is no such
 * file), or CORDON_ELIMIT or CORDON_ENOMEM. *reterr has a static reason. `nofollow`: do not
 * follow a symlink in the last component.
 */
struct file_read {
	size_t max;
	bool nofollow;
	bool rare; /* the file rarely exists: probe with access() first */
};
int file_read(struct arena *a, struct str path, const struct file_read *how,
    struct str *ret, bool *missing, struct err *reterr);

struct str path_parent(struct str path); /* "/" for "/" and "/a" */
/* stat(), or lstat() without `follow`. On failure return false and set errno. */
bool file_stat(struct arena *a, struct str path, bool follow, struct stat *ret);
/* True if errno says that there is no such file; any other errno tells nothing about it. */
bool file_is_missing(void);
