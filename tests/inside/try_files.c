/* Attempts on files: writes, links, handles, descriptors. */
#include "try.h"
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_renameat2
#define SYS_renameat2 316
#endif
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

static int
try_write(int c, char **v)
{
	int fd = open(word(c, v, 0), O_WRONLY | O_CREAT | O_TRUNC, 0644);

	return outcome(fd < 0 ? fd : write(fd, "PWN\n", 4));
}

/* Writes `text` to a file that openat2 makes or opens; the last word is how it resolves. */
static int
write_by_openat2(int c, char **v, const char *text)
{
	struct {
		uint64_t flags, mode, resolve;
	} how = { O_WRONLY | O_CREAT, 0644, strtoull(word(c, v, 1), NULL, 0) };
	long fd = syscall(SYS_openat2, AT_FDCWD, word(c, v, 0), &how, sizeof how);

	return outcome(fd < 0 ? fd : write((int)fd, text, strlen(text)));
}

static int
try_openat2(int c, char **v)
{
	return write_by_openat2(c, v, "PWN\n");
}

/* Reads by openat2; the last word is how long its argument is said to be. */
static int
try_read2(int c, char **v)
{
	struct {
		uint64_t flags, mode, resolve, more;
	} how = { O_RDONLY, 0, strtoull(word(c, v, 1), NULL, 0), 0 };
	char text[256];
	long fd = syscall(SYS_openat2, AT_FDCWD, word(c, v, 0), &how, number(c, v, 2));
	ssize_t n = fd < 0 ? -1 : read((int)fd, text, sizeof text);

	if (n > 0)
		(void)!write(1, text, (size_t)n);
	return outcome(n);
}

static int
try_make2(int c, char **v)
{
	return write_by_openat2(c, v, "made\n");
}

static int
try_exchange(int c, char **v)
{
	return outcome(
	    syscall(SYS_renameat2, AT_FDCWD, word(c, v, 0), AT_FDCWD, word(c, v, 1), 2));
}

static int
try_truncate(int c, char **v)
{
	return outcome(truncate(word(c, v, 0), 0));
}

/* Without the right to write. */
static int
try_empty(int c, char **v)
{
	return outcome(open(word(c, v, 0), O_TRUNC | (int)number(c, v, 1)));
}

static int
try_chmod(int c, char **v)
{
	return outcome(chmod(word(c, v, 0), 0666));
}

static int
try_chmod2(int c, char **v)
{
	return outcome(syscall(SYS_fchmodat2, AT_FDCWD, word(c, v, 0), 0666, 0));
}

static int
try_fchmod(int c, char **v)
{
	int fd = open(word(c, v, 0), O_RDONLY);

	return outcome(fd < 0 ? fd : fchmod(fd, 0666));
}

static int
try_utime(int c, char **v)
{
	struct timespec t[2] = { { 1, 0 }, { 1, 0 } };

	return outcome(utimensat(AT_FDCWD, word(c, v, 0), t, 0));
}

static int
try_setxattr(int c, char **v)
{
	return outcome(setxattr(word(c, v, 0), "user.pwn", "1", 1, 0));
}

static int
try_mknod(int c, char **v)
{
	return outcome(mknod(word(c, v, 0), S_IFBLK | 0666, makedev(8, 0)));
}

/* A descriptor that the caller left open. */
static int
try_fd_write(int c, char **v)
{
	return outcome(write((int)number(c, v, 0), "PWN\n", 4));
}

static int
try_fd_dir(int c, char **v)
{
	return outcome(openat((int)number(c, v, 0), word(c, v, 1), O_RDONLY));
}

static int
try_handle(int c, char **v)
{
	struct {
		unsigned bytes;
		int type;
		unsigned char room[128];
	} handle = { .bytes = 128 };
	int id, dir = open(word(c, v, 1), O_RDONLY);

	if (name_to_handle_at(
		AT_FDCWD, word(c, v, 0), (struct file_handle *)&handle, &id, 0))
		return errno;
	return outcome(open_by_handle_at(dir, (struct file_handle *)&handle, O_RDWR));
}

static int
try_io_uring(int c, char **v)
{
	char params[120] = { 0 };

	(void)c;
	(void)v;
	return outcome(syscall(SYS_io_uring_setup, 4, params));
}

/* A nameless file, given a name that must not be made. */
static int
try_tmpfile(int c, char **v)
{
	char path[64];
	int fd = open(".", O_TMPFILE | O_RDWR, 0755);

	if (fd < 0)
		return errno;
	(void)!write(fd, "PWN\n", 4);
	(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return outcome(linkat(AT_FDCWD, path, AT_FDCWD, word(c, v, 0), AT_SYMLINK_FOLLOW));
}

/* Opened for reading, then once more for writing by its descriptor's name. */
static int
try_reopen(int c, char **v)
{
	char path[64];
	int fd = open(word(c, v, 0), O_RDONLY);

	if (fd < 0)
		return errno;
	(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	fd = open(path, O_WRONLY | O_APPEND);
	return outcome(fd < 0 ? fd : write(fd, "PWN\n", 4));
}

static int
try_mmap(int c, char **v)
{
	int fd = open(word(c, v, 0), O_RDONLY);
	char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return errno;
	p[0] = 'P';
	return 0;
}

/* Takes a descriptor that a process outside offers on a socket. */
static int
try_take_fd(int c, char **v)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	char room[CMSG_SPACE(sizeof(int))], byte;
	struct iovec part = { &byte, 1 };
	struct msghdr m = { .msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = room,
		.msg_controllen = sizeof room };
	int s = socket(AF_UNIX, SOCK_STREAM, 0);

	(void)strncpy(to.sun_path, word(c, v, 0), sizeof to.sun_path - 1);
	if (connect(s, (struct sockaddr *)&to, sizeof to))
		return errno;
	return outcome(recvmsg(s, &m, 0) > 0 ? 0 : -1);
}

static const struct attempt all[] = {
	{ "write", try_write },
	{ "openat2", try_openat2 },
	{ "read2", try_read2 },
	{ "make2", try_make2 },
	{ "exchange", try_exchange },
	{ "truncate", try_truncate },
	{ "empty", try_empty },
	{ "chmod", try_chmod },
	{ "chmod2", try_chmod2 },
	{ "fchmod", try_fchmod },
	{ "utime", try_utime },
	{ "setxattr", try_setxattr },
	{ "mknod", try_mknod },
	{ "fd_write", try_fd_write },
	{ "fd_dir", try_fd_dir },
	{ "handle", try_handle },
	{ "io_uring", try_io_uring },
	{ "tmpfile", try_tmpfile },
	{ "reopen", try_reopen },
	{ "mmap", try_mmap },
	{ "take_fd", try_take_fd },
};

int
main(int argc, char **argv)
{
	return try_main(all, sizeof all / sizeof *all, argc, argv);
}
