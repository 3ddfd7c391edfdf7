/*
 * confine/filter/filter_tree.h: inside the room: turn a table of calls into a program that
 * finds a call by binary search.
 *
 * When a filter is loaded the kernel runs it for every call number, to learn which calls
 * are always allowed; a linear search would be most of the filter's cost.
 */
#pragma once
#include "confine/filter/filter.h"

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
#define ARG(i) (offsetof(struct kernel_seccomp_data, args) + (size_t)8 * (i))

#define ALLOW KERNEL_SECCOMP_RET_ALLOW
#define NOTIFY KERNEL_SECCOMP_RET_NOTIF
#define REFUSE(e) (KERNEL_SECCOMP_RET_ERRNO | (e))

/* The action for a call: an answer, or a check of its arguments. */
enum filter_action {
	FILTER_ALLOW,
	FILTER_NOTIFY,
	FILTER_EPERM,
	FILTER_ENOSYS,
	FILTER_OPENAT,
	FILTER_OPEN,
	FILTER_READAT,
	FILTER_READ,
	FILTER_FCHMOD,
	FILTER_FCHOWN,
	FILTER_IOCTL,
	FILTER_CLONE,
	FILTER_SOCKET,
	FILTER_SENDTO,
	FILTER_SENDTO_ANY, /* the same, with data that opens a connection */
	FILTER_SENDMSG,
	FILTER_SENDMMSG,
	FILTER_SETSOCKOPT,
	FILTER_SOCKETPAIR,
	FILTER_PERSONALITY,
	FILTER_UTIMENSAT,
	FILTER_OTHERS_0, /* argument 0 is the process */
	FILTER_PRLIMIT,  /* the same; reading is free */
	FILTER_PRIORITY,
	FILTER_PRIORITY_GROUP,
	FILTER_IOPRIO_GROUP,
	FILTER_KILL,
	FILTER_KILL_NONE, /* the same without a listener */
	FILTER_FCNTL,
	FILTER_ACTIONS,
};

#define FILTER_CALLS 512 /* higher numbers get ENOSYS: they are newer than this list */

struct filter_table {
	uint8_t action[FILTER_CALLS];
	bool full; /* a call number did not fit */
};

struct filter_tree {
	unsigned first; /* position of its jumps */
	unsigned n;     /* runs of numbers with the same action */
	uint16_t start[FILTER_CALLS];
	uint8_t action[FILTER_CALLS];
	bool used[FILTER_ACTIONS];
	unsigned at[FILTER_ACTIONS]; /* position of each action's body */
};

void filter_put(struct filter *f, uint16_t code, uint8_t jt, uint8_t jf, uint32_t k);
/* Reserve space for the jumps; the bodies follow, and then the jumps are filled in. */
void filter_tree_begin(
    struct filter *f, const struct filter_table *t, struct filter_tree *ret);
void filter_tree_end(struct filter *f, const struct filter_tree *tree);
/* filter_body.c */
void filter_body(struct filter *f, enum filter_action action, const struct filter_opts *o);
