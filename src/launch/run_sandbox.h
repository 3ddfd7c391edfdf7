/* launch/run_sandbox.h: a decision that runs → the sandbox's policy, and what judges
 * inside. */
#pragma once
#include "launch/launch.h"

/* Sets sandbox, and what plan and run need beside it.  0, or an exit status after a
 * message. */
int run_find_sandbox(struct launch *l);
