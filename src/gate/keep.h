/*
 * gate/keep.h: what was asked, decided, run and changed, kept in the journal.
 *
 * MUST
 * 1. Have a record in the file before its caller tells anybody: a decision that cannot be
 *    recorded becomes a denial, unless the policy says `journal optional`.
 * 2. Find the journal where `cordon log` looks for it: by the process's own environment,
 *    never by what a request says.
 * 3. Take one call for one record, and nothing before the first one.
 *
 *	struct keep k = { .cli = cli };
 *	...
 *	keep_decision(&k, &who, &loader, text, &answer, &number);
 *	                     (what is in answer.decision now may be told)
 */
#pragma once
#include "gate/judge.h"
#include "journal/journal.h"

struct run_result;

/* Zeroed but for `cli`, it is ready; the journal is opened by the first record and stays
 * open.  There is nothing to close before the process ends. */
struct keep {
	const struct process *cli;
	/* After a failure: a sentence with the cause; good until the next call. */
	struct str why;

	/* Private. */
	struct arena a;
	struct journal j;
	struct str dir;
	bool open;
	size_t base; /* of the arena: what stays from one call to the next */
};

/* Who asked, and where.  A text with a NULL pointer is absent. */
struct keep_who {
	struct str host;    /* claude, cursor ...; `cli` for a person's own command line */
	struct str event;   /* the agent's name for the moment: PreToolUse ... */
	struct str session; /* its session, or ours */
	struct str call;    /* its id for this call of a tool */
	struct str tool;    /* as the agent calls it; the shell: bash */
	struct str cwd;
};

/*
 * The decision in *answer, with the policy that `l` has loaded.  `command` is the text, or
 * what a file tool is to touch.  0, and *ret_number (may be NULL) is the record's: later
 * ones are about it.
 *
 * When it cannot be recorded, *ret_number is 0.  If the policy goes on without a journal
 * the result is 0 as well, and k->why is set.  Else it is a CORDON_E..., and the decision
 * in *answer has become a hard denial that says why: there is nothing a caller could
 * forget.
 */
int keep_decision(struct keep *k, const struct keep_who *who, const struct loader *l,
    struct str command, struct judge_answer *answer, uint64_t *ret_number);

/* A denial without a decision: rules that are broken, a request that cannot be read.  It
 * stays one, recorded or not. */
int keep_refusal(struct keep *k, const struct keep_who *who, struct str command,
    struct str reason, uint64_t *ret_number);

/* What a person (or nobody) said to the ask `about`.  Not 0: not recorded; a yes must then
 * count as a no where `journal required` holds. */
int keep_answer(struct keep *k, const struct keep_who *who, uint64_t about,
    struct str command, enum verdict verdict, struct str outcome, struct str reason);

/* What became of the run that `about` decided: one record, and one for each violation.
 * Nothing can be denied any more: a caller says k->why and goes on. */
int keep_run(struct keep *k, const struct keep_who *who, uint64_t about, struct str command,
    const struct run_result *result);

/* What was said to the changes that the run `about` made for a review: that they count, or
 * not.  Not 0: not recorded; see keep_answer(). */
int keep_review(struct keep *k, const struct keep_who *who, uint64_t about,
    struct str command, bool apply, size_t changes, struct str why);

/* Rules, trust, a session, a pause, an installation: what changed.  Recorded before it is
 * done where it loosens something, and then not done unless this is 0. */
struct keep_change {
	struct str op;      /* trust, session allow, pause, install ... */
	struct str path;    /* of the file or project */
	struct str command; /* the line that was added, the host that was installed to */
	struct str session;
	struct str outcome; /* until when, which digest ... */
	struct str reason;
	/* Lines that are added to `path`, and at which byte: `cordon log undo` takes out
	 * what has these bytes.  .p == NULL: none. */
	struct str added;
	uint64_t at;
	uint64_t about; /* the record that this one takes back; 0: none */
};
int keep_change(struct keep *k, const struct keep_change *change);

/* `cordon: ` and k->why on standard error. */
void keep_complain(const struct keep *k);

/* ---- for the parts of this file only */

/* The journal open, and the memory of the last call taken back; not 0: k->why. */
int keep_ready(struct keep *k);
/* Any record, when that is so; `who` may be NULL. */
int keep_record(
    struct keep *k, const struct keep_who *who, struct record *r, uint64_t *ret_number);
