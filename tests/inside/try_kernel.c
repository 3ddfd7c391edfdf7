/* Attempts on the kernel and on other processes. */
#include "try.h"
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif
#ifndef SYS_open_tree
#define SYS_open_tree 428
#define SYS_fsopen 430
#endif
#ifndef SYS_clone3
#define SYS_clone3 435
#endif

static int
try_unshare(int c, char **v)
{
	return outcome(unshare((int)number(c, v, 0)));
}

static int
try_clone(int c, char **v)
{
	long pid = syscall(SYS_clone, (unsigned long)number(c, v, 0) | SIGCHLD, 0, 0, 0, 0);

	if (pid == 0)
		_exit(0);
	return outcome(pid);
}

static int
try_clone3(int c, char **v)
{
	uint64_t args[11] = { (uint64_t)number(c, v, 0), 0, 0, 0, SIGCHLD };
	long pid = syscall(SYS_clone3, args, 64);

	if (pid == 0)
		_exit(0);
	return outcome(pid);
}

static int
try_setns(int c, char **v)
{
	char path[64];
	int fd;

	(void)snprintf(path, sizeof path, "/proc/%s/ns/%s", word(c, v, 0), word(c, v, 1));
	fd = open(path, O_RDONLY);
	return outcome(fd < 0 ? fd : setns(fd, 0));
}

static int
try_mount(int c, char **v)
{
	return outcome(mount("tmpfs", word(c, v, 0), "tmpfs", 0, NULL));
}

static int
try_remount(int c, char **v)
{
	return outcome(mount(NULL, word(c, v, 0), NULL, MS_REMOUNT | MS_BIND, NULL));
}

static int
try_umount(int c, char **v)
{
	return outcome(umount2(word(c, v, 0), MNT_DETACH));
}

static int
try_chroot(int c, char **v)
{
	return outcome(chroot(word(c, v, 0)));
}

static int
try_open_tree(int c, char **v)
{
	return outcome(syscall(SYS_open_tree, AT_FDCWD, word(c, v, 0), 1));
}

static int
try_fsopen(int c, char **v)
{
	return outcome(syscall(SYS_fsopen, word(c, v, 0), 0));
}

/* Only ways to call that change nothing even if they are let through. */
static int
try_call(int c, char **v)
{
	return outcome(syscall(number(c, v, 0), c > 1 ? number(c, v, 1) : 0,
	    c > 2 ? number(c, v, 2) : 0, c > 3 ? number(c, v, 3) : 0, 0, 0, 0));
}

static int
try_key(int c, char **v)
{
	long key = syscall(SYS_request_key, "user", word(c, v, 0), NULL, -3);

	return outcome(key);
}

static int
try_keyctl(int c, char **v)
{
	(void)c;
	(void)v;
	/* the user's own keyring, by its special number */
	return outcome(syscall(SYS_keyctl, 0, -4, 0));
}

static int
try_perf(int c, char **v)
{
	uint32_t attr[32] = { 1, 128 };

	(void)c;
	(void)v;
	return outcome(syscall(SYS_perf_event_open, attr, 0, -1, -1, 0));
}

static int
try_bpf(int c, char **v)
{
	uint32_t attr[32] = { 2, 4, 4, 1 };

	(void)c;
	(void)v;
	return outcome(syscall(SYS_bpf, 0, attr, sizeof attr));
}

static int
try_signal(int c, char **v)
{
	return outcome(kill((pid_t)number(c, v, 0), 0));
}

static int
try_ptrace(int c, char **v)
{
	/* 0 is who has started us. */
	pid_t pid = number(c, v, 0) ? (pid_t)number(c, v, 0) : getppid();
	int error = outcome(ptrace(PTRACE_ATTACH, pid, NULL, NULL));

	/* It must not wait for us when it is told of. */
	if (!error && waitpid(pid, NULL, __WALL) == pid)
		(void)ptrace(PTRACE_DETACH, pid, NULL, NULL);
	return error;
}

static int
try_memory(int c, char **v)
{
	char byte;
	struct iovec here = { &byte, 1 }, there = { (void *)0x400000, 1 };

	return outcome(
	    process_vm_readv((pid_t)number(c, v, 0), &here, 1, &there, 1, 0) < 0 ? -1 : 0);
}

static int
try_proc_mem(int c, char **v)
{
	char path[64];

	(void)snprintf(path, sizeof path, "/proc/%s/%s", word(c, v, 0), word(c, v, 1));
	return outcome(open(path, O_RDONLY));
}

static int
try_pidfd(int c, char **v)
{
	int fd = (int)syscall(SYS_pidfd_open, (pid_t)number(c, v, 0), 0);

	return outcome(fd < 0 ? fd : syscall(SYS_pidfd_getfd, fd, 0, 0));
}

/* 32 bits of the request count: the upper half is noise that a filter must not read. */
static int
try_sti(int c, char **v)
{
	unsigned long request = 0x5412UL | (unsigned long)number(c, v, 0) << 32;
	int fd = open("/dev/ptmx", O_RDWR);

	return outcome(syscall(SYS_ioctl, fd < 0 ? 0 : fd, request, "x"));
}

#ifdef __x86_64__
static int
try_x32(int c, char **v)
{
	(void)c;
	(void)v;
	return outcome(syscall(0x40000000L | SYS_getpid));
}

/* The table of 32-bit programs: getpid there is 20. */
static int
try_int80(int c, char **v)
{
	long r;

	(void)c;
	(void)v;
	__asm__ volatile("int $0x80"
			 : "=a"(r)
			 : "a"(20)
			 : "memory", "r8", "r9", "r10", "r11");
	return r > 0 ? 0 : ENOSYS;
}
#endif

static int
try_personality(int c, char **v)
{
	return outcome(personality((unsigned long)number(c, v, 0)));
}

static int
try_privileges(int c, char **v)
{
	(void)c;
	(void)v;
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? EPERM : 0;
}

static int
try_setuid(int c, char **v)
{
	return outcome(setuid((uid_t)number(c, v, 0)));
}

static const struct attempt all[] = {
	{ "unshare", try_unshare },
	{ "clone", try_clone },
	{ "clone3", try_clone3 },
	{ "setns", try_setns },
	{ "mount", try_mount },
	{ "remount", try_remount },
	{ "umount", try_umount },
	{ "chroot", try_chroot },
	{ "open_tree", try_open_tree },
	{ "fsopen", try_fsopen },
	{ "call", try_call },
	{ "key", try_key },
	{ "keyctl", try_keyctl },
	{ "perf", try_perf },
	{ "bpf", try_bpf },
	{ "signal", try_signal },
	{ "ptrace", try_ptrace },
	{ "memory", try_memory },
	{ "proc", try_proc_mem },
	{ "pidfd", try_pidfd },
	{ "sti", try_sti },
#ifdef __x86_64__
	{ "x32", try_x32 },
	{ "int80", try_int80 },
#endif
	{ "personality", try_personality },
	{ "privileges", try_privileges },
	{ "setuid", try_setuid },
};

int
main(int argc, char **argv)
{
	return try_main(all, sizeof all / sizeof *all, argc, argv);
}
