#include "os/lines.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

bool
lines_init(struct lines *l, int fd)
{
	/* One more byte than the longest line, for its newline. */
	*l = (struct lines){ .fd = fd, .cap = LIMIT_LINE + 1 };
	l->mem = malloc(l->cap);
	return l->mem != NULL;
}

void
lines_done(struct lines *l)
{
	free(l->mem);
	l->mem = NULL;
}

bool
lines_read(struct lines *l)
{
	ssize_t n;

	if (l->to - l->from == l->cap) {
		l->skipping = true;
		l->from = l->to = l->seen = 0;
	}
	if (l->from > 0) {
		memmove(l->mem, l->mem + l->from, l->to - l->from);
		l->to -= l->from;
		l->from = 0;
	}
	do
		n = read(l->fd, l->mem + l->to, l->cap - l->to);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return false;
	if (n == 0)
		l->ended = true;
	l->to += (size_t)n;
	return true;
}

bool
lines_ready(struct lines *l)
{
	struct str have = str_of(l->mem + l->from, l->to - l->from);

	l->seen += str_find(str_skip(have, l->seen), '\n');
	return l->seen < have.n || l->ended;
}

enum lines_got
lines_next(struct lines *l, struct str *ret)
{
	size_t end, n;
	bool skipped;

	while (!lines_ready(l))
		if (!lines_read(l))
			return LINES_FAILED;
	end = l->seen;
	n = l->to - l->from;
	skipped = l->skipping;
	if (n == 0 && !skipped)
		return LINES_END;
	*ret = str_of(l->mem + l->from, end);
	l->from += end < n ? end + 1 : end;
	l->seen = 0;
	l->skipping = false;
	return skipped ? LINES_TOO_LONG : LINES_ONE;
}
