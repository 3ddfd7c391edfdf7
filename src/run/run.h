/*
 * run/run.h: plan + command → its end, and what it was refused.
 *
 * MUST
 * 1. Start the command only behind the whole plan.
 * 2. Let nothing of the tree outlive the command, a limit, or cordon itself.
 * 3. Never let a call go on to enforce something: what the supervisor must forbid, the
 *    kernel forbids as well, and the supervisor makes the calls that are fine.
 * 4. Act only on what was read once: names are copied, then resolved to descriptors in
 *    the command's own view, then judged by the path that the kernel has for those.
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

struct run_early;
struct run_ahead;

struct run_request {
	const struct plan *plan;
	char *const *argv; /* argv[0] is searched in PATH unless it has a slash */
	char *const *envp; /* what the command gets */
	struct run_policy policy;
	const struct session_place *place; /* the session's; NULL: it stands alone */
	struct run_early *early;           /* early.h; NULL: no namespaces stand yet */
	struct run_ahead *ahead;           /* ahead.h; NULL: nobody has joined yet */
	/* The record of vacated places, kept between runs; NULL: it is not kept. */
	const char *vacated_file;
};

enum run_end {
	RUN_NOT_STARTED, /* `why` says it */
	RUN_EXITED,      /* code is its status */
	RUN_SIGNALLED,   /* code is the signal */
	RUN_TIMED_OUT,
};

enum run_limit {
	RUN_LIMIT_WALL = 1,
	RUN_LIMIT_MEMORY = 2,
	RUN_LIMIT_PROCESSES = 4,
	RUN_LIMIT_OUTPUT = 8, /* more was printed, and not passed on */
	RUN_LIMIT_TMP = 16,   /* the private /tmp was full */
};

struct run_result {
	enum run_end end;
	int code;
	struct str why;                    /* for a person, when it was not started */
	enum plan_field field;             /* then: the field that could not be held */
	uint64_t wall_ms, cpu_ms, max_rss; /* max_rss in bytes */
	uint64_t processes;
	const struct violation *violations;
	size_t violations_n;
	const struct dropped_code *dropped;
	size_t dropped_n;
	uint64_t dropped_lost;           /* changes of others, that found no room */
	const struct violation *learned; /* nothing of it was refused */
	size_t learned_n;
	bool learned_more;
	const struct violation *reached; /* hosts of a list that it was let connect to */
	size_t reached_n;
	uint64_t reached_lost;    /* how often to others, that found no room */
	uint64_t violations_lost; /* refusals of others, that found no room */
	unsigned limits_hit;      /* of enum run_limit */
	struct session_answer session;
	uint64_t traced_execs; /* judged at entry only: a debugger inside held them */
	/* What became of each field of the policy. */
	struct plan_field_state fields[FIELDS];
	int upper; /* with a review: what was written, for run/review/review.h; else -1 */
	struct timespec began; /* then only */
	const char *bare;      /* why it ran without namespaces; NULL: it did not */
	struct str steps;      /* of the set-up, one a line: made, or where it failed */
};

/* Runs it to its end.  Never fails in another way than RUN_NOT_STARTED. */
void run(struct arena *a, const struct run_request *q, struct run_result *ret);

/* The same without any sandbox; a plan is not looked at, and of the limits only time and
 * output are kept. */
void run_plain(struct arena *a, const struct run_request *q,
    const struct plan_limits *limits, struct run_result *ret);

/* As the contract has it: own status, 128 + n, 124, 125. */
int run_exit_status(const struct run_result *r);
/* The contract's report, one line. */
void run_report(const struct run_result *r, enum verdict verdict, struct buf *out);
/* One line for each violation, for a person. */
void run_print_violations(const struct run_result *r, struct buf *out);
