/*
 * gate/judge.h: one request → one decision.
 *
 * The room gate/ takes one request to one recorded outcome.  Every door (check, explain,
 * run, hook, mcp) calls it, and nothing below it.  Three headers are its contract:
 *
 *	gate/judge.h     gate_judge(): find the roots, load the policy, analyse, decide
 *	gate/keep.h      keep_decision(): record the decision in the journal
 *	gate/outcome.h   outcome_find(): decision and abilities of the door → what it does
 *
 * Helpers for the doors: gate/place.h (--cwd, --root, --policy ...), gate/external.h (hook
 * programs that rules name), gate/owner.h (is the owner at the terminal?), gate/ask/ (ask a
 * person, one-time approvals, pauses), gate/rules/ (find, load and lint rules files).
 *
 * MUST
 * 1. Be the only composition of these steps: a door that skips one decides by less.
 * 2. Answer every failure with an error, never with a decision that allows.
 */
#pragma once
#include "decide/decide.h"
#include "gate/rules/load.h"
#include "look/root.h"

/* Memory for one request: analysis, facts, decision and answer. */
#define JUDGE_BYTES ((size_t)32 << 20)

struct judge_request {
	struct str text; /* the command */
	/* read, write, edit, delete, ..., mcp; .p == NULL or "bash": the shell */
	struct str tool;
	struct str path;         /* of a file tool; "server:tool" for mcp */
	struct str server, name; /* of an mcp tool, already split */
	struct str cwd, home;    /* absolute; .p == NULL: unknown */
	struct str here;         /* getcwd() of this process; .p == NULL: unknown */
	struct str search;       /* PATH; .p == NULL: unknown */
	struct str config;       /* $XDG_CONFIG_HOME */
	bool git_elsewhere; /* an environment variable selects another git configuration */
	struct look_list root_flags, root_request;
	/* The result of root_find() for this request; NULL: gate_judge() calls it. */
	const struct root_answer *roots;
	struct look_list projects; /* open in the agent: they imply the roots, not cwd */
	struct str root_variable;
	struct str policy, session; /* .p == NULL: none */
	bool has_mode;
	enum mode mode;
	bool headless;   /* no person can be asked */
	bool untrusted;  /* treat the project as untrusted, even if the owner trusts it */
	bool plain;      /* judge by names only: rewrite nothing, read no directory */
	bool must_exist; /* a missing root or directory is an error */
	bool trace;
	bool no_sandbox;    /* no sandbox is available or wanted */
	bool probe_sandbox; /* test for a sandbox; `run` does so by itself */
	const struct sandbox_policy *requested; /* by the caller; NULL: none */
};

struct judge_answer {
	struct decide_input in;
	struct decision decision;
	struct effects effects;
	struct root_answer roots;
	struct str command; /* rewritten to start in the first root; .p == NULL: none */
	struct str path;    /* of a file tool, made absolute if it may be rewritten */
};

/*
 * Judge one request.  Return 0, or EXIT_USAGE (a directory cannot be used), EXIT_POLICY or
 * EXIT_INTERNAL with a sentence in l->message.  *ret points into the arena, the request and
 * the policy, and is valid until the next call.
 */
int gate_judge(struct arena *a, struct loader *l, const struct judge_request *q,
    struct judge_answer *ret);
/* Exit status of a verdict: 0, 10, 11 or 12. */
int gate_exit_status(enum verdict verdict);
