/*
 * launch/exec/exec_judge.h: judge every exec inside a run by its rules.
 *
 * MUST
 * 1. Judge the real argv, under the name of the executed file and under argv[0]; the
 *    stricter verdict counts.
 * 2. Refuse an exec that cannot be judged.
 * 3. Use bounded memory, however many execs there are.
 */
#pragma once
#include "gate/judge.h"
#include "run/run.h"

struct exec_judge {
	struct arena a;         /* for one exec */
	struct arena names;     /* for the programs it stands for */
	struct decide_input in; /* of the command that was judged */
	struct str home;
	const struct judged *approved; /* approved by a person; NULL: nothing */
};

/* Return false if out of memory. */
bool exec_judge_init(
    struct exec_judge *g, const struct judge_answer *answer, struct str home);
/* Judge one exec. */
enum verdict exec_judge_one(struct exec_judge *g, const struct exec_request *request);
