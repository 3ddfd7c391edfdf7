/* confine/env.h: the environment that a confined command gets. */
#pragma once
#include "base/arena.h"
#include "confine/plan/plan.h"

/*
 * `envp` without what changes how programs are loaded (LD_*, BASH_ENV ...), what leads to
 * services outside (agents' and editors' sockets), and what looks like a secret by its
 * name or has one in its value; with what makes programs behave in a sandbox.  NULL without
 * memory.
 */
char **env_scrub(struct arena *a, char *const *envp, const struct plan *plan);

/* Why a variable is left out, or NULL. */
const char *env_refused(struct str name, struct str value);

/* env_secret.c: the name is that of a secret. */
bool env_is_secret(struct str name);
/* The value has one in it: a URL with a password, a private key, a connection string. */
bool env_has_secret(struct str value);
/* `part`, in upper case, stands there in either case. */
bool env_holds_at(struct str text, size_t at, struct str part);
