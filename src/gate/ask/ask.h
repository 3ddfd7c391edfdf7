/*
 * gate/ask/ask.h: a decision that says ask → a person's answer, and what follows from it.
 *
 * MUST
 * 1. Ask about exactly what was judged; if the policy is another one when the answer
 *    comes, it is a no.
 * 2. Offer a rule only if it is not too wide by `cordon policy lint`, and would have made
 *    this command pass.
 * 3. Have the answer in the journal before anything follows from it, and a change of the
 *    rules before it is made.
 */
#pragma once
#include "approve/approve.h"
#include "gate/judge.h"
#include "gate/keep.h"

/* So many seconds --wait may say. */
#define ASK_SECONDS_MAX 86400

struct ask {
	const struct process *cli;
	struct arena *a;
	struct loader *l;
	const struct judge_request *request;
	struct judge_answer *answer; /* judged anew here, with the same request */
	struct keep *keep;
	const struct keep_who *who;
	uint64_t about;   /* the record of the decision */
	unsigned seconds; /* 0: as the policy says */
	bool wait; /* `seconds` was given: wait for a console that is not there yet */
	bool no_terminal; /* ask the console only */
};

struct ask_result {
	bool accepted;
	bool network;      /* its sandbox gets these, for this run */
	struct str path;   /* .p == NULL: none */
	struct str reason; /* why not, for the agent */
};

/* Is there a terminal that somebody sits at, or a console?  `wait`: one may come. */
bool ask_is_possible(const struct process *cli, bool wait);
/* Asks.  0, or an exit status after a message; then nothing may run either. */
int ask_person(const struct ask *q, struct ask_result *ret);
/* `sandbox` with what the person gave besides. */
int ask_widen(
    struct arena *a, const struct ask_result *result, struct sandbox_policy *sandbox);

/* ---- ask_offer.c */

/* Fills the rules that `to` offers.  Needs l->sources: see ask.c. */
void ask_offer(const struct ask *q, struct approve_question *to);

/* ---- ask_keep.c: what the answer changes.  0, or an exit status after a message. */
int ask_keep(const struct ask *q, const struct approve_question *question,
    const struct approve_answer *answer);
