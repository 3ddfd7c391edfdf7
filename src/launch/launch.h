/*
 * launch/launch.h: a command and its options → a decided, reported and recorded run.
 *
 * launch_run() is the way of every `cordon run`: find the directories, decide (gate/),
 * build the sandbox's policy, plan (confine/), run (run/), report.  The parts of the room
 * share launch/launch_internal.h.
 *
 * MUST
 * 1. Start nothing without a decision; a test without rules supplies its own.
 * 2. Fill struct launch from top to bottom: a step reads only members above its own part.
 */
#pragma once
#include "confine/plan/plan.h"
#include "gate/ask/ask.h"
#include "gate/external.h"
#include "gate/place.h"
#include "launch/exec/exec_judge.h"
#include "launch/files/ignore_files.h"
#include "launch/files/path_rules.h"
#include "launch/live.h"
#include "look/root.h"
#include "run/run.h"

enum {
	EXIT_NOT_STARTED = 125,
	EXIT_REFUSED = 126,
};

/* How execs inside the run are judged (--exec-gate). */
enum run_gating {
	GATING_DEFAULT, /* follow the policy */
	GATING_ON,
	GATING_REPORT,
	GATING_OFF,
};

/* Changes of a run with --review (--changes). */
enum review_answer {
	REVIEW_ASK, /* on the terminal; without one nothing is applied */
	REVIEW_APPLY,
	REVIEW_DROP,
};

/* The options as typed; cli/cmd_run.c reads them. */
struct launch_options {
	struct str sandbox, network, policy_file, debug_dir, timeout, memory, pids,
	    file_size, files, tmp_size, output, report, wait, gating, tracer, changes;
	struct opt_values rw, ro, ignore;
	bool block_git, no_tmp;
};

/* Access that the person's own options add, within the limits of the administrator. */
struct launch_flags {
	struct sandbox_policy policy;
	bool whole;             /* from --sandbox-policy: replaces everything else */
	bool network;           /* --network was given */
	enum run_gating gating; /* --exec-gate */
	bool no_tracer;         /* --tracer refuse */
	unsigned ask_seconds;   /* --wait; 0: not given */
};

struct launch {
	/* Input. */
	const struct process *cli;
	struct arena a;
	struct launch_options o;
	struct place_opts place;
	struct launch_flags flags;
	struct plan_limits limits;
	struct str string; /* the text for bash (-c); .p == NULL: execute argv directly */
	struct str grant;  /* name of an approval token (--grant); .p == NULL: none */
	bool dry_run, learn, review;
	int changes;      /* an enum review_answer, see launch_review.h */
	struct str words; /* our own argv: NUL-terminated strings in one piece of memory */
	struct root_answer roots;
	struct str cwd; /* real path */
	int report_fd;

	/* The decision: launch_decide.c. */
	bool judged;     /* by the rules; false: a test supplied the decision */
	struct str text; /* the text that was judged */
	struct loader loader;
	struct judge_request request;
	struct judge_answer answer;
	struct keep keep;
	struct keep_who who;
	uint64_t number;             /* record number of the decision */
	struct ask_result given;     /* by the person who was asked */
	const struct agreed *agreed; /* in the agent's own dialog; NULL: nothing */
	enum verdict verdict;        /* allow and confine run */
	struct str reason, fix;      /* printed if the command is refused */

	/* The sandbox: launch_sandbox.c. */
	struct sandbox_policy sandbox;
	struct exec_judge gate;
	struct path_rules paths;
	struct ignore_files ignores;
	struct plan_input plan;
	struct run_request run;
	struct live live;
	struct external_call call; /* for the hook programs that rules name */
};

/* cli/run_options.c: parse l->o into flags and limits.  Return 0, or an exit status after a
 * message. */
int run_take_limits(struct launch *l);
int run_take_flags(struct launch *l);
/* cli/cmd_run.c: parse the options of `cordon run` into *l.  Return -1 to continue with
 * l->run.argv, else an exit status. */
int run_read_options(const struct process *cli, int argc, char **argv, struct launch *l);

/* Fill in the decision and the sandbox.  Return 0, or an exit status after a message. */
typedef int launch_decide(struct launch *l);
/* launch.c: find the directories, decide, run.  Return the exit status of the command, or
 * our own. */
int launch_run(struct launch *l, launch_decide *decider);
/* launch_decide.c: decide by the rules. */
launch_decide launch_judge;

/* complain.c: print `cordon run: WHAT 'OBJECT': WHY` and return EXIT_NOT_STARTED.  `object`
 * may have a NULL pointer, `why` may be NULL. */
int launch_complain(const char *what, struct str object, const char *why);
