/*
 * os/sys.h: kernel interfaces that the C library does not declare.
 *
 * musl ships no kernel headers, and a distribution's headers stop at the kernel it was
 * built with. Numbers and layouts here are the kernel's stable ABI, under the kernel's
 * names.
 */
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- system call numbers missing in older libraries; the same on every architecture */

#ifndef SYS_open_tree
#define SYS_open_tree 428
#define SYS_move_mount 429
#define SYS_fsopen 430
#define SYS_fsconfig 431
#define SYS_fsmount 432
#define SYS_fspick 433
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif
#ifndef SYS_faccessat2
#define SYS_faccessat2 439
#endif
#ifndef SYS_process_madvise
#define SYS_process_madvise 440
#endif
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_quotactl_fd
#define SYS_quotactl_fd 443
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif
#ifndef SYS_memfd_secret
#define SYS_memfd_secret 447
#endif
#ifndef SYS_process_mrelease
#define SYS_process_mrelease 448
#endif
#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif
#ifndef SYS_set_mempolicy_home_node
#define SYS_set_mempolicy_home_node 450
#endif
#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif
#ifndef SYS_map_shadow_stack
#define SYS_map_shadow_stack 453
#endif
#ifndef SYS_futex_wake
#define SYS_futex_wake 454
#define SYS_futex_wait 455
#define SYS_futex_requeue 456
#endif
#ifndef SYS_statmount
#define SYS_statmount 457
#define SYS_listmount 458
#endif
#ifndef SYS_mseal
#define SYS_mseal 462
#endif
#ifndef SYS_setxattrat
#define SYS_setxattrat 463
#define SYS_getxattrat 464
#define SYS_listxattrat 465
#define SYS_removexattrat 466
#endif
#ifndef SYS_open_tree_attr
#define SYS_open_tree_attr 467
#endif
#ifndef SYS_file_getattr
#define SYS_file_getattr 468
#define SYS_file_setattr 469
#endif
/* The kernel inserts these calls into traced programs; x86-64 only. */
#if defined(__x86_64__) && !defined(SYS_uretprobe)
#define SYS_uretprobe 335
#endif
#if defined(__x86_64__) && !defined(SYS_uprobe)
#define SYS_uprobe 336
#endif

/* ---- paths and mounts */

struct kernel_open_how {
	uint64_t flags, mode, resolve;
};
#define KERNEL_RENAME_NO_REPLACE 1U
#define KERNEL_RENAME_EXCHANGE 2U
#define KERNEL_RESOLVE_NO_XDEV 0x01
#define KERNEL_RESOLVE_NO_MAGICLINKS 0x02
#define KERNEL_RESOLVE_NO_SYMLINKS 0x04
#define KERNEL_RESOLVE_BENEATH 0x08
#define KERNEL_RESOLVE_IN_ROOT 0x10
#define KERNEL_RESOLVE_CACHED 0x20

struct kernel_mount_attr {
	uint64_t attr_set, attr_clr, propagation, userns_fd;
};
#define KERNEL_MOUNT_RDONLY 0x01
#define KERNEL_MOUNT_NOSUID 0x02
#define KERNEL_MOUNT_NODEV 0x04
#define KERNEL_MOUNT_NOEXEC 0x08
#define KERNEL_AT_RECURSIVE 0x8000
#define KERNEL_OPEN_TREE_CLONE 1
#define KERNEL_OPEN_TREE_CLOEXEC O_CLOEXEC
#define KERNEL_MOVE_FROM_EMPTY 0x04
#define KERNEL_MOVE_TO_EMPTY 0x40

#ifndef AT_EMPTY_PATH
#define AT_EMPTY_PATH 0x1000
#endif

static inline int
sys_openat2(int dir, const char *path, uint64_t flags, uint64_t mode, uint64_t resolve)
{
	struct kernel_open_how how = { flags | O_CLOEXEC, mode, resolve };

	return (int)syscall(SYS_openat2, dir, path, &how, sizeof how);
}

static inline int
sys_open_tree(int dir, const char *path, unsigned flags)
{
	return (int)syscall(SYS_open_tree, dir, path, flags | KERNEL_OPEN_TREE_CLOEXEC);
}

static inline int
sys_move_mount(int from, int to)
{
	return (int)syscall(SYS_move_mount, from, "", to, "",
	    KERNEL_MOVE_FROM_EMPTY | KERNEL_MOVE_TO_EMPTY);
}

static inline int
sys_move_mount_to(int from, const char *path)
{
	return (int)syscall(
	    SYS_move_mount, from, "", AT_FDCWD, path, KERNEL_MOVE_FROM_EMPTY);
}

static inline int
sys_mount_setattr(
    int fd, const char *path, unsigned flags, uint64_t set, uint64_t propagation)
{
	struct kernel_mount_attr attr = { .attr_set = set, .propagation = propagation };

	return (int)syscall(SYS_mount_setattr, fd, path, flags, &attr, sizeof attr);
}

static inline int
sys_close_range(unsigned first, unsigned last)
{
	return (int)syscall(SYS_close_range, first, last, 0);
}

/* ---- processes */

#define KERNEL_CLONE_PIDFD 0x00001000UL
#define KERNEL_CLONE_NEWTIME 0x00000080UL
#define KERNEL_CLONE_NEWNS 0x00020000UL
#define KERNEL_CLONE_NEWCGROUP 0x02000000UL
#define KERNEL_CLONE_NEWUTS 0x04000000UL
#define KERNEL_CLONE_NEWIPC 0x08000000UL
#define KERNEL_CLONE_NEWUSER 0x10000000UL
#define KERNEL_CLONE_NEWPID 0x20000000UL
#define KERNEL_CLONE_NEWNET 0x40000000UL
#define KERNEL_CLONE_NEW_ALL                                                               \
	(KERNEL_CLONE_NEWNS | KERNEL_CLONE_NEWCGROUP | KERNEL_CLONE_NEWUTS |               \
	    KERNEL_CLONE_NEWIPC | KERNEL_CLONE_NEWUSER | KERNEL_CLONE_NEWPID |             \
	    KERNEL_CLONE_NEWNET)

struct kernel_cap_header {
	uint32_t version;
	int pid;
};
struct kernel_cap_data {
	uint32_t effective, permitted, inheritable;
};
#define KERNEL_CAP_VERSION_3 0x20080522
#define KERNEL_CAP_WAKE_ALARM (1U << (35 - 32)) /* in the second 32-bit word */
#define KERNEL_KEYCTL_JOIN_SESSION_KEYRING 1

/* ---- seccomp */

struct kernel_bpf {
	uint16_t code;
	uint8_t jt, jf;
	uint32_t k;
};
struct kernel_bpf_program {
	uint16_t len;
	const struct kernel_bpf *filter;
};
struct kernel_seccomp_data {
	int nr;
	uint32_t arch;
	uint64_t instruction_pointer;
	uint64_t args[6];
};
struct kernel_notif {
	uint64_t id;
	uint32_t pid, flags;
	struct kernel_seccomp_data data;
};
struct kernel_notif_resp {
	uint64_t id;
	int64_t val;
	int32_t error;
	uint32_t flags;
};
struct kernel_notif_addfd {
	uint64_t id;
	uint32_t flags, srcfd, newfd, newfd_flags;
};
struct kernel_notif_sizes {
	uint16_t notif, resp, data;
};
#define KERNEL_SECCOMP_SET_MODE_FILTER 1
#define KERNEL_SECCOMP_GET_NOTIF_SIZES 3
#define KERNEL_SECCOMP_NEW_LISTENER (1UL << 3)
#define KERNEL_SECCOMP_WAIT_KILLABLE (1UL << 5)
#define KERNEL_SECCOMP_RET_KILL 0x80000000U
#define KERNEL_SECCOMP_RET_ERRNO 0x00050000U
#define KERNEL_SECCOMP_RET_NOTIF 0x7fc00000U
#define KERNEL_SECCOMP_RET_ALLOW 0x7fff0000U
#define KERNEL_NOTIF_CONTINUE 1U
#define KERNEL_NOTIF_SYNC_WAKE_UP 1UL
#define KERNEL_ADDFD_SETFD 1U
#define KERNEL_ADDFD_SEND 2U
#define KERNEL_IOC(dir, nr, size)                                                          \
	(((unsigned long)(dir) << 30) | ((unsigned long)(size) << 16) | ('!' << 8) | (nr))
#define KERNEL_NOTIF_RECV KERNEL_IOC(3, 0, sizeof(struct kernel_notif))
#define KERNEL_NOTIF_SEND KERNEL_IOC(3, 1, sizeof(struct kernel_notif_resp))
#define KERNEL_NOTIF_ID_VALID KERNEL_IOC(1, 2, sizeof(uint64_t))
#define KERNEL_NOTIF_ADDFD KERNEL_IOC(1, 3, sizeof(struct kernel_notif_addfd))
#define KERNEL_NOTIF_SET_FLAGS KERNEL_IOC(1, 4, sizeof(uint64_t))

/* musl declares ioctl's request as int, which these numbers exceed. */
static inline long
sys_ioctl(int fd, unsigned long what, const void *argument)
{
	return syscall(SYS_ioctl, fd, what, argument);
}

#if defined(__x86_64__)
#define KERNEL_AUDIT_ARCH 0xc000003eU
#define KERNEL_X32_BIT 0x40000000U
#elif defined(__aarch64__)
#define KERNEL_AUDIT_ARCH 0xc00000b7U
#else
#error "no filter for this architecture yet"
#endif

/* ---- Landlock, up to ABI 7 */

struct kernel_landlock_ruleset {
	uint64_t handled_fs, handled_net, scoped;
};
struct kernel_landlock_path {
	uint64_t allowed;
	int32_t parent_fd;
} __attribute__((packed));
#define KERNEL_LANDLOCK_VERSION 1U
#define KERNEL_LANDLOCK_PATH 1
#define KERNEL_LANDLOCK_EXECUTE (1ULL << 0)
#define KERNEL_LANDLOCK_WRITE_FILE (1ULL << 1)
#define KERNEL_LANDLOCK_READ_FILE (1ULL << 2)
#define KERNEL_LANDLOCK_READ_DIR (1ULL << 3)
#define KERNEL_LANDLOCK_REMOVE_DIR (1ULL << 4)
#define KERNEL_LANDLOCK_REMOVE_FILE (1ULL << 5)
#define KERNEL_LANDLOCK_MAKE_CHAR (1ULL << 6)
#define KERNEL_LANDLOCK_MAKE_DIR (1ULL << 7)
#define KERNEL_LANDLOCK_MAKE_REG (1ULL << 8)
#define KERNEL_LANDLOCK_MAKE_SOCK (1ULL << 9)
#define KERNEL_LANDLOCK_MAKE_FIFO (1ULL << 10)
#define KERNEL_LANDLOCK_MAKE_BLOCK (1ULL << 11)
#define KERNEL_LANDLOCK_MAKE_SYM (1ULL << 12)
#define KERNEL_LANDLOCK_REFER (1ULL << 13)         /* ABI 2 */
#define KERNEL_LANDLOCK_TRUNCATE (1ULL << 14)      /* ABI 3 */
#define KERNEL_LANDLOCK_IOCTL_DEV (1ULL << 15)     /* ABI 5 */
#define KERNEL_LANDLOCK_SCOPE_ABSTRACT (1ULL << 0) /* ABI 6 */
#define KERNEL_LANDLOCK_SCOPE_SIGNAL (1ULL << 1)
