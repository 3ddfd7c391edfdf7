/* cli/cmd_run.h: what `cordon run` must be told by whoever may decide. */
#pragma once
#include "cli/cli.h"
#include "cli/place.h"
#include "run/run.h"

/* The question, before anything runs. */
struct run_question {
	struct str text;   /* the shell command, or .p == NULL: */
	char *const *argv; /* the words that are started as they are */
	const struct place_opts *place;
	const struct sandbox_policy *flags; /* what the options ask for */
	const struct root_answer *roots;
};

struct run_answer {
	enum verdict verdict;
	struct str reason;             /* shown when it is refused */
	struct sandbox_policy sandbox; /* what it runs in */
	bool read_workspace;
	run_judge *judge; /* the exec gate; NULL: none */
	void *judge_context;
};

/* 0, or an exit status after a message.  There is no default: without a decision nothing
 * runs. */
typedef int run_decide(
    void *context, struct arena *a, const struct run_question *q, struct run_answer *ret);

int cmd_run_with(
    const struct cli *cli, int argc, char **argv, run_decide *decider, void *context);
