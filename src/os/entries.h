/*
 * os/entries.h: read the names in a directory with getdents64, into the caller's memory.
 *
 * opendir(3) allocates with malloc, which maps and unmaps pages. While a second process
 * shares the address space, each of these calls interrupts its processor.
 */
#pragma once
#include "base/str.h"
#include <stdint.h>

struct entries {
	int fd;    /* owned by the caller */
	int error; /* errno that stopped the reading, or 0 */
	size_t at, n;
	_Alignas(uint64_t) char list[2048]; /* not zeroed */
};

void entries_init(struct entries *e, int fd);
/* Read the next name, except `.` and `..`, and its DT_ type. Return false at the end or on
 * e->error. `name` ends in a NUL and is valid until the next call. */
bool entries_next(struct entries *e, struct str *ret, unsigned char *ret_type);
