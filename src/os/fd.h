/* os/fd.h: file descriptors that close themselves, and C strings for system calls. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include <unistd.h>

static inline void
fd_close(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}
#define cleanup_fd __attribute__((cleanup(fd_close)))
static inline int
fd_steal(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

/* Write all of `s`. On failure return false and set errno. */
bool write_all(int fd, struct str s);

/* Copy `s` into the arena with a final NUL. Return NULL if `s` is empty, too long or
 * contains a NUL, or if the arena is full. */
const char *str_to_path(struct arena *a, struct str s);

/* Write "/proc/self/fd/N" to `out`, which has at least FD_LINK_SIZE bytes. */
#define FD_LINK_SIZE 64
const char *fd_link(char *out, int fd);
/* Write "/proc/PID/WHAT" to `out`; without enough space, return a path that does not
 * exist. */
const char *proc_path(char *out, size_t n, long pid, const char *what);
/* Concatenate `first` and `second` as a C string; return false if they do not fit. */
bool fd_name(char *out, size_t n, const char *first, const char *second);
/* Write the decimal digits and a NUL to `out` of at least 24 bytes; return the number of
 * digits. */
size_t fd_number(char *out, unsigned long number);
/* Return the path of an open file, from /proc/self/fd; .p is NULL if the kernel gives
 * none. */
struct str fd_path(struct arena *a, int fd);
/* Like fd_path(), into the caller's buffer with a NUL. Return the length, or 0. */
size_t fd_path_into(int fd, char *out, size_t n);
