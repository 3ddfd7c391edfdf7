#include "base/buf.h"
#include "base/limits.h"
#include "cli/log/cmd_log.h"
#include "journal/report.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Limit for a file of heads. */
#define HEADS_BYTES ((size_t)64 << 20)

static int
by_sequence(const void *x, const void *y)
{
	const struct journal_head *a = x, *b = y;

	return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

/* Accept lines of `cordon log heads` or of the system log. */
static int
find_heads(struct arena *a, struct str text, struct log_heads *ret)
{
	struct log_heads found = { 0 };
	size_t room = 1;

	for (size_t i = 0; i < text.n; i++)
		room += text.p[i] == ':';
	found.v = arena_array(a, room, sizeof *found.v);
	if (!found.v)
		return internal_error("too many heads", 0);
	while (text.n) {
		size_t n = 0;

		while (n < text.n && !strchr(" \t\r\n\"", text.p[n]))
			n++;
		if (journal_head_read(str_cut(text, 0, n), &found.v[found.n]))
			found.n++;
		text = str_skip(text, n + 1);
	}
	qsort(found.v, found.n, sizeof *found.v, by_sequence);
	*ret = found;
	return 0;
}

/* 0, or an errno. */
static int
read_all(int fd, struct buf *text)
{
	for (;;) {
		char part[4096];
		ssize_t n = read(fd, part, sizeof part);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : 0;
		buf_put(text, str_of(part, (size_t)n));
	}
}

static int
read_file(const struct process *cli, struct str file, struct buf *text)
{
	char name[LIMIT_PATH];
	int fd = STDIN_FILENO, why;

	if (!str_is(file, "-")) {
		if (file.n >= sizeof name || str_find(file, '\0') < file.n)
			return usage_error(cli, "not a valid file name:", file);
		memcpy(name, file.p, file.n);
		name[file.n] = '\0';
		fd = open(name, O_RDONLY | O_CLOEXEC);
	}
	if (fd < 0)
		return internal_error("cannot read the heads", errno);
	why = read_all(fd, text);
	if (fd != STDIN_FILENO)
		(void)close(fd);
	if (why)
		return internal_error("cannot read the heads", why);
	return text->full ? usage_error(cli, "too many heads in", file) : 0;
}

int
log_read_heads(
    const struct process *cli, struct arena *a, struct str file, struct log_heads *ret)
{
	static struct arena memory; /* used until the process ends */
	struct buf text;
	int status;

	if (!arena_map(&memory, HEADS_BYTES))
		return internal_error("no memory", 0);
	buf_init(&text, &memory);
	status = read_file(cli, file, &text);
	if (!status)
		status = find_heads(a, buf_str(&text), ret);
	if (!status && ret->n == 0)
		return usage_error(cli, "no head found in", file);
	return status;
}
