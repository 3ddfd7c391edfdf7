#include "cli/lines.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

bool
lines_init(struct lines *l, int fd)
{
	/* One byte more than a line may have: its newline. */
	*l = (struct lines){ .fd = fd, .room = LIMIT_LINE + 1 };
	l->mem = malloc(l->room);
	return l->mem != NULL;
}

void
lines_done(struct lines *l)
{
	free(l->mem);
	l->mem = NULL;
}

/* Reads more; false when reading failed.  `ended` is set at the end. */
static bool
fill(struct lines *l)
{
	ssize_t n;

	if (l->from > 0) {
		memmove(l->mem, l->mem + l->from, l->to - l->from);
		l->to -= l->from;
		l->from = 0;
	}
	do
		n = read(l->fd, l->mem + l->to, l->room - l->to);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return false;
	if (n == 0)
		l->ended = true;
	l->to += (size_t)n;
	return true;
}

enum lines_got
lines_next(struct lines *l, struct str *ret)
{
	size_t seen = 0;
	bool skipping = false;

	for (;;) {
		struct str have = str_of(l->mem + l->from, l->to - l->from);
		size_t end = seen + str_find(str_skip(have, seen), '\n');

		if (end < have.n || (l->ended && (have.n || skipping))) {
			l->from += end < have.n ? end + 1 : end;
			*ret = str_cut(have, 0, end);
			return skipping ? LINES_TOO_LONG : LINES_ONE;
		}
		if (l->ended)
			return LINES_END;
		if (have.n == l->room) {
			skipping = true;
			l->from = l->to = 0;
		}
		seen = l->to - l->from;
		if (!fill(l))
			return LINES_FAILED;
	}
}
