/* journal/decision.h: decision → the fields of its journal record. */
#pragma once
#include "base/arena.h"
#include "decide/decide.h"
#include "journal/record.h"

/*
 * Set kind, verdict, hard, gate, program, rule and reason of *ret from the decision; keep
 * the other fields.  Program and rule are those of the first command with the decision's
 * verdict.  CORDON_ENOMEM.
 */
int record_decision(
    struct arena *a, const struct decision *d, struct record *ret, struct err *reterr);
