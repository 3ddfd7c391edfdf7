/* look/rewrite.h: make a command text start in a given directory. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

/*
 * Prefix `text` with a `cd` to `root`.  If the cd fails, nothing of the text runs and the
 * shell exits with its status.  Else exit status, `set -e`, aliases, here-documents and
 * line numbers are those of `text` alone.  CORDON_EINVAL for a root that is not absolute or
 * has a NUL, CORDON_ENOMEM.
 */
int rewrite_command(
    struct arena *a, struct str root, struct str text, struct str *ret, struct err *reterr);
