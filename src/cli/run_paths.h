/*
 * cli/run_paths.h: rules about files, held by the sandbox for code that nobody has read.
 *
 * MUST
 * 1. Hide what `deny read` names, and `ask read` unless a person has agreed, where a rule
 *    of a higher layer does not give it.
 * 2. Refuse changes that rules of the person's own name, in what can be written.
 *
 * What the shipped rules say about writing, and about names anywhere in the workspace, the
 * guarded names of confine/guard.h hold.
 */
#pragma once
#include "cli/judge.h"
#include "run/run.h"

struct run_paths {
	const struct decide_input *in;
	bool asks;     /* a person has agreed: what is only asked about is open */
	bool any;      /* there are rules to be asked for each change */
	char why[512]; /* of the last refusal */
};

void run_paths_init(struct run_paths *p, const struct decide_input *in, bool agreed);
/* A run_path_judge. */
enum run_path_answer run_paths_judge(
    void *paths, enum run_op op, struct str path, struct str *ret_why);

/* Files and directories that are there and must not be read; real paths.  CORDON_ENOMEM. */
int run_paths_hidden(struct arena *a, const struct run_paths *p, struct str **ret,
    size_t *ret_n, struct err *reterr);
/* Patterns for names in the workspace, as lines of an ignore file; empty: none. */
int run_paths_patterns(
    struct arena *a, const struct run_paths *p, struct str *ret, struct err *reterr);
