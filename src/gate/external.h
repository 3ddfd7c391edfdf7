/*
 * gate/external.h: programs that the rules name, asked before a command and told after it.
 *
 *	hook before-shell ~/bin/look-at-it timeout 5
 *
 * MUST
 * 1. Only tighten: `ask` forces approval, `deny` blocks, `allow` and no opinion change
 *    nothing.
 * 2. Take everything else for a deny: a program that cannot be started, ends with another
 *    status than 0, is late, or prints anything but one JSON object.
 * 3. Not be asked about what is denied for good already.
 * 4. Leave nothing running, and nothing on our own output.
 */
#pragma once
#include "gate/judge.h"
#include <sys/types.h>

/* What a program may print. */
#define EXTERNAL_OUTPUT ((size_t)256 << 10)

struct external_call {
	struct str command, cwd;               /* .p == NULL: not known */
	struct str session, generation, model; /* of the agent; .p == NULL: "" */
	unsigned left_ms;           /* no longer than this; 0: as the rules say */
	void (*watch)(pid_t group); /* told what runs, and 0 when it has ended */
};

/* All `hook before-shell` programs, one behind the other until one denies; the decision in
 * *answer is then made again with what they said. */
void external_before(struct arena *a, const struct process *cli,
    const struct external_call *c, struct judge_answer *answer);
/* All `hook after-shell` programs; false if one failed: nothing can be changed any more. */
bool external_after(struct arena *a, const struct process *cli,
    const struct external_call *c, const struct judge_answer *answer, int status,
    uint64_t wall_ms);

/* external_run.c: starts `program`, hands it `input`; its output, or why there is none. */
const char *external_run(struct arena *a, const struct process *cli,
    const struct external_call *c, const char *program, unsigned ms, struct str input,
    struct str *ret);
