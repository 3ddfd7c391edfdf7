/* look/rewrite.h: a command text that starts in a given directory. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

/*
 * `text` behind a `cd` to `root`, byte for byte.  If the cd fails nothing of it
 * runs, and the shell ends with its status; else status, `set -e`, aliases,
 * here-documents and line numbers are those of `text` alone.
 * CORDON_EINVAL for a root that is not absolute or has a NUL, CORDON_ENOMEM.
 */
int rewrite_command(
    struct arena *a, struct str root, struct str text, struct str *ret, struct err *reterr);
