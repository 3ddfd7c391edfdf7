/*
 * run/session/prejoin.h: a process that joins the session while the command is still being
 * judged and planned.
 *
 * The same steps confine it as any other process that joins, for a guessed plan: that of
 * the run which started the session, with this run's own limits.  Then it waits for the
 * command's argv.
 *
 * MUST
 * 1. Let it start a command only if the plan asks for exactly the restrictions that it has,
 *    and everything that the plan hides or closes is hidden and closed in the session.
 * 2. Be of no use to anybody else: if the guess was wrong, or it failed or was killed, it
 *    ends, and the run joins as if there had been none.
 * 3. End with us, whatever ends us.  It is our child, with our limits, terminal, process
 *    group and everything else that a process inherits.
 */
#pragma once
#include "run/session/cpu_spread.h"
#include "run/session/session.h"
#include <stdbool.h>

struct prejoin;

/* Start it.  NULL: the run joins when it starts.  `gate`: execs will be judged; `argv`: our
 * own, as /proc shows it to others. */
struct prejoin *prejoin_begin(struct arena *a, const struct session_ref *p, bool gate,
    const struct plan_limits *limits, struct str argv);
/* Like session_roots(), for its session. */
size_t prejoin_roots(struct arena *a, const struct prejoin *x, struct str **ret);
/* End it, for a run that is not started.  NULL does nothing. */
void prejoin_end(struct prejoin *x);

/* ---- for this room */

/* The process that the helper has made. */
struct prejoin_made {
	pid_t first;
	int pidfd, root; /* of the process; its root directory */
};

/* The message to the helper; the text of the session's file follows. */
struct prejoin_session {
	pid_t keeper;
	int file, keeper_fd, pair[2];
};

struct prejoin {
	pid_t self, helper;
	int pair[2]; /* between us and the first process */
	int told[2]; /* between us and the helper */
	struct prejoin_made made;
	struct session session;
	struct plan guess;
	struct arena *a;
	struct str argv;
	struct cpu_spread spread;
};

/* The longest text of a session's file; with more the run joins when it starts. */
#define PREJOIN_TEXT ((size_t)16 << 10)

/* In the helper: receive the session, enter it, and leave the first process there. */
_Noreturn void prejoin_help(struct prejoin *x);
/* Guess the plan from the text of the session's file. */
void prejoin_guess(struct prejoin *x);
/* Wait for the helper's report, once.  False: there is no first process. */
bool prejoin_receive(struct prejoin *x);
/* Give it argv; it is the first process of the run then.  False: it has ended. */
bool prejoin_take(struct supervisor *s);
/* In the process that becomes the command: wait for argv. */
void prejoin_wait(struct entering *e, char *const **ret_argv, char *const **ret_envp);
