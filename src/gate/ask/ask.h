/*
 * gate/ask/ask.h: a decision that says ask → a person's answer, and its effects.
 *
 * MUST
 * 1. Ask about exactly the command that was judged.  If the policy changed before the
 *    answer came, the answer is no.
 * 2. Offer a rule only if `cordon policy lint` does not call it too wide, and if it would
 *    have let this command pass.
 * 3. Record the answer before it takes effect, and a change of the rules before it is made.
 */
#pragma once
#include "approve/approve.h"
#include "gate/judge.h"
#include "gate/keep.h"

/* Upper bound for --wait. */
#define ASK_SECONDS_MAX 86400

struct ask {
	const struct process *cli;
	struct arena *a;
	struct loader *l;
	const struct judge_request *request;
	struct judge_answer *answer; /* judged again here, with the same request */
	struct keep *keep;
	const struct keep_who *who;
	uint64_t about;   /* record number of the decision */
	unsigned seconds; /* 0: the timeout of the policy */
	bool wait;        /* --wait was given: wait for a console to start */
	bool no_terminal; /* ask on the console only */
};

struct ask_result {
	bool accepted;
	bool network;      /* give network access to this run */
	struct str path;   /* let this run write here; .p == NULL: nowhere */
	struct str reason; /* why the answer is no, for the agent */
};

/* True if a terminal or a console can be asked; with `wait` a console may still start. */
bool ask_is_possible(const struct process *cli, bool wait);
/* Ask a person.  Return 0, or an exit status after a message; then nothing may run. */
int ask_person(const struct ask *q, struct ask_result *ret);
/* Add the access that the person gave to `sandbox`. */
int ask_widen(
    struct arena *a, const struct ask_result *result, struct sandbox_policy *sandbox);

/* ---- ask_offer.c */

/* Fill in the rules that `to` offers.  Needs l->sources, see ask.c. */
void ask_offer(const struct ask *q, struct approve_question *to);

/* ---- ask_keep.c: apply the answer.  Return 0, or an exit status after a message. */
int ask_keep(const struct ask *q, const struct approve_question *question,
    const struct approve_answer *answer);
