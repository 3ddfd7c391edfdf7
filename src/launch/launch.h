/*
 * launch/launch.h: a command and its options → a run that is decided, reported and
 * recorded.
 *
 * MUST
 * 1. Start nothing without a decision; without rules (a test) the caller gives one.
 * 2. Fill struct launch from the top down: a step reads what stands above its own part.
 */
#pragma once
#include "confine/plan/plan.h"
#include "gate/ask/ask.h"
#include "gate/external.h"
#include "gate/place.h"
#include "launch/exec/run_gate.h"
#include "launch/files/run_ignore.h"
#include "launch/files/run_paths.h"
#include "launch/live.h"
#include "look/root.h"
#include "run/run.h"

enum {
	EXIT_NOT_STARTED = 125,
	EXIT_REFUSED = 126,
};

/* How execs of the tree are judged. */
enum run_gating {
	GATING_DEFAULT, /* as the policy says */
	GATING_ON,
	GATING_REPORT,
	GATING_OFF,
};

/* The options as they were typed; cli/cmd_run.c reads them. */
struct launch_options {
	struct str sandbox, network, policy_file, debug_dir, timeout, memory, pids,
	    file_size, files, tmp_size, output, report, wait, gating, tracer, changes;
	struct opt_values rw, ro, ignore;
	bool block_git, no_tmp;
};

/* What a person's own options add, up to what an administrator leaves open. */
struct launch_flags {
	struct sandbox_policy policy;
	bool whole;             /* from --sandbox-policy: nothing else is added */
	bool network;           /* --network was given */
	enum run_gating gating; /* --exec-gate */
	bool no_tracer;         /* --tracer refuse */
	unsigned ask_seconds;   /* --wait; 0: not given */
};

struct launch {
	/* The question. */
	const struct process *cli;
	struct arena a;
	struct launch_options o;
	struct place_opts place;
	struct launch_flags flags;
	struct plan_limits limits;
	struct str string; /* for bash; .p == NULL: argv is started as it is */
	struct str grant;  /* of an agent's dialog; .p == NULL: none */
	bool dry_run, learn, review;
	int changes;      /* of enum review_answer, run_review.h */
	struct str words; /* our own argv, with its NULs, one text after the other */
	struct root_answer roots;
	struct str cwd; /* real */
	int report_fd;

	/* The decision: run_decide.c. */
	bool judged;     /* by the rules; false: a test gave the rest */
	struct str text; /* what was judged */
	struct loader loader;
	struct judge_request request;
	struct judge_answer answer;
	struct keep keep;
	struct keep_who who;
	uint64_t number;             /* of the decision's record */
	struct ask_result given;     /* by a person who was asked */
	const struct agreed *agreed; /* in the agent's own dialog; NULL: nothing was */
	enum verdict verdict;        /* allow and confine run */
	struct str reason, fix;      /* shown when it is refused */

	/* The sandbox: run_decide.c fills these in place. */
	struct sandbox_policy sandbox;
	struct run_gate gate;
	struct run_paths paths;
	struct run_ignores ignores;
	struct plan_input plan;
	struct run_request run;
	struct live live;
	struct external_call call; /* for the programs that the rules name */
};

/* Reads l->o into flags and limits (cli/run_options.c).  0, or an exit status after a
 * message. */
int run_take_limits(struct launch *l);
int run_take_flags(struct launch *l);
/* The options of `cordon run`, into *l (cli/cmd_run.c); -1: go on with l->run.argv, else an
 * exit status. */
int run_read_options(const struct process *cli, int argc, char **argv, struct launch *l);

/* Fill in the decision and the sandbox.  0, or an exit status after a message. */
typedef int launch_decide(struct launch *l);
/* launch.c: find the place, decide, run.  The command's exit status, or ours. */
int launch(struct launch *l, launch_decide *decider);
/* run_decide.c: decide by the rules. */
launch_decide launch_judge;

/* ---- for the parts of this room */

/* `cordon run: WHAT 'OBJECT': WHY`; returns EXIT_NOT_STARTED.  `object` may have a NULL
 * pointer, `why` may be NULL. */
int run_complain(const char *what, struct str object, const char *why);
/* run_start.c: a decided command, to its end.  Its exit status, or ours. */
int run_start(struct launch *l);
/* run_told.c: what the journal, the console and the rules' programs learn of a run. */
void run_told_begin(struct launch *l);
void run_told_end(struct launch *l, const struct run_result *result);
/* Record what a person said to the changes of a review, before they count.  False: it
 * cannot be recorded, and they may not. */
bool run_told_review(struct launch *l, bool apply, size_t changes, struct str why);
/* run_warn.c: says which hidden files git keeps. */
void run_warn_stored(struct arena *a, const struct plan *plan);
