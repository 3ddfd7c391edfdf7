/*
 * launch/exec/run_gate.h: every exec of a confined tree, judged by the rules of the run.
 *
 * MUST
 * 1. Judge the real words, under the name of the file that is started and under the name
 *    that it is started by: the stricter counts.
 * 2. Refuse what cannot be judged.
 * 3. Take the same memory for each exec, however many there are.
 */
#pragma once
#include "gate/judge.h"
#include "run/run.h"

struct run_gate {
	struct arena a;         /* one exec */
	struct arena names;     /* what else it amounts to */
	struct decide_input in; /* of the command itself */
	struct str home;
	const struct judged *approved; /* what a person has agreed to; NULL: nothing */
};

/* False when there is no memory. */
bool run_gate_init(struct run_gate *g, const struct judge_answer *answer, struct str home);
/* A run_judge. */
enum verdict run_gate_judge(void *gate, const struct exec_request *request);
