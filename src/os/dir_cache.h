/*
 * os/dir_cache.h: directories that are known to have no symlink on the way to them.
 *
 * Judging one command resolves paths below the same few directories again and again.
 * Between dir_cache_begin() and dir_cache_end() the answers are kept. They may be out of
 * date, like everything that is looked up before the command runs.
 *
 * MUST
 * 1. Contain only directories that the kernel named itself, or that were resolved without a
 *    symlink, and all directories above them.
 * 2. Own its bytes: callers release their memory.
 */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdint.h>
#include <sys/stat.h>

#define DIR_CACHE_DIRS 8
#define DIR_CACHE_BYTES 640

struct dir_cache {
	struct str here; /* working directory of this process, from getcwd(); .p is NULL if
			    unknown */
	size_t n, used;
	struct {
		uint16_t at, n;
		bool asked; /* mode, uid and gid are known */
		uint32_t mode, uid, gid;
	} dir[DIR_CACHE_DIRS];
	char text[DIR_CACHE_BYTES];
};

/* `s` must live until dir_cache_end(), and the process must stay in `here`. */
void dir_cache_begin(struct dir_cache *s, struct str here);
void dir_cache_end(void);
bool dir_cache_is_on(void);

/* Add a directory without a symlink on the way to it, if there is space. */
void dir_cache_add(struct str dir);
/* Also keep its mode and owner, from lstat(). */
void dir_cache_add_stat(struct str dir, const struct stat *st);
/* Mode and owner of such a directory; false if unknown. */
bool dir_cache_stat(struct str dir, struct stat *ret);
/* The length of the longest prefix of the absolute, normalised `path` that is such a
 * directory; 1 for "/". */
size_t dir_cache_known(struct str path);
/* The path relative to the working directory if it is below: fewer components to look
 * up. */
const char *dir_cache_relative(const char *path, size_t n);
