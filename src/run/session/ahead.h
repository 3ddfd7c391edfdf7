/*
 * run/session/ahead.h: a process that enters the place of its session while its command is
 * still being judged and planned.
 *
 * It is held by the same steps as any other that joins, for a plan that is guessed: that of
 * the run which the place was made for, with this run's own limits.  Then it waits for the
 * words of the command.
 *
 * MUST
 * 1. Let it start a command only when the plan asks for exactly what it is held by, and
 *    everything that the plan hides or closes is hidden and closed in the place.
 * 2. Be of no use to anybody else: what was guessed wrongly, failed, or was killed ends,
 *    and the run joins as if there had been none.
 * 3. End with us, whatever ends us.  It is our child, with our limits, terminal, group and
 *    whatever else a process hands down: nothing has to be carried over.
 */
#pragma once
#include "run/session/aside.h"
#include "run/session/session.h"
#include <stdbool.h>

struct run_ahead;

/* NULL: there is none, and the run joins when it starts.  `gate`: execs will be judged;
 * `words`: our own, as the kernel shows them to others. */
struct run_ahead *ahead_begin(struct arena *a, const struct session_place *p, bool gate,
    const struct plan_limits *limits, struct str words);
/* As session_roots(), of its place. */
size_t ahead_roots(struct arena *a, const struct run_ahead *x, struct str **ret);
/* For a run that never comes.  NULL does nothing. */
void ahead_end(struct run_ahead *x);

/* ---- for this room */

/* What the helper has left. */
struct ahead_made {
	pid_t first;
	int pidfd, root; /* of the process, and its root directory */
};

/* What the helper is told; the text of the place stands behind. */
struct ahead_place {
	pid_t holder;
	int file, keeper, pair[2];
};

struct run_ahead {
	pid_t self, helper;
	int pair[2]; /* between us and the first process */
	int told[2]; /* and the helper */
	struct ahead_made made;
	struct session session;
	struct plan guess;
	struct arena *a;
	struct str words;
	struct aside aside;
};

/* What a place is known by; one with more is joined in the usual way. */
#define AHEAD_TEXT ((size_t)16 << 10)

/* In the helper: it hears which place it is, enters, and leaves the first process there. */
_Noreturn void ahead_help(struct run_ahead *x);
/* The plan that the text of the place lets one expect. */
void ahead_guess(struct run_ahead *x);
/* Waits for the helper to tell: false when there is no first process.  Once. */
bool ahead_receive(struct run_ahead *x);
/* It has its words, and is the first process of the run; false: it has ended. */
bool ahead_take(struct supervisor *s);
/* In the process that becomes the command: waits for them. */
void ahead_wait(struct entering *e, char *const **ret_argv, char *const **ret_envp);
