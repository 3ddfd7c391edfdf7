/* os/fd.h: descriptors that close themselves, and paths for the kernel. */
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

/* `s` with a NUL behind it, in the arena; NULL when it holds one, is empty or too long,
 * or the arena is full. */
const char *str_to_path(struct arena *a, struct str s);

/* "/proc/self/fd/N", in `room` of at least FD_LINK_ROOM bytes. */
#define FD_LINK_ROOM 64
const char *fd_link(char *room, int fd);
/* "/proc/PID/WHAT" in `room`. */
const char *proc_path(char *room, size_t n, long pid, const char *what);
/* Two parts one behind the other as a C string; false when they do not fit. */
bool fd_name(char *room, size_t n, const char *first, const char *second);
/* The digits of a number with a NUL, in at least 24 bytes; how many. */
size_t fd_number(char *room, unsigned long number);
/* The path of what is open, as the kernel says it; .p == NULL when it cannot be said. */
struct str fd_path(struct arena *a, int fd);
/* The same into memory of the caller's, with a NUL; its length, or 0. */
size_t fd_path_into(int fd, char *room, size_t n);
