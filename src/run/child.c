/* What a call's arguments mean to the one that made it. */
#define _GNU_SOURCE
#include "run/supervisor.h"
#include <sys/uio.h>

#define PAGE ((size_t)4096)

bool
child_read(pid_t pid, uint64_t at, void *room, size_t n)
{
	struct iovec here = { room, n }, there = { (void *)(uintptr_t)at, n };

	return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)n;
}

/* Page by page: what follows the text need not be there. */
bool
child_text(pid_t pid, uint64_t at, char *room, size_t n)
{
	size_t have = 0;

	while (have < n) {
		size_t part = PAGE - (size_t)((at + have) % PAGE);

		if (part > n - have)
			part = n - have;
		if (part > 256 && have == 0)
			part = 256;
		if (!child_read(pid, at + have, room + have, part))
			return false;
		if (memchr(room + have, '\0', part))
			return true;
		have += part;
	}
	return false;
}

static ssize_t
read_proc(pid_t pid, const char *what, char *room, size_t n)
{
	char path[64];
	closed_fd int fd =
	    open(proc_path(path, sizeof path, pid, what), O_RDONLY | O_CLOEXEC);

	return fd >= 0 ? read(fd, room, n) : -1;
}

/* The number behind `key` in one of its files; `base` 8 or 10. */
static bool
number_in(pid_t pid, const char *file, const char *key, unsigned base, unsigned *ret)
{
	char text[512];
	ssize_t n = read_proc(pid, file, text, sizeof text - 1);
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
	char room[FD_LINK_ROOM], file[FD_LINK_ROOM] = "fdinfo";
	const char *number = fd_link(room, fd) + sizeof "/proc/self/fd" - 1;
	unsigned flags;

	memcpy(file + strlen(file), number, strlen(number) + 1);
	return number_in(pid, file, "flags:", 8, &flags) ? flags : O_CLOEXEC;
}

mode_t
child_umask(pid_t pid)
{
	unsigned mask;

	return number_in(pid, "status", "\nUmask:", 8, &mask) ? mask & 0777 : 077;
}

pid_t
child_process(pid_t pid)
{
	unsigned process;

	return number_in(pid, "status", "\nTgid:", 10, &process) ? (pid_t)process : pid;
}

struct str
child_program(pid_t pid, char *room, size_t n)
{
	ssize_t got = read_proc(pid, "comm", room, n);

	if (got <= 0)
		return STR("?");
	return str_of(room, (size_t)got - (room[got - 1] == '\n'));
}
