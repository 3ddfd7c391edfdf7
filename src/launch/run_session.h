/* launch/run_session.h: the place of a session, for `cordon run` and its neighbours. */
#pragma once
#include "gate/place.h"
#include "run/session/session.h"

/* The place of --session NAME, or of an agent's session (--for HOST:ID).  False: there is
 * none (a file, or nothing). */
bool run_session_place(struct arena *a, const struct process *cli,
    const struct place_opts *o, struct session_place *ret);
/* The roots that the session was started with take the place of others that were only
 * implied: a session stays where it began, wherever its commands go. */
struct run_ahead;
bool run_session_roots(struct arena *a, const struct process *cli,
    const struct place_opts *o, const struct run_ahead *ahead,
    const struct root_answer *implied, struct look_list *ret);
