/*
 * os/entries.h: the names in a directory, by getdents64 into memory of the caller's.
 *
 * opendir(3) takes memory from malloc, which maps and unmaps pages: while a second process
 * shares the address space each of these calls interrupts its processor.
 */
#pragma once
#include "base/str.h"
#include <stdint.h>

struct entries {
	int fd;    /* of the caller's */
	int error; /* why reading stopped; 0: at the end, or not yet */
	size_t at, n;
	_Alignas(uint64_t) char list[2048]; /* not zeroed */
};

void entries_init(struct entries *e, int fd);
/* The next name but `.` and `..`, and its DT_ type; false: at the end, or e->error.  `name`
 * ends in a NUL and holds until the next call. */
bool entries_next(struct entries *e, struct str *ret, unsigned char *ret_type);
