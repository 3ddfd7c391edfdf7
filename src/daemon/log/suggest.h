/*
 * daemon/log/suggest.h: propose rules that would have avoided past questions.
 *
 * MUST
 * 1.  Propose nothing for a command that destroys, administers, runs code or is unknown; a
 *    rule for more than one exact command only by subcommand, only for reading or writing,
 *    and only with several different commands as evidence.
 * 2.  Propose no line that `policy lint` complains about.
 * 3.  Propose a set only after deciding the past again with it: only questions become
 * looser, and none that a person rejected.
 * 4.  Give the evidence for each line.
 */
#pragma once
#include "approve/approve.h"
#include "daemon/log/learn.h"

/* Different commands that a rule for their subcommand needs. */
#define SUGGEST_DIFFERENT 3
/* Default of --min: questions that a rule must have avoided. */
#define SUGGEST_MIN 2

/* One exact command that was asked about. */
struct wish {
	struct str exact;  /* its line; .p == NULL: none may be proposed */
	struct str wider;  /* the line for its subcommand; .p == NULL: none */
	const char *why;   /* why there is none */
	struct str shown;  /* the escaped command */
	struct line *line; /* the proposed line for it */
	uint64_t asked;
	struct wish *next, *same;
};

/* A past question and its commands. */
struct asked {
	struct past *past;
	struct wish **wishes;
	size_t n;
	bool avoided;
	struct asked *next;
};

struct line {
	struct str text; /* including the newline */
	bool wide;
	const char *dropped; /* why it is not proposed; NULL: it is */
	/* Evidence. */
	uint64_t avoids, different, accepted;
	int64_t first, last;
	uint64_t records[LEARN_EXAMPLES];
	struct str examples[LEARN_EXAMPLES];
	size_t examples_n, records_n;
	struct line *next;
};

struct suggest {
	struct learn l;
	bool json, rules;
	uint64_t min;
	struct wish *wishes, **buckets;
	struct asked *asked;
	struct line *lines;
	uint64_t questions, avoided;
	bool full; /* memory ran out */
};

/* suggest_wish.c: fill asked and wishes. */
void suggest_collect(struct suggest *s);
/* suggest_prove.c: drop lines until the past allows them; then collect evidence. */
void suggest_prove(struct suggest *s);
/* suggest_print.c */
int suggest_print(struct suggest *s);
