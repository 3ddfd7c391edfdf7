/*
 * os/seen.h: what one judgement has seen of directories already.
 *
 * A judgement asks again and again whether a link is on the way to the same few
 * directories.  Between seen_begin() and seen_end() the answers are kept: they are about
 * one moment anyway, since whatever is looked at may change before the command runs.
 * Outside of these nothing is kept.
 *
 * MUST
 * 1. Know only directories that the kernel named itself, or that were found without a
 *    link on the way; with them all directories above.
 * 2. Own its bytes: callers take memory back.
 */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <stdint.h>
#include <sys/stat.h>

#define SEEN_DIRS 8
#define SEEN_BYTES 640

struct seen {
	struct str here; /* the directory of this process, by getcwd; .p == NULL: unknown */
	size_t n, used;
	struct {
		uint16_t at, n;
		bool asked; /* and what follows is known */
		uint32_t mode, uid, gid;
	} dir[SEEN_DIRS];
	char text[SEEN_BYTES];
};

/* `s` must live until seen_end(), and the process stay in `here`. */
void seen_begin(struct seen *s, struct str here);
void seen_end(void);
bool seen_is_on(void);

/* A directory without a link on the way to it.  What does not fit is not kept. */
void seen_add(struct str dir);
/* The same with what lstat said of it. */
void seen_add_stat(struct str dir, const struct stat *st);
/* Mode and owners of such a directory; false: not known. */
bool seen_stat(struct str dir, struct stat *ret);
/* How much of the absolute, normal `path` is known to be such a directory; 1 is "/". */
size_t seen_known(struct str path);
/* The same name, seen from where the process is: fewer steps for the kernel. */
const char *seen_near(const char *path, size_t n);
