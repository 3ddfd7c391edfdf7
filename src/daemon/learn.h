/*
 * daemon/learn.h: the past, decided again.
 *
 * What was asked and decided is read from the store, each question once; then it is decided
 * by names alone (gate/rules/lexical.h), under the rules of now and under others.  What the
 * journal does not have any more, because a secret was taken out or a text was cut, is
 * counted and not judged.
 */
#pragma once
#include "daemon/log.h"
#include "gate/rules/lexical.h"
#include "gate/rules/load.h"

#define LEARN_EXAMPLES 5
#define LEARN_ROOTS 64
/* So many decisions are looked at, the newest. */
#define LEARN_DECISIONS 200000
#define LEARN_BYTES ((size_t)2 << 30)

/* A project, by its root as it is found now. */
struct learn_root {
	struct str dir;
	struct policy_source sources[LAYER_FILES + 1];
	size_t n;
	const struct policy *now; /* the rules that count there */
};

/* One question, however often it was asked. */
struct past {
	struct str command, cwd, tool, path, op;
	bool file_tool, judged;
	size_t root;           /* of learn.roots */
	enum verdict recorded; /* the newest */
	bool hard;
	uint64_t n, accepted, rejected;
	int64_t first, last; /* times */
	uint64_t records[LEARN_EXAMPLES];
	enum verdict now;         /* by names, under the rules of now */
	enum verdict other;       /* and under others */
	struct str reason;        /* of `other` */
	struct past *next, *same; /* all of them, newest first; of one bucket */
};

struct learn {
	struct log log;
	struct arena a;    /* lasts */
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

/* The store, the past that `f` names, its roots and their rules; every `now` is set.  0, or
 * a status after a message. */
int learn_start(struct learn *l, struct db_filter *f);

/* The rules of a root with `lines` behind those of a layer; .p == NULL: as they are.  NULL:
 * they cannot be compiled, and *ret_why says why. */
const struct policy *learn_policy(struct learn *l, struct arena *a, size_t root,
    enum layer layer, struct str lines, struct str *ret_why);
/* `p` decided under `policy`; the decision lives in l->work until its next use. */
void learn_decide(struct learn *l, const struct past *p, const struct policy *policy,
    struct effects *ret_effects, struct decision *ret);

/* "2026-11-15T07:00:00Z" as a JSON member. */
void learn_put_time(struct buf *b, const char *key, int64_t time);
/* `s` in so many columns, through base/show.h. */
void learn_put_column(struct buf *b, struct str s, size_t columns);
