/* The caller's memory and its files in /proc. */
#define _GNU_SOURCE
#include "broker/call.h"
#include <sys/uio.h>

#define PAGE ((size_t)4096)

bool
child_read(pid_t pid, uint64_t at, void *buf, size_t n)
{
	struct iovec here = { buf, n }, there = { (void *)(uintptr_t)at, n };

	return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)n;
}

bool
child_write(pid_t pid, uint64_t at, const void *from, size_t n)
{
	struct iovec here = { (void *)(uintptr_t)from, n },
		     there = { (void *)(uintptr_t)at, n };

	return process_vm_writev(pid, &here, 1, &there, 1, 0) == (ssize_t)n;
}

/* Read page by page: the page after the string need not be mapped. */
bool
child_text(pid_t pid, uint64_t at, char *buf, size_t n)
{
	size_t have = 0;

	while (have < n) {
		size_t part = PAGE - (size_t)((at + have) % PAGE);

		if (part > n - have)
			part = n - have;
		if (part > 256 && have == 0)
			part = 256;
		if (!child_read(pid, at + have, buf + have, part))
			return false;
		if (memchr(buf + have, '\0', part))
			return true;
		have += part;
	}
	return false;
}

int
child_file(pid_t pid, const char *what)
{
	char path[64];

	return openat(
	    AT_FDCWD, proc_path(path, sizeof path, pid, what), O_RDONLY | O_CLOEXEC);
}

/* Parse the number after `key` in an open file of /proc; `base` is 8 or 10. */
static bool
number_in(int fd, const char *key, unsigned base, unsigned *ret)
{
	char text[512];
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
	const char *p;

	if (n <= 0)
		return false;
	text[n] = '\0';
	p = strstr(text, key);
	if (!p)
		return false;
	for (p += strlen(key); *p == '\t' || *p == ' '; p++)
		;
	for (*ret = 0; *p >= '0' && *p <= '9'; p++)
		*ret = *ret * base + (unsigned)(*p - '0');
	return true;
}

unsigned
child_fd_flags(pid_t pid, int fd)
{
	char buf[FD_LINK_SIZE], file[FD_LINK_SIZE] = "fdinfo";
	const char *number = fd_link(buf, fd) + sizeof "/proc/self/fd" - 1;
	cleanup_fd int in = -1;
	unsigned flags;

	memcpy(file + strlen(file), number, strlen(number) + 1);
	in = child_file(pid, file);
	return number_in(in, "flags:", 8, &flags) ? flags : O_CLOEXEC;
}

bool
child_umask(int status, mode_t *ret)
{
	unsigned mask;

	if (!number_in(status, "\nUmask:", 8, &mask))
		return false;
	*ret = mask & 0777;
	return true;
}

pid_t
child_process(pid_t pid)
{
	cleanup_fd int status = child_file(pid, "status");
	unsigned process;

	return number_in(status, "\nTgid:", 10, &process) ? (pid_t)process : pid;
}

struct str
child_program(pid_t pid, char *buf, size_t n)
{
	cleanup_fd int fd = child_file(pid, "comm");
	ssize_t got = fd >= 0 ? read(fd, buf, n) : -1;

	if (got <= 0)
		return STR("?");
	return str_of(buf, (size_t)got - (buf[got - 1] == '\n'));
}

/* The last number of the line that begins with `key`; empty: there is none. */
static struct str
last_number(struct str text, struct str key)
{
	struct str line = { NULL, 0 };
	size_t tab;

	for (; text.n && !line.p; text = str_skip(text, str_find(text, '\n') + 1))
		if (str_starts(text, key))
			line = str_cut(text, 0, str_find(text, '\n'));
	tab = str_rfind(line, '\t');
	return tab == line.n ? STR("") : str_skip(line, tab + 1);
}

bool
child_inner(pid_t pid, bool thread, char *buf, size_t n)
{
	char text[PAGE], *end = buf;
	cleanup_fd int fd = child_file(pid, "status");
	ssize_t got = fd >= 0 ? read(fd, text, sizeof text) : -1;
	struct str status = str_of(text, got > 0 ? (size_t)got : 0);
	const struct str parts[] = { last_number(status, STR("NStgid:")), STR("/task/"),
		last_number(status, STR("NSpid:")) };

	if (parts[0].n == 0 || parts[2].n == 0 ||
	    parts[0].n + parts[1].n + parts[2].n + 1 > n)
		return false;
	for (size_t i = 0; i < (thread ? 3U : 1U); i++) {
		memcpy(end, parts[i].p, parts[i].n);
		end += parts[i].n;
	}
	*end = '\0';
	return true;
}
