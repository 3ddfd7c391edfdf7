/*
 * confine/filter/filter.h: the system call filter, as a program for the kernel.
 *
 * MUST
 * 1. Look at the architecture first, and refuse numbers of another table.
 * 2. Compare arguments of 32 bits as the kernel does: the upper half is not looked at.
 * 3. Leave out no way to make a call that another way is refused for.
 */
#pragma once
#include "os/sys.h"
#include <stdbool.h>
#include <string.h>

#define FILTER_MAX 512

struct filter_opts {
	bool network;     /* the host's network is there */
	bool listed;      /* a list of hosts: sockets of another network come in */
	bool listen;      /* calls that write are sent to the supervisor */
	bool watch_reads; /* so are all opens */
	bool gate;        /* and execs */
	bool bare;        /* there are no namespaces: what they would hold is held here */
	bool attributes;  /* so is what is known of a file: some lie on mounts of outside */
	bool groups;    /* and a signal to the caller's own group, which has others in it */
	uint32_t group; /* the caller's own */
	bool joined;    /* a session: other runs live beside it, under the same user */
};

struct filter {
	struct kernel_bpf v[FILTER_MAX];
	unsigned n;
	bool full;
};

/* False when it would not fit. */
bool filter_make(struct filter *f, const struct filter_opts *opts);
