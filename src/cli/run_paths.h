/*
 * cli/run_paths.h: rules about files, held by the sandbox for code that nobody has read.
 *
 * MUST
 * 1. Hide what `deny read` names, and `ask read` unless a person has agreed, where a rule
 *    of a higher layer does not give it.
 * 2. Refuse changes that rules of the person's own name, in what can be written.
 * 3. Refuse changes that the built-in rules deny there.  Names that they deny anywhere are
 *    those of policy/names.list, which confine/guard.h holds.
 */
#pragma once
#include "cli/judge.h"
#include "run/run.h"

struct run_paths {
	const struct decide_input *in;
	const struct root_answer *roots;
	struct sandbox_list readwrite; /* what can be written beside the roots */
	bool asks;     /* a person has agreed: what is only asked about is open */
	bool any;      /* there are rules to be asked for each change */
	char why[512]; /* of the last refusal */
};

/* `roots` stay with the caller. */
void run_paths_init(struct run_paths *p, const struct decide_input *in,
    const struct root_answer *roots, const struct sandbox_policy *sandbox, bool agreed);
/* A run_path_judge. */
enum run_path_answer run_paths_judge(
    void *paths, enum run_op op, struct str path, struct str *ret_why);

/* Files and directories that are there and must not be read; real paths.  CORDON_ENOMEM. */
int run_paths_hidden(struct arena *a, const struct run_paths *p, struct str **ret,
    size_t *ret_n, struct err *reterr);
/* Patterns for names in the workspace, as lines of an ignore file; empty: none. */
int run_paths_patterns(
    struct arena *a, const struct run_paths *p, struct str *ret, struct err *reterr);
