/* confine/env.h: the environment that a confined command gets. */
#pragma once
#include "base/arena.h"
#include "confine/plan/plan.h"

/*
 * Copy `envp` without variables that change how programs are loaded (LD_*, BASH_ENV ...),
 * that lead to services outside (sockets of agents and editors), or that look like a secret
 * by name or value; add those that make programs behave in a sandbox.  NULL without memory.
 */
char **env_scrub(struct arena *a, char *const *envp, const struct plan *plan);

/* Why a variable is left out; NULL: it is not. */
const char *env_refused(struct str name, struct str value);

/* env_secret.c: true if the name is that of a secret. */
bool env_is_secret(struct str name);
/* True if the value holds a secret: a URL with a password, a private key, a connection
 * string. */
bool env_has_secret(struct str value);
/* True if `part`, given in upper case, occurs in either case. */
bool env_holds_at(struct str text, size_t at, struct str part);
