/*
 * run/session/prenamespace.h: namespaces that are made before the command is known.
 *
 * MUST
 * 1. Start nothing in them before prenamespace_first().
 * 2. End the helper with us, whatever ends us, and lose no process that it has made.
 */
#pragma once
#include "base/arena.h"
#include <stdbool.h>
#include <sys/types.h>

struct prenamespace;

/* Start the helper.  NULL: the run makes its namespaces when it starts. */
struct prenamespace *prenamespace_begin(struct arena *a, bool network);
/* End it, for a run that does not start or does not use them.  NULL does nothing. */
void prenamespace_end(struct prenamespace *x);

/* ---- for this room */

struct supervisor;
/* True if the namespaces exist and are these; otherwise the helper is ended. */
bool prenamespace_ready(struct prenamespace *x, unsigned long namespaces);
/* The process in them, for its user maps. */
pid_t prenamespace_helper(const struct prenamespace *x);
/* Clone the first process in them, like clone(2); it calls start_first(). */
pid_t prenamespace_first(
    struct prenamespace *x, struct supervisor *s, const int *control, int *ret_pidfd);
