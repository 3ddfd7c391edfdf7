/* base/path.h: paths as text, without looking at the file system. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

/*
 * MUST
 * 1. Never fold a `..` after a name: the name may be a symlink, and then the kernel goes
 *    elsewhere. Only code that looks at the file system may fold it.
 * 2. Refuse NUL and paths longer than the kernel accepts (LIMIT_PATH).
 * 3. Never call a path "within" a root while it still contains `..`.
 */

/*
 * Make `path` absolute against `dir`, which is absolute and physical (no symlinks), without
 * `.`, doubled or final slashes. A `..` directly after the root, or at the start of a
 * relative path, is folded; any other is kept:
 *
 *      /a/b  ../x     /a/x            /a/b  /../x      /x
 *      /a/b  c/../x   /a/b/c/../x     /a/b  /c/../x    /c/../x
 *
 * CORDON_EINVAL for an empty path, a NUL or a relative `dir`; CORDON_ELIMIT, CORDON_ENOMEM.
 * On failure *ret is unchanged.
 */
int path_normal(
    struct arena *a, struct str dir, struct str path, struct str *ret, struct err *reterr);

/* `dir`, a slash if needed, and `name`. Fails like path_normal(). */
int path_join(
    struct arena *a, struct str dir, struct str name, struct str *ret, struct err *reterr);

/* True for an absolute path of names between single slashes, none empty, `.` or `..`. */
bool path_is_plain(struct str path);
/* True if a component is `..`. */
bool path_has_dotdot(struct str path);
/* True if the normalised `path` is `root` or below it as text; symlinks below `root` are
 * not followed. False if a `..` is left in it. */
bool path_is_within(struct str root, struct str path);
