/* hook/hook.h: internal: one `cordon hook` call on its way to an answer. */
#pragma once
#include "agents/agents.h"
#include "agents/wrap.h"
#include "gate/ask/approval_token.h"
#include "gate/judge.h"
#include "gate/keep.h"
#include "gate/place.h"

/* Memory for the journal, in the same arena as the judgement. */
#define HOOK_KEEP (JOURNAL_SCRATCH + ((size_t)1 << 20))
#define HOOK_BYTES (JUDGE_BYTES + HOOK_KEEP)

struct hook {
	const struct process *cli;
	struct arena a;
	struct loader loader;
	struct keep keep;
	struct agent_call call;
	/* Directories and rules, the same for every request of this call. */
	struct judge_request base;
	struct str shell; /* the shell in which the agent runs commands; .p == NULL: bash */
	struct str agent; /* AGENT:ID of its conversation; .p == NULL: none */
	struct wrap frame; /* the `cordon run` around commands that this call rewrites */
	char grant[APPROVAL_ID];
	char *const *argv; /* as registered: hook AGENT ... */
	size_t argc;
};

/* Hint for an agent that cannot ask its user. */
#define HOOK_TELL_USER                                                                     \
	"do not try another way: tell the user, who can run it or allow it with a rule"

/* hook_answer.c: judge and record the call, and build the answer. */
void hook_answer(struct hook *h, struct agent_answer *ret);

/* Answer one kind of call each. */
void hook_shell(struct hook *h, struct agent_answer *ret);    /* hook_shell.c */
void hook_files(struct hook *h, struct agent_answer *ret);    /* hook_tools.c */
void hook_mcp(struct hook *h, struct agent_answer *ret);      /* hook_tools.c */
void hook_settings(struct hook *h, struct agent_answer *ret); /* hook_settings.c */

/* ---- hook_call.c: shared steps */

struct keep_who hook_who(const struct hook *h);
/* Judge.  Return 0; nonzero: *ret is the denial. */
int hook_judge(struct hook *h, const struct judge_request *q, struct str command,
    struct judge_answer *answer, struct agent_answer *ret);
/* Record in the journal.  Nonzero: recording failed, and *ret is the denial. */
int hook_record(struct hook *h, struct str command, struct judge_answer *answer,
    struct agent_answer *ret);
/* The abilities of this agent in this event, and whether the owner paused cordon: a set of
 * enum outcome_fact. */
unsigned hook_facts(struct hook *h, const struct judge_answer *answer);
/* Deny with `reason`, printed on one line. */
void hook_deny(struct hook *h, struct str reason, struct str fix, struct agent_answer *ret);
/* Replace these members in the input of the tool; deny on failure. */
void hook_change(
    struct hook *h, const struct agent_change *changes, size_t n, struct agent_answer *ret);
