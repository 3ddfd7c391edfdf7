/* base/path.h: paths as text.  No file is looked at. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

/*
 * MUST
 * 1. Never fold a `..` that stands behind a name: the name may be a link, and
 *    then the kernel goes elsewhere.  Whoever may look at files decides it.
 * 2. Refuse NUL and what is longer than the kernel takes (LIMIT_PATH).
 * 3. Never call a path "within" a root while a `..` in it is open.
 */

/*
 * `path` made absolute against `dir`, which is absolute and physical (no links in
 * it), without `.`, doubled and final slashes.  A `..` directly behind the root,
 * or at the front of a relative path, is folded; any other is kept:
 *
 *	/a/b  ../x     /a/x            /a/b  /../x      /x
 *	/a/b  c/../x   /a/b/c/../x     /a/b  /c/../x    /c/../x
 *
 * CORDON_EINVAL for an empty path, a NUL or a `dir` that is not absolute,
 * CORDON_ELIMIT, CORDON_ENOMEM.  On failure *ret is untouched.
 */
int path_normal(
    struct arena *a, struct str dir, struct str path, struct str *ret, struct err *reterr);

/* `dir`, a slash where one is needed, and `name`.  Refuses as path_normal does. */
int path_join(
    struct arena *a, struct str dir, struct str name, struct str *ret, struct err *reterr);

/* From the root on, by names between single slashes: none is empty, `.` or `..`. */
bool path_is_plain(struct str path);
/* Some part of the path is `..`. */
bool path_has_dotdot(struct str path);
/* Normalised `path` is `root` or lies below it, whatever the links on the way below
 * `root` say; false also where an open `..` leaves it unknown. */
bool path_is_within(struct str root, struct str path);
