/* cli/run_agreed.h: a person agreed to the command: its sandbox has to let it do that. */
#pragma once
#include "analyse/effects.h"
#include "policy/sandbox.h"

/*
 * Adds to *p the paths outside that the known effects write; decide_agreed() has the hosts.
 * 0, or an error as sandbox_add's.
 */
int run_agreed(struct arena *a, const struct effects *e, struct sandbox_policy *p);
