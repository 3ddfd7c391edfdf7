/* cli/run_session.h: the place of a session, for `cordon run` and its neighbours. */
#pragma once
#include "cli/cli.h"
#include "run/session.h"

/* Where places and the states of runs are: $XDG_RUNTIME_DIR/cordon, else below
 * $XDG_STATE_HOME or ~/.local/state; NULL: nowhere. */
const char *run_state_dir(struct arena *a, const struct cli *cli);

/* False: `session` is none that has a place (it is a file, or nothing). */
bool run_session_place(
    struct arena *a, const struct cli *cli, struct str session, struct session_place *ret);
