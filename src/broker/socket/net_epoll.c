/*
 * A socket that was in an epoll set before it was connected.  Some programs register first
 * and connect then; the socket that replaces theirs must be in the same sets, with the same
 * events and data.  /proc reports these.  A set identifies a file by its descriptor number
 * in the process that adds it, so this is done in a process of its own, where any number is
 * free.
 */
#define _GNU_SOURCE
#include "broker/call.h"
#include "broker/socket/net.h"
#include <dirent.h>
#include <sys/epoll.h>

#define SETS_MAX 8
#define INFO_BYTES ((size_t)4096) /* read at once; longer than a line */

/* The number of a directory entry, or -1. */
static int
entry_number(const char *name)
{
	uint64_t n;

	return str_number(str_from_c(name), 999999999, &n) ? (int)n : -1;
}

static uint64_t
take_number(const char **p, unsigned base)
{
	uint64_t n = 0;

	while (**p && **p != ':')
		(*p)++;
	while (**p == ':' || **p == ' ')
		(*p)++;
	for (;; (*p)++) {
		char c = **p;
		unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
				 : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
							: 16;

		if (digit >= base)
			return n;
		n = n * base + digit;
	}
}

/* Parse a line of an epoll set's fdinfo: "tfd: 5 events: 19 data: 5 ...". */
static bool
is_watch(const char *line, int number, struct epoll_event *ret)
{
	if (strncmp(line, "tfd:", 4) != 0 || take_number(&line, 10) != (uint64_t)number)
		return false;
	ret->events = (uint32_t)take_number(&line, 16);
	ret->data.u64 = take_number(&line, 16);
	return true;
}

/* Find the descriptor `number` in the fdinfo of a set, which may have thousands of
 * lines. */
static bool
read_watch(pid_t pid, int set, int number, struct epoll_event *ret)
{
	char buf[INFO_BYTES], path[64], link[FD_LINK_SIZE], what[FD_LINK_SIZE] = "fdinfo";
	const char *name = fd_link(link, set) + sizeof "/proc/self/fd" - 1;
	cleanup_fd int fd = -1;
	size_t have = 0;
	ssize_t n;

	memcpy(what + strlen(what), name, strlen(name) + 1);
	fd = open(proc_path(path, sizeof path, pid, what), O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && (n = read(fd, buf + have, sizeof buf - have)) > 0) {
		char *line = buf, *end;

		have += (size_t)n;
		while ((end = memchr(line, '\n', (size_t)(buf + have - line)))) {
			*end = '\0';
			if (is_watch(line, number, ret))
				return true;
			line = end + 1;
		}
		have = (size_t)(buf + have - line);
		memmove(buf, line, have);
	}
	return false;
}

/* Find at most `most` epoll sets that watch the descriptor `number`, with its events in
 * each. */
static size_t
find_watching(pid_t pid, int number, int *sets, struct epoll_event *events, size_t most)
{
	char path[64], to[64];
	DIR *d = opendir(proc_path(path, sizeof path, pid, "fd"));
	const struct dirent *e;
	size_t n = 0;

	while (d && n < most && (e = readdir(d))) {
		ssize_t length = readlinkat(dirfd(d), e->d_name, to, sizeof to);

		sets[n] = entry_number(e->d_name);
		n += length > 0 &&
		     str_is(str_of(to, (size_t)length), "anon_inode:[eventpoll]") &&
		     read_watch(pid, sets[n], number, &events[n]);
	}
	if (d)
		(void)closedir(d);
	return n;
}

bool
net_is_watched(pid_t pid, int number)
{
	struct epoll_event event;
	int set;

	return find_watching(pid, number, &set, &event, 1) > 0;
}

/* Free the descriptor `number` here; move what the worker still needs. */
static bool
free_place(const struct call *c, int *old, int *fd, int number)
{
	int *const kept[] = { &c->br->listener, old, fd };

	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		if (*kept[i] == number &&
		    (*kept[i] = fcntl(number, F_DUPFD_CLOEXEC, number + 1)) < 0)
			return false;
	return true;
}

void
net_watch_again(const struct call *c, int old, int fd, int number)
{
	pid_t pid = child_process((pid_t)c->n.pid);
	int sets[SETS_MAX], copies[SETS_MAX];
	struct epoll_event events[SETS_MAX];
	cleanup_fd int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	size_t n = find_watching(pid, number, sets, events, SETS_MAX), found = 0;

	for (size_t i = 0; i < n; i++) {
		int copy = (int)syscall(SYS_pidfd_getfd, pidfd, sets[i], 0);

		if (copy < 0)
			continue;
		events[found] = events[i];
		copies[found] = fcntl(copy, F_DUPFD_CLOEXEC, number + 1);
		(void)close(copy);
		found += copies[found] >= 0;
	}
	if (!found || !free_place(c, &old, &fd, number) || dup3(old, number, O_CLOEXEC) < 0)
		return;
	/* Others still have the old socket open: remove it explicitly. */
	for (size_t i = 0; i < found; i++)
		(void)epoll_ctl(copies[i], EPOLL_CTL_DEL, number, NULL);
	if (dup3(fd, number, O_CLOEXEC) < 0)
		return;
	for (size_t i = 0; i < found; i++)
		(void)epoll_ctl(copies[i], EPOLL_CTL_ADD, number, &events[i]);
}
