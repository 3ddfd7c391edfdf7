/* launch/files/own_dirs.h: cordon's own directories, which nothing in a sandbox may
 * change. */
#pragma once
#include "confine/plan/plan.h"
#include "os/process.h"

/* Set own, own_n and state of *ret: rules, images, state and the approval spool.  Return
 * false if out of memory. */
bool own_dirs_find(
    struct arena *a, const struct process *cli, struct str home, struct plan_input *ret);
