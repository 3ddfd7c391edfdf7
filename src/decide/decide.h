/*
 * decide/decide.h: effects + policy → a verdict with reasons.
 *
 * MUST
 * 1. Be total: every input has a decision, and what goes wrong inside (no memory)
 *    is a deny.
 * 2. Be pure: nothing is read but the input.
 * 3. Never answer allow while something is unknown, or while a deny or ask rule
 *    could match: an unknown word can only make a verdict stricter.
 * 4. Take the strictest over all commands and effects; gates 1 to 4 and 10 are
 *    floors that nothing later loosens.
 * 5. Name the rule, or the gate, that decided, for each command.
 */
#pragma once
#include "analyse/analyse.h"
#include "analyse/effects.h"
#include "base/arena.h"
#include "base/buf.h"
#include "policy/policy.h"
#include "policy/sandbox/sandbox.h"

/* The gates of the design, in their order. */
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
	const struct effects *effects; /* NULL: it could not be read, see error */
	struct err error;
	const struct policy *policy;
	struct pattern_base base; /* home and roots */
	bool explicit_root;       /* somebody said which root; else it is only implied */
	int64_t now;              /* seconds, for `until` */
	bool has_mode;            /* the caller asks for `mode` */
	enum mode mode;
	bool interactive; /* there is somebody to ask */
	bool sandbox;     /* a sandbox can be had here */
	bool linked_worktree;
	struct str branch;                      /* .p == NULL: unknown or none */
	const struct sandbox_policy *requested; /* by the agent; NULL: nothing */
	/* A file tool of the agent's: nothing can hold it, and what a rule does not name
	 * and no gate refuses it may do. */
	bool file_tool;
	/* A command in the tree of one that runs confined, seen at its exec: its effects
	 * meet the sandbox, so that rules, privilege and class alone count; the class only
	 * where a network leads to what no sandbox holds. */
	bool inside, offline;
	bool trace; /* keep what every gate found */
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

/* A host, or a set of hosts, that a command goes to. */
struct host_name {
	struct str text;
	struct host_name *next;
};

struct grant {
	bool own; /* by a rule that did not come with the program */
	enum layer layer;
	struct patterns net, writable, readable;
	enum sandbox_type sandbox;
};

/* What became of one command, or of an effect that belongs to none (command == NULL). */
struct judged {
	const struct command *command;
	struct span at;
	enum verdict verdict;
	bool hard; /* no approval lifts it */
	enum gate gate;
	struct str reason;
	struct str instead; /* what to try; .p == NULL: nothing */
	struct rule_ref rule;
	/* A rule or the table allows the command itself, whatever else was found. */
	bool covered;
	struct grant grant;      /* what that rule gives its sandbox */
	struct host_name *hosts; /* that it needs and is asked about */
	struct host_name *reads; /* files that it reads and is asked about, as in a rule */
	struct host_name *given; /* that it names and a rule about hosts allows */
	struct judged *next;
};

/* One thing that a gate found, whether it decided or not. */
struct step {
	enum gate gate;
	enum verdict verdict;
	bool hard;
	struct span at;
	struct str reason; /* may be empty */
	struct rule_ref rule;
	struct step *next;
};

struct decision {
	enum verdict verdict;
	bool hard;
	enum gate gate;
	struct str reason;
	struct str fix; /* what would make it pass */
	struct judged *judged;
	struct str *candidates; /* for the allowlist */
	size_t candidates_n;
	struct sandbox_policy sandbox; /* what a confined run gets: the smallest */
	struct step *steps;            /* with `trace` */
};

void decide(struct arena *a, const struct decide_input *in, struct decision *ret);

/* Whose effect it is: the innermost there, among equals the one that bears the name; NULL:
 * nobody's. */
struct judged *decide_owner(struct judged *first, struct span at, struct str by);

/* A path, real, that is touched inside a sandbox: the rule that counts for it.  False when
 * none speaks of it for certain. */
bool decide_path(
    const struct decide_input *in, enum file_op op, struct str path, struct rule *ret);

/* A rule that allows the commands, or one of them where a person has agreed to all, lets
 * their sandbox read `path`, real, although `by` asks about it. */
bool decide_readable(const struct decide_input *in, const struct decision *of, bool agreed,
    const struct rule *by, struct str path);

/* Adds what the commands need that a person has agreed to: the hosts that they name, the
 * network where nobody can know which.  CORDON_ENOMEM. */
int decide_agreed(struct arena *a, const struct decide_input *in, const struct decision *of,
    struct sandbox_policy *p);

/* Appends a host for a rule: in quotes where it could be a word of the language. */
void decide_put_host(struct buf *b, struct str host);

/* Appends a path, real, as the clause `readable` names it. */
void decide_put_path(struct buf *b, const struct decide_input *in, struct str real);

/* A host, with its port or without, that a confined command reaches for: a rule denies it.
 */
bool decide_host(const struct decide_input *in, struct str host);

/* A call of an MCP tool; of `in` neither the text nor its effects count. */
void decide_mcp(struct arena *a, const struct decide_input *in, struct str server,
    struct str tool, struct decision *ret);

/* The directories of a list of the policy, absolute; those that cannot be told are left
 * out.  False when there is no memory. */
bool decide_paths(struct arena *a, const struct policy *p, enum policy_list list,
    const struct pattern_base *base, struct str **ret, size_t *ret_n);

/* What the policy declares of programs, for analyse().  False when there is no memory. */
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

/* Fills in facts by names alone: what lies below a root is inside, unsaved work is
 * everywhere, and programs are what they are called. */
void effects_assume(struct effects *e, const struct str *roots, size_t n);
