/* launch/run_sandbox.h: a decision that may run → the sandbox's policy and the callbacks of
 * the run. */
#pragma once
#include "launch/launch.h"

/* Set l->sandbox and the members of l->plan and l->run that depend on it.  Return 0, or an
 * exit status after a message. */
int run_find_sandbox(struct launch *l);
