/*
 * run/session/early.h: namespaces that are made before it is known what for.
 *
 * MUST
 * 1. Start nothing in them before early_first().
 * 2. End the helper with us, whatever ends us, and lose no process that it has made.
 */
#pragma once
#include "base/arena.h"
#include <stdbool.h>
#include <sys/types.h>

struct run_early;

/* NULL: there is none, and the run makes its namespaces when it starts. */
struct run_early *early_begin(struct arena *a, bool network);
/* For a run that never comes, or comes without them.  NULL does nothing. */
void early_end(struct run_early *x);

/* ---- for this room */

struct supervisor;
/* They stand, and are these; else they have ended. */
bool early_ready(struct run_early *x, unsigned long namespaces);
/* Who is in them, for the map of users. */
pid_t early_helper(const struct run_early *x);
/* The first process in them, as clone(); it calls start_first(). */
pid_t early_first(
    struct run_early *x, struct supervisor *s, const int *control, int *ret_pidfd);
