/*
 * gate/owner.h: is it the owner, at a terminal, who calls?
 *
 * As far as can be told: standard input and a controlling terminal are there, no agent is
 * among the processes above, none of the variables that agents set, and this is no run of
 * cordon's own.  What cannot be looked at counts against the caller.  The rules and the
 * sandbox, not this, are what keeps an agent from it.
 */
#pragma once
#include "os/output.h"
#include <stdint.h>

/* False: `why` is a sentence, good for ever. */
bool owner_is_here(const struct process *cli, const char **why);
/* "10m", "2h", "90s" → seconds; 0 for anything else, and for nothing. */
int64_t owner_duration(struct str text);
