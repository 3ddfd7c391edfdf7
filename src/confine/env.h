/* confine/env.h: the environment that a confined command gets. */
#pragma once
#include "base/arena.h"
#include "confine/plan.h"

/*
 * `envp` without what changes how programs are loaded (LD_*, BASH_ENV ...), what leads to
 * services outside (agents' and editors' sockets), and what looks like a secret by its
 * name; with what makes programs behave in a sandbox.  NULL without memory.
 */
char **env_scrub(struct arena *a, char *const *envp, const struct plan *plan);

/* Why a variable is left out, or NULL. */
const char *env_refused(struct str name);
