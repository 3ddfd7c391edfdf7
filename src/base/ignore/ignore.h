/*
 * base/ignore/ignore.h: patterns of the kind that .gitignore has.
 *
 * The answers are git's own, quirks included: the last pattern that matches
 * decides, the file nearest to the path before those above it, and what lies in
 * a directory that is ignored is ignored, whatever else says.
 *
 * MUST
 * 1. Answer as `git check-ignore --no-index` does.
 * 2. Take bounded time for any pattern: no backtracking beyond n * m.
 * 3. Refuse a mapping that cannot be read, never skip a part of it.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json/json.h"
#include "base/str.h"
#include <stdint.h>

struct ignore_list; /* one file of patterns, compiled */

enum ignore_flags {
	IGNORE_CASE = 1, /* letters of ASCII without case, as core.ignoreCase */
};

/* Compiles `text`; the patterns point into it.  CORDON_ENOMEM, CORDON_ELIMIT. */
int ignore_compile(struct arena *a, struct str text, unsigned flags,
    const struct ignore_list **ret, struct err *reterr);

/* Files of patterns by directory, each below or equal to the one before on a path. */
struct ignore_file {
	struct str dir;  /* where its patterns hold: relative to the tree; "" is its top */
	struct str name; /* of the file, for messages */
	const struct ignore_list *list;
};

struct ignore_hit {
	bool ignored;
	bool found;         /* a pattern matched, maybe one with `!` */
	size_t file;        /* index of the file */
	uint32_t line;      /* from 1 */
	struct str pattern; /* as written */
	bool directory;     /* it matched a directory above the path */
};

/*
 * Is `path` (relative to the tree, no `.`, `..` or final slash) ignored?  The
 * files may stand in any order as long as of two in one directory the later wins.
 */
void ignore_match(const struct ignore_file *files, size_t n, struct str path,
    bool directory, struct ignore_hit *ret);

/* The same for what lies in a directory that is not ignored, which the caller knows. */
void ignore_match_in(const struct ignore_file *files, size_t n, struct str path,
    bool directory, struct ignore_hit *ret);

/* One list alone, no directories above: the number of the pattern, or -1. */
long ignore_last(const struct ignore_list *list, struct str path, bool directory);
struct ignore_line {
	struct str text; /* as written */
	uint32_t line;   /* from 1 */
	bool negative;
};
struct ignore_line ignore_line(const struct ignore_list *list, long i);

/*
 * The mapping of a SandboxPolicy: {"version":1,"root":"/abs","files":[{"dir":"sub",
 * "name":".cursorignore","patterns":"..."}]}.  Written from texts, read back to
 * compiled files; anything unexpected is CORDON_EINVAL.
 */
struct ignore_text {
	struct str dir, name, text;
};

void ignore_put_json(
    struct buf *b, struct str root, const struct ignore_text *files, size_t n);
int ignore_read_json(struct arena *a, struct str json, unsigned flags, struct str *ret_root,
    struct ignore_file **ret, size_t *ret_n, struct err *reterr);
