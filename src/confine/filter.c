#define _GNU_SOURCE
#include "confine/filter.h"
#include <sys/socket.h>
#include <sys/stat.h>
#ifndef O_TMPFILE
#define O_TMPFILE (020000000 | O_DIRECTORY)
#endif

/* Operations of classic BPF. */
#define LOAD 0x20      /* ld [k] */
#define JUMP 0x05      /* ja k */
#define EQUAL 0x15     /* jeq #k */
#define NOT_BELOW 0x35 /* jge #k */
#define ANYBIT 0x45    /* jset #k */
#define AND 0x54       /* and #k */
#define RETURN 0x06

#define NR offsetof(struct kernel_seccomp_data, nr)
#define ARCH offsetof(struct kernel_seccomp_data, arch)
/* The lower half of argument i; both architectures are little-endian. */
#define ARG(i) (offsetof(struct kernel_seccomp_data, args) + 8 * (i))

#define FASTOPEN 0x20000000U /* MSG_FASTOPEN */

#define ALLOW KERNEL_SECCOMP_RET_ALLOW
#define NOTIFY KERNEL_SECCOMP_RET_NOTIF
#define REFUSE(e) (KERNEL_SECCOMP_RET_ERRNO | (e))

/* No program that an agent runs needs them, and each has led out of a sandbox before. */
static const int never[] = {
	/* mounts and roots */
	SYS_mount,
	SYS_umount2,
	SYS_pivot_root,
	SYS_chroot,
	SYS_open_tree,
	SYS_move_mount,
	SYS_fsopen,
	SYS_fsconfig,
	SYS_fsmount,
	SYS_fspick,
	SYS_mount_setattr,
	SYS_open_tree_attr,
	SYS_statmount,
	SYS_listmount,
	/* namespaces */
	SYS_unshare,
	SYS_setns,
	/* the kernel's own machinery */
	SYS_bpf,
	SYS_perf_event_open,
	SYS_userfaultfd,
	SYS_io_uring_setup,
	SYS_io_uring_enter,
	SYS_io_uring_register,
	SYS_fanotify_init,
	SYS_kcmp,
	SYS_lookup_dcookie,
	/* keys */
	SYS_keyctl,
	SYS_add_key,
	SYS_request_key,
	/* files by handle, and descriptors of others */
	SYS_open_by_handle_at,
	SYS_pidfd_getfd,
	/* the machine */
	SYS_init_module,
	SYS_finit_module,
	SYS_delete_module,
	SYS_kexec_load,
	SYS_reboot,
	SYS_swapon,
	SYS_swapoff,
	SYS_quotactl,
	SYS_quotactl_fd,
	SYS_acct,
	SYS_syslog,
	SYS_settimeofday,
	SYS_clock_settime,
	SYS_sethostname,
	SYS_setdomainname,
	SYS_vhangup,
	SYS_nfsservctl,
#ifdef SYS_kexec_file_load
	SYS_kexec_file_load,
#endif
#ifdef SYS_iopl
	SYS_iopl,
	SYS_ioperm,
	SYS_uselib,
	SYS_ustat,
	SYS_sysfs,
	SYS_modify_ldt,
	SYS__sysctl,
#endif
};

/* Calls that change a file by its name: the supervisor looks, or makes them itself. */
static const int writing[] = {
	SYS_openat2,
	SYS_mkdirat,
	SYS_mknodat,
	SYS_unlinkat,
	SYS_symlinkat,
	SYS_linkat,
	SYS_renameat2,
	SYS_truncate,
	SYS_fchmodat,
	SYS_fchmodat2,
	SYS_fchownat,
	SYS_utimensat,
	SYS_setxattr,
	SYS_lsetxattr,
	SYS_removexattr,
	SYS_lremovexattr,
#ifdef SYS_renameat
	SYS_renameat,
#endif
#ifdef SYS_open
	SYS_creat,
	SYS_mkdir,
	SYS_mknod,
	SYS_unlink,
	SYS_rmdir,
	SYS_symlink,
	SYS_link,
	SYS_rename,
	SYS_chmod,
	SYS_chown,
	SYS_lchown,
	SYS_utime,
	SYS_utimes,
	SYS_futimesat,
#endif
};

/* Without mounts of our own: changes of what is known of an open file are looked at, too.
 */
static const int by_descriptor[] = {
	SYS_fchmod,
	SYS_fchown,
	SYS_fsetxattr,
	SYS_fremovexattr,
};

/* Without namespaces: what processes of the host are reached by, and calls that are too new
 * to be looked at. */
static const int shared[] = {
	SYS_shmget,
	SYS_shmat,
	SYS_shmctl,
	SYS_msgget,
	SYS_msgsnd,
	SYS_msgrcv,
	SYS_msgctl,
	SYS_semget,
	SYS_semop,
	SYS_semctl,
	SYS_semtimedop,
	SYS_mq_open,
	SYS_mq_unlink,
	SYS_setxattrat,
	SYS_removexattrat,
	SYS_file_setattr,
	SYS_migrate_pages,
	SYS_move_pages,
	SYS_ioprio_set,
};

static void
put(struct filter *f, uint16_t code, uint8_t jt, uint8_t jf, uint32_t k)
{
	if (f->n < FILTER_MAX)
		f->v[f->n++] = (struct kernel_bpf){ code, jt, jf, k };
	else
		f->full = true;
}

static void
load(struct filter *f, size_t at)
{
	put(f, LOAD, 0, 0, (uint32_t)at);
}

static void
give(struct filter *f, uint32_t answer)
{
	put(f, RETURN, 0, 0, answer);
}

/* Any of `numbers`: `answer`.  All jump to one place behind the list. */
static void
any_of(struct filter *f, const int *numbers, size_t n, uint32_t answer)
{
	for (size_t i = 0; i < n; i++)
		put(f, EQUAL, (uint8_t)(n - i), 0, (uint32_t)numbers[i]);
	put(f, JUMP, 0, 0, 1);
	give(f, answer);
}
#define ANY_OF(f, table, answer) any_of(f, table, sizeof(table) / sizeof *(table), answer)

static void
head(struct filter *f)
{
	load(f, ARCH);
	put(f, EQUAL, 1, 0, KERNEL_AUDIT_ARCH);
	give(f, KERNEL_SECCOMP_RET_KILL);
	load(f, NR);
#ifdef KERNEL_X32_BIT
	put(f, NOT_BELOW, 0, 1, KERNEL_X32_BIT);
	give(f, REFUSE(ENOSYS));
#endif
}

/* Call `nr` with any of `bits` in argument `arg`: `answer`; without them it is allowed. */
static void
with_bits(struct filter *f, int nr, unsigned arg, uint32_t bits, uint32_t answer)
{
	put(f, EQUAL, 0, 4, (uint32_t)nr);
	load(f, ARG(arg));
	put(f, ANYBIT, 0, 1, bits);
	give(f, answer);
	give(f, ALLOW);
}

/* Opens that write, or that could make a file. */
static void
opens(struct filter *f, const struct filter_opts *o)
{
	const uint32_t bits = o->watch_reads ? 0
					     : O_WRONLY | O_RDWR | O_CREAT | O_TRUNC |
						   (O_TMPFILE & ~O_DIRECTORY);
	static const int all[] = {
		SYS_openat,
#ifdef SYS_open
		SYS_open,
#endif
	};

	if (!o->listen)
		return;
	if (o->watch_reads) {
		ANY_OF(f, all, NOTIFY);
		return;
	}
	with_bits(f, SYS_openat, 2, bits, NOTIFY);
#ifdef SYS_open
	with_bits(f, SYS_open, 1, bits, NOTIFY);
#endif
}

static void
clones(struct filter *f)
{
	/* Its arguments lie in memory; libraries fall back to clone. */
	static const int clone3[] = { SYS_clone3 };

	with_bits(f, SYS_clone, 0, (uint32_t)KERNEL_CLONE_NEW_ALL, REFUSE(EPERM));
	ANY_OF(f, clone3, REFUSE(ENOSYS));
}

/* Typing into a terminal, and its Linux console relative. */
static void
ioctls(struct filter *f)
{
	put(f, EQUAL, 0, 5, SYS_ioctl);
	load(f, ARG(1));
	put(f, EQUAL, 2, 0, 0x5412); /* TIOCSTI */
	put(f, EQUAL, 1, 0, 0x541c); /* TIOCLINUX */
	give(f, ALLOW);
	give(f, REFUSE(EPERM));
}

/* Call `nr` about another process than the caller: its number is argument `arg`. */
static void
about_others(struct filter *f, int nr, unsigned arg)
{
	put(f, EQUAL, 0, 4, (uint32_t)nr);
	load(f, ARG(arg));
	put(f, EQUAL, 1, 0, 0);
	give(f, REFUSE(EPERM));
	give(f, ALLOW);
}

/* Flags of files, which an owner changes by any descriptor. */
static void
file_flags(struct filter *f)
{
	put(f, EQUAL, 0, 6, SYS_ioctl);
	load(f, ARG(1));
	put(f, EQUAL, 3, 0, 0x40086602); /* FS_IOC_SETFLAGS */
	put(f, EQUAL, 2, 0, 0x40046602); /* the same for 32 bits */
	put(f, EQUAL, 1, 0, 0x401c5820); /* FS_IOC_FSSETXATTR */
	put(f, JUMP, 0, 0, 1);
	give(f, REFUSE(EPERM));
	load(f, NR);
}

static void
bare(struct filter *f)
{
	ANY_OF(f, by_descriptor, NOTIFY);
	ANY_OF(f, shared, REFUSE(EPERM));
	about_others(f, SYS_prlimit64, 0);
	about_others(f, SYS_setpriority, 1);
	about_others(f, SYS_sched_setaffinity, 0);
	about_others(f, SYS_sched_setscheduler, 0);
	about_others(f, SYS_sched_setparam, 0);
	about_others(f, SYS_sched_setattr, 0);
	file_flags(f);
}

/* No network namespace: there is no socket of the internet at all. */
static void
local_sockets(struct filter *f)
{
	put(f, EQUAL, 0, 8, SYS_socket);
	load(f, ARG(0));
	put(f, EQUAL, 0, 5, AF_UNIX);
	load(f, ARG(1));
	put(f, AND, 0, 0, 0xf);
	put(f, EQUAL, 1, 0, SOCK_STREAM);
	put(f, EQUAL, 0, 1, SOCK_SEQPACKET);
	give(f, ALLOW);
	give(f, REFUSE(EAFNOSUPPORT));
}

/* Fewer families than the kernel has: the others are old code that few have looked at, or
 * lead out of any network namespace.  A datagram socket of the Unix family can send to any
 * path without a connect, so there is none. */
static void
sockets(struct filter *f)
{
	put(f, EQUAL, 0, 13, SYS_socket);
	load(f, ARG(0));
	put(f, EQUAL, 3, 0, AF_UNIX);
	put(f, EQUAL, 8, 0, AF_INET);
	put(f, EQUAL, 7, 0, AF_INET6);
	put(f, EQUAL, 4, 7, 16); /* AF_NETLINK */
	load(f, ARG(1));
	put(f, AND, 0, 0, 0xf);
	put(f, EQUAL, 3, 0, SOCK_STREAM);
	put(f, EQUAL, 2, 3, SOCK_SEQPACKET);
	load(f, ARG(2));
	put(f, EQUAL, 0, 1, 0); /* NETLINK_ROUTE */
	give(f, ALLOW);
	give(f, REFUSE(EAFNOSUPPORT));
}

/* With a list of hosts the command holds sockets of the host's network, each with its one
 * connection.  Data that opens a connection would go past the supervisor, wherever it says;
 * a listen would open the host. */
static void
sends(struct filter *f)
{
	static const int listens[] = { SYS_listen };

	put(f, EQUAL, 0, 9, SYS_sendto);
	load(f, ARG(3));
	put(f, ANYBIT, 6, 0, FASTOPEN);
	load(f, ARG(4));
	put(f, EQUAL, 0, 2, 0);
	load(f, ARG(4) + 4);
	put(f, EQUAL, 1, 0, 0);
	give(f, NOTIFY);
	give(f, ALLOW);
	give(f, REFUSE(EOPNOTSUPP));
	with_bits(f, SYS_sendmsg, 2, FASTOPEN, REFUSE(EOPNOTSUPP));
	with_bits(f, SYS_sendmmsg, 3, FASTOPEN, REFUSE(EOPNOTSUPP));
	ANY_OF(f, listens, NOTIFY);
}

static void
socket_pairs(struct filter *f)
{
	put(f, EQUAL, 0, 6, SYS_socketpair);
	load(f, ARG(1));
	put(f, AND, 0, 0, 0xf);
	put(f, EQUAL, 1, 0, SOCK_STREAM);
	put(f, EQUAL, 0, 1, SOCK_SEQPACKET);
	give(f, ALLOW);
	give(f, REFUSE(EAFNOSUPPORT));
}

/* Only ways to run that change nothing about protection: as usual, as 32 bits by name,
 * without random addresses (debuggers), and the question what it is. */
static void
personality(struct filter *f)
{
	put(f, EQUAL, 0, 7, SYS_personality);
	load(f, ARG(0));
	put(f, EQUAL, 4, 0, 0);
	put(f, EQUAL, 3, 0, 0xffffffff);
	put(f, EQUAL, 2, 0, 0x0008);
	put(f, EQUAL, 1, 0, 0x40000);
	give(f, REFUSE(EPERM));
	give(f, ALLOW);
}

bool
filter_make(struct filter *f, const struct filter_opts *o)
{
	static const int execs[] = { SYS_execve, SYS_execveat };
	static const int connects[] = { SYS_connect };

	f->n = 0;
	f->full = false;
	head(f);
	opens(f, o);
	if (o->bare)
		bare(f);
	/* A program that runs as its owner, left on the host.  By name the supervisor sees
	 * it. */
	with_bits(f, SYS_fchmod, 1, S_ISUID, REFUSE(EPERM));
	ioctls(f);
	clones(f);
	if (o->bare && !o->network)
		local_sockets(f);
	else
		sockets(f);
	if (o->listed)
		sends(f);
	socket_pairs(f);
	personality(f);
	if (o->listen) {
		ANY_OF(f, writing, NOTIFY);
		ANY_OF(f, connects, NOTIFY);
	}
	if (o->gate)
		ANY_OF(f, execs, NOTIFY);
	ANY_OF(f, never, REFUSE(EPERM));
	give(f, ALLOW);
	return !f->full;
}

uint32_t
filter_run(const struct filter *f, const struct kernel_seccomp_data *data)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < f->n; i++) {
		const struct kernel_bpf *b = &f->v[i];
		bool hit = false;

		switch (b->code) {
		case LOAD:
			memcpy(&value, (const char *)data + b->k, sizeof value);
			continue;
		case AND:
			value &= b->k;
			continue;
		case JUMP:
			i += b->k;
			continue;
		case RETURN:
			return b->k;
		case EQUAL:
			hit = value == b->k;
			break;
		case NOT_BELOW:
			hit = value >= b->k;
			break;
		case ANYBIT:
			hit = (value & b->k) != 0;
			break;
		default:
			return KERNEL_SECCOMP_RET_KILL;
		}
		i += hit ? b->jt : b->jf;
	}
	return KERNEL_SECCOMP_RET_KILL;
}
