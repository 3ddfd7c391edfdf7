/*
 * gate/external.h: run the hook programs that rules name, before and after a command.
 *
 *	hook before-shell ~/bin/look-at-it timeout 5
 *
 * MUST
 * 1. Only tighten: `ask` forces approval, `deny` blocks, `allow` and no opinion change
 *    nothing.
 * 2. Treat everything else as deny: a program that cannot be started, exits nonzero, times
 *    out, or prints anything but one JSON object.
 * 3. Not start for a command that is already denied for good.
 * 4. Leave no process running, and write nothing to our own output.
 */
#pragma once
#include "gate/judge.h"
#include <sys/types.h>

/* Limit on the output of one program. */
#define EXTERNAL_OUTPUT ((size_t)256 << 10)

struct external_call {
	struct str command, cwd;               /* .p == NULL: unknown */
	struct str session, generation, model; /* of the agent; .p == NULL: "" */
	unsigned left_ms; /* limit for each program; 0: the timeout of its rule */
	/* Called with the process group when it starts, with 0 when it ended. */
	void (*watch)(pid_t group);
};

/* Run the `hook before-shell` programs in order until one denies; decide again in *answer
 * with their permissions. */
void external_before(struct arena *a, const struct process *cli,
    const struct external_call *c, struct judge_answer *answer);
/* Run the `hook after-shell` programs.  Return false if one failed: the command already
 * ran. */
bool external_after(struct arena *a, const struct process *cli,
    const struct external_call *c, const struct judge_answer *answer, int status,
    uint64_t wall_ms);

/* external_run.c: start `program` with `input` on stdin.  Return NULL and its output in
 * *ret, or why there is none. */
const char *external_run(struct arena *a, const struct process *cli,
    const struct external_call *c, const char *program, unsigned ms, struct str input,
    struct str *ret);
