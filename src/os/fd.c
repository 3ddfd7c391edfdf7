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
fd_name(char *out, size_t n, const char *first, const char *second)
{
	size_t a = strlen(first), b = strlen(second);

	if (a + b >= n)
		return false;
	memcpy(out, first, a);
	memcpy(out + a, second, b + 1);
	return true;
}

size_t
fd_number(char *out, unsigned long number)
{
	char digits[24];
	size_t n = 0, i = 0;

	do
		digits[n++] = (char)('0' + number % 10);
	while (number /= 10);
	while (n)
		out[i++] = digits[--n];
	out[i] = '\0';
	return i;
}

const char *
fd_link(char *out, int fd)
{
	static const char start[] = "/proc/self/fd/";

	memcpy(out, start, sizeof start - 1);
	(void)fd_number(out + sizeof start - 1, (unsigned long)fd);
	return out;
}

const char *
proc_path(char *out, size_t n, long pid, const char *what)
{
	size_t length = strlen(what), at = 6;

	if (n < length + 32)
		return "/nowhere";
	memcpy(out, "/proc/", 6);
	at += fd_number(out + at, (unsigned long)pid);
	out[at++] = '/';
	memcpy(out + at, what, length + 1);
	return out;
}

size_t
fd_path_into(int fd, char *out, size_t n)
{
	char name[FD_LINK_SIZE];
	ssize_t got = readlink(fd_link(name, fd), out, n - 1);

	if (got <= 0 || (size_t)got >= n - 1 || out[0] != '/')
		return 0;
	out[got] = '\0';
	return (size_t)got;
}

struct str
fd_path(struct arena *a, int fd)
{
	char out[LIMIT_PATH];
	size_t n = fd_path_into(fd, out, sizeof out);

	return n ? arena_copy(a, str_of(out, n)) : (struct str){ NULL, 0 };
}
