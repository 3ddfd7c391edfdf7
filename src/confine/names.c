/*
 * With a list of hosts, names are resolved by our helper on loopback, and by nobody else.
 * The host's own table of names would bypass it.
 */
#define _GNU_SOURCE
#include "base/buf.h"
#include "confine/enter_internal.h"
#include "os/fd.h"
#include "os/sys.h"
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

static int
write_text(const char *path, struct str text)
{
	cleanup_fd int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);

	if (fd < 0)
		return -errno;
	if (write(fd, text.p, text.n) != (ssize_t)text.n)
		return -EIO;
	return fchmod(fd, 0644) ? -errno : 0;
}

/* `path` is a symlink into a private directory: create the file there. */
static int
make_behind_link(const char *path, struct str text)
{
	char to[1024], whole[1100];
	ssize_t n = readlink(path, to, sizeof to - 1);
	size_t slash = str_rfind(str_from_c(path), '/');
	int r;

	/* There is no such file: without it a resolver asks loopback by default. */
	if (n <= 0)
		return 0;
	to[n] = '\0';
	slash = to[0] == '/' ? 0 : slash + 1;
	memcpy(whole, path, slash);
	memcpy(whole + slash, to, (size_t)n + 1);
	if ((r = mount_way(whole, false)))
		return r == -EROFS ? 0 : r;
	return write_text(whole, text);
}

/* Mount a file of ours over `path`. */
static int
cover(struct entering *e, const char *path, const char *own, struct str text)
{
	char real[1024];
	cleanup_fd int fd = open(e->path = path, O_PATH | O_CLOEXEC);
	int copy, r;

	if (fd < 0)
		return errno == ENOENT ? make_behind_link(path, text) : -errno;
	if (fd_path_into(fd, real, sizeof real) == 0)
		return -ENAMETOOLONG;
	if ((r = write_text(own, text)))
		return r;
	copy = mount_copy(own, KERNEL_MOUNT_RDONLY | KERNEL_MOUNT_NOSUID);
	return copy < 0 ? copy : mount_place(&copy, real);
}

/* Add the host's own name: some programs look it up. */
static struct str
put_hosts(char *buf, size_t n)
{
	struct utsname own;
	struct arena a;
	struct buf b;

	arena_init(&a, buf, n);
	buf_init(&b, &a);
	buf_puts(&b, "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost\n");
	if (uname(&own) == 0 && own.nodename[0]) {
		buf_puts(&b, "127.0.1.1\t");
		buf_puts(&b, own.nodename);
		buf_putc(&b, '\n');
	}
	return buf_str(&b);
}

int
step_names(struct entering *e)
{
	char buf[512];
	int r;

	if (!e->plan->listed)
		return 0;
	r = cover(
	    e, "/etc/resolv.conf", "/run/.resolv.conf", STR("nameserver 127.0.0.1\n"));
	return r ? r : cover(e, "/etc/hosts", "/run/.hosts", put_hosts(buf, sizeof buf));
}
