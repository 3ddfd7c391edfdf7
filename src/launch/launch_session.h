/* launch/launch_session.h: the session that `cordon run --session` or --for joins. */
#pragma once
#include "gate/place.h"
#include "run/session/session.h"

/* Find the state directory of --session NAME or of an agent's conversation (--for
 * AGENT:ID).  Return false if there is none (--session FILE, or neither option). */
bool launch_session_place(struct arena *a, const struct process *cli,
    const struct place_opts *o, struct session_ref *ret);
/* Return the roots that the session was started with, if they differ from the implied ones:
 * a session keeps its roots, whatever directory its commands change to. */
struct prejoin;
bool launch_session_roots(struct arena *a, const struct process *cli,
    const struct place_opts *o, const struct prejoin *prejoin,
    const struct root_answer *implied, struct look_list *ret);
