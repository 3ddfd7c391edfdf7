/*
 * base/ignore/ignore.h: patterns as in .gitignore.
 *
 * The answers are git's own, quirks included. The last matching pattern of a file decides;
 * the ignore file nearest to the path decides before those above it; everything inside an
 * ignored directory is ignored.
 *
 * MUST
 * 1. Answer as `git check-ignore --no-index` does.
 * 2. Take bounded time for any pattern: at most n * m steps.
 * 3. Refuse a mapping that cannot be read as a whole; never skip a part of it.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json/json.h"
#include "base/str.h"
#include <stdint.h>

struct ignore_list; /* one compiled ignore file */

enum ignore_flags {
	IGNORE_CASE = 1, /* ignore the case of ASCII letters, as core.ignoreCase does */
};

/* Compile `text`; the patterns point into it. Return 0, CORDON_ENOMEM or CORDON_ELIMIT. */
int ignore_compile(struct arena *a, struct str text, unsigned flags,
    const struct ignore_list **ret, struct err *reterr);

/* One ignore file and its directory. */
struct ignore_file {
	struct str dir;  /* directory relative to the tree; "" is the top */
	struct str name; /* file name, for messages */
	const struct ignore_list *list;
};

struct ignore_hit {
	bool ignored;
	bool found;         /* a pattern matched, possibly one with `!` */
	size_t file;        /* index of the ignore file */
	uint32_t line;      /* from 1 */
	struct str pattern; /* as written */
	bool directory;     /* the pattern matched a directory above the path */
};

/*
 * Is `path` (relative to the tree, without `.`, `..` or final slash) ignored? The files may
 * be in any order, except that the later of two in one directory wins.
 */
void ignore_match(const struct ignore_file *files, size_t n, struct str path,
    bool directory, struct ignore_hit *ret);

/* Like ignore_match(), for a path whose directory is known not to be ignored. */
void ignore_match_in(const struct ignore_file *files, size_t n, struct str path,
    bool directory, struct ignore_hit *ret);

/* Match one list, without the directories above. Return the pattern's index, or -1. */
long ignore_last(const struct ignore_list *list, struct str path, bool directory);
struct ignore_line {
	struct str text; /* as written */
	uint32_t line;   /* from 1 */
	bool negative;
};
struct ignore_line ignore_line(const struct ignore_list *list, long i);

/*
 * The mapping in a SandboxPolicy: {"version":1,"root":"/abs","files":[{"dir":"sub",
 * "name":".cursorignore","patterns":"..."}]}. Reading it compiles the files; any deviation
 * from this form is CORDON_EINVAL.
 */
struct ignore_text {
	struct str dir, name, text;
};

void ignore_put_json(
    struct buf *b, struct str root, const struct ignore_text *files, size_t n);
int ignore_read_json(struct arena *a, struct str json, unsigned flags, struct str *ret_root,
    struct ignore_file **ret, size_t *ret_n, struct err *reterr);
