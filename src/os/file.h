/* os/file.h: small files read whole. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "os/fd.h"
#include <sys/stat.h>
#include <unistd.h>

/*
 * The bytes of a regular file of at most `max`.  0; CORDON_EIO when it cannot be
 * opened or read (*missing says that there is none), is no regular file, or
 * grew; CORDON_ELIMIT, CORDON_ENOMEM.  *reterr has a static reason.  The final
 * name is not followed if it is a link and `nofollow` is set.
 */
struct file_read {
	size_t max;
	bool nofollow;
	bool rare; /* mostly there is none */
};
int file_read(struct arena *a, struct str path, const struct file_read *how,
    struct str *ret, bool *missing, struct err *reterr);

/* Directories; `dir` real. */
struct str path_parent(struct str path); /* "/" of "/" and "/a" */
/* lstat or stat; false when it fails, errno is set. */
bool file_stat(struct arena *a, struct str path, bool follow, struct stat *ret);
/* It failed because there is no such file; else nobody knows what is there. */
bool file_is_missing(void);
