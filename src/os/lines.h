/* os/lines.h: standard input, line by line, for --batch. */
#pragma once
#include "base/str.h"

/* A line may be so long: every byte of the longest command as an escape of six, and room
 * for the rest.  What is longer is skipped and reported. */
#define LIMIT_LINE ((size_t)1 << 20)

struct lines {
	int fd;
	char *mem;
	size_t room, from, to; /* [from, to) of mem is read and not yet handed out */
	size_t seen;           /* of these bytes no one is a newline */
	bool skipping;         /* the line is too long: its end is looked for */
	bool ended;
};

enum lines_got {
	LINES_END,
	LINES_ONE,      /* a line, without its newline */
	LINES_TOO_LONG, /* a line that was skipped */
	LINES_FAILED,   /* reading failed: errno */
};

/* False when there is no memory.  The memory is given back by lines_done. */
bool lines_init(struct lines *l, int fd);
void lines_done(struct lines *l);
/* The next line; it stays where it is until the next call. */
enum lines_got lines_next(struct lines *l, struct str *ret);
/* lines_next() would not have to read. */
bool lines_ready(struct lines *l);
/* Reads once, what there is: half a line, too.  False when reading failed. */
bool lines_read(struct lines *l);
