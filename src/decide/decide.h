/*
 * decide/decide.h: effects + policy → a verdict with reasons.
 *
 * MUST
 * 1. Be total: every input has a decision; an internal failure (no memory) is a deny.
 * 2. Be pure: read nothing but the input.
 * 3. Never allow while something is unknown, or while a deny or ask rule could match: an
 *    unknown word can only tighten a verdict.
 * 4. Take the strictest verdict over all commands and effects; no later step loosens
 *    gates 1 to 4 and 10.
 * 5. Name, for each command, the rule or the gate that decided.
 */
#pragma once
#include "analyse/analyse.h"
#include "analyse/effects.h"
#include "base/arena.h"
#include "base/buf.h"
#include "policy/policy.h"
#include "policy/sandbox/sandbox.h"

/* The gates, in the order in which a decision passes them. */
enum gate {
	GATE_NONE,
	GATE_PARSE,
	GATE_AUTORUN,
	GATE_DENY,
	GATE_CONTAIN,
	GATE_PROTECT,
	GATE_ASK,
	GATE_ALLOW,
	GATE_MODE,
	GATE_SANDBOX,
	GATE_HOOK,
	GATES,
};

const char *gate_name(enum gate gate);
const char *verdict_name(enum verdict verdict);
/* The verdict of this name; false: there is none. */
bool verdict_find(struct str name, enum verdict *ret);
const char *mode_name(enum mode mode);

struct decide_input {
	struct str text;               /* the command as it was given */
	const struct effects *effects; /* NULL: the text could not be parsed, see `error` */
	struct err error;
	const struct policy *policy;
	struct pattern_base base; /* home and roots */
	bool explicit_root;       /* the caller named the root; else it is implied by the
				     directory */
	int64_t now;              /* seconds, for `until` */
	bool has_mode;            /* the caller asks for `mode` */
	enum mode mode;
	bool interactive; /* a person can answer an ask */
	bool sandbox;     /* this machine can run a sandbox */
	bool linked_worktree;
	struct str branch;                      /* .p == NULL: unknown or none */
	const struct sandbox_policy *requested; /* by the agent; NULL: nothing */
	/* An agent's file tool cannot be sandboxed: the default is allow unless a rule or
	 * gate refuses. */
	bool file_tool;
	/*
	 * A command started inside a confined run, judged at its exec.  The sandbox judges
	 * its effects, so only rules, privilege and class count; the class counts only
	 * where a network reaches what the sandbox does not cover.
	 */
	bool inside, offline;
	bool trace; /* record the finding of every gate in `steps` */
	/* Gate 10: what external hooks said; ALLOW when there are none or no opinion. */
	enum verdict hook;
	struct str hook_reason;
};

struct rule_ref {
	bool set;
	enum layer layer;
	struct str file, text;
	uint32_t line;
};

/* A host, a set of hosts, or a file as a rule spells it. */
struct text_list {
	struct str text;
	struct text_list *next;
};

struct rule_grant {
	bool own; /* given by a rule that is not built in */
	enum layer layer;
	struct patterns net, writable, readable;
	enum sandbox_type sandbox;
};

/* The judgement of one command, or of an effect that no command owns (command == NULL). */
struct judged {
	const struct command *command;
	struct span at;
	enum verdict verdict;
	bool hard; /* no approval changes it */
	enum gate gate;
	struct str reason;
	struct str instead; /* the rule's `instead`; .p == NULL: none */
	struct rule_ref rule;
	/* a rule or the table allows the command itself, whatever its effects are */
	bool covered;
	struct rule_grant grant; /* clauses of that rule that widen the sandbox */
	struct text_list *hosts; /* hosts that it needs approval for */
	struct text_list
	    *reads; /* files that it needs approval to read, as a rule spells them */
	struct text_list
	    *given; /* hosts that it names and that a rule about hosts allows */
	struct judged *next;
};

/* One finding of a gate, whether it decided or not. */
struct decision_step {
	enum gate gate;
	enum verdict verdict;
	bool hard;
	struct span at;
	struct str reason; /* may be empty */
	struct rule_ref rule;
	struct decision_step *next;
};

struct decision {
	enum verdict verdict;
	bool hard;
	enum gate gate;
	struct str reason;
	struct str fix; /* the hint: how to make it pass */
	struct judged *judged;
	struct str *candidates; /* for the allowlist */
	size_t candidates_n;
	struct sandbox_policy sandbox; /* the smallest sandbox that a confined run needs */
	struct decision_step *steps;   /* with `trace` */
};

void decide(struct arena *a, const struct decide_input *in, struct decision *ret);

/* Find the command that owns an effect: the innermost at this position, among equals the
 * one of that name. NULL: no command does. */
struct judged *decide_owner(struct judged *first, struct span at, struct str by);

/* Find the rule that decides about a real path that a sandboxed process touches. False if
 * no rule matches for certain. */
bool decide_path(
    const struct decide_input *in, enum file_op op, struct str path, struct rule *ret);

/* True if a rule that allows the commands (or, once a person agreed, any one of them) makes
 * `path` readable although rule `by` asks about it.  `path` is real. */
bool decide_readable(const struct decide_input *in, const struct decision *of, bool agreed,
    const struct rule *by, struct str path);

/* Add to the sandbox what the commands need and a person agreed to: the hosts that they
 * name, or the whole network where the hosts are unknown.  CORDON_ENOMEM. */
int decide_agreed(struct arena *a, const struct decide_input *in, const struct decision *of,
    struct sandbox_policy *p);

/* Append a host as a rule spells it: quoted where it could be a keyword. */
void decide_put_host(struct buf *b, struct str host);

/* Append a real path as the clause `readable` spells it. */
void decide_put_path(struct buf *b, const struct decide_input *in, struct str real);

/* True if a rule denies a host[:port] that a confined command connects to. */
bool decide_host(const struct decide_input *in, struct str host);

/* Decide about a call of an MCP tool; the text and effects of `in` are not used. */
void decide_mcp(struct arena *a, const struct decide_input *in, struct str server,
    struct str tool, struct decision *ret);

/* Return the directories of a list of the policy, absolute; skip those that cannot be
 * resolved.  False: no memory. */
bool decide_paths(struct arena *a, const struct policy *p, enum policy_list list,
    const struct pattern_base *base, struct str **ret, size_t *ret_n);

/* Return the program shapes that the policy declares, for analyse().  False: no memory. */
bool decide_shapes(struct arena *a, const struct policy *p, struct analyse_shapes *ret);

/* Analyse in->text; false: in->error says why not. */
struct decide_text {
	struct str cwd, home; /* absolute; .p == NULL: unknown */
	bool argv;            /* the text is one argv of execve(2), quoted */
	bool blind;           /* assume nothing: without facts, files are unknown */
};
bool decide_analyse(struct arena *a, struct decide_input *in, const struct decide_text *q,
    struct effects *ret);

/* Analyse, assume facts by names alone, decide: for callers that must not look at files.
 * False: the text cannot be analysed, and the decision says so. */
bool decide_by_name(struct arena *a, struct decide_input *in, const struct decide_text *q,
    struct effects *ret_effects, struct decision *ret);

/* Fill in facts from names alone: paths below a root are inside, all files hold unsaved
 * work, and programs are what their name says. */
void effects_assume(struct effects *e, const struct str *roots, size_t n);
