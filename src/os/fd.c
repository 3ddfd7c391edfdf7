#define _GNU_SOURCE /* for readlink() */
#include "os/fd.h"
#include "base/limits.h"
#include <errno.h>

bool
write_all(int fd, struct str s)
{
	while (s.n) {
		ssize_t n = write(fd, s.p, s.n);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0)
			s = str_skip(s, (size_t)n);
	}
	return true;
}

bool
fd_name(char *room, size_t n, const char *first, const char *second)
{
	size_t a = strlen(first), b = strlen(second);

	if (a + b >= n)
		return false;
	memcpy(room, first, a);
	memcpy(room + a, second, b + 1);
	return true;
}

size_t
fd_number(char *room, unsigned long number)
{
	char digits[24];
	size_t n = 0, i = 0;

	do
		digits[n++] = (char)('0' + number % 10);
	while (number /= 10);
	while (n)
		room[i++] = digits[--n];
	room[i] = '\0';
	return i;
}

const char *
fd_link(char *room, int fd)
{
	static const char start[] = "/proc/self/fd/";

	memcpy(room, start, sizeof start - 1);
	(void)fd_number(room + sizeof start - 1, (unsigned long)fd);
	return room;
}

const char *
proc_path(char *room, size_t n, long pid, const char *what)
{
	size_t length = strlen(what), at = 6;

	if (n < length + 32)
		return "/nowhere";
	memcpy(room, "/proc/", 6);
	at += fd_number(room + at, (unsigned long)pid);
	room[at++] = '/';
	memcpy(room + at, what, length + 1);
	return room;
}

size_t
fd_path_into(int fd, char *room, size_t n)
{
	char name[FD_LINK_SIZE];
	ssize_t got = readlink(fd_link(name, fd), room, n - 1);

	if (got <= 0 || (size_t)got >= n - 1 || room[0] != '/')
		return 0;
	room[got] = '\0';
	return (size_t)got;
}

struct str
fd_path(struct arena *a, int fd)
{
	char room[LIMIT_PATH];
	size_t n = fd_path_into(fd, room, sizeof room);

	return n ? arena_copy(a, str_of(room, n)) : (struct str){ NULL, 0 };
}
