/*
 * launch/files/path_rules.h: enforce rules about files in the sandbox, for code that was
 * not analysed.
 *
 * MUST
 * 1. Hide what `deny read` and `ask read` name, unless a higher layer allows it: existing
 *    files with a mount, every file with a check in the supervisor.
 * 2. Of files that a rule asks about, open exactly those that a person or a rule approved.
 * 3. Refuse changes that the person's own rules forbid, below writable paths.
 * 4. Refuse changes that the built-in rules deny there.  Names denied in any directory are
 *    in policy/names.list, and confine/guard.h enforces them.
 */
#pragma once
#include "gate/judge.h"
#include "run/run.h"

struct path_rules {
	const struct decide_input *in;
	const struct decision *decision;
	const struct root_answer *roots;
	struct sandbox_list readwrite; /* writable paths in addition to the roots */
	bool agreed;                   /* a person was asked and said yes */
	bool asks;     /* do not hide files a rule asks about: some are approved */
	bool any;      /* check each change against rules */
	bool reads;    /* check each read against rules */
	char why[512]; /* of the last refusal */
};

/* `answer` must stay valid; memory comes from `a`. */
void path_rules_init(struct path_rules *p, struct arena *a,
    const struct judge_answer *answer, const struct sandbox_policy *sandbox, bool agreed);
/* Judge one path. */
enum run_path_answer path_rules_judge(
    struct path_rules *p, enum run_op op, struct str path, struct str *ret_why);

/* read_rules.c: judge a read; and collect once what judging reads needs. */
enum run_path_answer path_rules_read(
    struct path_rules *p, struct str path, struct str *ret_why);
void path_rules_init_reads(struct path_rules *p, struct arena *a);
/* Describe the rule for a person, in p->why. */
void path_rules_why(struct path_rules *p, const struct rule *r, struct str *ret);
/* True if a rule about reading names files below this directory. */
bool path_rules_way(struct path_rules *p, struct str directory);

/* Find existing files and directories that must not be read, as real paths.  Return 0 or
 * CORDON_ENOMEM. */
int path_rules_hidden(struct arena *a, const struct path_rules *p, struct str **ret,
    size_t *ret_n, struct err *reterr);
/* Format patterns for names in the workspace as lines of an ignore file; empty: none. */
int path_rules_patterns(
    struct arena *a, const struct path_rules *p, struct str *ret, struct err *reterr);
