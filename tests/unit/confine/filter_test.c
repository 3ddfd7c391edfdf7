/* MUST 1 to 3 of confine/filter/filter.h, on the program that the kernel gets. */
#define _GNU_SOURCE
#include "../cm.h"
#include "confine/filter/filter.h"
#include "inside/filter_run.h"
#include <sys/socket.h>

#define ALLOW KERNEL_SECCOMP_RET_ALLOW
#define NOTIFY KERNEL_SECCOMP_RET_NOTIF
#define REFUSE(e) (KERNEL_SECCOMP_RET_ERRNO | (e))

static const struct {
	int nr;
	uint64_t args[3];
	uint32_t plain;    /* without a listener */
	uint32_t listened; /* with a supervisor that listens */
} cases[] = {
	{ SYS_read, { 0 }, ALLOW, ALLOW },
	{ SYS_getpid, { 0 }, ALLOW, ALLOW },
	{ SYS_ptrace, { 0 }, ALLOW, ALLOW },
	{ SYS_openat, { 0, 0, O_RDONLY }, ALLOW, ALLOW },
	{ SYS_openat, { 0, 0, O_RDONLY | O_CLOEXEC | O_DIRECTORY }, ALLOW, ALLOW },
	{ SYS_openat, { 0, 0, O_WRONLY }, ALLOW, NOTIFY },
	{ SYS_openat, { 0, 0, O_RDWR }, ALLOW, NOTIFY },
	{ SYS_openat, { 0, 0, O_RDONLY | O_CREAT }, ALLOW, NOTIFY },
	{ SYS_openat, { 0, 0, O_RDONLY | O_TRUNC }, ALLOW, NOTIFY },
	{ SYS_openat, { 0, 0, 0xf00000000 | O_WRONLY }, ALLOW, NOTIFY },
	{ SYS_openat2, { 0 }, ALLOW, NOTIFY },
	{ SYS_unlinkat, { 0 }, ALLOW, NOTIFY },
	{ SYS_renameat2, { 0 }, ALLOW, NOTIFY },
	{ SYS_connect, { 0 }, ALLOW, NOTIFY },
	{ SYS_execve, { 0 }, ALLOW, ALLOW },
	{ SYS_mount, { 0 }, REFUSE(EPERM), REFUSE(EPERM) },
	{ SYS_unshare, { 0 }, REFUSE(EPERM), REFUSE(EPERM) },
	{ SYS_setns, { 0 }, REFUSE(EPERM), REFUSE(EPERM) },
	{ SYS_bpf, { 0 }, REFUSE(EPERM), REFUSE(EPERM) },
	{ SYS_keyctl, { 0 }, REFUSE(EPERM), REFUSE(EPERM) },
	{ SYS_io_uring_setup, { 0 }, REFUSE(EPERM), REFUSE(EPERM) },
	{ SYS_userfaultfd, { 0 }, REFUSE(EPERM), REFUSE(EPERM) },
	{ SYS_open_by_handle_at, { 0 }, REFUSE(EPERM), REFUSE(EPERM) },
	{ SYS_pidfd_getfd, { 0 }, REFUSE(EPERM), REFUSE(EPERM) },
	{ SYS_reboot, { 0 }, REFUSE(EPERM), REFUSE(EPERM) },
	{ SYS_clone, { 17 }, ALLOW, ALLOW },
	{ SYS_clone, { 0x10000011 }, REFUSE(EPERM), REFUSE(EPERM) },
	{ SYS_clone, { 0x00020011 }, REFUSE(EPERM), REFUSE(EPERM) },
	{ SYS_clone3, { 0 }, REFUSE(ENOSYS), REFUSE(ENOSYS) },
	{ SYS_ioctl, { 0, 0x5401 }, ALLOW, ALLOW },
	{ SYS_ioctl, { 0, 0x5412 }, REFUSE(EPERM), REFUSE(EPERM) },
	{ SYS_ioctl, { 0, 0x100005412 }, REFUSE(EPERM), REFUSE(EPERM) },
	{ SYS_ioctl, { 0, 0x541c }, REFUSE(EPERM), REFUSE(EPERM) },
	{ SYS_ioctl, { 0, 0x5414 }, REFUSE(EPERM), NOTIFY }, /* TIOCSWINSZ */
	{ SYS_ioctl, { 0, 0x5413 }, ALLOW, ALLOW },          /* TIOCGWINSZ */
	{ SYS_socket, { AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC }, ALLOW, ALLOW },
	{ SYS_socket, { AF_UNIX, SOCK_SEQPACKET }, ALLOW, ALLOW },
	{ SYS_socket, { AF_UNIX, SOCK_DGRAM }, REFUSE(EAFNOSUPPORT), REFUSE(EAFNOSUPPORT) },
	{ SYS_socket, { AF_UNIX, SOCK_RAW }, REFUSE(EAFNOSUPPORT), REFUSE(EAFNOSUPPORT) },
	{ SYS_socket, { AF_INET, SOCK_DGRAM }, ALLOW, ALLOW },
	{ SYS_socket, { AF_INET6, SOCK_STREAM }, ALLOW, ALLOW },
	{ SYS_socket, { 16, SOCK_RAW, 0 }, ALLOW, ALLOW },
	{ SYS_socket, { 16, SOCK_RAW, 9 }, REFUSE(EAFNOSUPPORT), REFUSE(EAFNOSUPPORT) },
	{ SYS_socket, { 40, SOCK_STREAM }, REFUSE(EAFNOSUPPORT), REFUSE(EAFNOSUPPORT) },
	{ SYS_socket, { 38, SOCK_SEQPACKET }, REFUSE(EAFNOSUPPORT), REFUSE(EAFNOSUPPORT) },
	{ SYS_socket, { 17, SOCK_RAW }, REFUSE(EAFNOSUPPORT), REFUSE(EAFNOSUPPORT) },
	{ SYS_socketpair, { AF_UNIX, SOCK_STREAM }, ALLOW, ALLOW },
	{ SYS_socketpair, { AF_UNIX, SOCK_DGRAM }, REFUSE(EAFNOSUPPORT), NOTIFY },
	{ SYS_socketpair, { AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC }, REFUSE(EAFNOSUPPORT),
	    NOTIFY },
	{ SYS_socketpair, { AF_UNIX, SOCK_SEQPACKET }, ALLOW, ALLOW },
	{ SYS_socketpair, { AF_UNIX, SOCK_RAW }, REFUSE(EAFNOSUPPORT),
	    REFUSE(EAFNOSUPPORT) },
	{ SYS_bind, { 3 }, ALLOW, NOTIFY },
	{ SYS_personality, { 0xffffffff }, ALLOW, ALLOW },
	{ SYS_personality, { 0x40000 }, ALLOW, ALLOW },
	{ SYS_personality, { 0x400000 }, REFUSE(EPERM), REFUSE(EPERM) },
	/* An open file, too: its name may be protected. */
	{ SYS_fchmod, { 3, 0644 }, ALLOW, NOTIFY },
	{ SYS_fchmod, { 3, 04755 }, REFUSE(EPERM), NOTIFY },
	{ SYS_fchmod, { 3, 02755 }, REFUSE(EPERM), NOTIFY },
	{ SYS_fsetxattr, { 3 }, ALLOW, NOTIFY },
	{ SYS_fremovexattr, { 3 }, ALLOW, NOTIFY },
	/* The caller's own group is 0 here. */
	{ SYS_fchown, { 3, 0, 0 }, ALLOW, ALLOW },
	{ SYS_fchown, { 3, 0, 0xffffffff }, ALLOW, ALLOW },
	{ SYS_fchown, { 3, 0, 0xffffffffffffffff }, ALLOW, ALLOW },
	{ SYS_fchown, { 3, 0, 27 }, ALLOW, NOTIFY },
	/* Times by a path are checked, those of an open file are not. */
	{ SYS_utimensat, { 3, 0 }, ALLOW, ALLOW },
	{ SYS_utimensat, { 3, 0x1000 }, ALLOW, NOTIFY },
	{ SYS_utimensat, { 3, 0x100000000 }, ALLOW, NOTIFY },
	{ SYS_setxattrat, { 0 }, ALLOW, NOTIFY },
	{ SYS_removexattrat, { 0 }, ALLOW, NOTIFY },
	{ SYS_file_setattr, { 0 }, ALLOW, NOTIFY },
	/* The caller's own group, and others. */
	{ SYS_setpriority, { 1, 0, 5 }, REFUSE(EPERM), REFUSE(EPERM) },
	{ SYS_setpriority, { 1, 0x700000000, 5 }, REFUSE(EPERM), REFUSE(EPERM) },
	{ SYS_setpriority, { 1, 7, 5 }, ALLOW, ALLOW },
	{ SYS_setpriority, { 0, 0, 5 }, ALLOW, ALLOW },
	{ SYS_setpriority, { 2, 0, 5 }, ALLOW, ALLOW },
	{ SYS_ioprio_set, { 2, 0 }, REFUSE(EPERM), REFUSE(EPERM) },
	{ SYS_ioprio_set, { 2, 7 }, ALLOW, ALLOW },
	{ SYS_ioprio_set, { 1, 0 }, ALLOW, ALLOW },
	{ SYS_kill, { 0, 15 }, ALLOW, ALLOW },
	/* Leases are refused, and can be given back. */
	{ SYS_fcntl, { 3, F_DUPFD, 0 }, ALLOW, ALLOW },
	{ SYS_fcntl, { 3, F_SETLK, 0x1000 }, ALLOW, ALLOW },
	{ SYS_fcntl, { 3, F_SETLEASE, F_RDLCK }, REFUSE(EACCES), REFUSE(EACCES) },
	{ SYS_fcntl, { 3, F_SETLEASE, F_WRLCK }, REFUSE(EACCES), REFUSE(EACCES) },
	{ SYS_fcntl, { 3, 0x700000400, 0x100000001 }, REFUSE(EACCES), REFUSE(EACCES) },
	{ SYS_fcntl, { 3, F_SETLEASE, F_UNLCK }, ALLOW, ALLOW },
	{ SYS_fcntl, { 3, 1040, 0x1000 }, REFUSE(EACCES), REFUSE(EACCES) },
	{ SYS_fanotify_mark, { 0 }, REFUSE(EPERM), REFUSE(EPERM) },
	/* Not in the list: libraries fall back. */
	{ 420, { 0 }, REFUSE(ENOSYS), REFUSE(ENOSYS) },
	{ 470, { 0 }, REFUSE(ENOSYS), REFUSE(ENOSYS) },
	{ 511, { 0 }, REFUSE(ENOSYS), REFUSE(ENOSYS) },
	{ 512, { 0 }, REFUSE(ENOSYS), REFUSE(ENOSYS) },
	{ 9999, { 0 }, REFUSE(ENOSYS), REFUSE(ENOSYS) },
	{ -1, { 0 }, REFUSE(ENOSYS), REFUSE(ENOSYS) },
};

static uint32_t
answer(const struct filter_opts *opts, uint32_t arch, int nr, const uint64_t *args)
{
	struct kernel_seccomp_data data = { .nr = nr, .arch = arch };
	struct filter f;

	assert_true(filter_make(&f, opts));
	memcpy(data.args, args, 3 * sizeof *args);
	return filter_run(&f, &data);
}

static void
test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct filter_opts plain = { 0 }, listen = { .listen = true };

		assert_int_equal(
		    answer(&plain, KERNEL_AUDIT_ARCH, cases[i].nr, cases[i].args),
		    cases[i].plain);
		assert_int_equal(
		    answer(&listen, KERNEL_AUDIT_ARCH, cases[i].nr, cases[i].args),
		    cases[i].listened);
	}
}

static void
test_must_1_architecture(void **state)
{
	const struct filter_opts opts = { .listen = true };
	const uint64_t none[3] = { 0 };

	(void)state;
	assert_int_equal(
	    answer(&opts, 0x40000003, SYS_getpid, none), KERNEL_SECCOMP_RET_KILL);
#ifdef KERNEL_X32_BIT
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(answer(&opts, KERNEL_AUDIT_ARCH,
				     cases[i].nr | (int)KERNEL_X32_BIT, cases[i].args),
		    REFUSE(ENOSYS));
#endif
}

#define WISHES 512U

static struct filter_opts
wishes(unsigned bits)
{
	return (struct filter_opts){ .network = bits & 1,
		.listed = bits & 2,
		.listen = bits & 4,
		.watch_reads = bits & 8,
		.gate = bits & 16,
		.bare = bits & 32,
		.attributes = bits & 64,
		.groups = bits & 128,
		.joined = bits & 256 };
}

/* Each call is in the list once, and is sent only if a handler answers it. */
static void
test_list(void **state)
{
	static const struct {
		int nr;
		const char *handler;
	} list[] = {
#define FREE(name) { SYS_##name, "none" },
#define CALL(name, rule, handler) { SYS_##name, #handler },
#include "confine/filter/calls.list"
#undef FREE
#undef CALL
	};
	static const uint64_t values[] = { 0, 1, 2, SOCK_DGRAM, O_CREAT | O_RDWR, 04755,
		1ULL << 40, 0x20000000, 0xffffffff };

	(void)state;
	for (size_t i = 0; i < COUNT(list); i++)
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(list[i].nr, list[j].nr);
	for (unsigned bits = 0; bits < WISHES; bits++) {
		const struct filter_opts opts = wishes(bits);
		struct filter f;

		assert_true(filter_make(&f, &opts));
		for (size_t i = 0; i < COUNT(list); i++)
			for (size_t v = 0; v < COUNT(values); v++) {
				struct kernel_seccomp_data d = { .nr = list[i].nr,
					.arch = KERNEL_AUDIT_ARCH };

				for (int a = 0; a < 6; a++)
					d.args[a] = values[(v + (size_t)a) % COUNT(values)];
				if (filter_run(&f, &d) == NOTIFY &&
				    strcmp(list[i].handler, "none") == 0)
					fail_msg("call %d is sent to nobody", list[i].nr);
			}
	}
}

/* Every combination of options fits, and no call number is far from its answer. */
static void
test_all_wishes_fit(void **state)
{
	(void)state;
	for (unsigned bits = 0; bits < WISHES; bits++) {
		const struct filter_opts opts = wishes(bits);
		struct filter f;

		assert_true(filter_make(&f, &opts));
		assert_in_range(f.n, 1, 300);
	}
}

static void
test_reads_and_execs(void **state)
{
	const struct filter_opts reads = { .listen = true, .watch_reads = true },
				 gate = { .listen = true, .gate = true };
	const uint64_t none[3] = { 0 };

	(void)state;
	assert_int_equal(answer(&reads, KERNEL_AUDIT_ARCH, SYS_openat, none), NOTIFY);
	assert_int_equal(answer(&reads, KERNEL_AUDIT_ARCH, SYS_execve, none), ALLOW);
	assert_int_equal(answer(&gate, KERNEL_AUDIT_ARCH, SYS_execve, none), NOTIFY);
	assert_int_equal(answer(&gate, KERNEL_AUDIT_ARCH, SYS_execveat, none), NOTIFY);
	assert_int_equal(answer(&gate, KERNEL_AUDIT_ARCH, SYS_openat, none), ALLOW);
}

/* Calls that mounts and Landlock do not cover. */
static void
test_streams_and_groups(void **state)
{
	static const struct {
		int nr;
		uint64_t args[3];
		uint32_t listened, plain;
	} rows[] = {
		{ SYS_fchmod, { 0, 0644 }, NOTIFY, REFUSE(EPERM) },
		{ SYS_fchown, { 0 }, NOTIFY, REFUSE(EPERM) },
		{ SYS_fsetxattr, { 0 }, NOTIFY, REFUSE(EPERM) },
		{ SYS_fremovexattr, { 0 }, NOTIFY, REFUSE(EPERM) },
		{ SYS_utimensat, { 0 }, NOTIFY, REFUSE(EPERM) },
		{ SYS_fchmodat, { 0 }, NOTIFY, REFUSE(EPERM) },
		{ SYS_fchownat, { 0 }, NOTIFY, REFUSE(EPERM) },
		{ SYS_setxattr, { 0 }, NOTIFY, REFUSE(EPERM) },
		{ SYS_setxattrat, { 0 }, NOTIFY, REFUSE(EPERM) },
		{ SYS_file_setattr, { 0 }, NOTIFY, REFUSE(EPERM) },
		{ SYS_ioctl, { 0, 0x40086602 }, REFUSE(EPERM), REFUSE(EPERM) },
		{ SYS_ioctl, { 0, 0x80086601 }, ALLOW, ALLOW },
		{ SYS_kill, { 0, 15 }, NOTIFY, REFUSE(EPERM) },
		{ SYS_kill, { 0x100000000, 15 }, NOTIFY, REFUSE(EPERM) },
		{ SYS_kill, { 7, 15 }, ALLOW, ALLOW },
		{ SYS_kill, { 0xffffffff, 15 }, ALLOW, ALLOW },
		{ SYS_getpid, { 0 }, ALLOW, ALLOW },
	};
	const struct filter_opts listen = { .listen = true,
		.attributes = true,
		.groups = true },
				 plain = { .attributes = true, .groups = true };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(
		    answer(&listen, KERNEL_AUDIT_ARCH, rows[i].nr, rows[i].args),
		    rows[i].listened);
		assert_int_equal(
		    answer(&plain, KERNEL_AUDIT_ARCH, rows[i].nr, rows[i].args),
		    rows[i].plain);
	}
}

/* Without namespaces the filter enforces what they would. */
static void
test_bare(void **state)
{
	static const struct {
		int nr;
		uint64_t args[3];
		uint32_t want;
	} rows[] = {
		{ SYS_fchmod, { 0, 0644 }, NOTIFY },
		{ SYS_fchown, { 0 }, NOTIFY },
		{ SYS_fsetxattr, { 0 }, NOTIFY },
		{ SYS_fremovexattr, { 0 }, NOTIFY },
		{ SYS_utimensat, { 0 }, NOTIFY },
		{ SYS_setxattrat, { 0 }, NOTIFY },
		{ SYS_file_setattr, { 0 }, NOTIFY },
		{ SYS_shmget, { 0 }, REFUSE(EPERM) },
		{ SYS_msgget, { 0 }, REFUSE(EPERM) },
		{ SYS_semget, { 0 }, REFUSE(EPERM) },
		{ SYS_mq_open, { 0 }, REFUSE(EPERM) },
		{ SYS_prlimit64, { 0 }, ALLOW },
		{ SYS_prlimit64, { 77 }, REFUSE(EPERM) },
		{ SYS_setpriority, { 0, 0, 5 }, ALLOW },
		{ SYS_setpriority, { 0, 77, 5 }, REFUSE(EPERM) },
		{ SYS_setpriority, { 1, 0, 5 }, REFUSE(EPERM) }, /* the group */
		{ SYS_setpriority, { 2, 0, 5 },
		    REFUSE(EPERM) }, /* all processes of the user */
		{ SYS_sched_setaffinity, { 77 }, REFUSE(EPERM) },
		{ SYS_ioctl, { 0, 0x40086602 }, REFUSE(EPERM) },
		{ SYS_ioctl, { 0, 0x401c5820 }, REFUSE(EPERM) },
		{ SYS_ioctl, { 0, 0x5412 }, REFUSE(EPERM) },
		{ SYS_ioctl, { 0, 0x541c }, REFUSE(EPERM) },
		{ SYS_ioctl, { 0, 0x40806685 }, REFUSE(EPERM) }, /* FS_IOC_ENABLE_VERITY */
		{ SYS_ioctl, { 0, 0x5000940e },
		    REFUSE(EPERM) }, /* BTRFS_IOC_SUBVOL_CREATE */
		{ SYS_ioctl, { 0, 0x50009401 }, REFUSE(EPERM) }, /* ..._SNAP_CREATE */
		{ SYS_ioctl, { 0, 0x4008941a }, REFUSE(EPERM) }, /* ..._SUBVOL_SETFLAGS */
		{ SYS_ioctl, { 0, 0x40087602 }, REFUSE(EPERM) }, /* FS_IOC_SETVERSION */
		{ SYS_ioctl, { 0, 0x40047211 }, REFUSE(EPERM) }, /* FAT's attributes */
		{ SYS_ioctl, { 0, 0x5401 }, ALLOW },
		{ SYS_ioctl, { 0, 0x541b }, ALLOW },     /* FIONREAD */
		{ SYS_ioctl, { 0, 0x80086601 }, ALLOW }, /* FS_IOC_GETFLAGS */
		{ SYS_ioctl, { 0, 0xc020660b }, ALLOW }, /* FIEMAP */
		{ SYS_ioctl, { 0, 0x40049409 }, ALLOW }, /* FICLONE */
		{ SYS_ioctl, { 0, 0xc0189436 }, ALLOW }, /* FIDEDUPERANGE */
		{ SYS_socket, { AF_INET, SOCK_STREAM }, REFUSE(EAFNOSUPPORT) },
		{ SYS_socket, { AF_INET6, SOCK_DGRAM }, REFUSE(EAFNOSUPPORT) },
		{ SYS_socket, { 16, SOCK_RAW, 0 }, REFUSE(EAFNOSUPPORT) },
		{ SYS_socket, { AF_UNIX, SOCK_STREAM }, ALLOW },
		{ SYS_socket, { AF_UNIX, SOCK_DGRAM }, REFUSE(EAFNOSUPPORT) },
		{ SYS_mount, { 0 }, REFUSE(EPERM) },
		{ SYS_getpid, { 0 }, ALLOW },
	};
	const struct filter_opts bare = { .listen = true, .bare = true },
				 online = { .listen = true, .bare = true, .network = true };
	const uint64_t internet[3] = { AF_INET, SOCK_STREAM };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(answer(&bare, KERNEL_AUDIT_ARCH, rows[i].nr, rows[i].args),
		    rows[i].want);
	assert_int_equal(answer(&online, KERNEL_AUDIT_ARCH, SYS_socket, internet), ALLOW);
}

static uint32_t
send_answer(
    const struct filter_opts *opts, int nr, unsigned at, uint64_t flags, uint64_t to)
{
	struct kernel_seccomp_data data = { .nr = nr, .arch = KERNEL_AUDIT_ARCH };
	struct filter f;

	assert_true(filter_make(&f, opts));
	data.args[at] = flags;
	if (nr == SYS_sendto)
		data.args[4] = to;
	return filter_run(&f, &data);
}

static void
test_list_of_hosts(void **state)
{
	const struct filter_opts list = { .listen = true, .listed = true },
				 off = { .listen = true };
	const uint64_t open = 0x20000000; /* MSG_FASTOPEN */

	(void)state;
	assert_int_equal(send_answer(&list, SYS_sendto, 3, 0, 0), ALLOW);
	assert_int_equal(send_answer(&list, SYS_sendto, 3, 0, 4096), NOTIFY);
	assert_int_equal(send_answer(&list, SYS_sendto, 3, 0, 1ULL << 32), NOTIFY);
	assert_int_equal(send_answer(&list, SYS_sendto, 3, open, 0), REFUSE(EOPNOTSUPP));
	assert_int_equal(
	    send_answer(&list, SYS_sendto, 3, open | 0x4000, 9), REFUSE(EOPNOTSUPP));
	assert_int_equal(send_answer(&list, SYS_sendmsg, 2, 0x4000, 0), ALLOW);
	assert_int_equal(send_answer(&list, SYS_sendmsg, 2, open, 0), REFUSE(EOPNOTSUPP));
	assert_int_equal(send_answer(&list, SYS_sendmmsg, 3, 0, 0), ALLOW);
	assert_int_equal(
	    send_answer(&list, SYS_sendmmsg, 3, open | 1ULL << 40, 0), REFUSE(EOPNOTSUPP));
	assert_int_equal(send_answer(&list, SYS_listen, 1, 5, 0), NOTIFY);
	assert_int_equal(send_answer(&off, SYS_sendto, 3, open, 4096), NOTIFY);
	assert_int_equal(send_answer(&off, SYS_sendto, 3, open, 0), ALLOW);
	assert_int_equal(send_answer(&off, SYS_listen, 1, 5, 0), ALLOW);
}

/* The route of a socket of the host's network is not for the command to choose. */
static void
test_ways(void **state)
{
	static const struct {
		uint64_t level, name;
		uint32_t want;
	} rows[] = {
		{ 0, 4, REFUSE(EPERM) },   /* IP_OPTIONS */
		{ 41, 57, REFUSE(EPERM) }, /* IPV6_RTHDR */
		{ 41, 6, REFUSE(EPERM) },  /* IPV6_2292PKTOPTIONS */
		{ 41, 54, REFUSE(EPERM) }, /* IPV6_HOPOPTS */
		{ 41, 76, REFUSE(EPERM) }, /* IPV6_UNICAST_IF */
		{ 1, 25, REFUSE(EPERM) },  /* SO_BINDTODEVICE */
		{ 1, 62, REFUSE(EPERM) },  /* SO_BINDTOIFINDEX */
		{ 1ULL << 32 | 41, 57, REFUSE(EPERM) },
		{ 41, 7ULL << 40 | 57, REFUSE(EPERM) }, { 1, 4, ALLOW }, /* SO_ERROR */
		{ 1, 57, ALLOW }, { 41, 25, ALLOW },                     /* IPV6_RECVERR */
		{ 6, 6, ALLOW },                                         /* TCP_KEEPCNT */
		{ 6, 1, ALLOW },                                         /* TCP_NODELAY */
		{ 0, 1, ALLOW },                                         /* IP_TOS */
	};
	const struct filter_opts list = { .listen = true, .listed = true },
				 off = { .listen = true };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const uint64_t args[3] = { 3, rows[i].level, rows[i].name };

		assert_int_equal(
		    answer(&list, KERNEL_AUDIT_ARCH, SYS_setsockopt, args), rows[i].want);
		assert_int_equal(
		    answer(&off, KERNEL_AUDIT_ARCH, SYS_setsockopt, args), ALLOW);
	}
}

/* In a session: no access to the limits of other processes. */
static void
test_limits_of_others(void **state)
{
	static const struct {
		uint64_t args[3];
		uint32_t want;
	} rows[] = {
		{ { 0, 7, 4096 }, ALLOW }, { { 9, 7, 0 }, ALLOW },
		{ { 9, 7, 4096 }, REFUSE(EPERM) }, { { 9, 7, 1ULL << 32 }, REFUSE(EPERM) },
		{ { 1ULL << 32, 7, 4096 }, ALLOW }, /* the kernel sees 0 */
	};
	const struct filter_opts joined = { .listen = true, .joined = true },
				 alone = { .listen = true };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(
		    answer(&joined, KERNEL_AUDIT_ARCH, SYS_prlimit64, rows[i].args),
		    rows[i].want);
		assert_int_equal(
		    answer(&alone, KERNEL_AUDIT_ARCH, SYS_prlimit64, rows[i].args), ALLOW);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_must_1_architecture),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_all_wishes_fit),
		cmocka_unit_test(test_reads_and_execs),
		cmocka_unit_test(test_streams_and_groups),
		cmocka_unit_test(test_bare),
		cmocka_unit_test(test_list_of_hosts),
		cmocka_unit_test(test_ways),
		cmocka_unit_test(test_limits_of_others),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
