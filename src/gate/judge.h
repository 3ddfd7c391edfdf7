/*
 * gate/judge.h: one question → a decision: the whole path up to decide, once.
 *
 * Every door goes through here: check, explain, run, the hooks.
 */
#pragma once
#include "decide/decide.h"
#include "gate/rules/load.h"
#include "look/root.h"

/* Memory for one question: analysis, facts, decision and its answer. */
#define JUDGE_BYTES ((size_t)32 << 20)

struct judge_request {
	struct str text; /* the command */
	struct str
	    tool; /* read, write, edit, delete, ..., mcp; .p == NULL or bash: the shell */
	struct str path;         /* of a file tool; server:tool of mcp */
	struct str server, name; /* the same of mcp, in two */
	struct str cwd, home;    /* absolute; .p == NULL: unknown */
	struct str here;         /* where this process is, by getcwd; .p == NULL: unknown */
	struct str search;       /* PATH; .p == NULL: unknown */
	struct str config;       /* $XDG_CONFIG_HOME */
	bool git_elsewhere;      /* the environment gives git another configuration */
	struct look_list root_flags, root_request;
	/* What root_find() says to these and to those below; NULL: it is asked. */
	const struct root_answer *roots;
	struct look_list projects; /* open in a host: they imply the roots, not the cwd */
	struct str root_variable;
	struct str policy, session; /* .p == NULL: none */
	bool has_mode;
	enum mode mode;
	bool headless;   /* nobody can be asked */
	bool untrusted;  /* the project, whatever is recorded */
	bool plain;      /* the mode gate: nothing is rewritten, no directory looked at */
	bool must_exist; /* a missing root or directory is an error */
	bool trace;
	bool no_sandbox;    /* none can be had here, or none is wanted */
	bool probe_sandbox; /* find out whether one can be had; `run` finds out by itself */
	const struct sandbox_policy *requested; /* NULL: nothing */
};

struct judge_answer {
	struct decide_input in;
	struct decision decision;
	struct effects effects;
	struct root_answer roots;
	struct str command; /* the text that starts in the first root; .p == NULL: none */
	struct str path;    /* of a file tool, absolute where it may be rewritten */
};

/*
 * 0, or EXIT_USAGE (a directory cannot be used), EXIT_POLICY, EXIT_INTERNAL with a sentence
 * in l->message.  What is in *ret points to the arena, to the request and to the policy: it
 * is good until the next call.
 */
int judge(struct arena *a, struct loader *l, const struct judge_request *q,
    struct judge_answer *ret);
/* 0, 10, 11, 12. */
int verdict_status(enum verdict verdict);
