/*
 * approve/approve.h: "ask" → a person's answer.
 *
 * MUST
 * 1. Take nothing for a yes but a key or a click that means yes: Enter, Escape, Ctrl-C, the
 *    end of the time, a lost terminal and every fault are a no.
 * 2. Show all that is agreed to: no yes before the whole command has been on the screen.
 * 3. Show what came from outside through base/show.h only, so that it forges nothing.
 * 4. Bind the answer to this command, this directory and this policy.
 * 5. Widen nothing silently: the line that will be added is shown before it is agreed to.
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

/* How much like the command another one must be to be allowed by the same line. */
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

/* Lines for a rules file, each with its newline; .p == NULL: not offered, and why. */
struct approve_rules {
	struct str lines;
	struct str why;
};

struct approve_question {
	const struct decide_input *in;
	const struct decision *decision;
	struct str cwd;
	struct str asker;   /* the agent; .p == NULL: not known */
	struct str digest;  /* of the policy, in hex digits */
	struct str lost;    /* what nothing would bring back, as text; empty: nothing */
	struct str session; /* its name; .p == NULL: there is none */
	struct approve_rules for_session;
	struct approve_rules rules[APPROVE_PLACES][APPROVE_LEVELS];
	struct str files[APPROVE_PLACES]; /* where they would go */
	bool can_network, can_path;       /* its sandbox may be given these */
	struct str hosts; /* that a yes lets it reach, blanks between; empty: none */
	/* It goes online and nobody knows where to: the network is offered as chosen
	 * already.
	 */
	bool wants_network;
};

enum approve_end {
	APPROVE_CHOSEN,
	APPROVE_TIMEOUT,
	APPROVE_INTERRUPTED, /* Ctrl-C, a signal */
	APPROVE_LOST,        /* the terminal, or the console, is gone */
	APPROVE_NOBODY,      /* there was none to begin with */
};

/* All zero is a rejection. */
struct approve_answer {
	enum approve_choice choice;
	enum approve_end end;
	enum approve_level level;
	enum approve_place place;
	bool network;       /* for this run */
	struct str path;    /* writable for this run; .p == NULL: none */
	struct str message; /* to the agent; .p == NULL: none */
};

/* Why it was rejected, for a person and the agent. */
const char *approve_end_text(enum approve_end end);

/* ---- rule.c */

/* One line that allows the command at this level, as `cordon session allow` writes it.
 * NULL, or why there is none; then `out` is as it was. */
const char *approve_rule(
    struct buf *out, const struct command *c, enum approve_level level);
/* Lines for everything that this decision asks about. */
struct approve_rules approve_rules(
    struct arena *a, const struct decision *d, enum approve_level level);

/* This host, this project: how wide the rule is that a command which needs the network is
 * offered there.  False: none is. */
bool approve_here(const struct approve_question *q, enum approve_level *ret);

/* ---- text.c */

/* What a person must know, in lines of at most 80 columns; *ret_must is where the part ends
 * that has to be seen before a yes. */
void approve_put_text(
    struct buf *out, const struct approve_question *q, bool colour, size_t *ret_must);
/* SHA-256 over command, directory and policy, in hex digits. */
#define APPROVE_BIND 64
void approve_bind(const struct approve_question *q, char ret[static APPROVE_BIND]);

/* ---- terminal.c */

struct approve_terminal {
	int fd; /* /dev/tty, or one of a test's */
	unsigned seconds;
	bool colour;
};

/* /dev/tty, if this process may use it now; else -1. */
int approve_terminal_open(void);
/* Asks there; takes as long as it is given, restores the terminal. */
void approve_terminal(struct arena *a, const struct approve_terminal *t,
    const struct approve_question *q, struct approve_answer *ret);
