/* launch/launch.h: what `cordon run` must be told by whoever may decide. */
#pragma once
#include "gate/place.h"
#include "launch/files/run_ignore.h"
#include "os/output.h"
#include "run/run.h"

/* What the options ask for: a person's own words, which may add up to what an administrator
 * gives. */
struct run_flags {
	struct sandbox_policy policy;
	bool whole;     /* it comes from --sandbox-policy: nothing else is to be added */
	bool network;   /* --network was given */
	bool learn;     /* nothing is to be refused that can be reported instead */
	int gating;     /* of enum run_gating, running.h */
	bool no_tracer; /* --tracer refuse */
	unsigned ask_seconds; /* --wait; 0: not given */
};

/* The question, before anything runs. */
struct run_question {
	struct str text;   /* the shell command, or .p == NULL: */
	char *const *argv; /* the words that are started as they are */
	const struct place_opts *place;
	const struct run_flags *flags;
	const struct root_answer *roots;
	struct str cwd;   /* real */
	struct str grant; /* of an agent's dialog; .p == NULL: none */
	bool dry;         /* nothing will run, whatever is decided */
};

struct run_answer {
	enum verdict verdict;
	struct str reason;             /* shown when it is refused */
	struct str fix;                /* and what to do; may be empty */
	struct sandbox_policy sandbox; /* what it runs in */
	const struct root_answer
	    *roots; /* with those of the policy; NULL: the question's */
	bool read_workspace;
	host_denied *denied; /* rules about hosts; NULL: none */
	void *denied_context;
	run_judge *judge; /* the exec gate; NULL: none */
	void *judge_context;
	const struct str *own; /* cordon's own directories, real */
	size_t own_n;
	struct str state;              /* of these: the one with the journal */
	const struct plan_name *names; /* that a person agreed to */
	size_t names_n;
	const struct str *hidden; /* what cannot be read */
	size_t hidden_n;
	struct run_ignores ignores;
	run_path_judge *paths; /* rules about files; NULL: none */
	run_way_judge *ways;
	void *paths_context;
	bool judge_reads;        /* and some say what cannot be read */
	const struct str *learn; /* what it would have been given; else .n is 0 */
	size_t learn_n;
	bool gate_reports;  /* the gate refuses nothing */
	bool refuse_tracer; /* what a debugger holds may not exec */
	/* Told that it begins; NULL: nobody is. */
	void (*begins)(void *context);
	/* Told the end, whatever it is; NULL: nobody is. */
	void (*ended)(void *context, const struct run_result *result);
	/* Appends which rule would allow what was refused; NULL: nobody knows. */
	void (*hints)(void *context, const struct run_result *result, struct buf *out);
	/* Told what a person said to the changes of a review, before they count.  False:
	 * it cannot be recorded, and they may not.  NULL: nobody is. */
	bool (*reviewed)(void *context, bool apply, size_t changes, struct str why);
	void *ended_context;
};

/* 0, or an exit status after a message.  There is no default: without a decision nothing
 * runs. */
typedef int run_decide(
    void *context, struct arena *a, const struct run_question *q, struct run_answer *ret);
