/* hook/hook.h: inside `cordon hook`: one call of an agent's on its way to an answer. */
#pragma once
#include "agents/agents.h"
#include "agents/wrap.h"
#include "gate/ask/grant.h"
#include "gate/judge.h"
#include "gate/keep.h"
#include "gate/place.h"

/* What the journal needs beside a judgement, in the same piece of memory. */
#define HOOK_KEEP (JOURNAL_SCRATCH + ((size_t)1 << 20))
#define HOOK_BYTES (JUDGE_BYTES + HOOK_KEEP)

struct hook {
	const struct process *cli;
	struct arena a;
	struct loader loader;
	struct keep keep;
	struct agent_call call;
	struct judge_request
	    base;          /* the place and the rules, the same for every question */
	struct str shell;  /* in which the host runs commands; .p == NULL: bash */
	struct str agent;  /* HOST:ID of its session; .p == NULL: none */
	struct wrap frame; /* of the commands that are rewritten in this call */
	char grant[GRANT_ID];
	char *const *argv; /* as it was registered: hook HOST ... */
	size_t argc;
};

/* For an agent whose host cannot ask. */
#define HOOK_TELL_USER                                                                     \
	"do not try another way: tell the user, who can run it or allow it with a rule"

/* hook_answer.c: the call, judged and recorded, as what the agent is told. */
void hook_answer(struct hook *h, struct agent_answer *ret);

/* One file for each kind of call. */
void hook_shell(struct hook *h, struct agent_answer *ret);    /* hook_shell.c */
void hook_files(struct hook *h, struct agent_answer *ret);    /* hook_tools.c */
void hook_mcp(struct hook *h, struct agent_answer *ret);      /* hook_tools.c */
void hook_settings(struct hook *h, struct agent_answer *ret); /* hook_settings.c */

/* ---- hook_call.c: the steps that they share */

struct keep_who hook_who(const struct hook *h);
/* Judge; 0, or *ret is the denial already. */
int hook_judge(struct hook *h, const struct judge_request *q, struct str command,
    struct judge_answer *answer, struct agent_answer *ret);
/* Record in the journal; not 0: *ret is the denial, because it could not be recorded. */
int hook_record(struct hook *h, struct str command, struct judge_answer *answer,
    struct agent_answer *ret);
/* What this agent can do in this event, and whether the owner has paused cordon: of enum
 * outcome_fact. */
unsigned hook_facts(struct hook *h, const struct judge_answer *answer);
/* A denial for `reason`, shown as one line. */
void hook_deny(struct hook *h, struct str reason, struct str fix, struct agent_answer *ret);
/* The tool's input with these members replaced, or a denial. */
void hook_change(
    struct hook *h, const struct agent_change *changes, size_t n, struct agent_answer *ret);
