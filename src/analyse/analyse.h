/* analyse/analyse.h: command text → effects. */
#pragma once
#include "analyse/effects.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

/*
 * MUST
 * 1. Report every simple command that any run of the text could start, with the exact argv
 *    or with the positions of its unknown words; or report that something is unknown. Never
 *    miss one silently.
 * 2. Visit every child of every node: a new kind of node does not compile until the walk
 *    handles it.
 * 3. Touch no file and no environment; take bounded time and memory.
 * 4. Refuse the whole text, with position and reason, on any error or limit.
 */

/*
 * A user's declaration about a program, as words separated by blanks; a word in capitals
 * matches any word. A wrapper ends in CMD..., the command that it only starts. With `data`,
 * the words in capitals are text that is never run.
 */
struct analyse_shape {
	struct str words;
	bool data;
};

struct analyse_shapes {
	const struct analyse_shape *v;
	size_t n;
};

struct analyse_opts {
	struct str cwd;  /* absolute; .p is NULL if unknown */
	struct str home; /* .p is NULL if unknown */
};

/* Return 0, or an error with *reterr filled and *ret unchanged. */
int analyse(struct arena *a, struct str text, const struct analyse_opts *opts,
    struct effects *ret, struct err *reterr);
/* Like analyse(), with declarations about programs. */
int analyse_with(struct arena *a, struct str text, const struct analyse_opts *opts,
    struct analyse_shapes shapes, struct effects *ret, struct err *reterr);
/* Analyse one argv of execve(2), quoted; it may have as many words as the kernel
 * accepts. */
int analyse_argv(struct arena *a, struct str text, const struct analyse_opts *opts,
    struct analyse_shapes shapes, struct effects *ret, struct err *reterr);

/*
 * Like analyse(), as one line of JSON without newline, in the format of cordon-analyse(1).
 * Unless its .p is NULL, `id` (raw JSON) comes first. Return 0, or the error that the line
 * reports; CORDON_ENOMEM if even the line does not fit.
 */
int analyse_json(
    struct arena *a, struct str text, const struct analyse_opts *opts, struct buf *out);
int analyse_json_id(struct arena *a, struct str text, const struct analyse_opts *opts,
    struct str id, struct buf *out);

/* Like analyse_json(), as text for people. */
int analyse_show(
    struct arena *a, struct str text, const struct analyse_opts *opts, struct buf *out);
