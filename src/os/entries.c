#define _GNU_SOURCE /* syscall */
#include "os/entries.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's struct linux_dirent64. */
struct kernel_dirent {
	uint64_t inode, next;
	unsigned short size;
	unsigned char type;
	char name[];
};

void
entries_init(struct entries *e, int fd)
{
	e->fd = fd;
	e->error = 0;
	e->at = e->n = 0;
}

static bool
read_more(struct entries *e)
{
	long n = syscall(SYS_getdents64, e->fd, e->list, sizeof e->list);

	if (n < 0)
		e->error = errno;
	e->at = 0;
	e->n = n > 0 ? (size_t)n : 0;
	return n > 0;
}

bool
entries_next(struct entries *e, struct str *ret, unsigned char *ret_type)
{
	while (e->at < e->n || read_more(e)) {
		const struct kernel_dirent *x = (const void *)(e->list + e->at);

		e->at += x->size;
		*ret = str_from_c(x->name);
		*ret_type = x->type;
		if (!str_is(*ret, ".") && !str_is(*ret, ".."))
			return true;
	}
	return false;
}
