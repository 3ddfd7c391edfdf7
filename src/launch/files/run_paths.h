/*
 * launch/files/run_paths.h: rules about files, held by the sandbox for code that nobody has
 * read.
 *
 * MUST
 * 1. Hide what `deny read` and `ask read` name, where a rule of a higher layer does not
 *    give it: by a mount what is there at the start, by the supervisor's judgement whatever
 *    is reached.
 * 2. Open of what is asked about exactly what a person or a rule has agreed to.
 * 3. Refuse changes that rules of the person's own name, in what can be written.
 * 4. Refuse changes that the built-in rules deny there.  Names that they deny anywhere are
 *    those of policy/names.list, which confine/guard.h holds.
 */
#pragma once
#include "gate/judge.h"
#include "run/run.h"

struct run_paths {
	const struct decide_input *in;
	const struct decision *decision;
	const struct root_answer *roots;
	struct sandbox_list readwrite; /* what can be written beside the roots */
	bool agreed;                   /* a person was asked, and said yes */
	bool asks;     /* what is only asked about is not covered: some of it is open */
	bool any;      /* there are rules to be asked for each change */
	bool reads;    /* and for each read */
	char why[512]; /* of the last refusal */
};

/* `answer` stays with the caller. */
void run_paths_init(struct run_paths *p, const struct judge_answer *answer,
    const struct sandbox_policy *sandbox, bool agreed);
/* A run_path_judge. */
enum run_path_answer run_paths_judge(
    void *paths, enum run_op op, struct str path, struct str *ret_why);

/* The same for a read alone (run_reads.c); and what is found out once. */
enum run_path_answer run_paths_read(
    struct run_paths *p, struct str path, struct str *ret_why);
void run_reads_init(struct run_paths *p);
/* Which rule, for a person; in p->why. */
void run_paths_why(struct run_paths *p, const struct rule *r, struct str *ret);
/* A run_way_judge: some rule about reading leads through this directory. */
bool run_paths_way(void *paths, struct str directory);

/* Files and directories that are there and must not be read; real paths.  CORDON_ENOMEM. */
int run_paths_hidden(struct arena *a, const struct run_paths *p, struct str **ret,
    size_t *ret_n, struct err *reterr);
/* Patterns for names in the workspace, as lines of an ignore file; empty: none. */
int run_paths_patterns(
    struct arena *a, const struct run_paths *p, struct str *ret, struct err *reterr);
