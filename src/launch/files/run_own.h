/* launch/files/run_own.h: where cordon keeps what it goes by: nothing inside a sandbox may
 * change it. */
#pragma once
#include "confine/plan/plan.h"
#include "os/process.h"

/* Sets own, own_n and state of *ret: rules, images, state, what waits for an answer.  False
 * without memory. */
bool run_own(
    struct arena *a, const struct process *cli, struct str home, struct plan_input *ret);
