/*
 * cli/doctor/doctor.h: does every agent on this machine really call cordon, and can it be
 * held?
 *
 * MUST
 * 1. Say "fine" only of what was tried: an agent's hook is called the way it is
 *    registered, with a command that must be refused and one that must not.
 * 2. Have a sentence on what to do for everything that is not fine.
 * 3. Change nothing but the journal, which has its calls as well.
 */
#pragma once
#include "cli/install/install.h"

enum doctor_level { DOCTOR_FINE, DOCTOR_NOTE, DOCTOR_WARN, DOCTOR_FAULT };

struct doctor_finding {
	struct str area; /* claude, kernel, policy ... */
	enum doctor_level level;
	struct str what;
	struct str advice; /* .p == NULL: nothing is to be done */
	struct doctor_finding *next;
};

struct doctor {
	const struct process *cli;
	struct arena a;
	struct install_place place;
	struct str cwd, search; /* PATH */
	struct str self;        /* this program's file; .p == NULL: cannot be told */
	struct str shell;       /* the user's, by its name */
	struct doctor_finding *findings, **end;
	bool full;
	size_t faults, warnings, agents;
};

/* A text from parts, in the arena. */
struct str doctor_say(struct doctor *d, const struct str *parts, size_t n);
#define SAY_PARTS(d, ...)                                                                  \
	doctor_say((d), (const struct str[]){ __VA_ARGS__ },                               \
	    sizeof((const struct str[]){ __VA_ARGS__ }) / sizeof(struct str))
void doctor_find(struct doctor *d, struct str area, enum doctor_level level,
    struct str what, struct str advice);

/* ---- doctor_machine.c */
void doctor_machine(struct doctor *d);

/* ---- doctor_agent.c */
void doctor_agents(struct doctor *d);

/* ---- doctor_call.c */

struct doctor_call {
	bool started; /* it could be started, and has ended by itself */
	bool late;    /* it was ended after DOCTOR_SECONDS */
	int status;   /* of its exit; 128+n for a signal */
	struct str output;
	unsigned ms;
};
#define DOCTOR_SECONDS 10

/* Runs argv (NULL behind the last; found by PATH where it has no slash) with `input`. */
void doctor_run(struct doctor *d, char **argv, struct str input, struct doctor_call *ret);
/* The hook as it is registered: *ret_ms, or a sentence that tells what is wrong. */
struct str doctor_dry_call(
    struct doctor *d, enum agent agent, const struct setup_found *f, unsigned *ret_ms);
/* Where PATH finds a program; .p == NULL: nowhere. */
struct str doctor_which(struct doctor *d, const char *name);
