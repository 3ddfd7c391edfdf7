/*
 * confine/filter/filter.h: the system call filter, as a BPF program.
 *
 * MUST
 * 1. Check the architecture first, and refuse call numbers of another table.
 * 2. Compare 32-bit arguments as the kernel does: ignore the upper half.
 * 3. Leave no other way to make a call that is refused.
 */
#pragma once
#include "os/sys.h"
#include <stdbool.h>
#include <string.h>

#define FILTER_MAX 512

struct filter_opts {
	bool network; /* the host's network is available */
	bool listed;  /* a list of hosts: the command gets sockets of the host's network */
	bool listen;  /* calls that write are sent to the supervisor */
	bool watch_reads; /* all opens are sent */
	bool gate;        /* execs are sent */
	bool bare;        /* no namespaces: the filter enforces what they would */
	bool attributes;  /* calls that change attributes are sent: some files are on mounts
			     of the host */
	bool groups; /* signals to the caller's own process group are sent: others are in it
		      */
	uint32_t group; /* the caller's own process group */
	bool joined;    /* a session: other runs have the same user */
};

struct filter {
	struct kernel_bpf v[FILTER_MAX];
	unsigned n;
	bool full;
};

/* Make the program.  False if it does not fit. */
bool filter_make(struct filter *f, const struct filter_opts *opts);
