/*
 * daemon/log/learn.h: decide past requests again.
 *
 * Reads past requests from the store, each once, and decides them by names alone
 * (gate/rules/lexical.h), under the current rules and under others.  Records that lost
 * text, to redaction or to a limit, are counted but not judged.
 */
#pragma once
#include "daemon/log/log.h"
#include "gate/rules/lexical.h"
#include "gate/rules/load.h"

#define LEARN_EXAMPLES 5
#define LEARN_ROOTS 64
/* Limit for the decisions to examine, newest first. */
#define LEARN_DECISIONS 200000
#define LEARN_BYTES ((size_t)2 << 30)

/* A project, by its current root. */
struct learn_root {
	struct str dir;
	struct policy_source sources[LAYER_FILES + 1];
	size_t n;
	const struct policy *now; /* the rules that apply there */
};

/* One request, however often it occurred. */
struct past {
	struct str command, cwd, tool, path, op;
	bool file_tool, judged;
	size_t root;           /* index in learn.roots */
	enum verdict recorded; /* the newest verdict */
	bool hard;
	uint64_t n, accepted, rejected;
	int64_t first, last; /* times */
	uint64_t records[LEARN_EXAMPLES];
	enum verdict now;         /* by names, under the current rules */
	enum verdict other;       /* under the other rules */
	struct str reason;        /* for `other` */
	struct past *next, *same; /* all, newest first; next in the bucket */
};

struct learn {
	struct log log;
	struct arena a;    /* kept to the end */
	struct arena work; /* one decision, one policy */
	struct loader loader;
	int64_t now; /* seconds */
	struct learn_root roots[LEARN_ROOTS];
	size_t roots_n;
	struct past *first, **last;
	size_t distinct;
	uint64_t decisions, unjudged;
	struct past **buckets;
	struct answered **answers;
};

/* Open the store, read the requests that `f` selects, their roots and rules, and set
 * every `now`.  Return 0, or a status after an error message. */
int learn_start(struct learn *l, struct db_filter *f);

/* Compile the rules of a root with `lines` after those of a layer; .p == NULL:
 * unchanged.  Return NULL if they do not compile, with *ret_why. */
const struct policy *learn_policy(struct learn *l, struct arena *a, size_t root,
    enum layer layer, struct str lines, struct str *ret_why);
/* Decide `p` under `policy`; the decision lives in l->work until its next use. */
void learn_decide(struct learn *l, const struct past *p, const struct policy *policy,
    struct effects *ret_effects, struct decision *ret);

/* "2026-11-15T07:00:00Z" as a JSON member. */
void learn_put_time(struct buf *b, const char *key, int64_t time);
/* Print `s` in so many columns, escaped. */
void learn_put_column(struct buf *b, struct str s, size_t columns);
