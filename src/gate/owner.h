/*
 * gate/owner.h: check that the owner calls from a terminal, not an agent.
 *
 * True if stdin is a terminal, a controlling terminal exists, no ancestor process is an
 * agent, no variable that agents set is present, and this is not inside a cordon run.  A
 * check that fails counts against the caller.  This is no security boundary: the rules and
 * the sandbox keep agents from calling it.
 */
#pragma once
#include "os/output.h"
#include <stdint.h>

/* On false, `why` points to a static sentence. */
bool owner_is_here(const struct process *cli, const char **why);
/* Parse "10m", "2h" or "90s" to seconds; 0: malformed or zero. */
int64_t owner_duration(struct str text);
