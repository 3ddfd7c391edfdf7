/* launch/run_learn.h: what a run was seen to need, as rules. */
#pragma once
#include "base/buf.h"
#include "run/run.h"

/* The rules that would have sufficed for what was reported, one a line. */
void run_learn_rules(struct arena *a, const struct run_result *result,
    const struct str *roots, size_t roots_n, struct str home, struct buf *out);
