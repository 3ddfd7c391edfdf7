/*
 * gate/ask/pause.h: the owner paused cordon for a while.
 *
 * During a pause a hook gives no opinion where it would ask or confine: the agent's own
 * permissions decide, as if cordon were not installed.  Every decision is still made and
 * recorded.
 *
 * MUST
 * 1. Never lift a deny, a rule of the administrator, or a floor (gates 1 to 4 and 10); lift
 *    nothing if the administrator switched auto-run off or forbids run_everything.
 * 2. Accept only a file owned by this user or root that no one else may write, and no pause
 *    that is longer than PAUSE_MAX or begins in the future.
 * 3. Treat every error as "no pause".
 */
#pragma once
#include "decide/decide.h"
#include "os/output.h"
#include <stdint.h>

/* Bounds a forgotten pause. */
#define PAUSE_MAX ((int64_t)8 * 3600)

struct pause {
	int64_t from, until; /* seconds */
};

/* True if a pause is active at `now`.  Costs one failing open if there is none. */
bool pause_active(
    const struct process *cli, struct str home, int64_t now, struct pause *ret);
/* True if a pause leaves this decision to the agent's own permissions. */
bool pause_lifts(const struct decision *d, const struct policy_settings *s);

/* Path of the state file; NULL without a home. */
const char *pause_path(struct arena *a, const struct process *cli, struct str home);
/* Write the text of the state file. */
void pause_put(struct buf *b, const struct pause *p);
/* True if the administrator's rules permit a pause. */
bool pause_may(const struct policy_settings *s);
