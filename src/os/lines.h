/* os/lines.h: read a file descriptor line by line, for --batch. */
#pragma once
#include "base/str.h"

/* Longest line: the longest command with each byte as a six-byte JSON escape, plus the rest
 * of the request. Longer lines are skipped and reported. */
#define LIMIT_LINE ((size_t)1 << 20)

struct lines {
	int fd;
	char *mem;
	size_t cap, from, to; /* [from, to) of mem is read but not returned yet */
	size_t seen;          /* the first `seen` of these bytes contain no newline */
	bool skipping;        /* inside a line that is too long: discard to its newline */
	bool ended;
};

enum lines_got {
	LINES_END,
	LINES_ONE,      /* a line, without its newline */
	LINES_TOO_LONG, /* a longer line was skipped */
	LINES_FAILED,   /* read() failed, see errno */
};

/* Return false without memory. lines_done() frees the buffer. */
bool lines_init(struct lines *l, int fd);
void lines_done(struct lines *l);
/* Read the next line. *ret stays valid until the next call. */
enum lines_got lines_next(struct lines *l, struct str *ret);
/* True if lines_next() can answer without calling read(). */
bool lines_ready(struct lines *l);
/* Call read() once; it may get part of a line. Return false if read() fails. */
bool lines_read(struct lines *l);
