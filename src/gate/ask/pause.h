/*
 * gate/ask/pause.h: the owner has told cordon to step back for a while.
 *
 * While a pause lasts, a hook gives no opinion where it would ask or confine: the agent's
 * own permissions decide, as if cordon were not registered.  Every decision is still made
 * and kept.
 *
 * MUST
 * 1. Never lift a deny, nor what the administrator's rules say, nor a floor (gates 1 to 4
 *    and 10); nor anything where the administrator has switched auto-run off or forbids
 *    run_everything.
 * 2. Believe only a file of this user's or root's that nobody else may write, and no
 *    pause longer than PAUSE_MAX, or one that begins in the future.
 * 3. Take everything that goes wrong as "no pause".
 */
#pragma once
#include "decide/decide.h"
#include "os/output.h"
#include <stdint.h>

/* A pause that somebody forgot ends with the working day. */
#define PAUSE_MAX ((int64_t)8 * 3600)

struct pause {
	int64_t from, until; /* seconds */
};

/* Is one active at `now`?  Opens one small file, and nothing when there is none. */
bool pause_active(
    const struct process *cli, struct str home, int64_t now, struct pause *ret);
/* With a pause: is this decision one that the agent's own permissions may make? */
bool pause_lifts(const struct decision *d, const struct policy_settings *s);

/* The state file; NULL without a home. */
const char *pause_path(struct arena *a, const struct process *cli, struct str home);
/* Its text. */
void pause_put(struct buf *b, const struct pause *p);
/* The administrator's rules leave room for a pause. */
bool pause_may(const struct policy_settings *s);
