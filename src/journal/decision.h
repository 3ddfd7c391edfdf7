/* journal/decision.h: what the journal keeps of a decision. */
#pragma once
#include "base/arena.h"
#include "decide/decide.h"
#include "journal/record.h"

/*
 * Sets kind, verdict, hard, gate, program, rule and reason of *ret from the decision; the
 * other fields stay as they are.  Program and rule are those of the first command that has
 * the decision's verdict.  CORDON_ENOMEM.
 */
int record_decision(
    struct arena *a, const struct decision *d, struct record *ret, struct err *reterr);
