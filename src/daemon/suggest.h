/*
 * daemon/suggest.h: rules that would have answered past questions.
 *
 * MUST
 * 1. Suggest nothing for a command that destroys, administers, runs code that it is given
 * or finds, or is not known by name; a rule about more than one exact command only for what
 *    reads or writes, by its subcommand, and only on several different commands as
 * evidence.
 * 2. Suggest no line that `policy lint` has anything to say about.
 * 3. Suggest a set only after the past was decided again with it: nothing becomes looser
 *    but questions, and none that a person once said no to.
 * 4. Name the evidence of each line.
 */
#pragma once
#include "approve/approve.h"
#include "daemon/learn.h"

/* Different commands that a rule about their subcommand needs. */
#define SUGGEST_DIFFERENT 3
/* Questions that a rule must have avoided, unless --min says otherwise. */
#define SUGGEST_MIN 2

/* One thing that was asked about: a command, exactly. */
struct wish {
	struct str exact;  /* the line; .p == NULL: none may be suggested */
	struct str wider;  /* about its subcommand; .p == NULL: none */
	const char *why;   /* there is none */
	struct str shown;  /* the command */
	struct line *line; /* the one that is suggested for it */
	uint64_t asked;
	struct wish *next, *same;
};

/* A past question and what it asks for. */
struct asked {
	struct past *past;
	struct wish **wishes;
	size_t n;
	bool avoided;
	struct asked *next;
};

struct line {
	struct str text; /* with its newline */
	bool wide;
	const char *dropped; /* why it is not suggested; NULL: it is */
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
	bool full; /* memory was missing */
};

/* suggest_wish.c: what was asked for; fills asked and wishes. */
void suggest_collect(struct suggest *s);
/* suggest_prove.c: drops lines until the past agrees; then the evidence. */
void suggest_prove(struct suggest *s);
/* suggest_print.c */
int suggest_print(struct suggest *s);
