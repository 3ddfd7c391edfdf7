/* The namespaces of a run, and its user and group maps. */
#define _GNU_SOURCE
#include "confine/enter_internal.h"
#include "os/fd.h"
#include "os/sys.h"

unsigned long
enter_namespaces(const struct plan *plan)
{
	return KERNEL_CLONE_NEWUSER | KERNEL_CLONE_NEWNS | KERNEL_CLONE_NEWPID |
	       KERNEL_CLONE_NEWIPC | KERNEL_CLONE_NEWUTS | KERNEL_CLONE_NEWCGROUP |
	       (plan->network ? 0 : KERNEL_CLONE_NEWNET);
}

static int
write_file(pid_t pid, const char *what, struct str text)
{
	char path[64];
	cleanup_fd int fd =
	    openat(AT_FDCWD, proc_path(path, sizeof path, pid, what), O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return write(fd, text.p, text.n) == (ssize_t)text.n ? 0 : -errno;
}

static void
put_map_line(struct buf *b, uint64_t id, uint64_t count)
{
	buf_putu(b, id);
	buf_putc(b, ' ');
	buf_putu(b, id);
	buf_putc(b, ' ');
	buf_putu(b, count);
	buf_putc(b, '\n');
}

/* Parse the next number of `text` from *at on. */
static bool
next_number(struct str text, size_t *at, uint64_t *ret)
{
	struct str rest = str_skip(text, *at);

	while (rest.n && (rest.p[0] == ' ' || rest.p[0] == '\n'))
		rest = str_skip(rest, 1);
	if (!str_take_number(&rest, UINT64_MAX, ret))
		return false;
	*at = text.n - rest.n;
	return true;
}

/* Map every ID that we have ourselves to itself: owners and groups look as they are, and
 * git finds its index as it left it. */
static bool
everybody(const char *file, struct buf *out)
{
	char text[2048];
	cleanup_fd int fd = openat(AT_FDCWD, file, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text) : -1;
	uint64_t first, outside, count;
	size_t at = 0;

	if (n <= 0 || n == (ssize_t)sizeof text)
		return false;
	while (next_number(str_of(text, (size_t)n), &at, &first) &&
	       next_number(str_of(text, (size_t)n), &at, &outside) &&
	       next_number(str_of(text, (size_t)n), &at, &count))
		put_map_line(out, first, count);
	return out->n > 0 && !out->full;
}

static int
map_everybody(pid_t pid)
{
	char memory[4096];
	struct arena a;
	struct buf users, groups;

	arena_init(&a, memory, sizeof memory);
	buf_init(&users, &a);
	if (!everybody("/proc/self/uid_map", &users))
		return -EINVAL;
	buf_init(&groups, &a);
	if (!everybody("/proc/self/gid_map", &groups))
		return -EINVAL;
	if (write_file(pid, "uid_map", buf_str(&users)))
		return -EPERM;
	return write_file(pid, "gid_map", buf_str(&groups));
}

int
enter_map_users(pid_t pid)
{
	char memory[256];
	struct arena a;
	struct buf b;
	int r;

	if (geteuid() == 0 && map_everybody(pid) == 0)
		return 0;
	arena_init(&a, memory, sizeof memory);
	buf_init(&b, &a);
	put_map_line(&b, geteuid(), 1);
	/* The earlier attempt may have written it already. */
	r = write_file(pid, "uid_map", buf_str(&b));
	if (r && geteuid() != 0)
		return r;
	if ((r = write_file(pid, "setgroups", STR("deny"))))
		return r;
	buf_init(&b, &a);
	put_map_line(&b, getegid(), 1);
	return write_file(pid, "gid_map", buf_str(&b));
}
