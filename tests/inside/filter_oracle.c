/*
 * Our filter and one that libseccomp makes from a description of the same wishes: the same
 * answer for every system call and many arguments.  Prints the number compared, or the
 * first difference.
 */
#define _GNU_SOURCE
#include "confine/filter/filter.h"
#include "filter_run.h"
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>

#define NUMBERS 600

static const char *const never[] = { "mount", "umount2", "pivot_root", "chroot",
	"open_tree", "move_mount", "fsopen", "fsconfig", "fsmount", "fspick",
	"mount_setattr", "unshare", "setns", "bpf", "perf_event_open", "userfaultfd",
	"io_uring_setup", "io_uring_enter", "io_uring_register", "fanotify_init",
	"fanotify_mark", "kcmp", "lookup_dcookie", "keyctl", "process_vm_writev", "add_key",
	"request_key", "open_by_handle_at", "pidfd_getfd", "init_module", "finit_module",
	"delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff",
	"quotactl", "quotactl_fd", "acct", "syslog", "settimeofday", "clock_settime",
	"sethostname", "setdomainname", "vhangup", "nfsservctl", "iopl", "ioperm", "uselib",
	"ustat", "sysfs", "modify_ldt", "_sysctl" };
/* Too new for the library's names. */
static const int never_new[] = { SYS_open_tree_attr, SYS_statmount, SYS_listmount };
static const char *const told[] = { "umask", "openat2", "mkdirat", "mknodat", "unlinkat",
	"symlinkat", "linkat", "renameat2", "truncate", "fchmodat", "fchownat", "setxattr",
	"lsetxattr", "removexattr", "lremovexattr", "renameat", "creat", "mkdir", "mknod",
	"unlink", "rmdir", "symlink", "link", "rename", "chmod", "chown", "lchown", "utime",
	"utimes", "futimesat", "connect", "bind", "fchmod", "fsetxattr", "fremovexattr" };
/* In the tables of the kernel, but without a program that calls them. */
static const char *const absent[] = { "afs_syscall", "create_module", "epoll_ctl_old",
	"epoll_wait_old", "get_kernel_syms", "getpmsg", "putpmsg", "query_module",
	"security", "tuxcall", "vserver" };
/* Numbers that are called since the library was made; the same everywhere. */
#define NEWEST 469
#define LSM_FIRST 459 /* lsm_get_self_attr ... lsm_list_modules are not called */
#define LSM_LAST 461
static const uint32_t write_bits[] = { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, 020000000 };

static void
must(int r, const char *what)
{
	if (r < 0) {
		(void)printf("libseccomp: %s: %d\n", what, r);
		exit(2);
	}
}

#define RULE(c, act, call, n, ...)                                                         \
	must(seccomp_rule_add(c, act, call, n, ##__VA_ARGS__), #call)
#define LOW 0xffffffffULL

static bool
is_absent(int nr)
{
	char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, nr);
	bool found = false;

	for (size_t i = 0; name && i < sizeof absent / sizeof *absent; i++)
		found = found || strcmp(name, absent[i]) == 0;
	if (nr >= SYS_pidfd_open && nr <= NEWEST)
		found = nr >= LSM_FIRST && nr <= LSM_LAST;
	else if (!name)
		found = nr != 335 && nr != 336; /* uretprobe, uprobe */
	free(name);
	return found;
}

static void
describe_absent(scmp_filter_ctx c)
{
	for (int nr = 0; nr < NUMBERS; nr++)
		if (is_absent(nr))
			RULE(c, SCMP_ACT_ERRNO(ENOSYS), nr, 0);
}

static void
describe_calls(scmp_filter_ctx c)
{
	for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
		int nr = seccomp_syscall_resolve_name(never[i]);

		if (nr >= 0)
			RULE(c, SCMP_ACT_ERRNO(EPERM), nr, 0);
	}
	for (size_t i = 0; i < sizeof never_new / sizeof *never_new; i++)
		RULE(c, SCMP_ACT_ERRNO(EPERM), never_new[i], 0);
	for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
		int nr = seccomp_syscall_resolve_name(told[i]);

		if (nr >= 0)
			RULE(c, SCMP_ACT_NOTIFY, nr, 0);
	}
	RULE(c, SCMP_ACT_NOTIFY, SYS_fchmodat2, 0);
	RULE(c, SCMP_ACT_NOTIFY, SYS_setxattrat, 0);
	RULE(c, SCMP_ACT_NOTIFY, SYS_removexattrat, 0);
	RULE(c, SCMP_ACT_NOTIFY, SYS_file_setattr, 0);
	RULE(c, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(setpriority), 2,
	    SCMP_A0(SCMP_CMP_MASKED_EQ, LOW, 1), SCMP_A1(SCMP_CMP_MASKED_EQ, LOW, 0));
	RULE(c, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioprio_set), 2,
	    SCMP_A0(SCMP_CMP_MASKED_EQ, LOW, 2), SCMP_A1(SCMP_CMP_MASKED_EQ, LOW, 0));
	RULE(c, SCMP_ACT_NOTIFY, SCMP_SYS(utimensat), 1, SCMP_A1(SCMP_CMP_NE, 0));
	for (size_t i = 0; i < sizeof write_bits / sizeof *write_bits; i++) {
		uint32_t bit = write_bits[i];

		RULE(c, SCMP_ACT_NOTIFY, SCMP_SYS(openat), 1,
		    SCMP_A2(SCMP_CMP_MASKED_EQ, bit, bit));
		RULE(c, SCMP_ACT_NOTIFY, SCMP_SYS(open), 1,
		    SCMP_A1(SCMP_CMP_MASKED_EQ, bit, bit));
	}
	for (int bit = 0; bit < 32; bit++)
		if (KERNEL_CLONE_NEW_ALL >> bit & 1)
			RULE(c, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
			    SCMP_A0(SCMP_CMP_MASKED_EQ, 1ULL << bit, 1ULL << bit));
	RULE(c, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
	RULE(c, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(fcntl), 2,
	    SCMP_A1(SCMP_CMP_MASKED_EQ, LOW, 1024), SCMP_A2(SCMP_CMP_NE, 2));
	RULE(c, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(fcntl), 1,
	    SCMP_A1(SCMP_CMP_MASKED_EQ, LOW, 1040));
	RULE(c, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
	    SCMP_A1(SCMP_CMP_MASKED_EQ, LOW, 0x5412));
	RULE(c, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
	    SCMP_A1(SCMP_CMP_MASKED_EQ, LOW, 0x541c));
	RULE(c, SCMP_ACT_NOTIFY, SCMP_SYS(ioctl), 1,
	    SCMP_A1(SCMP_CMP_MASKED_EQ, LOW, 0x5414));
}

static bool
is_known_family(int family)
{
	return family == AF_UNIX || family == AF_INET || family == AF_INET6 || family == 16;
}

static void
describe_sockets(scmp_filter_ctx c)
{
	for (unsigned family = 0; family < 64; family++)
		if (!is_known_family((int)family))
			RULE(c, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 1,
			    SCMP_A0(SCMP_CMP_MASKED_EQ, LOW, family));
	for (unsigned type = 0; type < 16; type++) {
		if (type == SOCK_STREAM || type == SOCK_SEQPACKET)
			continue;
		RULE(c, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 2,
		    SCMP_A0(SCMP_CMP_MASKED_EQ, LOW, AF_UNIX),
		    SCMP_A1(SCMP_CMP_MASKED_EQ, 0xf, type));
		RULE(c, type == SOCK_DGRAM ? SCMP_ACT_NOTIFY : SCMP_ACT_ERRNO(EAFNOSUPPORT),
		    SCMP_SYS(socketpair), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, 0xf, type));
	}
	for (unsigned protocol = 1; protocol < 40; protocol++)
		RULE(c, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 2,
		    SCMP_A0(SCMP_CMP_MASKED_EQ, LOW, 16),
		    SCMP_A2(SCMP_CMP_MASKED_EQ, LOW, protocol));
}

/* Classic BPF, all of it that either side uses. */
static uint32_t
interpret(const struct kernel_bpf *v, size_t n, const struct kernel_seccomp_data *data)
{
	uint32_t a = 0;

	for (size_t i = 0; i < n; i++) {
		bool hit;

		switch (v[i].code) {
		case 0x20:
			memcpy(&a, (const char *)data + v[i].k, sizeof a);
			continue;
		case 0x54:
			a &= v[i].k;
			continue;
		case 0x05:
			i += v[i].k;
			continue;
		case 0x06:
			return v[i].k;
		case 0x15:
			hit = a == v[i].k;
			break;
		case 0x25:
			hit = a > v[i].k;
			break;
		case 0x35:
			hit = a >= v[i].k;
			break;
		case 0x45:
			hit = (a & v[i].k) != 0;
			break;
		default:
			(void)printf("unknown operation %x\n", v[i].code);
			exit(2);
		}
		i += hit ? v[i].jt : v[i].jf;
	}
	exit(2);
}

static size_t export(scmp_filter_ctx c, struct kernel_bpf *room, size_t n)
{
	int fd = memfd_create("filter", 0);
	ssize_t got;

	must(seccomp_export_bpf(c, fd), "export");
	got = pread(fd, room, n * sizeof *room, 0);
	(void)close(fd);
	return got > 0 ? (size_t)got / sizeof *room : 0;
}

int
main(void)
{
	static const uint64_t values[] = { 0, 1, 2, 3, 5, 8, 9, 10, 16, 17, 38, 40, 1024,
		1040, 0x5401, 0x5412, 0x5414, 0x541c, 04755, 0x40000, 0x400000, 0x80001,
		0x80002, 0x10000011, 0x20000, O_CREAT | O_WRONLY, O_TRUNC,
		O_RDWR | O_CLOEXEC, O_DIRECTORY, 020000000, 0x100005412, 0xffffffff };
	const size_t n = sizeof values / sizeof *values;
	static struct kernel_bpf theirs[16384];
	struct filter_opts opts = { .listen = true };
	struct filter ours;
	scmp_filter_ctx c = seccomp_init(SCMP_ACT_ALLOW);
	size_t length, compared = 0;

	if (!c || !filter_make(&ours, &opts))
		return 2;
	describe_absent(c);
	describe_calls(c);
	describe_sockets(c);
	must(seccomp_attr_set(c, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS), "arch");
	length = export(c, theirs, sizeof theirs / sizeof *theirs);
	for (int nr = 0; nr < NUMBERS; nr++) {
		/* The library cannot say "none of these values". */
		bool skip = nr == SYS_personality || nr == SYS_fchown;

		for (size_t i = 0; i < n * n * n && !skip; i++) {
			struct kernel_seccomp_data d = { .nr = nr,
				.arch = KERNEL_AUDIT_ARCH,
				.args = {
				    values[i % n], values[i / n % n], values[i / n / n] } };
			uint32_t x = filter_run(&ours, &d),
				 y = interpret(theirs, length, &d);

			/* Families beyond those described. */
			if (nr == SYS_socket &&
			    ((uint32_t)d.args[0] > 63 || (uint32_t)d.args[2] > 39))
				continue;
			compared++;
			if (x == y)
				continue;
			(void)printf(
			    "call %d (%llx, %llx, %llx): ours %x, libseccomp's %x\n", nr,
			    (unsigned long long)d.args[0], (unsigned long long)d.args[1],
			    (unsigned long long)d.args[2], x, y);
			return 1;
		}
	}
	(void)printf("%zu compared, ours has %u instructions\n", compared, ours.n);
	return 0;
}
