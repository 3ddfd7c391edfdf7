/*
 * launch/live.h: a run that a console can watch.
 *
 *	$XDG_RUNTIME_DIR/cordon/runs/ID.run   what runs; locked as long as it does
 *	                             ID.out   its newest output (approve/ring.h)
 *
 * Only while a console is there, and nothing that fails here hinders the run.
 */
#pragma once
#include "os/output.h"
#include <sys/types.h>

struct live {
	int dir, file; /* -1: none */
	pid_t copier;  /* who hands the output on; 0: nobody, it is a terminal */
	int before[2]; /* our own output, while the command's goes through the copier */
	char name[64];
	size_t id;
};

struct live_run {
	struct str command, cwd, session;
};

void live_begin(struct live *l, const struct process *cli, const struct live_run *run);
void live_end(struct live *l);
