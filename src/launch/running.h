/* launch/running.h: what the parts of `cordon run` share.  For them only. */
#pragma once
#include "launch/launch.h"
#include "look/root.h"

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

struct running {
	const struct process *cli;
	struct arena a;
	struct place_opts place;
	struct str sandbox, network, policy_file, debug_dir, timeout, memory, pids,
	    file_size, files, tmp_size, output, report, string, wait, gating, tracer, grant,
	    changes;
	struct opt_values rw, ro, ignore;
	bool block_git, no_tmp, dry_run, learn, review;
	int answer; /* of enum review_answer, run_review.h */
	struct root_answer roots;
	struct run_flags flags;
	struct plan_limits limits;
	struct str cwd; /* real */
	int report_fd;
	struct run_early *early; /* namespaces that are being made meanwhile */
	struct run_ahead *ahead; /* who joins a session meanwhile */
	struct str words;        /* all of ours, one behind the other with their NULs */
};

/* `cordon run: WHAT 'OBJECT': WHY`; returns EXIT_NOT_STARTED.  `object` may have a NULL
 * pointer, `why` may be NULL. */
int run_complain(const char *what, struct str object, const char *why);

/* run_options.c: what the options say, as a policy and as limits.  0, or an exit status
 * after a message. */
int run_take_limits(struct running *r);
int run_take_flags(struct running *r);

/* cmd_run.c: the options of `cordon run`, into *r; -1: go on with *ret_argv, else an exit
 * status. */
int run_read_options(const struct process *cli, int argc, char **argv, struct running *r,
    char *const **ret_argv);

/* launch.c: decide and run; run_decide.c: the same by the rules.  The command's exit
 * status, or ours. */
int launch(struct running *r, char *const *argv, run_decide *decider, void *context);
int launch_judged(struct running *r, char *const *argv);

/* run_start.c: a decided command, to its end.  Its exit status, or ours. */
int run_start(struct running *r, struct run_answer *answer, char *const *argv);

/* run_warn.c: says which hidden files git keeps. */
void run_warn_stored(struct arena *a, const struct plan *plan);
