#include "gate/rules/layers.h"
#include "os/file.h"
#include <fcntl.h>

static const struct str ends_mark = STR_INIT("# cordon session, ends ");

bool
session_is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			(c >= '0' && c <= '9') || c == '-' || c == '_'))
			return false;
	}
	return s.n > 0 && s.n <= SESSION_NAME && s.p[0] != '-';
}

int64_t
session_ends(struct str text)
{
	uint64_t at;

	if (!str_starts(text, ends_mark))
		return 0;
	text = str_skip(text, ends_mark.n);
	/* A malformed time counts as past. */
	if (!str_number(str_cut(text, 0, str_find(text, '\n')), INT64_MAX, &at) || !at)
		return 1;
	return (int64_t)at;
}

int64_t
session_file_ends(const char *path)
{
	cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char head[64];
	ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof head);

	return n < 0 ? 0 : session_ends(str_of(head, (size_t)n));
}

struct str
session_remains(struct arena *a, struct str text)
{
	struct buf b;

	buf_init(&b, a);
	while (text.n) {
		size_t end = str_find(text, '\n');
		struct str line = str_cut(text, 0, end);

		/* Replace dropped lines by empty ones, so that line numbers in messages
		 * stay right. */
		if (str_starts(line, STR("deny ")) || str_starts(line, STR("ask ")) ||
		    str_starts(line, STR("protect ")))
			buf_put(&b, line);
		buf_putc(&b, '\n');
		text = str_skip(text, end + 1);
	}
	return b.full ? (struct str){ NULL, 0 } : buf_str(&b);
}
