/*
 * approve/approve.h: put an "ask" to a person and return the answer.
 *
 * MUST
 * 1.  Accept only a key or click that means yes: Enter, Escape, Ctrl-C, a timeout, a lost
 *    terminal and every error mean no.
 * 2.  Accept no yes before the whole command has been on the screen.
 * 3.  Print external text only through base/show.h, so that it cannot forge anything.
 * 4.  Bind the answer to this command, this directory and this policy.
 * 5.  Never widen silently: show the line to be added before the person agrees.
 */
#pragma once
#include "base/buf.h"
#include "decide/decide.h"

enum approve_choice {
	APPROVE_REJECT,
	APPROVE_ONCE,
	APPROVE_SESSION,
	APPROVE_ALLOWLIST,
	APPROVE_CHOICES,
};

/* How similar another command must be to match the new rule. */
enum approve_level {
	APPROVE_EXACT,
	APPROVE_SUBCOMMAND,
	APPROVE_COMMAND,
	APPROVE_LEVELS,
};

enum approve_place {
	APPROVE_USER,
	APPROVE_PROJECT,
	APPROVE_PLACES,
};

const char *approve_choice_name(enum approve_choice choice);
const char *approve_level_name(enum approve_level level);
const char *approve_place_name(enum approve_place place);

/* Rule lines, each with a newline; .p == NULL: not offered, with the reason. */
struct approve_rules {
	struct str lines;
	struct str why;
};

struct approve_question {
	const struct decide_input *in;
	const struct decision *decision;
	struct str cwd;
	struct str asker;   /* the agent; .p == NULL: unknown */
	struct str digest;  /* digest of the policy in hex */
	struct str lost;    /* unrecoverable losses, as text; empty: none */
	struct str session; /* name of the session; .p == NULL: none */
	struct approve_rules for_session;
	struct approve_rules rules[APPROVE_PLACES][APPROVE_LEVELS];
	struct str
	    files[APPROVE_PLACES];  /* rules files to which the lines would be added */
	bool can_network, can_path; /* the person may widen the sandbox by these */
	struct str hosts; /* hosts that a yes opens, separated by blanks; empty: none */
	/* The command goes online and its hosts are unknown: preselect the whole
	 * network. */
	bool wants_network;
};

enum approve_end {
	APPROVE_CHOSEN,
	APPROVE_TIMEOUT,
	APPROVE_INTERRUPTED, /* Ctrl-C, a signal */
	APPROVE_LOST,        /* the terminal or console went away */
	APPROVE_NOBODY,      /* there was no terminal or console */
};

/* All zero means rejected. */
struct approve_answer {
	enum approve_choice choice;
	enum approve_end end;
	enum approve_level level;
	enum approve_place place;
	bool network;       /* for this run */
	struct str path;    /* writable for this run; .p == NULL: none */
	struct str message; /* for the agent; .p == NULL: none */
};

/* The reason for a rejection, for the person and the agent. */
const char *approve_end_text(enum approve_end end);

/* ---- rule.c */

/* Print one line that allows the command at this level, as `cordon session allow` writes
 * it.  Return NULL, or why there is none; `out` is then unchanged. */
const char *approve_rule(
    struct buf *out, const struct command *c, enum approve_level level);
/* Build lines for everything that this decision asks about. */
struct approve_rules approve_rules(
    struct arena *a, const struct decision *d, enum approve_level level);

/* The width of the offered rule for this host in this project.  False: none is offered. */
bool approve_here(const struct approve_question *q, enum approve_level *ret);

/* ---- text.c */

/* Print the question in lines of at most 80 columns. *ret_must is the end of the part
 * that must have been shown before a yes. */
void approve_put_text(
    struct buf *out, const struct approve_question *q, bool colour, size_t *ret_must);
/* SHA-256 of command, directory and policy in hex. */
#define APPROVE_BIND 64
void approve_bind(const struct approve_question *q, char ret[static APPROVE_BIND]);

/* ---- terminal.c */

struct approve_terminal {
	int fd; /* /dev/tty, or a test's terminal */
	unsigned seconds;
	bool colour;
};

/* Open /dev/tty if this process may use it now; else -1. */
int approve_terminal_open(void);
/* Ask on the terminal, within the time limit, and restore the terminal. */
void approve_terminal(struct arena *a, const struct approve_terminal *t,
    const struct approve_question *q, struct approve_answer *ret);
