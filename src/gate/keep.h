/*
 * gate/keep.h: record requests, decisions, answers, runs and changes in the journal.
 *
 * MUST
 * 1. Write the record before the caller reports anything: a decision that cannot be
 *    recorded becomes a denial, unless the policy says `journal optional`.
 * 2. Find the journal where `cordon log` looks for it: by the environment of this process,
 *    never by a request.
 * 3. Write one record per call, and open nothing before the first one.
 *
 *	struct keep k = { .cli = cli };
 *	...
 *	keep_decision(&k, &who, &loader, text, &answer, &number);
 *	                     (only now may answer.decision be reported)
 */
#pragma once
#include "gate/judge.h"
#include "journal/journal.h"

/* Initialise by zeroing all but `cli`.  The first record opens the journal; it stays open
 * until the process ends. */
struct keep {
	const struct process *cli;
	/* The cause of the last failure as a sentence; valid until the next call. */
	struct str why;

	/* Private. */
	struct arena a;
	struct journal j;
	struct str dir;
	bool open;
	size_t base; /* arena position after the part that stays between calls */
};

/* The caller of a request.  A text with a NULL pointer is absent. */
struct keep_who {
	struct str host;    /* claude, cursor ...; `cli`: typed by a person */
	struct str event;   /* the agent's name for the event: PreToolUse ... */
	struct str session; /* the agent's conversation, or our session */
	struct str call;    /* the agent's id for this tool call */
	struct str tool;    /* the agent's name for the tool; the shell: bash */
	struct str cwd;
};

/*
 * Record the decision in *answer, made with the policy loaded in `l`.  `command` is the
 * text, or the path that a file tool touches.  Return 0 and the number of the record in
 * *ret_number (may be NULL); later records refer to it.
 *
 * If recording fails, *ret_number is 0 and k->why is set.  A policy that says `journal
 * optional` still returns 0.  Otherwise return CORDON_E... after turning the decision in
 * *answer into a hard denial with the reason, so that a caller cannot miss it.
 */
int keep_decision(struct keep *k, const struct keep_who *who, const struct loader *l,
    struct str command, struct judge_answer *answer, uint64_t *ret_number);

/* Record a denial without a decision: broken rules, or a request that cannot be read.  The
 * denial stands even if recording fails. */
int keep_refusal(struct keep *k, const struct keep_who *who, struct str command,
    struct str reason, uint64_t *ret_number);

/* Record the answer to the ask in record `about`, or that no answer came.  Nonzero: not
 * recorded; with `journal required` a yes must then count as a no. */
int keep_answer(struct keep *k, const struct keep_who *who, uint64_t about,
    struct str command, enum verdict verdict, struct str outcome, struct str reason);

/* Record a change of rules, trust, a session, a pause or an installation.  A change that
 * loosens anything is recorded first, and is made only if this returns 0. */
struct keep_change {
	struct str op;      /* trust, session allow, pause, install ... */
	struct str path;    /* of the file or project */
	struct str command; /* the added line, or the agent installed to */
	struct str session;
	struct str outcome; /* end time, digest ... */
	struct str reason;
	/* Lines added to `path` and their byte offset: `cordon log undo` removes exactly
	 * these bytes.  .p == NULL: none. */
	struct str added;
	uint64_t at;
	uint64_t about; /* the record that this change undoes; 0: none */
};
int keep_change(struct keep *k, const struct keep_change *change);

/* Print `cordon: ` and k->why on stderr. */
void keep_complain(const struct keep *k);

/* ---- internal: for keep.c and launch/record_run.c */

/* Open the journal and free the memory of the last call.  Nonzero: see k->why. */
int keep_ready(struct keep *k);
/* Append any record after keep_ready(); `who` may be NULL. */
int keep_record(
    struct keep *k, const struct keep_who *who, struct record *r, uint64_t *ret_number);
