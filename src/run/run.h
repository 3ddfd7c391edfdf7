/*
 * run/run.h: plan + command → exit status, and what was refused.
 *
 * MUST
 * 1. Start the command only after the whole plan is applied.
 * 2. Let nothing of the tree outlive the command, a limit, or cordon itself.
 * 3. Serve its calls by broker/broker.h.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "broker/broker.h"
#include "confine/plan/plan.h"
#include "run/session/session.h"
#include <sys/types.h>
#include <time.h>

/* ---- a run */

struct prenamespace;
struct prejoin;

struct run_request {
	const struct plan *plan;
	char *const *argv; /* argv[0] is searched in PATH unless it has a slash */
	char *const *envp; /* the command's environment */
	struct run_policy policy;
	const struct session_ref *session; /* the session to join; NULL: none */
	/* namespaces that were made before; NULL: none */
	struct prenamespace *prenamespace;
	struct prejoin *prejoin; /* a process that has joined before; NULL: none */
	/* The record of vacated paths, kept between runs; NULL: it is not kept. */
	const char *vacated_file;
};

enum run_end {
	RUN_NOT_STARTED, /* `why` says it */
	RUN_EXITED,      /* code is its exit status */
	RUN_SIGNALLED,   /* code is the signal */
	RUN_TIMED_OUT,
};

enum run_limit {
	RUN_LIMIT_WALL = 1,
	RUN_LIMIT_MEMORY = 2,
	RUN_LIMIT_PROCESSES = 4,
	RUN_LIMIT_OUTPUT = 8, /* the rest was dropped */
	RUN_LIMIT_TMP = 16,   /* the private /tmp was full */
};

struct run_result {
	enum run_end end;
	int code;
	struct str why;                    /* for a person, when it was not started */
	enum plan_field field;             /* the field that could not be enforced then */
	uint64_t wall_ms, cpu_ms, max_rss; /* max_rss in bytes */
	uint64_t processes;
	const struct violation *violations;
	size_t violations_n;
	const struct dropped_code *dropped;
	size_t dropped_n;
	uint64_t dropped_lost;           /* files that did not fit */
	const struct violation *learned; /* writes that were not refused */
	size_t learned_n;
	bool learned_more;
	const struct violation *reached; /* hosts of the list that it connected to */
	size_t reached_n;
	uint64_t reached_lost;    /* connects to hosts that did not fit */
	uint64_t violations_lost; /* refusals that did not fit */
	unsigned limits_hit;      /* bits of enum run_limit */
	struct session_answer session;
	/* judged at entry only, because a debugger inside traced them */
	uint64_t traced_execs;
	/* The state of each field of the policy. */
	struct plan_field_state fields[FIELDS];
	int upper; /* with --review: the upper layers, for run/review/review.h; else -1 */
	struct timespec began; /* with --review: when the run began */
	const char *bare;      /* why it ran without namespaces; NULL: it did not */
	struct str steps; /* steps of the set-up, one per line: made, or where it failed */
};

/* Run the command to its end.  The only failure is RUN_NOT_STARTED. */
void run_confined(struct arena *a, const struct run_request *q, struct run_result *ret);

/* Run it without a sandbox: the plan is ignored, and of the limits only time and output
 * apply. */
void run_plain(struct arena *a, const struct run_request *q,
    const struct plan_limits *limits, struct run_result *ret);

/* The exit status of cordon: the command's own, 128 + signal, 124 (timeout), 125. */
int run_exit_status(const struct run_result *r);
/* Print the JSON report, one line. */
void run_report(const struct run_result *r, enum verdict verdict, struct buf *out);
/* Print one line for each violation, for a person. */
void run_print_violations(const struct run_result *r, struct buf *out);
