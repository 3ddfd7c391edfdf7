/*
 * cli/doctor/doctor.h: check that the installed agents call cordon and what the sandbox can
 * enforce here.
 *
 * MUST
 * 1.  Report "fine" only after trying: call each agent's hook as it is registered, with a
 *    command that it must refuse and one that it must not.
 * 2.  Give a hint for every problem.
 * 3.  Change nothing except the journal, which records these calls as well.
 */
#pragma once
#include "cli/install/install.h"

enum doctor_level { DOCTOR_FINE, DOCTOR_NOTE, DOCTOR_WARN, DOCTOR_FAULT };

struct doctor_finding {
	struct str area; /* claude, kernel, policy ... */
	enum doctor_level level;
	struct str what;
	struct str advice; /* the hint; .p == NULL: nothing to do */
	struct doctor_finding *next;
};

struct doctor {
	const struct process *cli;
	struct arena a;
	struct install_place place;
	struct str cwd, search; /* PATH */
	struct str self;        /* path of this program; .p == NULL: unknown */
	struct str shell;       /* base name of the user's shell */
	struct doctor_finding *findings, **end;
	bool full;
	size_t faults, warnings, agents;
};

/* Concatenate strings in the arena. */
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
	bool started; /* started, and exited by itself */
	bool late;    /* killed after DOCTOR_SECONDS */
	int status;   /* exit status; 128+n for a signal */
	struct str output;
	unsigned ms;
};
#define DOCTOR_SECONDS 10

/* Run argv (NULL-terminated; looked up in PATH if it has no slash) with `input` on
 * stdin. */
void doctor_run(struct doctor *d, char **argv, struct str input, struct doctor_call *ret);
/* Call the hook as it is registered.  Return .p == NULL and *ret_ms, or what is wrong. */
struct str doctor_dry_call(
    struct doctor *d, enum agent agent, const struct setup_found *f, unsigned *ret_ms);
/* Look up a program in PATH; .p == NULL: not found. */
struct str doctor_which(struct doctor *d, const char *name);
