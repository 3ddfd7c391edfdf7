/* launch/learn_rules.h: `cordon run --learn`: rules for what a run needed. */
#pragma once
#include "base/buf.h"
#include "run/run.h"

/* Print the rules that would have sufficed for this run, one per line. */
void launch_learn_rules(struct arena *a, const struct run_result *result,
    const struct str *roots, size_t roots_n, struct str home, struct buf *out);
