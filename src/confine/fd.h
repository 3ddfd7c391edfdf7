/* confine/fd.h: descriptors that close themselves, and paths for the kernel. */
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include "look/file.h"

#define confine_fd_close fd_close
#define closed_fd cleanup_fd

#define path_c str_to_path
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
