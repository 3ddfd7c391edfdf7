/*
 * launch/live.h: let the console watch a run.
 *
 *	$XDG_RUNTIME_DIR/cordon/runs/ID.run   state of the run; locked while it runs
 *	                             ID.out   its latest output (approve/ring.h)
 *
 * Active only while a console runs.  A failure here does not affect the run.
 */
#pragma once
#include "os/output.h"
#include <sys/types.h>

struct live {
	int dir, file; /* -1: none */
	pid_t copier;  /* process that copies the output; 0: none (a terminal) */
	int before[2]; /* our own stdout and stderr while the command's go through the
			  copier */
	char name[64];
	size_t id;
};

struct live_run {
	struct str command, cwd, session;
};

void live_begin(struct live *l, const struct process *cli, const struct live_run *run);
void live_end(struct live *l);
